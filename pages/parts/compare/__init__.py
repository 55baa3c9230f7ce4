"""The panels of the compare page."""
