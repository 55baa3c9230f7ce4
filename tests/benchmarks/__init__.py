"""Measurements, run by hand: ratios within one run, printed; nothing here is a test."""
