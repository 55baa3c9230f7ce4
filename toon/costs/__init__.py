"""Costs of a value in each format: tokens, round trips, the format to send, and prices."""
