"""TOON itself: text to value and value to text, by SPEC 4.4."""
