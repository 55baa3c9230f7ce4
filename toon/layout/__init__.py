"""Layouts: which bytes of a text are names, punctuation, whitespace or values, and their tokens."""

from toon.installed import require

require("tokens", "toon.layout")
