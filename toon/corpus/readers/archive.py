"""zip: every file in it is read as if it lay in a folder. Nothing is written to disk.

Limits stop hostile archives. Archives inside an archive are not opened.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, Final

from toon.corpus.payload import Record
from toon.corpus.readers.kinds import FileKind
from toon.corpus.readers.records import Origin
from toon.corpus.readers.streams import Damaged, Expansion
from toon.errors import TextError
from toon.text import clean

#: Files that an archive may hold, and bytes that its list of them may take.
MAX_FILES: Final = 100_000
MAX_DIRECTORY: Final = 32_000_000

MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06")

_END: Final = b"PK\x05\x06"
_END_64: Final = b"PK\x06\x06"
_TAIL: Final = 66_000 + 76  # bytes of the longest end of an archive: comment and records
_LONGEST_NAME: Final = 200
_READABLE: Final = frozenset([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
_FAILURES: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error,
    LookupError,
)  # fmt: skip

ReadMember = Callable[[BinaryIO, Origin], Iterator[Record]]


def read_payloads(file: BinaryIO, origin: Origin, read: ReadMember) -> Iterator[Record]:
    """What ``read`` finds in each file of the archive, in the archive's order.

    Raises:
        TextError: The archive as a whole cannot be read.
    """
    _refuse_long_directory(file)
    try:
        archive = zipfile.ZipFile(file)
    except (*_FAILURES, NotImplementedError):
        raise TextError("the zip archive is damaged: its list of files cannot be read") from None
    expansion = Expansion(file.seek(0, 2))
    with archive:
        for member in archive.infolist():
            if not member.is_dir() and not _is_clutter(member.filename):
                yield from _read_member(archive, member, origin, read, expansion)


def clean_name(name: str) -> str:
    """The name of a file in an archive without ``..``, root, drive and control characters."""
    parts = clean(name).replace("\\", "/").split("/")
    parts = [part for part in parts if part not in ("", ".", "..") and not part.endswith(":")]
    text = "/".join(parts) or "(no name)"
    return text if len(text) <= _LONGEST_NAME else f"…{text[-_LONGEST_NAME:]}"


def folder_or_stem(name: str) -> str:
    """The group of a file among others: its folder's name; without a folder its own stem."""
    return PurePosixPath(name).parent.name or stem(name)


def stem(name: str) -> str:
    """A file's name without folders and endings."""
    text = PurePosixPath(name.replace("\\", "/")).name
    text = text[:-3] if text.lower().endswith(".gz") else text
    return PurePosixPath(text).stem or text or "(no name)"


class _Member:
    """A file of an archive. Its unpacked bytes are counted; errors become Damaged."""

    def __init__(self, file: BinaryIO, expansion: Expansion) -> None:
        self._file = file
        self._expansion = expansion

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._file.read(size)
        except _FAILURES:
            raise Damaged("the packed data is damaged: the rest is not read") from None
        self._expansion.count(len(data))
        return data


def _read_member(
    archive: zipfile.ZipFile,
    member: zipfile.ZipInfo,
    origin: Origin,
    read: ReadMember,
    expansion: Expansion,
) -> Iterator[Record]:
    name = clean_name(member.filename)
    inner = Origin(
        f"{origin.name}/{name}",
        folder_or_stem(name),
        origin.payload_path,
        origin.group_path,
        whole=True,
    )
    if member.flag_bits & 1:
        yield inner.bad(1, "encrypted")
        return
    if member.compress_type not in _READABLE:
        yield inner.bad(1, "packed in a way that is not read here: only deflate is")
        return
    try:
        file = archive.open(member)
    except (*_FAILURES, NotImplementedError):
        yield inner.bad(1, "the packed file is damaged")
        return
    with file:
        yield from read(_Member(file, expansion), inner)  # type: ignore[arg-type]


def _is_clutter(name: str) -> bool:
    """Whether a file is hidden or was added by a system, such as macOS."""
    parts = name.replace("\\", "/").split("/")
    return "__MACOSX" in parts or (parts[-1].startswith(".") and parts[-1] not in (".", ".."))


def _refuse_long_directory(file: BinaryIO) -> None:
    """Refuses an archive with too many files, by the counts at its end: its list is not loaded."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    end, end_64 = tail.rfind(_END), tail.rfind(_END_64)
    count = length = 0
    if 0 <= end <= len(tail) - 22:
        count, length = struct.unpack_from("<HL", tail, end + 10)
    if 0 <= end_64 <= len(tail) - 56:
        count, length = struct.unpack_from("<QQ", tail, end_64 + 32)
    file.seek(0)
    if count > MAX_FILES or length > MAX_DIRECTORY:
        raise TextError(f"the zip archive lists more than {MAX_FILES:,} files: it is not read")


KIND: Final = FileKind(
    name="zip",
    label="zip archive",
    records="each file in it, by folder or by name",
    nothing="no file in the archive",
)
