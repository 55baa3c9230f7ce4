"""A run's table: its columns, rows to Parquet, and what the file says about itself.

One row per record, in the order they were read. The columns, nullable but for the first two:

- ``source``, ``record``: where it lay. ``group``: its endpoint or tool. ``time``: UTC.
- ``bytes``: of the payload's text in UTF-8, as it came.
- ``error``: why there are no figures; null where there are. All columns below are null then.
- ``<tokenizer>.as-typed``, ``<tokenizer>.<format>``: tokens; null where the format cannot carry
  the value.
- ``names``, ``punctuation``, ``whitespace``, ``values``: the first tokenizer's tokens of compact
  JSON by kind of text. They add up to the count exactly.
- ``best``: the cheapest of ``RECOMMENDED`` proven to be lossless, by the first tokenizer.
- ``round_trips.<format>``: whether the value came back from this very text.
- ``text``: the payload, if it was to be kept.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from toon.corpus.measuring import Record, Row, Settings, measure_records
from toon.formats import AS_TYPED, FORMATS
from toon.layout.spans import KINDS
from toon.tokenizers import get

#: Of the columns and of the metadata; a reader refuses what is newer than itself.
VERSION: Final = 1
KEY: Final = b"toon.run"

_LAST_SECOND: Final = 253_402_300_799  # of the year 9999, the last that Python's dates have


class RunError(ValueError):
    """A file that is no run, or not one that can be read here; the message says which."""


def schema(settings: Settings) -> Any:
    """The columns of a run with these settings: a ``pyarrow.Schema``."""
    names = settings.tokenizers
    counted = [f"{name}.{text}" for name in names for text in (AS_TYPED, *settings.formats)]
    fields = [
        pa.field("source", pa.string(), nullable=False),
        pa.field("record", pa.int64(), nullable=False),
        pa.field("group", pa.dictionary(pa.int32(), pa.string())),
        pa.field("time", pa.timestamp("us", "UTC")),
        pa.field("bytes", pa.int64()),
        pa.field("error", pa.string()),
        *(pa.field(name, pa.int64()) for name in counted),
        *(pa.field(kind, pa.float64()) for kind in KINDS),
        pa.field("best", pa.string()),
        *(pa.field(f"round_trips.{name}", pa.bool_()) for name in settings.formats),
    ]
    if settings.keep_payloads:
        fields.append(pa.field("text", pa.string()))
    return pa.schema(fields)


def measure_part(records: Sequence[Record], settings: Settings) -> bytes:
    """A part of a run: the records' rows as Parquet. What local workers and a cluster call."""
    return to_parquet(measure_records(records, settings), settings)


def to_parquet(rows: Sequence[Row], settings: Settings) -> bytes:
    """The rows as a Parquet file: a part of a run, which says nothing about itself."""
    columns = schema(settings)
    arrays = [pa.array(_column(rows, field.name), field.type) for field in columns]
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=columns), buffer, compression="zstd")
    return buffer.getvalue()


def _column(rows: Sequence[Row], name: str) -> list[Any]:
    cells = [row.get(name) for row in rows]
    if name == "time":
        return [None if cell is None else _microseconds(cell) for cell in cells]
    if name in ("source", "group", "error", "text"):
        return [None if cell is None else _encodable(cell) for cell in cells]
    return cells


def _microseconds(seconds: float) -> int | None:
    """Since 1970; None for what is no date of Python's."""
    if not math.isfinite(seconds) or not 0 <= seconds <= _LAST_SECOND:
        return None
    return round(seconds * 1_000_000)


def _encodable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot carry, as replacement characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass").decode(errors="replace")
    return text


# -- metadata --------------------------------------------------------------------------------


def describe(settings: Settings) -> dict[str, Any]:
    """What a run says of how it was measured. The run adds times and counts."""
    return {
        "version": VERSION,
        "tokenizers": {name: {"exact": get(name).exact} for name in settings.tokenizers},
        "formats": {name: {"lossless": FORMATS[name].lossless} for name in settings.formats},
        "keep_payloads": settings.keep_payloads,
        "versions": dict(settings.versions),
    }


@dataclass(frozen=True, slots=True)
class Run:
    """A run's file. ``about`` holds ``version``, ``tokenizers`` (name to ``exact``), ``formats``
    (name to ``lossless``), ``keep_payloads``, ``versions``, ``complete``, ``started``,
    ``finished`` (ISO, UTC), ``records``, ``errors`` and ``bytes``.
    """

    path: Path
    about: dict[str, Any]

    def table(self, columns: Sequence[str] | None = None) -> Any:
        """The rows as a ``pyarrow.Table``: all columns, or those named."""
        return pq.read_table(self.path, columns=None if columns is None else list(columns))

    def batches(self) -> Iterator[Any]:
        """The rows as one ``pyarrow.Table`` after another, of bounded size."""
        with pq.ParquetFile(self.path) as file:
            for index in range(file.num_row_groups):
                yield file.read_row_group(index)

    def errors(self) -> Iterator[tuple[str, int, str]]:
        """Source, record and reason of every record without figures, in order."""
        with pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(columns=["source", "record", "error"]):
                for row in batch.filter(pc.is_valid(batch["error"])).to_pylist():
                    yield row["source"], row["record"], row["error"]


def open_run(path: str | Path) -> Run:
    """A run by its file.

    Raises:
        OSError: The file cannot be read.
        RunError: It is not Parquet, not a run, or a run of a later version than this reads.
    """
    try:
        found = pq.read_metadata(path).metadata or {}
    except pa.ArrowInvalid as error:
        raise RunError(f"{path} is not a Parquet file: {error}") from None
    if KEY not in found:
        raise RunError(f"{path} is not a run: toon measure has not written it")
    try:
        about = json.loads(found[KEY])
        version = int(about["version"])
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{path} is not a run: it does not say how it was measured") from None
    if version > VERSION:
        raise RunError(f"{path} is a run of version {version}; this reads up to {VERSION}: update")
    return Run(Path(path), about)
