"""What each byte of a TOON/1 text is: name, punctuation, whitespace or value.

One pattern passes over the text, whose groups follow each other without a gap.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Final

import numpy as np

from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout

_BLANKS: Final = r"[ \t\r\n]*+"
_ENVELOPE: Final = r"(?:T|C|L|BOARD|ERR)\{"
_INSIDE: Final = r'[^"\\]*+(?:\\.[^"\\]*+)*+(?:\\\Z)?'
_WORD: Final = r'[^ \t\r\n,{}\[\]"]++'
_NAME: Final = r'[^ \t\r\n,:{}\[\]"]++'

# A run of marks, then a name and its colon, if any, and a value, each after blanks.
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


def ticket_layout(text: str) -> Layout:
    """One kind code per UTF-8 byte of ``text``; never raises on text that UTF-8 can carry.

    Aliases, status codes of buckets and keys are names. The marker, the letters of the envelopes,
    brackets, commas, colons and quotes are punctuation. All else but blanks outside of texts is
    values, escapes included.
    """
    entries = _ENTRY.findall(text.encode())
    # A byte that UTF-8 has no use for, between any two groups: faster than asking for lengths.
    joined = np.frombuffer(b"\xff".join([*chain.from_iterable(entries), b""]), np.uint8)
    ends = np.flatnonzero(joined == 0xFF)
    return np.repeat(np.tile(_KINDS, len(entries)), np.diff(ends, prepend=-1) - 1)
