"""The parts of Reading: what is known, the questions, asking a model, and what it answered."""
