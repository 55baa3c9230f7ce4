"""Where the names, punctuation, whitespace and values of a text lie, and how many tokens each takes."""
