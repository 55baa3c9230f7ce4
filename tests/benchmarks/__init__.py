"""Benchmarks to run by hand. Each prints ratios of times within one run; none is a test."""
