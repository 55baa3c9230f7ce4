"""The panels of the compact page, one module each, and what they share."""
