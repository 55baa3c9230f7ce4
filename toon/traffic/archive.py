"""zip archives: each member is read like a file in a folder. Nothing is written to disk.

Limits stop hostile archives. Archives inside an archive are not opened.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import BinaryIO, Final, cast

from toon.errors import TextError
from toon.limits import ARCHIVE_FILES
from toon.secrets import may_hold_credentials
from toon.text import clean
from toon.traffic.account import PASSED
from toon.traffic.folders import find_beside, folder_or_stem
from toon.traffic.kinds import Entry, Kind, Origin
from toon.traffic.payload import Record
from toon.traffic.streams import Damaged, Expansion
from toon.traffic.tools import Calls
from toon.traffic.traces import Traces

#: Files that an archive may hold, and bytes that its central directory may take.
MAX_FILES: Final = ARCHIVE_FILES
MAX_DIRECTORY: Final = 320 * ARCHIVE_FILES

MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06")

_MEMBER: Final = b"PK\x01\x02"
_MEMBER_SIZE: Final = 46  # bytes of an entry without its name, extra and comment
_LONGEST_NAME: Final = 200
_STEP: Final = 1 << 12  # bytes unpacked at a time: damage loses no more than these
_READABLE: Final = frozenset([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
#: Files that are hidden, or that macOS adds.
_CLUTTER: Final = re.compile(r"(?:\A|[/\\])(?:__MACOSX(?:[/\\]|\Z)|\.(?!\.?\Z)[^/\\]*\Z)")
_FAILURES: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error,
    LookupError,
)  # fmt: skip

ReadMember = Callable[[BinaryIO, Origin], Iterator[Record]]


def read_members(file: BinaryIO, origin: Origin, read: ReadMember) -> Iterator[Record]:
    """Yield the payloads and bad records that the function ``read`` finds in the files of a zip.

    Raises:
        TextError: The archive as a whole cannot be read.
    """
    try:
        archive = zipfile.ZipFile(_BoundedList(file))
    except TextError:
        raise
    except Exception:  # zipfile, zlib and the libraries behind fsspec raise their own errors
        raise TextError("the zip archive is damaged: its list of files cannot be read") from None
    expansion = Expansion(file.seek(0, 2))
    with archive:
        beside = find_beside(archive.namelist(), lambda _: False)
        for member in archive.infolist():
            name = clean_name(member.filename)
            inner = replace(
                origin,
                name=f"{origin.name}/{name}",
                group=folder_or_stem(name),
                whole=True,
                calls=Calls(),
                traces=Traces(),
            )
            if member.filename in beside:
                origin.account.leave_out(inner.name, PASSED)
            elif not member.is_dir() and may_hold_credentials(member.filename):
                origin.account.leave_out(inner.name)
            elif member.is_dir() or _CLUTTER.search(member.filename):
                continue
            elif member.flag_bits & 1:
                yield Entry(inner, 1).bad("encrypted")
            elif member.compress_type not in _READABLE:
                reason = "packed in a way that is not read here: only deflate is"
                yield Entry(inner, 1).bad(reason)
            else:
                try:
                    opened = cast(zipfile.ZipExtFile, archive.open(member))
                except (*_FAILURES, NotImplementedError):
                    yield Entry(inner, 1).bad("the packed file is damaged")
                    continue
                with opened:
                    yield from read(_Member(opened, expansion), inner)  # type: ignore[arg-type]


def clean_name(name: str) -> str:
    """Return a zip member's path, shortened, without ``..``, root, drive and control characters."""
    parts = clean(name).replace("\\", "/").split("/")
    parts = [part for part in parts if part not in ("", ".", "..") and not part.endswith(":")]
    text = "/".join(parts) or "(no name)"
    return text if len(text) <= _LONGEST_NAME else f"…{text[-_LONGEST_NAME:]}"


class _Member:
    """A readable file over one member of a zip archive that counts the bytes it unpacks."""

    def __init__(self, file: zipfile.ZipExtFile, expansion: Expansion) -> None:
        self._file = file
        self._expansion = expansion

    def read(self, size: int) -> bytes:
        """Read up to ``size`` unpacked bytes of a zip member, in small steps; b"" at its end.

        Bytes before a damaged place are returned first; the next call raises Damaged.
        """
        try:
            data = self._file.read1(min(size, _STEP))
        except _FAILURES:
            raise Damaged("the packed data is damaged: the rest is not read") from None
        self._expansion.count(len(data))
        return data


class _BoundedList:
    """A zip archive's file whose ``read`` raises TextError if the archive lists too many files.

    The record at the end of a zip may lie about the length of the list, its central directory, and
    there are several ways to find that record. So the list is checked as it is read, before it is
    parsed.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, lambda: True

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size) if size <= MAX_DIRECTORY else b""
        if size > MAX_DIRECTORY or _counts_more(data, MAX_FILES):
            limit = f"{MAX_FILES:,} files, the limit TOON_ARCHIVE_FILES"
            raise TextError(f"the zip archive lists more than {limit}: it is not read")
        return data


def _counts_more(data: bytes, limit: int) -> bool:
    """Return whether bytes begin a zip's central directory with more than ``limit`` entries."""
    at = count = 0
    while count <= limit and len(data) - at >= _MEMBER_SIZE and data.startswith(_MEMBER, at):
        at += _MEMBER_SIZE + sum(struct.unpack_from("<HHH", data, at + 28))
        count += 1
    return count > limit


KIND: Final = Kind(
    "zip", "zip archive", "each file in it, by folder or by name", "a folder of any of these",
    "no file in the archive",
)  # fmt: skip
