"""Where names, punctuation, whitespace and values lie in a text, and the tokens of each."""
