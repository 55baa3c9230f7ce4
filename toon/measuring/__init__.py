"""A corpus of payloads: reading it from files, measuring it, and keeping the run."""
