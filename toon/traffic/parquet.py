"""Parquet: each row is a record, a JSON object of its columns, nested ones included.

A few rows are read at a time. A text column stays text, even if it holds JSON; readers open it. A
time becomes ISO 8601, and other values that JSON lacks become texts.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import orjson

from toon.errors import TextError
from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.json_texts import read
from toon.traffic.kinds import Cut
from toon.traffic.streams import MAX_RECORD, TOO_LONG, Chunks, Damaged, Expansion, open_whole

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

MAGIC: Final = b"PAR1"
#: The metadata key of a run's facts, which only this project's files have.
RUN_KEY: Final = b"toon.run"

#: Rows read at a time: in a hostile file all rows may repeat one long text.
_ROWS: Final = 16
_BUFFER: Final = 1 << 20


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield a Parquet file's rows as JSON objects, numbered from 1, or as Flaws.

    The chunks of the file are not consumed.

    Raises:
        TextError: The file cannot be read, or is a run of this project.
        Damaged: The file cannot be read from some row on.
    """
    file = open_whole(chunks, "a Parquet file")
    expansion, number = Expansion(file.seek(0, io.SEEK_END)), 0
    table = _open(file)
    batches = table.iter_batches(_ROWS, use_threads=False)
    while True:
        try:
            batch = next(batches, None)
        except Exception:  # Arrow's libraries raise errors of many kinds
            raise Damaged("the Parquet file is damaged: the rest is not read") from None
        if batch is None:
            return
        expansion.count(batch.nbytes)
        for index in range(batch.num_rows):
            number += 1
            yield _record(batch, index, number)


def is_run(data: bytes) -> bool:
    """Return whether bytes are a Parquet file that ``measure`` wrote, or one that does not open."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not data.startswith(MAGIC):
        return False
    try:
        return RUN_KEY in (pq.read_metadata(pa.BufferReader(data)).metadata or {})
    except Exception:  # Arrow's libraries raise errors of many kinds
        return True


def _open(file: BinaryIO) -> pq.ParquetFile:
    import pyarrow.parquet as pq

    file.seek(0)
    try:
        table = pq.ParquetFile(file, pre_buffer=False, buffer_size=_BUFFER)
    except Exception:  # Arrow's libraries raise errors of many kinds
        raise TextError("the Parquet file is damaged, or encrypted: it cannot be read") from None
    if RUN_KEY in (table.metadata.metadata or {}):
        raise TextError("a run that measure wrote, not a log: open it as a run")
    return table


def _record(batch: pa.RecordBatch, index: int, number: int) -> RawRecord | Flaw:
    try:
        row = {
            field.name: _plain(column[index].as_py(), field.type)
            for field, column in zip(batch.schema, batch.columns, strict=True)
        }
        text = orjson.dumps(row, default=_as_text, option=orjson.OPT_NON_STR_KEYS).decode()
    except (ValueError, TypeError, RecursionError):
        return Flaw(number, "the row holds what cannot be written as JSON")
    return RawRecord(number, text) if len(text) <= MAX_RECORD else Flaw(number, TOO_LONG)


def _plain(value: Any, kind: pa.DataType) -> Any:
    """Turn a Parquet cell into a Python value; a map, in Arrow a list of pairs, becomes a dict."""
    import pyarrow.types as types

    if value is None or not types.is_nested(kind):
        return value
    if types.is_map(kind):
        return {key: _plain(item, kind.item_type) for key, item in value}
    if types.is_struct(kind):
        return {field.name: _plain(value[field.name], field.type) for field in kind}
    if types.is_union(kind):
        return value
    return [_plain(item, kind.value_type) for item in value]


def _as_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


KIND: Final = Cut(
    "parquet", "Parquet", "a record a row", "an export of a tracer or a warehouse",
    split=split, read=read,
)  # fmt: skip
