"""The parts of Evidence: what is known and claimed, and asking one's own model."""
