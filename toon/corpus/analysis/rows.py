"""A run's rows in memory, as one array a column; and which of them a filter lets through.

Tokens were counted when the run was measured. Nothing here counts again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from toon.corpus.measuring import ALWAYS
from toon.corpus.table import Run, RunError
from toon.formats import AS_TYPED
from toon.layout.spans import KINDS

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

#: The group of a measured row that names none.
NO_GROUP: Final = "(none)"

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_PLAIN: Final = ("source", "record", "group", "time", "bytes", "error", "best", *KINDS)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a run, all arrays of one length.

    ``about`` is what the run says of itself. ``names`` are the groups, ``group`` each row's place
    among them (-1: a bad record that has none). ``time`` is in seconds since 1970, ``bytes`` and
    ``tokens[tokenizer][format]`` counts; all three are NaN where there is none. ``unproven`` says
    by format whether the value did not come back. ``sources`` and ``errors`` are ``pyarrow``
    arrays of text.
    """

    about: dict[str, Any]
    names: tuple[str, ...]
    group: NDArray[np.int64]
    time: Floats
    bytes: Floats
    bad: NDArray[np.bool_]
    tokens: Mapping[str, Mapping[str, Floats]]
    kinds: Mapping[str, Floats]
    unproven: Mapping[str, NDArray[np.bool_]]
    best: Any
    sources: Any
    record: NDArray[np.int64]
    errors: Any

    @property
    def tokenizers(self) -> tuple[str, ...]:
        """Those it was measured by; the first decided ``kinds`` and ``best``."""
        return tuple(self.about["tokenizers"])

    @property
    def formats(self) -> tuple[str, ...]:
        """Those it was measured in, as-typed apart."""
        return tuple(self.about["formats"])

    @property
    def baselines(self) -> tuple[str, ...]:
        """What may be sent today: every JSON, and each payload as it was typed."""
        python = ("json-python",) if "json-python" in self.formats else ()
        return (*ALWAYS, *python, AS_TYPED)

    def exact(self, tokenizer: str) -> bool:
        """False if its counts are estimates."""
        return bool(self.about["tokenizers"][tokenizer]["exact"])

    def lossless(self, format: str) -> bool:
        """What the format promises; what it proved is in ``unproven``."""
        return bool(self.about["formats"][format]["lossless"])


def load(run: Run) -> Rows:
    """The rows of a run, without the payloads' texts.

    Raises:
        OSError: The file cannot be read.
        RunError: It says that it is a run and lacks what a run has.
    """
    try:
        about = _about(run.about)
        wanted = _columns(about)
        if missing := set(wanted) - set(pq.read_schema(run.path).names):
            raise KeyError(f"no column {min(missing)}")
        # Few different texts: they need not be made one by one to be found to be the same.
        table = pq.read_table(run.path, columns=wanted, read_dictionary=["source", "best"])
        return _rows(about, table.unify_dictionaries().combine_chunks())
    except (KeyError, TypeError, AttributeError, IndexError, pa.ArrowException) as error:
        raise RunError(f"{run.path.name} is not a whole run: {error}") from None


def _about(about: Any) -> dict[str, Any]:
    for part in ("tokenizers", "formats", "versions"):
        if not isinstance(about[part], dict):
            raise TypeError(f"{part} is not a table")
    if not about["tokenizers"] or not set(ALWAYS) <= set(about["formats"]):
        raise KeyError("a tokenizer, compact and indented JSON")
    [entry["exact"] for entry in about["tokenizers"].values()]
    [entry["lossless"] for entry in about["formats"].values()]
    for name in (*about["tokenizers"], *about["formats"]):
        if not _NAME.fullmatch(name):  # they are shown as they are
            raise KeyError(f"{name!r} names no tokenizer and no format")
    return dict(about)


def _columns(about: dict[str, Any]) -> list[str]:
    texts = (AS_TYPED, *about["formats"])
    counted = [f"{name}.{text}" for name in about["tokenizers"] for text in texts]
    return [*_PLAIN, *counted, *(f"round_trips.{name}" for name in about["formats"])]


def _rows(about: dict[str, Any], table: Any) -> Rows:
    bad = _array(pc.is_valid(table["error"]))
    names, group = _groups(table["group"], bad)
    texts = (AS_TYPED, *about["formats"])
    seconds = pc.cast(pc.cast(table["time"], pa.timestamp("us", "UTC")), pa.int64())
    counted = [f"{name}.{text}" for name in about["tokenizers"] for text in (*ALWAYS, AS_TYPED)]
    for name in (*counted, *KINDS):
        if pc.any(pc.and_(pc.is_null(table[name]), pc.is_null(table["error"]))).as_py():
            raise KeyError(f"a payload has no {name}")
    return Rows(
        about=about,
        names=names,
        group=group,
        time=_floats(seconds) / 1e6,
        bytes=_floats(table["bytes"]),
        bad=bad,
        tokens={
            tokenizer: {text: _floats(table[f"{tokenizer}.{text}"]) for text in texts}
            for tokenizer in about["tokenizers"]
        },
        kinds={kind: _floats(table[kind]) for kind in KINDS},
        unproven={
            name: _array(pc.fill_null(pc.invert(table[f"round_trips.{name}"]), False))
            for name in about["formats"]
        },
        best=_encoded(table["best"]),
        sources=_encoded(table["source"]),
        record=_array(pc.cast(table["record"], pa.int64())),
        errors=table["error"].combine_chunks(),
    )


def _array(column: Any) -> Any:
    return column.to_numpy()


def _floats(column: Any) -> Floats:
    return np.asarray(pc.cast(column, pa.float64(), safe=False).to_numpy(), np.float64)


def _encoded(column: Any) -> Any:
    """A column of text by which each different text is held once."""
    whole = column.combine_chunks()
    return whole if pa.types.is_dictionary(whole.type) else whole.dictionary_encode()


def _groups(column: Any, bad: NDArray[np.bool_]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    encoded = _encoded(column)
    names = list(encoded.dictionary.to_pylist())
    codes = np.asarray(pc.fill_null(encoded.indices, -1).to_numpy(), np.int64)
    nameless = (codes < 0) & ~bad
    if nameless.any():
        if NO_GROUP not in names:
            names.append(NO_GROUP)
        codes = np.where(nameless, names.index(NO_GROUP), codes)
    return tuple(map(str, names)), codes


# -- filters ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filter:
    """What is looked at; the empty filter lets everything through.

    ``groups``: only these (a bad record without a group is in none). ``since`` and ``until``:
    seconds since 1970, both included; a row without a time passes only where neither is given.
    ``smallest`` and ``largest``: bytes, both included. ``search``: in the group, the source, the
    record's number and the error, whatever the case.
    """

    groups: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None
    smallest: int | None = None
    largest: int | None = None
    search: str = ""


@dataclass(frozen=True, slots=True)
class Selected:
    """Places of the rows that pass: those ``measured``, and those that are ``bad`` records."""

    measured: Places
    bad: Places


def select(rows: Rows, filter: Filter) -> Selected:
    """The rows that pass every condition of the filter, in their order."""
    passed = np.ones(rows.bad.size, np.bool_)
    if filter.groups:
        passed &= _in_groups(rows, [name in set(filter.groups) for name in rows.names])
    for column, low, high in (
        (rows.time, filter.since, filter.until),
        (rows.bytes, filter.smallest, filter.largest),
    ):
        if low is not None:
            passed &= column >= low
        if high is not None:
            passed &= column <= high
    if filter.search.strip():
        passed &= _found(rows, filter.search.strip())
    return Selected(np.flatnonzero(passed & ~rows.bad), np.flatnonzero(passed & rows.bad))


def _in_groups(rows: Rows, wanted: list[bool]) -> NDArray[np.bool_]:
    return np.array([*wanted, False], np.bool_)[rows.group]  # -1 is the last: in no group


def _found(rows: Rows, words: str) -> NDArray[np.bool_]:
    folded = words.casefold()
    found = _in_groups(rows, [folded in name.casefold() for name in rows.names])
    sources = [folded in text.casefold() for text in rows.sources.dictionary.to_pylist()]
    found |= np.array([*sources, False], np.bool_)[rows.sources.indices.to_numpy()]
    if words.isascii() and words.isdigit() and len(words) < 19:
        found |= rows.record == int(words)
    errors = pc.match_substring(rows.errors, words, ignore_case=True)
    return found | np.asarray(pc.fill_null(errors, False).to_numpy(zero_copy_only=False), np.bool_)
