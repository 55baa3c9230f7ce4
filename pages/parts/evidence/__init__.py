"""The parts of Evidence: what is known and claimed, and tests of one's own model."""
