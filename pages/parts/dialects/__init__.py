"""The panels of the dialects page."""
