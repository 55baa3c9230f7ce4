"""Costs of the fields of a value."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any, Final, TypedDict

import numpy as np

from toon import tokenizers
from toon.formats.json import JSON_COMPACT
from toon.layout.breakdown import count_of, round_shares
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.values.paths import Path, parse_pattern, pattern_text
from toon.values.projection import remove

#: The name of the row for brackets and commas; no field's pattern looks like it.
STRUCTURE: Final = "(brackets and commas)"

_compact: Final = JSON_COMPACT.dumps
#: The number of fields, the most expensive ones, whose removal is measured.
_MEASURED: Final = 10


class FieldRow(TypedDict):
    """The cost of one field in compact JSON."""

    field: str  # a pattern, or ``STRUCTURE``
    count: int  # how often it is written; for the structure, its characters
    tokens: float  # name, colon and values; tokens that fields share are split by their bytes
    share: float  # of all tokens, 0 to 1
    removed_saves: int | None  # tokens saved by removing the field; None if not measured


def field_costs(value: Any, tokenizer: str = DEFAULT_TOKENIZER) -> list[FieldRow]:
    """Return the cost of each field of ``value`` in compact JSON, the most expensive first.

    The rows add up to the tokens of the text exactly. What removing a field saves is measured for
    the ten most expensive fields. A field that holds an object or array costs only its name here;
    removing it removes everything below it.

    Raises:
        ValueError: A number has no JSON form.
    """
    measure = tokenizers.get(tokenizer)
    pieces = _Pieces()
    pieces.add(value, _ROOT)
    text = "".join(pieces.texts)
    tokens, shares = _shares(text, pieces, measure)
    rows: list[FieldRow] = [
        {
            "field": pieces.field(code),
            "count": pieces.counts[code],
            "tokens": shares[code],
            "share": shares[code] / tokens if tokens else 0.0,
            "removed_saves": None,
        }
        for code in sorted(set(pieces.codes))
    ]
    rows.sort(key=lambda row: -row["tokens"])
    for row in [row for row in rows if row["field"] not in (STRUCTURE, "$")][:_MEASURED]:
        without = _compact(remove(value, parse_pattern(row["field"])))
        row["removed_saves"] = tokens - measure.count(without)
    return rows


_ROOT, _STRUCTURE = 0, 1


class _Pieces:
    """The compact JSON of a value in pieces, each with the number of the field that it is of."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.codes: list[int] = []
        self.counts: Counter[int] = Counter()
        self.paths: list[Path | None] = [(), None]
        self.names = ["", ""]  # the last key of each path, with its colon, as written
        self._codes: dict[tuple[int, str | None], int] = {}

    def add(self, value: Any, code: int) -> None:
        if isinstance(value, dict):
            for number, (key, item) in enumerate(value.items()):
                self._put("," if number else "{", _STRUCTURE)
                below = self._below(code, key)
                self._put(self.names[below], below)
                self.counts[below] += 1
                self.add(item, below)
            self._put("}" if value else "{}", _STRUCTURE)
        elif isinstance(value, list):
            below = self._below(code, None)
            for number, item in enumerate(value):
                self._put("," if number else "[", _STRUCTURE)
                self.add(item, below)
            self._put("]" if value else "[]", _STRUCTURE)
        else:
            self._put(_compact(value), code)
            path = self.paths[code]
            self.counts[code] += not path or path[-1] is None  # a key is counted by its name

    def _put(self, text: str, code: int) -> None:
        self.texts.append(text)
        self.codes.append(code)
        self.counts[code] += len(text) if code == _STRUCTURE else 0

    def _below(self, code: int, key: str | None) -> int:
        below = self._codes.setdefault((code, key), len(self.paths))
        if below == len(self.paths):
            self.paths.append((*(self.paths[code] or ()), key))
            self.names.append("" if key is None else f"{_compact(key)}:")
        return below

    def field(self, code: int) -> str:
        """Return the pattern of the field with this number, or ``STRUCTURE``."""
        path = self.paths[code]
        return STRUCTURE if path is None else pattern_text(path)


def _shares(text: str, pieces: _Pieces, tokenizer: Tokenizer) -> tuple[int, list[float]]:
    """Return the tokens of a JSON text, and how many of them each field takes, by its number."""
    lengths = tokenizer.lengths(text)
    sizes = [len(piece) if piece.isascii() else len(piece.encode()) for piece in pieces.texts]
    codes = np.repeat(np.array(pieces.codes, np.int64), sizes)
    longest = int(lengths.max(initial=0)) + 1
    # Bytes of one field in tokens of one length are counted together: fewer fractions to add.
    pairs, counts = np.unique(codes * longest + np.repeat(lengths, lengths), return_counts=True)
    shares = [Fraction(0)] * len(pieces.paths)
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        code, length = divmod(pair, longest)
        shares[code] += Fraction(count, length)
    tokens = count_of(text, lengths, tokenizer)
    return tokens, round_shares([share * tokens / lengths.size for share in shares], tokens)
