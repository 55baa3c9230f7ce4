"""What every field costs, and a value with only some of its fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import numpy as np

from toon import tokenizers
from toon.formats import FORMATS
from toon.layout.breakdown import rounded_shares
from toon.tokenizers import Tokenizer
from toon.values.fractions import fraction
from toon.values.paths import Path, check_depth, mapped, parse_pattern, pattern_text

Row = dict[str, Any]

#: What brackets and commas are listed as: no pattern looks like this.
STRUCTURE: Final = "(brackets and commas)"

_compact: Final = FORMATS["json-compact"].dumps


def field_costs(value: Any, tokenizer: str = "o200k_base", *, top: int = 10) -> list[Row]:
    """What each field of ``value`` costs in compact JSON, the dearest first.

    A row holds ``field`` (a pattern, or ``STRUCTURE``), ``count`` (how often it is written; of
    the structure, its characters), ``tokens`` (its name, colon and values; a token that several
    fields share is shared out by its bytes, so that all rows add up to the text's tokens
    exactly), ``share`` of all tokens, 0 to 1, and what removing it saves, measured:
    ``removed_saves`` in tokens and ``removed_vs`` as a signed fraction of ``baseline``, negative
    = fewer. Those two are for the ``top`` dearest fields, None for the others and for the
    structure. ``exact`` is False for an estimate.

    A field that holds an object or array costs its name here; removing it takes all below it.

    Raises:
        ValueError: nested too deep, a number with no JSON form, or no such tokenizer.
    """
    check_depth(value)
    measure = tokenizers.get(tokenizer)
    pieces = _Pieces()
    pieces.add(value, _ROOT)
    text = "".join(pieces.texts)
    tokens, shares = _shares(text, pieces, measure)
    rows: list[Row] = [
        {
            "field": STRUCTURE if path is None else pattern_text(path),
            "count": pieces.counts[code],
            "tokens": shares[code],
            "share": shares[code] / tokens if tokens else 0.0,
            "tokenizer": measure.name,
            "exact": measure.exact,
            "baseline": "json-compact",
            "baseline_tokens": tokens,
            "removed_saves": None,
            "removed_vs": None,
        }
        for code in pieces.written()
        for path in [pieces.paths[code]]
    ]
    rows.sort(key=lambda row: -row["tokens"])
    for row in [row for row in rows if row["field"] not in (STRUCTURE, "$")][:top]:
        without = measure.count(_compact(_removed(value, parse_pattern(row["field"]))))
        row["removed_saves"] = tokens - without
        row["removed_vs"] = fraction(without, tokens)
    return rows


def project(value: Any, patterns: Iterable[str]) -> Any:
    """A copy of ``value`` with only the fields that ``patterns`` name, and all below them.

    What leads to a chosen field stays: the items of an array keep their places, if they are
    objects or arrays themselves.

    Raises:
        TextError: a text that is no pattern.
        ValueError: a pattern that names nothing in ``value``, or nesting too deep.
    """
    check_depth(value)
    tree = _Node()
    for pattern in patterns:
        node = tree
        for key in parse_pattern(pattern):
            node = node.below.setdefault(key, _Node())
        node.pattern = pattern
    result = _projected(value, tree)
    for pattern in tree.unmet():
        raise ValueError(f"no field {pattern!r} here")
    return result


@dataclass(slots=True)
class _Node:
    """The chosen fields as a tree; ``pattern`` where one ends, ``met`` once it was found."""

    below: dict[str | None, _Node] = field(default_factory=dict)
    pattern: str | None = None
    met: bool = False

    def unmet(self) -> Iterator[str]:
        stack = [self]
        while stack:
            node = stack.pop()
            if node.pattern is not None and not node.met:
                yield node.pattern
            stack += reversed(node.below.values())


def _projected(value: Any, node: _Node) -> Any:
    """What is left of a value, ``_GONE`` if it is none of what was chosen."""
    left: Any = _GONE
    if isinstance(value, dict):
        left = {}
        for key, item in value.items():
            below = node.below.get(key)
            if below and (part := _projected(item, below)) is not _GONE:
                left[key] = part
    elif isinstance(value, list):
        left = []
        below = node.below.get(None)
        for item in value if below else ():
            if below and (part := _projected(item, below)) is not _GONE:
                left.append(part)
    if node.pattern is None:
        return left
    node.met = True
    return mapped(value, lambda _, item: item)


_GONE: Final = object()


def _removed(value: Any, path: Path) -> Any:
    """A copy without the fields of a path; of an array's items none is left."""
    key, *below = path
    if isinstance(value, dict) and key in value:
        members = {}
        for name, item in value.items():
            if name != key:
                members[name] = item
            elif below:
                members[name] = _removed(item, tuple(below))
        return members
    if isinstance(value, list) and key is None:
        items: list[Any] = []
        for item in value if below else ():
            items.append(_removed(item, tuple(below)))
        return items
    return value


# -- tokens laid over fields -----------------------------------------------------------------

_ROOT, _STRUCTURE = 0, 1


class _Pieces:
    """The compact JSON of a value in pieces, each with the number of the field it belongs to."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.codes: list[int] = []
        self.counts: Counter[int] = Counter()
        self.paths: list[Path | None] = [(), None]
        self._codes: dict[tuple[int, str | None], int] = {}

    def add(self, value: Any, code: int) -> None:
        if isinstance(value, dict):
            for number, (key, item) in enumerate(value.items()):
                self._put("," if number else "{", _STRUCTURE)
                below = self._below(code, key)
                self._put(f"{_compact(key)}:", below)
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
            self.counts[code] += not path or path[-1] is None  # else its name was counted

    def _put(self, text: str, code: int) -> None:
        self.texts.append(text)
        self.codes.append(code)
        self.counts[code] += len(text) if code == _STRUCTURE else 0

    def _below(self, code: int, key: str | None) -> int:
        below = self._codes.setdefault((code, key), len(self.paths))
        if below == len(self.paths):
            self.paths.append((*(self.paths[code] or ()), key))
        return below

    def written(self) -> list[int]:
        """The numbers of the fields that have any text."""
        return sorted(set(self.codes))


def _shares(text: str, pieces: _Pieces, tokenizer: Tokenizer) -> tuple[int, list[float]]:
    """The tokens of the text, and of each of them the fields' shares, added up by field."""
    lengths = tokenizer.lengths(text)
    sizes = [len(piece) if piece.isascii() else len(piece.encode()) for piece in pieces.texts]
    codes = np.repeat(np.array(pieces.codes, np.int64), sizes)
    longest = int(lengths.max(initial=0)) + 1
    # Bytes of one field in tokens of one length are counted together: few fractions are left.
    found, counts = np.unique(codes * longest + np.repeat(lengths, lengths), return_counts=True)
    shares = [Fraction(0)] * len(pieces.paths)
    for both, count in zip(found.tolist(), counts.tolist(), strict=True):
        code, length = divmod(both, longest)
        shares[code] += Fraction(count, length)
    return lengths.size, rounded_shares(shares, lengths.size)
