"""Payloads out of what a team has: HAR, JSON Lines, JSON, CSV, zip, MCP and chat transcripts.

What a file is is told by its content (:mod:`.sniff`); gzip may lie around any of them, and UTF-16
with a byte-order mark is read as UTF-8 is. Reading goes on where a record cannot be read: it comes
as a :class:`BadRecord` with its place and the reason. Memory is bounded by the longest record
(:data:`.streams.MAX_RECORD`), except that a zip inside gzip is held whole.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from os import PathLike
from typing import BinaryIO, Final, TypeAlias

from toon.corpus.paths import steps
from toon.corpus.payload import BadRecord, Payload
from toon.corpus.readers import archive, csv, har, json_array, jsonl
from toon.corpus.readers.chat import ChatRecords
from toon.corpus.readers.folders import Remote, find, reason_of
from toon.corpus.readers.json_stream import Flaw, Record
from toon.corpus.readers.mcp import McpRecords
from toon.corpus.readers.plain import PlainRecords
from toon.corpus.readers.records import Reading, Source, clean
from toon.corpus.readers.sniff import KINDS, Kind, Shape, shape_of
from toon.corpus.readers.streams import MAX_RECORD, Chunks, Damaged, as_utf8, unpacked
from toon.errors import TextError

#: What is read: a path, a file that can seek, or what fsspec gives for a URL.
File: TypeAlias = str | PathLike[str] | BinaryIO | Remote

_CUTS: Final = {"jsonl": jsonl.records, "array": json_array.items, "json": json_array.documents}

_NOTHING: Final = {
    "mcp": "no result of tools/call in it",
    "chat": "no tool result in it",
    "zip": "no file in the archive",
    "har": "the HAR has no entries",
}


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file was recognised as."""

    kind: Kind
    gzipped: bool

    def __str__(self) -> str:
        """In words: ``JSON Lines, gzipped: a record a line``."""
        packed = ", gzipped" if self.gzipped else ""
        return f"{self.kind.label}{packed}: {self.kind.taken}"


def kinds() -> tuple[Kind, ...]:
    """The kinds of files that are read."""
    return tuple(KINDS.values())


def read(
    file: File,
    name: str,
    *,
    payload_path: str | None = None,
    group_path: str | None = None,
    group: str | None = None,
    whole: bool = False,
) -> Iterator[Payload | BadRecord]:
    """The payloads of ``file`` and the records that hold none, in the file's order.

    ``file`` is a path, or a binary file that can seek. ``name`` is what it is called in the
    results. ``payload_path`` and ``group_path`` are dotted paths (:mod:`toon.values.paths`) into a
    record of JSON Lines, a JSON array or document, or names of CSV columns; a payload's path also
    turns off the recognition of MCP and chat transcripts (``$`` is the record itself). ``group``
    is the group of records that name none: without it, the name's stem. ``whole`` takes a file
    that is one JSON array as one payload instead of its items, as files in a zip are taken.

    Raises:
        ValueError: a path that is no dotted path. Nothing that is in a file raises.
    """
    source = Source(
        clean(name),
        clean(group or archive.stem(name)),
        steps(payload_path),
        steps(group_path),
        whole,
    )
    return _read(file, source)


def read_paths(
    paths: list[str], *, payload_path: str | None = None, group_path: str | None = None
) -> Iterator[Payload | BadRecord]:
    """What :func:`read` finds in all the files of ``paths``: files, folders and globs.

    See :func:`toon.corpus.readers.folders.find` for which files and in which order. Where there
    is more than one file, each JSON text is one payload, and a file in a folder has that folder's
    name for its group.

    Raises:
        ValueError: as :func:`read`.
    """
    steps(payload_path), steps(group_path)
    found = list(find(paths))
    alone = len(found) == 1
    for item in found:
        if isinstance(item, BadRecord):
            yield item
        else:
            yield from read(
                item.remote or item.path,
                item.name,
                payload_path=payload_path,
                group_path=group_path,
                group=item.group,
                whole=not alone,
            )


def sniff(
    file: File,
    name: str,
    *,
    payload_path: str | None = None,
    group_path: str | None = None,
) -> Sniffed:
    """What ``file`` is recognised as; arguments as for :func:`read`.

    Raises:
        TextError: as nothing that is read, and why.
        ValueError: a path that is no dotted path.
    """
    source = Source(name, archive.stem(name), steps(payload_path), steps(group_path))
    with _opened(file) as opened:
        chunks, layers = unpacked(opened)
        if chunks.peek(4) in archive.MAGIC:
            return Sniffed(KINDS["zip"], layers > 0)
        return Sniffed(shape_of(as_utf8(chunks), source).kind, layers > 0)


# -- reading ---------------------------------------------------------------------------------


def _opened(file: File) -> closing[BinaryIO] | nullcontext[BinaryIO]:
    if isinstance(file, Remote):
        return closing(_fetched(file))
    if not isinstance(file, str | PathLike):
        file.seek(0)
        return nullcontext(file)
    try:
        return closing(open(file, "rb"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TextError(f"the file cannot be opened: {reason}") from None


def _fetched(file: Remote) -> BinaryIO:
    try:
        return file.open()
    except Exception as error:  # every library behind fsspec has errors of its own
        raise TextError(f"the file cannot be opened: {reason_of(error)}") from None


def _read(file: File, source: Source) -> Iterator[Payload | BadRecord]:
    try:
        opened = _opened(file)
    except TextError as error:
        yield source.bad(1, str(error))
        return
    with opened as binary:
        yield from _guarded(binary, source, archives=True)


def _guarded(
    file: BinaryIO, source: Source, archives: bool = False
) -> Iterator[Payload | BadRecord]:
    """What a file holds; what stops its reading comes last, as a bad record."""
    last = 0
    try:
        for item in _contents(file, source, archives):
            last = item.record if item.source == source.name else last
            yield item
    except Damaged as damage:
        yield source.bad(damage.line or last + 1, damage.message)
    except TextError as error:
        yield source.bad(last + 1, str(error))


def _contents(file: BinaryIO, source: Source, archives: bool) -> Iterator[Payload | BadRecord]:
    chunks, layers = unpacked(file)
    if chunks.peek(4) in archive.MAGIC:
        if not archives:
            raise TextError("an archive inside an archive is not opened")
        kind, found = "zip", archive.payloads(_seekable(file, chunks, layers), source, _guarded)
    else:
        chunks = as_utf8(chunks)
        shape = shape_of(chunks, source)
        kind, found = shape.kind.name, _payloads(chunks, shape, source)
    empty = True
    for item in found:
        empty = False
        yield item
    if empty:
        yield source.bad(1, _NOTHING.get(kind, "no record in it"))


def _seekable(file: BinaryIO, chunks: Chunks, layers: int) -> BinaryIO:
    """The archive itself, or unpacked into memory the one that lies inside gzip."""
    if not layers:
        return file
    data = chunks.peek(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        raise TextError("an archive this large is not read from inside gzip: unpack it first")
    return io.BytesIO(data)


def _payloads(chunks: Chunks, shape: Shape, source: Source) -> Iterator[Payload | BadRecord]:
    if shape.cut == "har":
        yield from har.payloads(chunks, source)
    elif shape.cut == "csv":
        yield from csv.payloads(chunks, source)
    else:
        reading = _reading(shape.meaning, source)
        for record in _CUTS[shape.cut](chunks):
            yield from _record(record, reading, source)


def _reading(meaning: str, source: Source) -> Reading:
    if meaning == "plain":
        return PlainRecords(source)
    return McpRecords(source) if meaning == "mcp" else ChatRecords(source)


def _record(
    record: Record | Flaw, reading: Reading, source: Source
) -> Iterator[Payload | BadRecord]:
    if isinstance(record, Flaw):
        yield source.bad(record.number, record.reason)
        return
    try:
        yield from reading.payloads(record)
    except TextError as error:
        yield source.bad(record.number, str(error))


__all__ = ["Kind", "Sniffed", "kinds", "read", "read_paths", "sniff"]
