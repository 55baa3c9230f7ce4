"""Texts that are no JSON, but are converted to it when they are pasted: what was sent so far.

They are counted and laid out as they stand, and nothing is ever written in them.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

import numpy as np

from toon.formats.base import Format, NotApplicable, OneWay
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, kinds_of_bytes

_KINDS: Final = kinds_of_bytes(VALUES, (b"\"'`{}[]():,;=", PUNCTUATION), (b" \t\r\n", WHITESPACE))
#: An escape outside of strings, a string and whether a colon follows, or a word before a colon. No
#: place is looked at twice: the escaped quotes of an unclosed string begin no other.
_PIECE: Final = re.compile(
    rb"""\\.|(?P<string>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\\n]|\\.)*+`)"""
    rb"""(?P<key>\s*+:)?|(?P<word>(?<![\w$])[\w$]++(?=\s*+:))"""
)


class PastedFormat(Format):
    """A kind of text that people paste for JSON."""

    lossless = True

    def __init__(self, name: str, label: str) -> None:
        self.name, self.label = name, label

    @property
    def explanation(self) -> str:
        return f"The data is {self.label}."

    def dumps(self, value: Any) -> NoReturn:
        raise NotApplicable(f"nothing is written as {self.label}")

    def loads(self, text: str) -> NoReturn:
        raise OneWay(f"{self.label} is read where it is pasted")

    def layout(self, text: str) -> Layout:
        """Lay out quoted texts whole; a quoted text or a word before a colon is a name."""
        data = text.encode()
        layout = np.frombuffer(bytearray(data.translate(_KINDS)), np.uint8)
        for match in _PIECE.finditer(data):
            if match["word"]:
                layout[slice(*match.span("word"))] = NAMES
            elif match["string"]:
                start, stop = match.span("string")
                layout[start + 1 : stop - 1] = NAMES if match["key"] else VALUES
        return layout


FORMATS: Final = (
    PastedFormat("python", "Python"),
    PastedFormat("javascript", "JavaScript"),
    PastedFormat("lines", "JSON Lines"),
)
