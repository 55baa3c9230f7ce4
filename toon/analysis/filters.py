"""The selection of a run's rows by a filter."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from toon.analysis.columns import Places, codes_of
from toon.analysis.rows import Rows
from toon.traffic.payload import SKIPPED


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on the rows of a measured run; every row passes the empty filter.

    ``groups``: only these (a bad record without a group is in none). ``since`` and ``until``:
    seconds since 1970, both included; a row without a time passes only if neither is given.
    ``search``: a text in the group, the source or the error, ignoring case, or the record's number.
    """

    groups: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None
    search: str = ""


@dataclass(frozen=True, slots=True)
class Selected:
    """Indices of a run's rows that pass a filter, in three arrays.

    They are ``measured`` payloads, ``bad`` records that could not be read, and ``skipped`` records
    that are not JSON.
    """

    measured: Places
    bad: Places
    skipped: Places


def select(rows: Rows, filter: Filter) -> Selected:
    """Return the indices of a run's rows that pass a filter: measured, bad and skipped ones."""
    passed = np.ones(rows.bad.size, np.bool_)
    if filter.groups:
        passed &= _in_groups(rows, [name in set(filter.groups) for name in rows.names])
    if filter.since is not None:
        passed &= rows.time >= filter.since
    if filter.until is not None:
        passed &= rows.time <= filter.until
    if filter.search.strip():
        passed &= _search(rows, filter.search.strip())
    skipped = _pick(rows.errors, pc.starts_with(rows.errors.dictionary, SKIPPED))
    return Selected(
        np.flatnonzero(passed & ~rows.bad),
        np.flatnonzero(passed & rows.bad & ~skipped),
        np.flatnonzero(passed & skipped),
    )


def _in_groups(rows: Rows, wanted: list[bool]) -> NDArray[np.bool_]:
    # Index -1, no group, takes the last entry.
    return np.array([*wanted, False], np.bool_)[rows.group]


def _search(rows: Rows, words: str) -> NDArray[np.bool_]:
    folded = words.casefold()
    matches = _in_groups(rows, [folded in name.casefold() for name in rows.names])
    sources = rows.sources.dictionary.to_pylist()
    matches |= _pick(
        rows.sources, pa.array([folded in text.casefold() for text in sources], pa.bool_())
    )
    if words.isascii() and words.isdigit() and len(words) < 19:
        matches |= rows.record == int(words)
    errors = rows.errors.dictionary
    return matches | _pick(rows.errors, pc.match_substring(errors, words, ignore_case=True))


def _pick(texts: pa.DictionaryArray, wanted: pa.Array) -> NDArray[np.bool_]:
    """Return a mask of the rows with a wanted text; ``wanted`` flags each distinct text."""
    known = pc.fill_null(wanted, False).to_numpy(zero_copy_only=False)
    flags = np.append(known.astype(np.bool_), False)  # index -1, no text: the last entry
    return flags[codes_of(texts)] if flags.any() else np.zeros(len(texts), np.bool_)
