"""What a reader finds in a file: payloads to measure, and records that are none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Payload:
    """One JSON text that went, or could have gone, to a model.

    ``source`` is the file it lay in (inside an archive: ``archive.zip/name``), ``record`` its
    1-based place there (of line-based files the line), ``group`` its endpoint or tool, ``time``
    seconds since 1970 in UTC where the source says.
    """

    source: str
    record: int
    group: str
    text: str
    time: float | None = None


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that could not be read, or holds nothing to measure, and why."""

    source: str
    record: int
    reason: str
