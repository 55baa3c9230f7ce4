"""The parts of Reading: what is known, the questions, and what models answered."""
