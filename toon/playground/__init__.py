"""What the editors work on: texts, the pair of panes, and which dialect a text is in."""
