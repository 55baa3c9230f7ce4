"""The four kinds of text a payload is made of, and where each lies.

A layout holds one kind per UTF-8 byte, so it tiles the text by construction and lines up with
tokens, which are bytes too. Spans are the same facts in characters, to slice a ``str`` by.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

KINDS: Final = ("names", "punctuation", "whitespace", "values")
NAMES, PUNCTUATION, WHITESPACE, VALUES = range(4)

Layout: TypeAlias = NDArray[np.uint8]


class UnusualText(Exception):
    """A text that a fast reader leaves to the reader of any text."""


def require(condition: object) -> None:
    """Raise ``UnusualText`` unless the condition holds."""
    if not condition:
        raise UnusualText


class Span(NamedTuple):
    """A stretch of text of one kind: characters ``start`` to ``end``, half open."""

    start: int
    end: int
    kind: str


def spans_of(text: str, layout: Layout) -> list[Span]:
    """Return the maximal runs of one kind, in order; none for the empty text.

    Args:
        text: Any text that encodes to UTF-8.
        layout: One kind code (an index into ``KINDS``) per UTF-8 byte of the text.

    Raises:
        ValueError: The layout is not as long as the text, or the text has no UTF-8 form.
    """
    _, kinds = characters_of(text, layout)
    starts = run_starts(kinds)
    ends = np.append(starts[1:], kinds.size)
    names = [KINDS[code] for code in kinds[starts].tolist()]
    return list(map(Span, starts.tolist(), ends.tolist(), names))


def characters_of(text: str, layout: Layout) -> tuple[NDArray[np.uint8], Layout]:
    """Return the first byte and the kind of every character; its first byte's kind stands for all.

    Raises:
        ValueError: The layout is not as long as the text, or the text has no UTF-8 form.
    """
    raw = np.frombuffer(text.encode(), np.uint8)
    check_length(layout, raw.size)
    if raw.size == len(text):  # ASCII: every byte is a character
        return raw, layout
    first = starts_character(raw)
    return raw[first], layout[first]


def starts_character(raw: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say of every byte of UTF-8 text whether a character starts there."""
    starts: NDArray[np.bool_] = (raw & 0xC0) != 0x80
    return starts


def run_starts(kinds: Layout) -> NDArray[np.intp]:
    """Return the index at which each run of equal codes starts, ascending."""
    changes = np.flatnonzero(kinds[1:] != kinds[:-1]) + 1
    return np.insert(changes, 0, 0) if kinds.size else changes


def check_length(layout: Layout, byte_count: int) -> None:
    """Raise ``ValueError`` unless the layout has one code for each of ``byte_count`` bytes."""
    if layout.size != byte_count:
        raise ValueError(f"The layout covers {layout.size} bytes, but the text has {byte_count}")
