"""The tokens that each field of a JSON value costs."""

from collections import Counter
from fractions import Fraction
from typing import Any, Final, TypeAlias, TypedDict

import numpy as np

from toon import tokenizers
from toon.formats.json import JSON_COMPACT
from toon.layout.spans import count_of, round_shares
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.values.paths import Path, parse_pattern, pattern_text
from toon.values.projection import remove

#: The name of the row for brackets and commas; no field's pattern looks like it.
STRUCTURE: Final = "(brackets and commas)"

_compact: Final = JSON_COMPACT.dumps
#: The number of fields, the most expensive ones, whose removal is measured.
_MEASURED: Final = 10


#: A piece of a JSON text, with the path of the field that it is of.
Piece: TypeAlias = tuple[str, Path | None]


class FieldRow(TypedDict):
    """The tokens that one field takes in a value's compact JSON, their share of it (0 to 1), how
    often it is written, and the tokens that removing it saves (None if not measured).
    """

    field: str  # a pattern, or ``STRUCTURE``
    count: int  # how often it is written; for the structure, its characters
    tokens: float  # name, colon and values; tokens that fields share are split by their bytes
    share: float  # of all tokens, 0 to 1
    removed_saves: int | None  # tokens saved by removing the field; None if not measured


def field_costs(value: Any, tokenizer: str = DEFAULT_TOKENIZER) -> list[FieldRow]:
    """Return what each field of a JSON value costs in its compact JSON, the dearest first.

    The rows add up to the tokens of the text exactly. What removing a field saves is measured for
    the ten most expensive fields. A field that holds an object or array costs only its name here;
    removing it removes everything below it.

    Raises:
        ValueError: A number has no JSON form.
    """
    measure = tokenizers.get(tokenizer)
    pieces = _pieces(value)
    counts = Counter(path for _, path in pieces)
    counts[None] = sum(len(text) for text, path in pieces if path is None)
    tokens, shares = _shares(pieces, list(counts), measure)
    rows: list[FieldRow] = [
        {
            "field": STRUCTURE if path is None else pattern_text(path),
            "count": count,
            "tokens": share,
            "share": share / tokens if tokens else 0.0,
            "removed_saves": None,
        }
        for (path, count), share in zip(counts.items(), shares, strict=True)
        if count
    ]
    rows.sort(key=lambda row: -row["tokens"])
    for row in [row for row in rows if row["field"] not in (STRUCTURE, "$")][:_MEASURED]:
        without = _compact(remove(value, parse_pattern(row["field"])))
        row["removed_saves"] = tokens - measure.count(without)
    return rows


def _pieces(value: Any) -> list[Piece]:
    """Cut a value's compact JSON into pairs of text and field; brackets and commas have no field.

    A field has one piece for each time that it is written: its name, and its value if a scalar.
    """
    pieces: list[Piece] = []
    names: dict[str, str] = {}  # as written, by key

    def add(value: Any, path: Path, name: str = "") -> None:
        if not isinstance(value, dict | list):
            pieces.append((name + _compact(value), path))
            return
        if name:
            pieces.append((name, path))
        start, end = ("{", "}") if isinstance(value, dict) else ("[", "]")
        pieces.append((start if value else start + end, None))
        if isinstance(value, dict):
            for key, item in value.items():
                if key not in names:
                    names[key] = f"{_compact(key)}:"
                add(item, (*path, key), names[key])
                pieces.append((",", None))
        else:
            below = (*path, None)
            for item in value:
                add(item, below)
                pieces.append((",", None))
        if value:
            pieces[-1] = end, None

    add(value, ())
    return pieces


def _shares(
    pieces: list[Piece], paths: list[Path | None], tokenizer: Tokenizer
) -> tuple[int, list[float]]:
    """Count the tokens of a JSON text from its pieces, pairs of text and field; return them, and
    the share of each of ``paths``, the fields.

    A token that several fields share is split by its bytes.
    """
    text = "".join(text for text, _ in pieces)
    lengths = tokenizer.lengths(text)
    sizes = [len(piece) if piece.isascii() else len(piece.encode()) for piece, _ in pieces]
    known = {path: code for code, path in enumerate(paths)}
    codes = np.repeat(np.array([known[path] for _, path in pieces], np.int64), sizes)
    longest = int(lengths.max(initial=0)) + 1
    # Bytes of one field in tokens of one length are counted together: fewer fractions to add.
    pairs, counts = np.unique(codes * longest + np.repeat(lengths, lengths), return_counts=True)
    shares = [Fraction(0)] * len(paths)
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        code, length = divmod(pair, longest)
        shares[code] += Fraction(count, length)
    tokens = count_of(text, lengths, tokenizer)
    return tokens, round_shares([share * tokens / lengths.size for share in shares], tokens)
