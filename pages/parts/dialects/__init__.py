"""The panels of the dialects page, one module each."""
