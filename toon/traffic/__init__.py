"""Reads payloads from HAR, JSON Lines, JSON, CSV, zip, MCP transcripts and chat logs.

The kind of a file is detected from its content (:mod:`.sniff`). Any kind may be gzipped, and text
may be UTF-8, or UTF-16 with a byte-order mark. A record that cannot be read becomes a
:class:`BadRecord` with its place and the reason, and reading goes on. Memory is bounded by the
longest record (:data:`.streams.MAX_RECORD`), except that a zip inside gzip is held whole.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import BinaryIO, TypeAlias

from toon.errors import TextError
from toon.text import clean
from toon.traffic import archive
from toon.traffic.folders import Remote, describe_error, find_files
from toon.traffic.json_stream import Flaw
from toon.traffic.kinds import FileKind, WholeKind
from toon.traffic.payload import BadRecord, Record
from toon.traffic.plain import read_plain
from toon.traffic.records import Origin, parse_path
from toon.traffic.sniff import Shape, detect_shape
from toon.traffic.streams import GZIP, MAX_RECORD, Chunks, Damaged, as_utf8, unpack
from toon.values.paths import Step, pattern_text

#: A path, a seekable binary file, or what fsspec gives for a URL.
File: TypeAlias = str | PathLike[str] | BinaryIO | Remote


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file was recognised as, and the path to the payload that its records show."""

    kind: FileKind
    gzipped: bool
    payload_path: tuple[Step, ...] | None = None

    def __str__(self) -> str:
        """In words: ``JSON Lines, gzipped: a record a line, its payload at payload``."""
        gzipped = ", gzipped" if self.gzipped else ""
        place = f", its payload at {pattern_text(self.payload_path)}" if self.payload_path else ""
        return f"{self.kind.label}{gzipped}: {self.kind.records}{place}"


def read(
    file: File,
    name: str,
    *,
    payload_path: str | None = None,
    group_path: str | None = None,
    group: str | None = None,
    whole: bool = False,
) -> Iterator[Record]:
    """Reads the payloads and bad records of a file, in the file's order.

    Args:
        file: A path, or a seekable binary file; it is read from its start.
        name: The file's name in the results.
        payload_path: Where a record of JSON Lines, or of a JSON array or document, holds its
            payload (:mod:`toon.values.paths`; ``$`` is the record itself), or the name of a CSV
            column. With it, MCP and chat transcripts are not recognised. Without it, it is the
            record itself, or ``payload`` where the first records hold one and name their group.
        group_path: Where a record names its group, or the name of a CSV column.
        group: The group of records that name none; by default the stem of ``name``.
        whole: Whether a JSON array is one payload, as in a zip; otherwise each item is a record.

    Raises:
        ValueError: A path cannot be parsed. The content of a file never raises.
    """
    origin = Origin(
        clean(name),
        clean(group or archive.stem(name)),
        parse_path(payload_path),
        parse_path(group_path),
        whole,
    )
    return _read(file, origin)


def read_paths(
    paths: list[str], *, payload_path: str | None = None, group_path: str | None = None
) -> Iterator[Record]:
    """Reads all files of ``paths``, which are files, folders, globs and URLs.

    :func:`.folders.find_files` defines which files and in which order. If there are several files,
    each JSON text is one payload. The group of a file in a folder is the folder's name.

    Raises:
        ValueError: A path into records cannot be parsed.
    """
    parse_path(payload_path), parse_path(group_path)
    files = list(find_files(paths))
    for item in files:
        if isinstance(item, BadRecord):
            yield item
        else:
            yield from read(
                item.remote or item.path,
                item.name,
                payload_path=payload_path,
                group_path=group_path,
                group=item.group,
                whole=len(files) > 1,
            )


def sniff(file: File, name: str) -> Sniffed:
    """Detects what ``file`` is; arguments as for :func:`read`.

    Raises:
        TextError: The file cannot be read or is not recognised.
    """
    origin = Origin(name, archive.stem(name))
    with _open(file) as opened:
        chunks, layers = unpack(opened)
        if chunks.peek(4) in archive.MAGIC:
            return Sniffed(archive.KIND, layers > 0)
        shape = detect_shape(as_utf8(chunks), origin)
        return Sniffed(shape.kind, layers > 0, shape.payload_path)


def is_packed(data: bytes) -> bool:
    """Whether a file unpacks to more than itself: a zip, or gzip."""
    return data[:4] in archive.MAGIC or data[:2] == GZIP


def _open(file: File) -> closing[BinaryIO] | nullcontext[BinaryIO]:
    if isinstance(file, Remote):
        try:
            return closing(file.open())
        except Exception as error:  # each library behind fsspec raises its own errors
            raise TextError(f"the file cannot be opened: {describe_error(error)}") from None
    if not isinstance(file, str | PathLike):
        file.seek(0)
        return nullcontext(file)
    try:
        return closing(open(file, "rb"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TextError(f"the file cannot be opened: {reason}") from None


def _read(file: File, origin: Origin) -> Iterator[Record]:
    try:
        opened = _open(file)
    except TextError as error:
        yield origin.bad(1, str(error))
        return
    with opened as binary:
        yield from _read_guarded(binary, origin, archives=True)


def _read_guarded(file: BinaryIO, origin: Origin, archives: bool = False) -> Iterator[Record]:
    """The content of a file. An error that stops the reading becomes a last bad record."""
    last = 0
    try:
        for item in _read_contents(file, origin, archives):
            last = item.record if item.source == origin.name else last
            yield item
    except Damaged as damage:
        yield origin.bad(damage.line or last + 1, damage.message)
    except TextError as error:
        yield origin.bad(last + 1, str(error))


def _read_contents(file: BinaryIO, origin: Origin, archives: bool) -> Iterator[Record]:
    chunks, layers = unpack(file)
    if chunks.peek(4) in archive.MAGIC:
        if not archives:
            raise TextError("an archive inside an archive is not opened")
        if layers:
            data = chunks.peek(MAX_RECORD + 1)
            if len(data) > MAX_RECORD:
                reason = "an archive this large is not read from inside gzip: unpack it first"
                raise TextError(reason)
            file = io.BytesIO(data)
        kind, items = archive.KIND, archive.read_payloads(file, origin, _read_guarded)
    else:
        chunks = as_utf8(chunks)
        shape = detect_shape(chunks, origin)
        kind, items = shape.kind, _read_shape(chunks, shape, origin)
    empty = True
    for item in items:
        empty = False
        yield item
    if empty:
        yield origin.bad(1, kind.nothing)


def _read_shape(chunks: Chunks, shape: Shape, origin: Origin) -> Iterator[Record]:
    if isinstance(shape.cut, WholeKind):
        yield from shape.cut.read(chunks, origin)
        return
    if shape.payload_path is not None:
        origin = replace(origin, payload_path=shape.payload_path)
    payloads = shape.transcript.reader(origin) if shape.transcript else partial(read_plain, origin)
    for record in shape.cut.split(chunks):
        if isinstance(record, Flaw):
            yield origin.bad(record.number, record.reason)
            continue
        try:
            yield from payloads(record)
        except TextError as error:
            yield origin.bad(record.number, str(error))
