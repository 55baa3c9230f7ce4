"""What readers find in a file: payloads to measure, and records without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Payload:
    """One JSON text that was, or could have been, sent to a model.

    ``source`` is its file (in an archive: ``archive.zip/name``), ``record`` its number in the file
    from 1 (in line-based files the line), ``group`` its endpoint or tool, and ``time`` seconds
    since 1970, None if the file does not tell.
    """

    source: str
    record: int
    group: str
    text: str
    time: float | None = None


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that cannot be read or holds nothing to measure, and the reason."""

    source: str
    record: int
    reason: str


Record: TypeAlias = Payload | BadRecord
