"""Whether a model still reads a payload in another format: questions, grading, statistics."""
