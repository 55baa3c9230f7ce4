"""The panels of the advisor page."""
