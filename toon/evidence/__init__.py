"""What others claim for their formats, beside what is measured here."""
