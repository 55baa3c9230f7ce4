"""Layouts: which bytes of a text are names, punctuation, whitespace or values, and their tokens."""
