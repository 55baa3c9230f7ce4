"""A corpus of payloads: reading it from files, measuring it, analysing and reporting the run."""
