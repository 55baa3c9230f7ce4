"""Reading of files of any kind: their payloads and bad records."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import BinaryIO

from toon.errors import TextError
from toon.secrets import CREDENTIALS, mask, may_hold_credentials
from toon.text import clean
from toon.traffic import archive, parquet
from toon.traffic.account import PASSED, Account
from toon.traffic.folders import File, InputFile, find_beside, find_files, open_file, stem
from toon.traffic.json_stream import Flaw
from toon.traffic.kinds import Entry, Envelope, Kind, Origin
from toon.traffic.locate import parse_group_path, parse_path
from toon.traffic.payload import BadRecord, LeftOut, Record
from toon.traffic.slices import forget
from toon.traffic.sniff import Shape, detect_shape
from toon.traffic.streams import GZIP, Chunks, Damaged, as_utf8, open_whole, unpack
from toon.values.paths import Step, pattern_text


@dataclass(frozen=True, slots=True)
class Sniffed:
    """A log file's kind, whether the file is packed, and the payload's path in its records."""

    kind: Kind
    packed: bool
    payload_path: tuple[Step, ...] | None = None

    def __str__(self) -> str:
        """Return a log file's kind in words: ``JSON Lines, packed: a record a line``."""
        packed = ", packed" if self.packed else ""
        place = f", its payload at {pattern_text(self.payload_path)}" if self.payload_path else ""
        return mask(f"{self.kind.label}{packed}: {self.kind.records}{place}")


def sniff(file: File, name: str) -> Sniffed:
    """Detect the kind of a log file, whether it is packed, and the payload's path in its records.

    Arguments as for :func:`read`.

    Raises:
        TextError: The file cannot be read, is not recognised, or may hold credentials.
    """
    if may_hold_credentials(name):
        raise TextError(CREDENTIALS)
    with open_file(file) as opened:
        chunks, layers = unpack(opened)
        if chunks.peek(4) in archive.MAGIC:
            return Sniffed(archive.KIND, layers > 0)
        shape = detect_shape(as_utf8(chunks), Origin(name, stem(name)))
        return Sniffed(shape.kind, layers > 0, shape.origin.payload_path)


def is_packed(data: bytes) -> bool:
    """Return whether the bytes ``data`` begin like a zip or gzip file."""
    return data[:4] in archive.MAGIC or data[:2] == GZIP


def read(
    file: File,
    name: str,
    *,
    payload_path: str | None = None,
    group_path: str | None = None,
    group: str | None = None,
    whole: bool = False,
    only_sessions: bool = False,
    account: Account | None = None,
) -> Iterator[Record]:
    """Return an iterator over the payloads and bad records of a file, in the file's order.

    Args:
        file: A path, or a seekable binary file; it is read from its start.
        name: The file's name in the results.
        payload_path: The path to the payload in a record of JSON Lines, or of a JSON array or
            document (:mod:`toon.values.paths`; ``$`` is the record itself), or the name of a CSV
            column. With it, no tool's log is recognised. Without it, payloads are where the kind
            of log has them, or the record itself, or ``payload`` where the first records hold one
            and name their group; records that wrap others in an unknown way are refused.
        group_path: The path to a record's group, or the name of a CSV column.
        group: The group of records that name none; by default the stem of ``name``.
        whole: Whether a JSON array is one payload, as in a zip; otherwise each item is a record.
        only_sessions: Whether to leave out files that are no tool's log; a session without results
            of tools is then no bad record.
        account: The account to which the file's rows are added.

    Raises:
        ValueError: A path cannot be parsed. The content of a file never raises.
    """
    if may_hold_credentials(name):
        return iter([LeftOut(clean(name), 1, CREDENTIALS)])
    origin = Origin(
        clean(name),
        clean(group or stem(name)),
        parse_path(payload_path),
        parse_group_path(group_path),
        whole,
        only_sessions,
        account=account or Account(),
    )
    return _read(open_file(file), origin)


class Growing:
    """A reader of a log file that still grows; its method ``read`` takes the next lines, as bytes.

    The first lines decide the file's kind. ``name`` is the file's name in the results. Facts that
    later lines need, such as the name of a called tool, are kept.
    """

    def __init__(self, name: str, account: Account | None = None) -> None:
        self._origin = Origin(clean(name), clean(stem(name)), account=account or Account())
        self._shape: Shape | None = None
        self._lines = 0

    def read(self, lines: bytes) -> Iterator[Record]:
        """Yield the payloads and bad records in ``lines``, the next whole lines of a growing log.

        Raises:
            TextError: The lines are the first, and their kind is not recognised.
        """
        if self._shape is None:
            if may_hold_credentials(self._origin.name):
                raise TextError(CREDENTIALS)
            self._shape = detect_shape(Chunks(iter([lines])), self._origin)
        kind, before = self._shape.kind, self._lines
        self._lines += lines.count(b"\n")
        for item in _records(Chunks(iter([lines])), self._shape, grows=True):
            self._shape.origin.account.add(item, kind.name, kind.label)
            yield replace(item, record=item.record + before)
        forget()


def read_paths(
    paths: list[str],
    *,
    payload_path: str | None = None,
    group_path: str | None = None,
    account: Account | None = None,
) -> Iterator[Record]:
    """Yield the payloads and bad records of all files of ``paths``: files, folders, globs and URLs.

    :func:`.folders.find_files` finds the files and their order. Among several files, each JSON text
    is one payload. The group of a file in a folder is the folder's name. A file that may hold
    credentials is left out; where there are no others it is a bad record.

    Raises:
        ValueError: A path into records cannot be parsed.
    """
    files, account = list(find_files(paths)), account or Account()
    beside = _find_beside(files)
    several = sum(not isinstance(item, LeftOut) for item in files) - len(beside) > 1
    for item in files:
        if isinstance(item, LeftOut) and any(isinstance(each, InputFile) for each in files):
            account.leave_out(item.source)
        elif isinstance(item, BadRecord):
            yield item
        elif item.path in beside:
            account.leave_out(item.name, PASSED)
        else:
            yield from read(
                item.remote or item.path,
                item.name,
                payload_path=payload_path,
                group_path=group_path,
                group=item.group,
                whole=several,
                account=account,
            )


def _find_beside(files: list[InputFile | BadRecord]) -> frozenset[str]:
    """Return the paths of files in coding agents' folders that are no sessions, to be left out."""
    found = {item.path: item for item in files if isinstance(item, InputFile) and item.group}

    def is_session(path: str) -> bool:
        try:
            return isinstance(sniff(path, found[path].name).kind, Envelope)
        except TextError:
            return False

    return find_beside(list(found), is_session)


def _read(
    opening: AbstractContextManager[BinaryIO], origin: Origin, in_archive: bool = False
) -> Iterator[Record]:
    """Open a log file and yield its payloads and bad records.

    An error that stops the reading becomes a last bad record.
    """
    last = 0
    try:
        with opening as file, nullcontext() if in_archive else origin.account.reading(file):
            for item in _contents(file, origin, in_archive):
                last = max(last, item.record) if item.source == origin.name else last
                yield item
    except Damaged as damage:
        yield Entry(origin, damage.line or last + 1).bad(damage.message)
    except TextError as error:
        yield Entry(origin, last + 1).bad(str(error))
    finally:
        forget()


def _contents(file: BinaryIO, origin: Origin, in_archive: bool) -> Iterator[Record]:
    chunks, _ = unpack(file)
    if chunks.peek(4) in archive.MAGIC:
        if in_archive:
            raise TextError("an archive inside an archive is not opened")
        kind: Kind = archive.KIND
        whole = open_whole(chunks, "an archive")
        items = archive.read_members(
            whole, origin, lambda member, inner: _read(nullcontext(member), inner, in_archive=True)
        )
    else:
        chunks = as_utf8(chunks)
        shape = detect_shape(chunks, origin)
        kind, items = shape.kind, _records(chunks, shape)
        if origin.only_sessions and not isinstance(kind, Envelope):
            first = next(items, None)
            if isinstance(first, BadRecord) and not first.is_skipped:
                yield first  # its kind is unknown
            else:
                origin.account.leave_out(origin.name, PASSED)
            return
        if not in_archive and shape.cut is not parquet.KIND:
            origin.account.chunks = chunks
    empty = True
    for item in items:
        empty = False
        if kind is not archive.KIND:  # its members have rows of their own
            origin.account.add(item, kind.name, kind.label)
        yield item
    if empty and origin.only_sessions:
        origin.account.row(origin.name, kind.name, kind.label, "")
    elif empty:
        yield Entry(origin, 1).bad(kind.nothing)


def _records(chunks: Chunks, shape: Shape, *, grows: bool = False) -> Iterator[Record]:
    origin = shape.origin
    try:
        for record in shape.cut.split(chunks):
            try:
                if isinstance(record, Flaw):
                    yield Entry(origin, record.number).bad(record.reason)
                else:
                    yield from shape.kind.read(record, origin)
            except TextError as error:
                yield Entry(origin, record.number).bad(str(error))
            except RecursionError:
                yield Entry(origin, record.number).bad("nested too deeply")
    except TextError:
        yield from origin.traces.rest(grows=grows)
        raise
    yield from origin.traces.rest(grows=grows)
