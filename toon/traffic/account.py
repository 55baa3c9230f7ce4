"""What files were read as: for each its kind, the path, how much was found, and how it begins."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO, Final

from toon.secrets import mask
from toon.text import clean
from toon.traffic.definitions import Definitions
from toon.traffic.payload import Payload, Record
from toon.traffic.streams import Chunks
from toon.traffic.tallies import Usages

#: Files that are told apart. What lies in others is counted by kind alone.
MAX_FILES: Final = 200
#: Results of sessions that are remembered, to count their copies in others once.
MAX_SEEN: Final = 500_000
_SHOWN: Final = 120
#: Characters that are masked together, more than are shown: a secret may begin in those.
_MASKED: Final = 4_000
#: The kind of a file that is not read because it may hold credentials.
LEFT_OUT: Final = "credentials"
#: The kind of a file that lies beside the sessions of an agent, and is none.
PASSED: Final = "beside"
#: Files that are not there any more, that end in half a line, and that grew while they were read.
GONE: Final = "gone"
HALF: Final = "half"
GREW: Final = "grew"


@dataclass(slots=True)
class ReadAs:
    """What was read in one way from one file, or, without a ``source``, from many.

    ``kind`` is the key of the file's kind and ``path`` where the payloads lay in their records.
    ``beginning`` is the start of the first payload.
    """

    source: str
    kind: str
    label: str
    path: str
    payloads: int = 0
    skipped: int = 0
    bad: int = 0
    beginning: str = ""

    @property
    def is_sound(self) -> bool:
        """Whether each field is of its type, as it is unless a file was made by others."""
        texts = (self.source, self.kind, self.label, self.path, self.beginning)
        counts = (self.payloads, self.skipped, self.bad)
        return all(isinstance(each, str) for each in texts) and all(
            isinstance(each, int) for each in counts
        )

    def add(self, item: Record) -> None:
        if isinstance(item, Payload):
            self.beginning = self.beginning or _beginning(item)
            self.payloads += 1
        elif item.is_skipped:
            self.skipped += 1
        else:
            self.bad += 1


@dataclass(slots=True)
class Account:
    """What a reading of files found, by file, kind and path. It is filled while they are read.

    Beside the payloads it has the ``definitions`` of tools and the ``usages`` that calls name.
    """

    rows: dict[tuple[str, str, str], ReadAs] = field(default_factory=dict)
    definitions: Definitions = field(default_factory=Definitions)
    usages: Usages = field(default_factory=Usages)
    _seen: OrderedDict[bytes, None] = field(default_factory=OrderedDict)
    _last: tuple[str, str, str] = ("", "", "")
    #: What is taken of the file that is read; None where the file's own position says how far.
    chunks: Chunks | None = None
    _file: BinaryIO | None = None
    _read_before: int = 0

    @property
    def bytes_read(self) -> int:
        """The bytes of the files that were read so far, as they are stored; any thread may ask."""
        before, file, chunks = self._read_before, self._file, self.chunks
        if file is not None:
            with suppress(OSError, ValueError):  # it is closed by now, or a stream
                return before + round(file.tell() * (chunks.share if chunks else 1))
        return before

    @contextmanager
    def reading(self, file: BinaryIO) -> Iterator[None]:
        """Follows how far a file is read, until it has been."""
        self._file = file
        try:
            yield
        finally:
            self._file = self.chunks = None
            with suppress(OSError, ValueError):
                self._read_before += file.tell()

    def add(self, item: Record, kind: str, label: str) -> None:
        path = item.path if isinstance(item, Payload) else self._path_of(item.source, kind)
        self._row(item.source, kind, label, path).add(item)
        self._last = item.source, kind, path

    def is_new(self, key: bytes | None) -> bool:
        """Whether a result of a session was not found before; None tells it from no other."""
        if key is None:
            return True
        if key in self._seen:
            return False
        self._seen[key] = None
        if len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)
        return True

    def leave_out(self, source: str, kind: str = LEFT_OUT) -> None:
        """Notes a file that is not read, or not whole; the kind says why."""
        self._row(source, kind, "left out", "").skipped += 1

    def note_empty(self, source: str, kind: str, label: str) -> None:
        """Notes a session in which no tool answered."""
        self._row(source, kind, label, "")

    def _row(self, source: str, kind: str, label: str, path: str) -> ReadAs:
        key = (source, kind, path)
        if key not in self.rows and len(self.rows) >= MAX_FILES:
            key = ("", kind, "")
        if key not in self.rows:
            self.rows[key] = ReadAs(mask(key[0]), kind, label, mask(key[2]))
        return self.rows[key]

    def _path_of(self, source: str, kind: str) -> str:
        """The path under which records without payloads are counted: the file's last one."""
        return self._last[2] if self._last[:2] == (source, kind) else ""

    @staticmethod
    def of_facts(facts: object) -> list[ReadAs]:
        """The rows that :meth:`facts` gave; what is not of that form is left out."""
        rows = []
        for row in facts if isinstance(facts, list) else ():
            with suppress(TypeError):
                rows.append(ReadAs(**row))
        return [row for row in rows if row.is_sound]

    def facts(self) -> list[dict[str, Any]]:
        """The rows as plain values, by file, in the order of reading."""
        return [asdict(row) for row in self.rows.values()]


def _beginning(payload: Payload) -> str:
    text = mask(payload.text[:_MASKED], payload.path)
    return clean(" ".join(text[:_SHOWN].split()))
