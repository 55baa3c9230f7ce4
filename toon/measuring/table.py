"""A run's table: its columns, its rows as Parquet, and its metadata.

One row per record, in the order they were read. All columns but the first two may be null:

- ``source``, ``record``: where the payload was found. ``group``: its endpoint or tool.
  ``time``: UTC. ``model``: the model that the record names. ``turn``: the call that asked for it,
  by number in the metadata's ``turns``.
- ``bytes``: the UTF-8 size of the payload's text, as typed.
- ``error``: why there are no figures. If it is set, every column below is null, but ``skipped``
  and ``text``.
- ``skipped``: tokens, by the first tokenizer, of a text that is not JSON and so has no figures.
- ``<tokenizer>.as-typed``, ``<tokenizer>.<format>``: tokens; null where the format cannot carry
  the value.
- ``names``, ``punctuation``, ``whitespace``, ``values``: tokens of compact JSON by kind of text,
  by the first tokenizer. They sum to the count exactly.
- ``comparable``: false where the payload is empty or a single value, so formats do not differ.
- ``best``: the format to send, explanation included, by the first tokenizer.
- ``round_trips.<format>``: whether the value came back from the text in that format.
- ``uses.<format>``: the constructs of that text which its explanation must name, as words.
- ``text``: the payload, if the run keeps payloads, with its secrets masked (:mod:`toon.secrets`).
"""

import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from toon.costs.explanation import Explaining
from toon.errors import RunError
from toon.formats import AS_TYPED, FORMATS
from toon.layout.spans import KINDS
from toon.measuring.measure import (
    Cell,
    Row,
    Settings,
    measure_records,
    round_trips_column,
    tokens_column,
    uses_column,
)
from toon.measuring.run_file import RunFile
from toon.text import find_surrogate
from toon.tokenizers import get
from toon.traffic.parquet import RUN_KEY
from toon.traffic.payload import Record

#: The version of columns and metadata. Runs of another version are refused.
VERSION: Final = 5
#: The key of a Parquet file's metadata that holds :class:`About` as JSON.
KEY: Final = RUN_KEY

_LAST_SECOND: Final = 253_402_300_799  # of the year 9999, the last year of Python's dates


class ExplainingFacts(TypedDict):
    """How the notes that explain formats were counted in a run, as JSON: an :class:`Explaining`.

    Runs from before explanations had a price have neither ``cached`` nor ``rate``.
    """

    together: int | None
    wordings: dict[str, str]
    cached: NotRequired[float]
    rate: NotRequired[float]


class Method(TypedDict):
    """The metadata that says how a run was measured: tokenizers, formats and libraries by name.

    A tokenizer has whether it is ``exact``, a format whether it promises to be ``lossless``.
    """

    version: int
    tokenizers: dict[str, dict[str, bool]]
    formats: dict[str, dict[str, bool]]
    explaining: ExplainingFacts
    keep_payloads: bool
    versions: dict[str, str]


class LogNotes(TypedDict):
    """The metadata of a run that the readers of its files noted: what each file was read as, tool
    definitions, billed usage (:class:`~toon.traffic.account.Account`).

    Older runs have neither parts of the bill nor ``turns``, nor the column ``turn``.
    """

    read_as: list[dict[str, Any]]
    definitions: dict[str, Any]
    usages: list[dict[str, Any]]
    shares: list[dict[str, Any]]
    days: NotRequired[list[dict[str, Any]]]
    projects: NotRequired[list[dict[str, Any]]]
    sessions: NotRequired[list[dict[str, Any]]]
    turns: NotRequired[dict[str, Any]]


class About(Method, LogNotes):
    """The whole metadata of a run. Times are ISO 8601, UTC; ``bytes`` counts measured payloads."""

    complete: bool
    started: str
    finished: str
    records: int
    errors: int
    bytes: int


def schema(settings: Settings) -> pa.Schema:
    """Return the Arrow schema of a run with these settings: the names and types of its columns."""
    names = settings.tokenizers
    counted = [tokens_column(name, way) for name in names for way in (AS_TYPED, *settings.formats)]
    fields = [
        pa.field("source", pa.string(), nullable=False),
        pa.field("record", pa.int64(), nullable=False),
        pa.field("group", pa.dictionary(pa.int32(), pa.string())),
        pa.field("time", pa.timestamp("us", "UTC")),
        pa.field("model", pa.dictionary(pa.int32(), pa.string())),
        pa.field("turn", pa.int32()),
        pa.field("bytes", pa.int64()),
        pa.field("error", pa.string()),
        pa.field("skipped", pa.int64()),
        *(pa.field(name, pa.int64()) for name in counted),
        *(pa.field(kind, pa.float64()) for kind in KINDS),
        pa.field("comparable", pa.bool_()),
        pa.field("best", pa.string()),
        *(pa.field(round_trips_column(name), pa.bool_()) for name in settings.formats),
        *(
            pa.field(uses_column(name), pa.dictionary(pa.int32(), pa.string()))
            for name in settings.formats
        ),
    ]
    if settings.keep_payloads:
        fields.append(pa.field("text", pa.string()))
    return pa.schema(fields)


def measure_part(records: Sequence[Record], settings: Settings) -> bytes:
    """Measure records of logs; return their rows as the bytes of a Parquet file."""
    return to_parquet(measure_records(records, settings), settings)


def to_parquet(rows: Sequence[Row], settings: Settings) -> bytes:
    """Return measured rows as the bytes of a Parquet file without metadata."""
    columns = schema(settings)
    arrays = [
        pa.array([_cell(field.name, row.get(field.name)) for row in rows], field.type)
        for field in columns
    ]
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=columns), buffer, compression="zstd")
    return buffer.getvalue()


def _cell(name: str, cell: Cell) -> Cell:
    """Return a value of a row as Parquet holds it in the column ``name``.

    A time in seconds since 1970 becomes microseconds, or None before 1970 and after the year 9999.
    A lone surrogate, which UTF-8 cannot carry, becomes U+FFFD.
    """
    if name == "time":
        if isinstance(cell, int | float) and math.isfinite(cell) and 0 <= cell <= _LAST_SECOND:
            return round(cell * 1_000_000)
        return None
    if isinstance(cell, str) and find_surrogate(cell) is not None:
        return cell.encode(errors="surrogatepass").decode(errors="replace")
    return cell


def describe(settings: Settings) -> Method:
    """Return the part of a run's metadata that says how it is measured, from its settings."""
    return {
        "version": VERSION,
        "tokenizers": {name: {"exact": get(name).exact} for name in settings.tokenizers},
        "formats": {name: {"lossless": FORMATS[name].lossless} for name in settings.formats},
        "explaining": {
            "together": settings.explaining.together,
            "wordings": dict(settings.explaining.wordings),
            "cached": settings.explaining.cached,
            "rate": settings.explaining.rate,
        },
        "keep_payloads": settings.keep_payloads,
        "versions": dict(settings.versions),
    }


def read_explaining(method: Method) -> Explaining:
    """Return from a run's metadata how notes that explain formats were counted.

    Raises:
        ValueError, TypeError: The metadata are damaged.
    """
    facts = method["explaining"]
    wordings = tuple(facts["wordings"].items())
    if not all(isinstance(text, str) for _, text in wordings):
        raise TypeError("an explanation is not a text")
    return Explaining(facts["together"], wordings, facts.get("cached", 0.0), facts.get("rate", 1.0))


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A run, opened: its path, its metadata and its Parquet file. Damaged rows raise RunError."""

    path: Path
    about: About
    file: RunFile

    def table(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows of a run as an Arrow table, with all columns or those named."""
        return self.file.read(columns)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Yield the rows of a run as Arrow tables of bounded size, with all or named columns."""
        for index in range(self.file.metadata.num_row_groups):
            yield self.file.read(columns, [index])

    def errors(self) -> Iterator[tuple[str, int, str]]:
        """Yield the source, number and error of every record of a run without figures, in order.

        Skipped records are among them: see :data:`toon.traffic.payload.SKIPPED`.
        """
        for batch in self.batches(["source", "record", "error"]):
            for row in batch.filter(pc.is_valid(batch["error"])).to_pylist():
                yield row["source"], row["record"], row["error"]


def open_run(path: str | Path) -> MeasuredRun:
    """Open the Parquet file of a run and read its metadata, not yet its rows.

    Raises:
        OSError: The file cannot be read.
        RunError: The file is damaged, not Parquet, not a run, or a run of another version.
    """
    file = RunFile(Path(path), str(path))
    metadata = file.metadata.metadata or {}
    if KEY not in metadata:
        raise RunError(f"{path} is not a run: toon measure did not write it")
    try:
        about = json.loads(metadata[KEY])
        version = int(about["version"])
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{path} is not a run: it does not say how it was measured") from None
    if version > VERSION:
        raise RunError(f"{path} is a run of version {version}; this reads up to {VERSION}: update")
    if version < VERSION:
        raise RunError(
            f"{path} is a run of version {version}, measured by older rules: measure again"
        )
    return MeasuredRun(Path(path), cast(About, about), file)
