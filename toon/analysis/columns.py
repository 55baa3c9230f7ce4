"""A run's columns as arrays that take little memory, each read when it is needed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from toon.errors import RunError
from toon.formats import AS_TYPED
from toon.measuring.measure import ALWAYS, tokens_column
from toon.measuring.table import About

Read = TypeVar("Read")

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
#: Reads some columns of a run, so that the whole table is never in memory.
ReadColumns = Callable[[Sequence[str]], pa.Table]


class Counts(Mapping[str, Floats]):
    """A mapping from names of formats to arrays of token counts by row: floats, NaN for none.

    The counts are kept as 32-bit integers if they fit, with a number below 0 for none.
    """

    def __init__(self, columns: Iterable[tuple[str, pa.ChunkedArray]]) -> None:
        self._columns = {name: _narrow(column) for name, column in columns}

    def __getitem__(self, name: str) -> Floats:
        return self.at(name, slice(None))

    def at(self, name: str, places: Places | slice) -> Floats:
        """Return the counts of one format at the rows ``places``, as floats with NaN for none."""
        column = self.raw(name)[places]
        counts: Floats = column.astype(np.float64)
        if (without := column < 0).any():
            counts[without] = np.nan
        return counts

    def raw(self, name: str) -> NDArray[Any]:
        """Return the counts of one format as they are kept: a number below 0 means none."""
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def _narrow(column: pa.ChunkedArray) -> NDArray[Any]:
    """Return an Arrow column of counts as 32-bit integers if they fit, else floats; null is -1."""
    ends = pc.min_max(column).as_py() if pa.types.is_integer(column.type) else {"min": -1, "max": 0}
    if not 0 <= (ends["min"] or 0) <= (ends["max"] or 0) < 2**31:
        floats = floats_of(column)
        return np.where(np.isnan(floats), -1, floats)
    counts = np.empty(len(column), np.int32)
    start = 0
    for chunk in column.chunks:  # one after another: the next takes the memory of the last
        counts[start : start + len(chunk)] = pc.fill_null(chunk, -1).to_numpy()
        start += len(chunk)
    return counts


class Late(Mapping[str, Read]):
    """A mapping whose values a function reads from a run's file when they are first asked for.

    Raises RunError then, if a column is damaged or the file is gone.
    """

    def __init__(self, names: Iterable[str], read: Callable[[str], Read]) -> None:
        self._found: dict[str, Read | None] = dict.fromkeys(names)
        self._read = read

    def __getitem__(self, name: str) -> Read:
        found = self._found[name]
        if found is None:
            try:
                found = self._found[name] = self._read(name)
            except (KeyError, pa.ArrowException) as error:  # KeyError: a name of two columns
                raise RunError(f"this is not a whole run: {name}: {error}") from None
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def counts_of(about: About, read: ReadColumns, bad: NDArray[np.bool_], tokenizer: str) -> Counts:
    """Return a run's tokens by one tokenizer, for each row: in each format, and as typed.

    Raises:
        RunError: A payload that is not ``bad`` lacks a count that each must have.
    """
    texts = (AS_TYPED, *about["formats"])
    columns = read([tokens_column(tokenizer, text) for text in texts]).columns
    counts = Counts(zip(texts, columns, strict=True))
    for text in (*ALWAYS, AS_TYPED):
        lacks = ((counts.raw(text) < 0) & ~bad).any()
        refuse(f"a payload has no {tokens_column(tokenizer, text)}", lacks)
    return counts


def kind_of(read: ReadColumns, bad: NDArray[np.bool_], kind: str) -> Floats:
    """Return the tokens of one kind of text (such as names or whitespace) by row of a run.

    Raises:
        RunError: A payload that is not ``bad`` has none.
    """
    tokens = floats_of(read([kind])[kind])
    refuse(f"a payload has no {kind}", (np.isnan(tokens) & ~bad).any())
    return tokens


def refuse(reason: str, damaged: np.bool_ | bool) -> None:
    """Raise a RunError with a reason if a run's file is ``damaged``."""
    if damaged:
        raise RunError(f"this is not a whole run: {reason}")


def floats_of(column: pa.ChunkedArray) -> Floats:
    """Return an Arrow column of numbers as floats, with NaN for null."""
    return np.asarray(pc.cast(column, pa.float64(), safe=False).to_numpy(), np.float64)


def encode(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return an Arrow column of texts encoded as a dictionary, which holds each text once."""
    whole = column.unify_dictionaries().combine_chunks()
    return whole if pa.types.is_dictionary(whole.type) else whole.dictionary_encode()


def codes_of(encoded: pa.DictionaryArray) -> NDArray[np.int32]:
    """Return each row's index into the dictionary of an encoded Arrow column; -1 for null."""
    codes = encoded.indices
    return np.asarray((pc.fill_null(codes, -1) if codes.null_count else codes).to_numpy(), np.int32)
