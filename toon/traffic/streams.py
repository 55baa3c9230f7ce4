"""Bytes of a file as UTF-8: unpacked, decoded and split into lines, in bounded memory.

A damaged stream first yields its good part, then raises Damaged.
"""

import codecs
import io
import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, Final

from toon.errors import TextError
from toon.limits import RECORD_BYTES, UNPACKED_TIMES

#: Bytes read at a time.
CHUNK: Final = 1 << 18

#: Bytes examined to detect a file's kind; more only if its first record is longer.
HEAD: Final = 1 << 20

MAX_RECORD: Final = RECORD_BYTES
TOO_LONG: Final = f"longer than {MAX_RECORD / 1e6:,g} MB, the limit TOON_RECORD_BYTES"
NOT_UTF8: Final = "not UTF-8"

#: Bytes that any file may unpack to; beyond them ``UNPACKED_TIMES`` limits.
FREE_EXPANSION: Final = 64_000_000

#: Layers of gzip or zstd that are unpacked.
MAX_LAYERS: Final = 2

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"

#: Bytes asked of zstd at a time: damage may lose as many good ones.
_STEP: Final = 1 << 14


class Damaged(TextError):
    """The error of a log file whose bytes break off, with the ``line`` if lines are read."""


@dataclass(slots=True)
class Expansion:
    """A count of the bytes that went into an unpacker and came out, to stop a zip bomb.

    ``packed`` is the number of bytes read so far, or the size of the whole archive.
    """

    packed: int = 0
    _unpacked: int = 0

    def count(self, size: int) -> None:
        """Count ``size`` more bytes that were unpacked.

        Raises:
            Damaged: There are so many that the file must be a bomb.
        """
        self._unpacked += size
        if self._unpacked > max(FREE_EXPANSION, UNPACKED_TIMES * self.packed):
            raise Damaged(
                f"it unpacks to more than {UNPACKED_TIMES} times its size, the limit "
                "TOON_UNPACKED_TIMES: taken for a zip bomb, the rest is not read"
            )


class Chunks:
    """An iterator over a log file's bytes in chunks, which can also look ahead.

    ``damage`` is the error that looking ahead met: it is raised once the chunks before are taken.
    ``file`` is the file of these bytes, if they are not packed and it can seek.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._ahead: deque[bytes] = deque()
        self._rest = chunks
        #: The error that the look ahead met; raised after the good part.
        self.damage: Damaged | None = None
        #: The file of these bytes, if they are not packed and it can seek.
        self.file: BinaryIO | None = None
        self._at_end = False
        self._pulled = self._given = self._taken = 0

    @property
    def share(self) -> float:
        """Fraction of the bytes read so far that were used up, without the chunk in use."""
        return self._taken / self._pulled if self._pulled else 0.0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        self._taken = self._given
        if not self._ahead and self.damage:
            raise self.damage
        chunk = self._ahead.popleft() if self._ahead else self._pull()
        self._given += len(chunk)
        return chunk

    def _pull(self) -> bytes:
        chunk = next(self._rest)
        self._pulled += len(chunk)
        return chunk

    def peek(self, size: int) -> bytes:
        """Return the next ``size`` bytes without taking them; fewer before an end or damage."""
        have = sum(map(len, self._ahead))
        while have < size and self.damage is None and not self._at_end:
            try:
                chunk = self._pull()
            except StopIteration:
                self._at_end = True
            except Damaged as damage:
                self.damage = damage
            else:
                self._ahead.append(chunk)
                have += len(chunk)
        parts, missing = list[bytes](), size
        for chunk in self._ahead:
            parts.append(chunk[:missing])
            missing -= len(chunk)
            if missing <= 0:
                break
        return b"".join(parts)


def unpack(file: BinaryIO) -> tuple[Chunks, int]:
    """Unpack a file that may be compressed by gzip or zstd, even twice.

    Return its bytes from its position on, and the number of layers that were unpacked.
    """
    chunks = Chunks(_raw(file))
    chunks.file = file if hasattr(file, "seek") else None
    layers = 0
    while layers < MAX_LAYERS:
        head = chunks.peek(4)
        if head[:2] != GZIP and head != ZSTD:
            break
        chunks = Chunks(_gunzip(chunks) if head != ZSTD else _unzstd(chunks))
        layers += 1
    return chunks, layers


def open_whole(chunks: Chunks, what: str) -> BinaryIO:
    """Return the bytes of a log file's ``chunks`` as a file that can be read at any place.

    It is the log file itself, or one in memory if that is packed. ``what`` names it in the error.

    Raises:
        TextError: The file is packed and large.
    """
    if chunks.file is not None:
        return chunks.file
    data = chunks.peek(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        raise TextError(f"{what} this large is not read from inside a packed file: unpack it first")
    return io.BytesIO(data)


def as_utf8(chunks: Chunks) -> Chunks:
    """Turn the bytes of a text file into UTF-8 without a byte-order mark.

    UTF-16 with a mark is transcoded; other bytes stay as they are. Invalid Unicode becomes invalid
    UTF-8, so that its record is reported.
    """
    head = chunks.peek(3)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Chunks(_transcode(chunks))
    return Chunks(_without_mark(chunks)) if head == codecs.BOM_UTF8 else chunks


def split_lines(chunks: Iterator[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Yield the number of each line and its bytes without the line feed, from bytes in chunks.

    The bytes are None for a line that is too long.

    Raises:
        Damaged: The stream breaks off in ``damage.line``, of which nothing is yielded.
    """
    number, parts, size = 1, list[bytes](), 0
    try:
        for chunk in chunks:
            *whole, rest = chunk.split(b"\n")
            for piece in whole:
                parts.append(piece)
                size += len(piece)
                yield number, b"".join(parts) if size <= MAX_RECORD else None
                number, parts, size = number + 1, [], 0
            size += len(rest)
            parts.append(rest)
            if size > MAX_RECORD:
                parts.clear()
    except Damaged as damage:
        damage.line = number
        raise
    if size:
        yield number, b"".join(parts) if size <= MAX_RECORD else None


def _raw(file: BinaryIO) -> Iterator[bytes]:
    while True:
        try:
            chunk = file.read(CHUNK)
        except TextError:
            raise
        except Exception as error:  # each library behind fsspec raises its own errors
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise Damaged(f"it cannot be read: {reason}") from None
        if not chunk:
            return
        yield chunk


def _gunzip(chunks: Chunks) -> Iterator[bytes]:
    expansion = Expansion()
    inflate = zlib.decompressobj(31)
    for chunk in chunks:
        expansion.packed += len(chunk)
        data, more = chunk, True
        while data or more:
            if inflate.eof:  # another member may follow, or padding
                data, more = data.lstrip(b"\0"), False
                if not data:
                    break
                inflate = zlib.decompressobj(31)
            before = inflate.copy()
            try:
                piece = inflate.decompress(data, CHUNK)
            except zlib.error:
                with suppress(zlib.error):  # the bytes before the damage
                    for at in range(len(data)):
                        yield before.decompress(data[at : at + 1])
                raise Damaged("the gzip data is damaged: the rest is not read") from None
            expansion.count(len(piece))
            if piece:
                yield piece
            data = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
            more = len(piece) == CHUNK  # the unpacker may hold more
    if not inflate.eof:
        raise Damaged("the gzip data is cut off")


class _Packed(io.RawIOBase):
    """A file for unpackers that reads from chunks, counts their bytes and keeps a ``damage``."""

    def __init__(self, chunks: Chunks, expansion: Expansion) -> None:
        self._chunks, self._expansion, self._rest = chunks, expansion, b""
        self.damage: Damaged | None = None

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        try:
            self._rest = self._rest or next(self._chunks, b"")
        except Damaged as damage:
            self.damage = damage
        piece = self._rest[:size] if size >= 0 else self._rest
        self._rest = self._rest[len(piece) :]
        self._expansion.packed += len(piece)
        return piece


def _unzstd(chunks: Chunks) -> Iterator[bytes]:
    import pyarrow  # costs a start of the program that most files do not need

    expansion = Expansion()
    packed = _Packed(chunks, expansion)
    stream = pyarrow.CompressedInputStream(pyarrow.PythonFile(packed, "r"), "zstd")
    while True:
        try:
            piece = stream.read(_STEP)
        except OSError as error:
            is_cut = "truncated" in str(error).lower()
            reason = "is cut off" if is_cut else "is damaged: the rest is not read"
            raise packed.damage or Damaged(f"the zstd data {reason}") from None
        if not piece:
            break
        expansion.count(len(piece))
        yield piece
    if packed.damage:
        raise packed.damage


def _transcode(chunks: Chunks) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
    try:
        for chunk in chunks:
            yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise Damaged("the UTF-16 text breaks off inside a character") from None


def _without_mark(chunks: Chunks) -> Iterator[bytes]:
    yield next(chunks)[len(codecs.BOM_UTF8) :]  # peek has joined the chunks of the mark
    yield from chunks
