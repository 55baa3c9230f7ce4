"""Tests of how well a model reads a payload in a format: questions, grading, statistics."""
