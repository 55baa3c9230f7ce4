"""What a reader says about the files it reads. Each reader's module defines its own ``KIND``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.payload import Record
from toon.traffic.records import Origin, RecordReader
from toon.traffic.streams import Chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file: its name, its label for people, and what its records are.

    ``nothing`` is the reason given for a file without payloads.
    """

    name: str
    label: str
    records: str
    nothing: str = "no record in it"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitKind(FileKind):
    """A kind whose files are split into JSON records, which any transcript may hold."""

    split: Callable[[Chunks], Iterator[RawRecord | Flaw]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeKind(FileKind):
    """A kind whose reader splits the file itself."""

    read: Callable[[Chunks, Origin], Iterator[Record]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptKind(FileKind):
    """A kind of JSON records that hold payloads somewhere inside.

    A file is of this kind if ``recognises`` is true for one of its first records. ``reader`` makes
    the reader of one file.
    """

    recognises: Callable[[Any], bool]
    reader: Callable[[Origin], RecordReader]
