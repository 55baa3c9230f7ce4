"""Parquet files that carry checksums, so that a changed bit is noticed before it is a figure.

The checksums stand between rows and footer, where no reader of Parquet looks: one (CRC-32) for each
column of each row group, so that only what is read is compared; their number; one of them and the
footer together; and a mark. A file without the mark is read as it is.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.errors import RunError

_TAIL: Final = struct.Struct("<II8s")
_MARK: Final = b"toon.crc"
_END: Final = 8  # bytes: the length of the footer, and Parquet's own mark
_PIECE: Final = 1 << 20

_ADVICE: Final = "take another copy, or measure again"


def seal(written: BinaryIO, draft: BinaryIO) -> None:
    """Adds checksums to a Parquet file: reads what is ``written`` of it, and ends its ``draft``."""
    metadata = pq.read_metadata(written)
    start = _footer(written)
    written.seek(start)
    footer = written.read()
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    chunks = (group.column(at) for group in groups for at in range(group.num_columns))
    found = [_sum(written, chunk) for chunk in chunks]
    sums = struct.pack(f"<{len(found)}I", *found)
    draft.seek(start)
    total = zlib.crc32(footer, zlib.crc32(sums))
    draft.write(sums + _TAIL.pack(len(found), total, _MARK) + footer)


class Checked:
    """A Parquet file, whose parts are compared with their checksums before they are read.

    ``is_sealed`` says whether it has any. ``columns`` names all. ``name`` stands for it in errors.

    Raises:
        OSError: It cannot be opened.
        RunError: It is damaged, or no Parquet file.
    """

    def __init__(self, source: Path | BinaryIO, name: str) -> None:
        self._source, self._name = source, name
        with self._opened() as file, self._said("is not a Parquet file"):
            self._sums = self._read_sums(file)
            self.metadata = pq.read_metadata(file)
            schema = self.metadata.schema
            self.columns: list[str] = schema.to_arrow_schema().names
            self._leaves: list[str] = [schema.column(at).path for at in range(len(schema))]
        self.is_sealed = self._sums is not None

    def read(
        self,
        columns: Sequence[str] | None = None,
        groups: Sequence[int] | None = None,
        repeated: Sequence[str] = (),
    ) -> pa.Table:
        """The rows of all ``groups`` or of some: all columns or those named, in that order.

        Args:
            repeated: Columns of text that are read as dictionaries.

        Raises:
            RunError: What is asked for is damaged, or the file is gone.
        """
        groups = range(self.metadata.num_row_groups) if groups is None else groups
        with self._said("cannot be read"):
            self._check(columns, groups)
            options = {"metadata": self.metadata, "read_dictionary": list(repeated)}
            with pq.ParquetFile(self._source, **options) as file:
                table = file.read_row_groups(list(groups), columns)
                return table if columns is None else table.select(columns)

    def _read_sums(self, file: BinaryIO) -> tuple[int, ...] | None:
        start = _footer(file)
        if start < _TAIL.size:  # Arrow says what it is not
            return None
        file.seek(start - _TAIL.size)
        count, total, mark = _TAIL.unpack(file.read(_TAIL.size))
        if mark != _MARK:
            return None
        size = 4 * count
        file.seek(max(0, start - _TAIL.size - size))
        sums = file.read(size)
        file.seek(start)
        if zlib.crc32(file.read(), zlib.crc32(sums)) != total:
            raise self._damaged("its end")
        return struct.unpack(f"<{count}I", sums)

    def _check(self, columns: Sequence[str] | None, groups: Sequence[int]) -> None:
        if self._sums is None:
            return
        inner = tuple(f"{name}." for name in columns or ())  # parts of lists
        wanted = [
            (at, name)
            for at, name in enumerate(self._leaves)
            if columns is None or name in columns or name.startswith(inner)
        ]
        with self._opened() as file:
            for group in groups:
                chunks = self.metadata.row_group(group)
                for at, name in wanted:
                    if _sum(file, chunks.column(at)) != self._sums[group * len(self._leaves) + at]:
                        raise self._damaged(f"its column {name}")

    def _damaged(self, part: str) -> RunError:
        return RunError(f"{self._name} is damaged: {part} is not as it was written; {_ADVICE}")

    def _opened(self) -> AbstractContextManager[BinaryIO]:
        source = self._source
        return source.open("rb") if isinstance(source, Path) else nullcontext(source)

    @contextmanager
    def _said(self, what: str) -> Iterator[None]:
        """Makes an error of Arrow, which raises ``OSError`` too, one that names the file."""
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            reason = str(error).replace(str(self._source), "it")
            raise RunError(f"{self._name} {what}: {reason}; {_ADVICE}") from None


def _footer(file: BinaryIO) -> int:
    """Where the footer starts; below 0 where there is none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END))
    return size - _END - int.from_bytes(file.read(4), "little")


def _sum(file: BinaryIO, chunk: pq.ColumnChunkMetaData) -> int:
    """The checksum of a column of a row group."""
    starts = (chunk.dictionary_page_offset, chunk.data_page_offset)
    file.seek(min(filter(None, starts), default=0))
    left, found = chunk.total_compressed_size, 0
    while left and (piece := file.read(min(left, _PIECE))):
        found = zlib.crc32(piece, found)
        left -= len(piece)
    return found
