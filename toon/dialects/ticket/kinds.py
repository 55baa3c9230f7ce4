"""The kind of each byte of TOON/1 text: name, punctuation, whitespace or value.

One pattern matches the whole text piece by piece; its groups follow each other without a gap.
"""

import re
from typing import Final

import numpy as np

from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, lay_out_groups

_BLANKS: Final = r"[ \t\r\n]*+"
_ENVELOPE: Final = r"(?:T|C|L|BOARD|ERR)\{"
_INSIDE: Final = r'[^"\\]*+(?:\\.[^"\\]*+)*+(?:\\\Z)?'
_WORD: Final = r'[^ \t\r\n,{}\[\]"]++'
_NAME: Final = r'[^ \t\r\n,:{}\[\]"]++'

# Marks; then optionally a name with its colon; then optionally a value. Blanks may precede each.
_ENTRY: Final = re.compile(
    rf"""({_BLANKS})
    ((?:TOON/[0-9]++(?=[ \t\r\n]|\Z))? (?:{_ENVELOPE}|[\[\]{{}},])*+)
    ({_BLANKS})
    (?:
        ("(?={_INSIDE}"{_BLANKS}:))?
        ((?(4){_INSIDE}|{_NAME}(?={_BLANKS}:)))
        ((?(4)"))
        ({_BLANKS})
        (:)
        ({_BLANKS})
    )?
    (?:
        (?!{_ENVELOPE})
        (")?
        ((?(10){_INSIDE}|(?:{_WORD}(?:[ ]++{_WORD})*+)?))
        ((?(10)"?))
    )?""".encode(),
    re.VERBOSE | re.DOTALL,
)
_KINDS: Final = np.array(
    [
        WHITESPACE, PUNCTUATION, WHITESPACE,
        PUNCTUATION, NAMES, PUNCTUATION, WHITESPACE, PUNCTUATION, WHITESPACE,
        PUNCTUATION, VALUES, PUNCTUATION,
    ],
    np.uint8,
)  # fmt: skip


def layout(text: str) -> Layout:
    """Return an array with the kind of each UTF-8 byte of a TOON/1 text, also of a damaged one.

    Aliases, the status codes of buckets, and keys are names. The marker, the letters of envelopes,
    brackets, commas, colons and quotes are punctuation. Blanks outside of texts are whitespace. All
    else, escapes included, is values.
    """
    return lay_out_groups(_ENTRY.findall(text.encode()), _KINDS)
