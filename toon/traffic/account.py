"""An account of the files that were read: the kind, the path and the number of their payloads."""

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

#: Files that have rows of their own; further ones share a row for each kind.
MAX_FILES: Final = 200
#: Results of sessions that are remembered, so that a copy in another session counts once.
MAX_SEEN: Final = 500_000
_SHOWN: Final = 120
#: Characters that are masked at once. More than are shown, or a secret might be cut in two.
_MASKED: Final = 4_000
#: The kind of a file that is not read, because it may hold credentials.
LEFT_OUT: Final = "credentials"
#: The kind of a file beside an agent's sessions that is no session.
PASSED: Final = "beside"
#: The kinds of files that vanished, that end in half a line, and that grew during reading.
GONE: Final = "gone"
HALF: Final = "half"
GREW: Final = "grew"


@dataclass(slots=True)
class ReadAs:
    """A row of the table "read as": how many payloads, skipped and bad records a log file gave.

    ``source`` is the file ("" for all files without a row of their own), ``kind`` and ``label`` the
    key and the name of the file's kind, ``path`` the place of the payloads in their records,
    ``beginning`` the start of the first payload.
    """

    source: str
    kind: str
    label: str
    path: str
    payloads: int = 0
    skipped: int = 0
    bad: int = 0
    beginning: str = ""

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
    """Counts of payloads by file, kind and path, filled while log files are read.

    Beside them are the ``definitions`` of tools and the ``usages`` of model calls in the files.
    """

    rows: dict[tuple[str, str, str], ReadAs] = field(default_factory=dict)
    definitions: Definitions = field(default_factory=Definitions)
    usages: Usages = field(default_factory=Usages)
    _seen: OrderedDict[bytes, None] = field(default_factory=OrderedDict)
    _last: tuple[str, str, str] = ("", "", "")
    #: The unpacked stream of the current file; None where the file's own position says how far.
    chunks: Chunks | None = None
    _file: BinaryIO | None = None
    _read_before: int = 0

    @property
    def bytes_read(self) -> int:
        """Bytes of the log files read so far, as stored on disk. Any thread may ask."""
        before, file, chunks = self._read_before, self._file, self.chunks
        if file is not None:
            with suppress(OSError, ValueError):  # it is closed by now, or a stream
                return before + round(file.tell() * (chunks.share if chunks else 1))
        return before

    @contextmanager
    def reading(self, file: BinaryIO) -> Iterator[None]:
        """Count the bytes of ``file`` as read, by its position, while the context is open."""
        self._file = file
        try:
            yield
        finally:
            self._file = self.chunks = None
            with suppress(OSError, ValueError):
                self._read_before += file.tell()

    def add(self, item: Record, kind: str, label: str) -> None:
        is_same = self._last[:2] == (item.source, kind)  # a bad record counts under the last path
        path = item.path if isinstance(item, Payload) else self._last[2] if is_same else ""
        self.row(item.source, kind, label, path).add(item)
        self._last = item.source, kind, path

    def is_new(self, key: bytes | None) -> bool:
        """Remember the ``key`` of a tool's result in a session; return whether it was new.

        Sessions repeat earlier results. The key None is always new.
        """
        if key is None:
            return True
        if key in self._seen:
            return False
        self._seen[key] = None
        if len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)
        return True

    def leave_out(self, source: str, kind: str = LEFT_OUT) -> None:
        """Add a row for a file that was skipped or not read to its end; ``kind`` is the reason."""
        self.row(source, kind, "left out", "").skipped += 1

    def row(self, source: str, kind: str, label: str, path: str) -> ReadAs:
        """Return the row that counts payloads of one file, kind and path, made at the first call.

        Beyond the largest number of rows, files of one kind share a row.
        """
        key = (source, kind, path)
        if key not in self.rows and len(self.rows) >= MAX_FILES:
            key = ("", kind, "")
        if key not in self.rows:
            self.rows[key] = ReadAs(mask(key[0]), kind, label, mask(key[2]))
        return self.rows[key]

    @staticmethod
    def of_facts(facts: object) -> list[ReadAs]:
        """Rebuild rows (ReadAs) from the dictionaries of :meth:`facts`; skip malformed ones."""
        rows, types = [], [type(getattr(ReadAs("", "", "", ""), name)) for name in ReadAs.__slots__]
        for row in facts if isinstance(facts, list) else ():
            with suppress(TypeError):
                rows.append(ReadAs(**row))
        fields = ReadAs.__slots__
        return [row for row in rows if [type(getattr(row, name)) for name in fields] == types]

    def facts(self) -> list[dict[str, Any]]:
        """Return the rows (ReadAs) as a list of dictionaries, in the order of reading."""
        return [asdict(row) for row in self.rows.values()]


def _beginning(payload: Payload) -> str:
    text = mask(payload.text[:_MASKED], payload.path)
    return clean(" ".join(text[:_SHOWN].split()))
