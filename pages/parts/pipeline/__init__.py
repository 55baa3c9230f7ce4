"""The panels of the pipeline page."""
