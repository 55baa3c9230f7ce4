"""Signed differences as fractions of a baseline."""


def fraction(tokens: float, baseline: float) -> float | None:
    """Return ``(tokens - baseline) / baseline``, negative for fewer; None for a baseline of 0."""
    return (tokens - baseline) / baseline if baseline else None
