"""A run's rows in memory, one array per column, and the selection of rows by a filter."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from toon.analysis.carried import Rates, find_rates
from toon.analysis.columns import (
    Counts,
    Floats,
    Late,
    ReadColumns,
    codes_of,
    counts_of,
    encode,
    floats_of,
    kind_of,
)
from toon.costs.explanation import Explaining
from toon.errors import RunError
from toon.formats import AS_TYPED
from toon.layout.spans import KINDS
from toon.limits import RUN_BYTES
from toon.measuring.measure import ALWAYS, round_trips_column, tokens_column, uses_column
from toon.measuring.table import About, MeasuredRun, Method, read_explaining

#: The group of measured rows without a group.
NO_GROUP: Final = "(none)"

#: Bytes that a cell takes at most.
_CELL_BYTES: Final = 8

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_PLAIN: Final = (
    "source", "record", "group", "time", "model", "bytes", "error", "comparable", "skipped",
)  # fmt: skip
_TURN: Final = "turn"


class Uses(NamedTuple):
    """The constructs (tables, quotes and so on) of each row's text in one format of a run.

    They are ``sets[codes[row]]``. The code is -1 where the format cannot carry the row.
    """

    codes: NDArray[np.signedinteger]
    sets: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a measured run. All arrays have one entry per row.

    ``about`` is the run's metadata. ``names`` are the groups; ``group`` is each row's index among
    them, -1 for a bad record without a group. ``time`` is in seconds since 1970; it, ``bytes`` and
    ``tokens[tokenizer][format]`` are NaN where unknown. ``unproven[format]`` is true where the
    value did not come back. ``comparable`` is false where formats have nothing to write
    differently.
    ``models`` are those that the records name. ``explaining`` is the setting that the run was
    measured with. ``skipped`` are the tokens of texts that are no JSON, NaN where there are none.
    ``rates`` is what a token of each row costs, by the fields of :class:`.Rates`. It, ``tokens``
    and ``kinds`` are :class:`Late`.
    """

    about: About
    explaining: Explaining
    names: tuple[str, ...]
    group: NDArray[np.int64]
    time: Floats
    bytes: Floats
    bad: NDArray[np.bool_]
    tokens: Mapping[str, Counts]
    kinds: Mapping[str, Floats]
    unproven: Mapping[str, NDArray[np.bool_]]
    uses: Mapping[str, Uses]
    comparable: NDArray[np.bool_]
    sources: pa.DictionaryArray
    models: pa.DictionaryArray
    record: NDArray[np.int64]
    errors: pa.DictionaryArray
    skipped: Floats
    rates: Mapping[str, Floats]

    @property
    def tokenizers(self) -> tuple[str, ...]:
        """The names of the tokenizers that counted a run; the first also counted kinds of text."""
        return tuple(self.about["tokenizers"])

    @property
    def formats(self) -> tuple[str, ...]:
        """The names of the formats that a run was measured in, without JSON as typed."""
        return tuple(self.about["formats"])


def load(run: MeasuredRun) -> Rows:
    """Load the rows of a measured run, without the payloads' texts.

    Raises:
        OSError: The file cannot be read.
        RunError: Metadata or columns of the run are missing or damaged, or it is too large.
    """
    try:
        about = _check_about(run.about)
        wanted = _columns(about)
        if missing := set(wanted) - set(run.file.columns):
            raise KeyError(f"no column {min(missing)}")
        _check_size(run, wanted)
        # These columns repeat few texts. One string per row takes longer, and without bound.
        repeated = ["source", "group", "model", "error", *map(uses_column, about["formats"])]
        return rows_of(about, partial(run.file.read, repeated=repeated))
    except RunError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, pa.ArrowException) as error:
        raise RunError(f"{run.path.name} is not a whole run: {error}") from None


def _check_size(run: MeasuredRun, columns: list[str]) -> None:
    """Raise RunError if a run's rows would fill the memory: few bytes of Parquet may hold many."""
    metadata = run.file.metadata
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    chunks = (group.column(at) for group in groups for at in range(group.num_columns))
    size = sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in columns)
    needed = metadata.num_rows * len(columns) * _CELL_BYTES + size
    if needed > RUN_BYTES:
        raise RunError(
            f"the rows of this run would take {needed / 1e6:,.0f} MB of memory; "
            f"TOON_RUN_BYTES sets the limit of {RUN_BYTES / 1e6:,.0f} MB"
        )


def _check_about(about: Any) -> About:
    """Check that a run's metadata is whole, and return it; raise KeyError or TypeError if not."""
    for part in ("tokenizers", "formats", "versions"):
        if not isinstance(about[part], dict):
            raise TypeError(f"{part} is not a table")
    if not about["tokenizers"] or not set(ALWAYS) <= set(about["formats"]):
        raise KeyError("a tokenizer, json-compact and json-pretty")
    [entry["exact"] for entry in about["tokenizers"].values()]
    [entry["lossless"] for entry in about["formats"].values()]
    for name in (*about["tokenizers"], *about["formats"]):
        if not _NAME.fullmatch(name):  # pages show them without escaping
            raise KeyError(f"{name!r} names no tokenizer and no format")
    return cast(About, about)


def _columns(about: Method) -> list[str]:
    texts = (AS_TYPED, *about["formats"])
    counted = [tokens_column(name, text) for name in about["tokenizers"] for text in texts]
    of_formats = [of(name) for of in (round_trips_column, uses_column) for name in about["formats"]]
    return [*_PLAIN, *KINDS, *counted, *of_formats]


def rows_of(about: About, read: ReadColumns) -> Rows:
    """Return the rows of a run with metadata ``about``; ``read`` reads columns by name.

    The run has at least the columns that :func:`load` checks.
    """
    plain = read(_PLAIN)
    bad = pc.is_valid(plain["error"]).to_numpy()
    names, group = _index_groups(plain["group"], bad)
    seconds = pc.cast(pc.cast(plain["time"], pa.timestamp("us", "UTC")), pa.int64())
    tokens = Late(about["tokenizers"], partial(counts_of, about, read, bad))
    tokens[next(iter(tokens))]  # the others are read when they are asked for
    used = _columns_of(uses_column, about["formats"], read)
    came_back = _columns_of(round_trips_column, about["formats"], read)
    rates = cache(partial(_rates, about, read, len(bad)))
    return Rows(
        about=about,
        explaining=read_explaining(about),
        names=names,
        group=group,
        time=floats_of(seconds) / 1e6,
        bytes=floats_of(plain["bytes"]),
        bad=bad,
        tokens=tokens,
        kinds=Late(KINDS, partial(kind_of, read, bad)),
        unproven={name: _flags(pc.invert(column)) for name, column in came_back},
        uses={name: _uses(column) for name, column in used},
        comparable=_flags(plain["comparable"]),
        sources=encode(plain["source"]),
        models=encode(plain["model"]),
        record=pc.cast(plain["record"], pa.int64()).to_numpy(),
        errors=encode(plain["error"]),
        skipped=floats_of(plain["skipped"]),
        rates=Late(Rates._fields, lambda name: getattr(rates(), name)),
    )


def _rates(about: About, read: ReadColumns, size: int) -> Rates:
    """Return the Rates of each row of a run: US dollars a token; NaN where its call is unknown."""
    facts = about.get("turns")
    try:
        turns = read([_TURN])[_TURN] if facts else pa.nulls(size, pa.int32())
        return find_rates(facts).at(pc.fill_null(turns, -1).to_numpy())
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError) as error:
        raise RunError(f"this is not a whole run: turns: {error}") from None


def _columns_of(
    column_name: Callable[[str], str], names: Iterable[str], read: ReadColumns
) -> list[tuple[str, pa.ChunkedArray]]:
    """Read a column of a run for each of ``names``; return pairs of the name and its column.

    The function ``column_name`` gives a column's name.
    """
    names = list(names)
    return list(zip(names, read(list(map(column_name, names))).columns, strict=True))


def _flags(column: pa.ChunkedArray) -> NDArray[np.bool_]:
    return np.asarray(pc.fill_null(column, False).to_numpy(), np.bool_)


def _uses(column: pa.ChunkedArray) -> Uses:
    encoded = encode(column)
    sets = tuple(frozenset(words.split()) for words in encoded.dictionary.to_pylist())
    return Uses(codes_of(encoded).astype(np.min_scalar_type(-len(sets) - 1)), sets)


def _index_groups(
    column: pa.ChunkedArray, bad: NDArray[np.bool_]
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the names of the groups in a column, and each row's index among them (-1: none)."""
    encoded = encode(column)
    names = list(encoded.dictionary.to_pylist())
    codes = codes_of(encoded).astype(np.int64)
    nameless = (codes < 0) & ~bad
    if nameless.any():
        if NO_GROUP not in names:
            names.append(NO_GROUP)
        codes = np.where(nameless, names.index(NO_GROUP), codes)
    return tuple(map(str, names)), codes
