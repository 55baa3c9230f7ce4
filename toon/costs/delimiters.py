"""The delimiter question settled on the payload: every delimiter and indent, side by side."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from toon import tokenizers
from toon.codec.text import NAMED_DELIMITERS
from toon.formats import FORMATS
from toon.formats.toon import ToonFormat
from toon.layout.quotes import quote_pairs
from toon.layout.spans import NAMES
from toon.values.fractions import fraction

INDENTS: Final = (1, 2, 4)


def delimiter_rows(value: Any, tokenizer: str) -> list[dict[str, Any]]:
    """TOON with each delimiter and indent.

    A row has ``delimiter``, ``indent``, ``tokens``, ``exact``, ``bytes``, ``quoted`` (values that
    had to be quoted) and ``vs_json_compact`` (signed fraction).
    """
    measure = tokenizers.get(tokenizer)
    compact = measure.count(FORMATS["json-compact"].dumps(value))
    rows = []
    for name, delimiter in NAMED_DELIMITERS.items():
        for indent in INDENTS:
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
    """How many values of a TOON text stand in quotes."""
    opening, _ = quote_pairs(text.encode())
    layout = np.append(FORMATS["toon"].layout(text), NAMES)
    return int((layout[opening + 1] != NAMES).sum())
