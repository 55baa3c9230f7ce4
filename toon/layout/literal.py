"""The kind of each byte of a literal of Python or JavaScript, or of JSON texts in lines."""

import re
from typing import Final

import numpy as np

from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, lay_out_groups

_STRING: Final = r"""([bBrRuU]{{0,2}})('''|"{{3}}|'|")(?>((?:[^\\]|\\.|\\\Z)*?)(\{}|\Z))"""
_WORD: Final = r"""([^\s\[\]{}(),:;='"#/]++|['"#/])"""
_COLON: Final = r"(?=\s*+[:=])"
_TOKEN: Final = re.compile(
    rf"""(\s++|\#[^\n]*+|//[^\n]*+|/\*.*?(?:\*/|\Z)) | ([\[\]{{}}(),:;=])
    |{_STRING.format(4)}{_COLON} | {_WORD}{_COLON} | {_STRING.format(9)} | {_WORD}""".encode(),
    re.VERBOSE | re.DOTALL,
)
_KINDS: Final = np.array(
    [
        *(WHITESPACE, PUNCTUATION),
        *(PUNCTUATION, PUNCTUATION, NAMES, PUNCTUATION, NAMES),
        *(PUNCTUATION, PUNCTUATION, VALUES, PUNCTUATION, VALUES),
    ],
    np.uint8,
)


def literal_layout(text: str) -> Layout:
    """Return the kind of each UTF-8 byte of a Python or JavaScript literal, as ``KINDS`` indexes.

    What stands before a colon is a name. Quotes with their prefix and brackets are punctuation,
    comments are whitespace. A string or comment that is not closed runs to the end.
    """
    return lay_out_groups(_TOKEN.findall(text.encode()), _KINDS)
