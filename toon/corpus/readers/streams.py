"""From a file to UTF-8: unpacked, decoded and cut into lines, within limits, in bounded memory.

Damage does not lose what lies before it: a stream yields its good part, then raises Damaged.
"""

from __future__ import annotations

import codecs
import zlib
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, Final

from toon.errors import TextError

#: Bytes asked for at a time.
CHUNK: Final = 1 << 18

#: Bytes of the longest record read: some eight million tokens, more than any model takes in.
MAX_RECORD: Final = 32_000_000

#: How many times its packed size a file may unpack to, once past ``FREE_EXPANSION`` bytes.
#: Logs seldom pass 50 times; zeros packed to make a bomb reach 1,000.
MAX_EXPANSION: Final = 250
FREE_EXPANSION: Final = 64_000_000

#: gzip inside gzip is unpacked so often and no more.
MAX_LAYERS: Final = 2

_GZIP: Final = b"\x1f\x8b"
_TOO_LONG: Final = f"longer than {MAX_RECORD // 1_000_000} MB"


class Damaged(TextError):
    """A stream that breaks off; ``line`` is the line it breaks off in, where lines are read."""


class Expansion:
    """How much came in and went out of an unpacker.

    ``taken`` is the bytes read so far, or the size of the whole archive.
    """

    def __init__(self, taken: int = 0) -> None:
        self.taken = taken
        self._made = 0

    def made(self, size: int) -> None:
        """Counts ``size`` bytes unpacked.

        Raises:
            Damaged: they are too many to be anything but a bomb.
        """
        self._made += size
        if self._made > max(FREE_EXPANSION, MAX_EXPANSION * self.taken):
            raise Damaged(
                f"it unpacks to more than {MAX_EXPANSION} times its size: taken for a zip bomb, "
                "the rest is not read"
            )


class Chunks:
    """Chunks of bytes that can be looked at before they are read."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._ahead: deque[bytes] = deque()
        self._rest = chunks
        #: What the stream breaks off with, once that is known; raised after what lies before it.
        self.damage: Damaged | None = None
        self._at_end = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._ahead:
            return self._ahead.popleft()
        if self.damage:
            raise self.damage
        return next(self._rest)

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes, or as many as there are; damage is left for the reading."""
        have = sum(map(len, self._ahead))
        while have < size and self.damage is None and not self._at_end:
            try:
                chunk = next(self._rest)
            except StopIteration:
                self._at_end = True
            except Damaged as damage:
                self.damage = damage
            else:
                self._ahead.append(chunk)
                have += len(chunk)
        if len(self._ahead) > 1:
            self._ahead = deque([b"".join(self._ahead)])
        return self._ahead[0][:size] if self._ahead else b""


def unpacked(file: BinaryIO) -> tuple[Chunks, int]:
    """The bytes of ``file`` from where it stands, and how many layers of gzip came off."""
    chunks = Chunks(_raw(file))
    layers = 0
    while layers < MAX_LAYERS and chunks.peek(2) == _GZIP:
        chunks = Chunks(_gunzip(chunks))
        layers += 1
    return chunks, layers


def as_utf8(chunks: Chunks) -> Chunks:
    """The same text in UTF-8, without a byte-order mark.

    UTF-16 with a mark is transcoded; anything else is passed on as it is. What was no Unicode
    stays no UTF-8, so that the record it lies in can say so.
    """
    head = chunks.peek(3)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Chunks(_transcode(chunks))
    return Chunks(_without_mark(chunks)) if head == codecs.BOM_UTF8 else chunks


def lines(chunks: Iterator[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Each line's number and bytes, without its line feed; None for one that is too long.

    Raises:
        Damaged: with the line; the part of it that was read is not yielded.
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


def too_long() -> TextError:
    """What to say of a record longer than the limit."""
    return TextError(_TOO_LONG)


# -- layers ----------------------------------------------------------------------------------


def _raw(file: BinaryIO) -> Iterator[bytes]:
    while True:
        try:
            chunk = file.read(CHUNK)
        except OSError as error:
            raise Damaged(f"it cannot be read: {error.strerror or error}") from None
        if not chunk:
            return
        yield chunk


def _gunzip(chunks: Chunks) -> Iterator[bytes]:
    expansion = Expansion()
    inflate = zlib.decompressobj(31)
    for chunk in chunks:
        expansion.taken += len(chunk)
        data, more = chunk, True
        while data or more:
            if inflate.eof:  # one member ends; another may follow, or padding
                data, more = data.lstrip(b"\0"), False
                if not data:
                    break
                inflate = zlib.decompressobj(31)
            before = inflate.copy()
            try:
                piece = inflate.decompress(data, CHUNK)
            except zlib.error:
                yield from _byte_by_byte(before, data)
                raise Damaged("the gzip data is damaged: the rest is not read") from None
            expansion.made(len(piece))
            if piece:
                yield piece
            data = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
            more = len(piece) == CHUNK  # it may hold more of what it has taken in
    if not inflate.eof:
        raise Damaged("the gzip data is cut off")


def _byte_by_byte(inflate: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """All that can be unpacked before the damage in ``data``."""
    for index in range(len(data)):
        try:
            piece = inflate.decompress(data[index : index + 1])
        except zlib.error:
            return
        if piece:
            yield piece


def _transcode(chunks: Chunks) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
    try:
        for chunk in chunks:
            yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise Damaged("the UTF-16 text breaks off inside a character") from None


def _without_mark(chunks: Chunks) -> Iterator[bytes]:
    yield next(chunks)[len(codecs.BOM_UTF8) :]  # the peek has joined what holds the mark
    yield from chunks
