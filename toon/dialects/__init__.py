"""Dialects in the field: one package or module each, none of them official TOON."""
