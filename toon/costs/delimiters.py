"""TOON with every delimiter and indent, side by side, to choose the best for a payload."""

from itertools import product
from typing import Final, TypedDict

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
    """The figures of a payload's TOON with one delimiter and indent.

    ``quoted`` are the values that had to be quoted. ``vs_json_compact`` is the change of tokens
    from compact JSON as a signed fraction, negative = fewer; None if that has no tokens.
    """

    delimiter: str
    indent: int
    tokens: int
    bytes: int
    quoted: int
    vs_json_compact: float | None


def delimiter_rows(document: Document, tokenizer: str = DEFAULT_TOKENIZER) -> list[DelimiterRow]:
    """Return the figures of a payload's TOON with every delimiter and indent."""
    measure, value = tokenizers.get(tokenizer), document.value
    compact = document.tokens(JSON_COMPACT.name, tokenizer)
    # A list of the strings alone has the same quotes, because a string's place does not matter
    # (§7.2), but for a whole document that starts with a byte-order mark.
    strings = [item for _, item in scalars(value) if isinstance(item, str)]
    values = value if isinstance(value, str) else strings
    rows: list[DelimiterRow] = []
    for (name, delimiter), indent in product(NAMED_DELIMITERS.items(), INDENTS):
        format = ToonFormat("toon", "TOON", delimiter, indent)
        text = format.dumps(value)
        tokens = measure.count(text)
        rows.append(
            {
                "delimiter": name,
                "indent": indent,
                "tokens": tokens,
                "bytes": len(text.encode()),
                "quoted": quote_pairs(format.dumps(values).encode())[0].size,
                "vs_json_compact": fraction(tokens, compact),
            }
        )
    return rows
