"""The editors' logic: their texts, the pair of panes, and the detection of a text's dialect."""
