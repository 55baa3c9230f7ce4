"""The panels of the compact page, and what they share."""
