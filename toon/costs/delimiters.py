"""TOON with every delimiter and indent, side by side, to choose the best for a payload."""

from itertools import product
from typing import Any, Final, TypedDict

from toon import tokenizers
from toon.codec.text import NAMED_DELIMITERS
from toon.costs.document import Document
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import ToonFormat
from toon.layout.spans import quote_pairs
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.walks import scalars

INDENTS: Final = (1, 2, 4)


class DelimiterRow(TypedDict):
    """The figures of TOON with one delimiter and indent."""

    delimiter: str
    indent: int
    tokens: int
    bytes: int
    quoted: int  # values that had to be quoted
    vs_json_compact: float | None  # signed fraction, negative = fewer tokens; None for no tokens


def delimiter_rows(document: Document, tokenizer: str = DEFAULT_TOKENIZER) -> list[DelimiterRow]:
    """Return the figures of a payload's TOON with every delimiter and indent."""
    measure = tokenizers.get(tokenizer)
    compact = document.tokens(JSON_COMPACT.name, tokenizer)
    rows: list[DelimiterRow] = []
    for (name, delimiter), indent in product(NAMED_DELIMITERS.items(), INDENTS):
        format = ToonFormat("toon", "TOON", delimiter, indent)
        text = format.dumps(document.value)
        tokens = measure.count(text)
        rows.append(
            {
                "delimiter": name,
                "indent": indent,
                "tokens": tokens,
                "bytes": len(text.encode()),
                "quoted": quoted_values(document.value, format),
                "vs_json_compact": fraction(tokens, compact),
            }
        )
    return rows


def quoted_values(value: Any, format: ToonFormat) -> int:
    """Return how many strings of ``value`` are quoted in its TOON; quoted keys do not count.

    A list of the strings alone has the same quotes, because a string's place does not matter
    (§7.2), but for a whole document that starts with a byte-order mark.
    """
    if not isinstance(value, str):
        value = [item for _, item in scalars(value) if isinstance(item, str)]
    opening, _ = quote_pairs(format.dumps(value).encode())
    return opening.size
