"""Which delimiter suits a payload: TOON with every delimiter and indent, side by side."""

from __future__ import annotations

from itertools import product
from typing import Any, Final, TypedDict

import numpy as np

from toon import tokenizers
from toon.codec.text import NAMED_DELIMITERS
from toon.costs.typed import Typed, shortest_json
from toon.formats.toon import TOON, ToonFormat
from toon.layout.quotes import quote_pairs
from toon.layout.spans import NAMES
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction

INDENTS: Final = (1, 2, 4)


class DelimiterRow(TypedDict):
    """TOON with one delimiter and indent."""

    delimiter: str
    indent: int
    tokens: int
    exact: bool  # False: an estimate
    bytes: int
    quoted: int  # values that had to be quoted
    vs_json_compact: float | None  # signed fraction, negative = fewer tokens; None for no tokens


def delimiter_rows(
    value: Any, tokenizer: str = DEFAULT_TOKENIZER, typed: Typed | None = None
) -> list[DelimiterRow]:
    """TOON of ``value``, which was read from ``typed``, with every delimiter and indent."""
    measure = tokenizers.get(tokenizer)
    compact = measure.count(shortest_json(value, typed, measure.count))
    rows: list[DelimiterRow] = []
    for (name, delimiter), indent in product(NAMED_DELIMITERS.items(), INDENTS):
        text = ToonFormat("toon", "TOON", delimiter, indent).dumps(value)
        tokens = measure.count(text)
        rows.append(
            {
                "delimiter": name,
                "indent": indent,
                "tokens": tokens,
                "exact": measure.exact,
                "bytes": len(text.encode()),
                "quoted": quoted_values(text),
                "vs_json_compact": fraction(tokens, compact),
            }
        )
    return rows


def quoted_values(text: str) -> int:
    """How many values of a TOON text are quoted; quoted keys do not count."""
    opening, _ = quote_pairs(text.encode())
    layout = np.append(TOON.layout(text), NAMES)
    return int((layout[opening + 1] != NAMES).sum())
