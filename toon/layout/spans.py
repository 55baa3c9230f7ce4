"""The four kinds of text in a payload, as layouts.

A layout has one kind per UTF-8 byte. It therefore tiles the text, and it can be added up by token,
because tokens are bytes too.
"""

from __future__ import annotations

from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

KINDS: Final = ("names", "punctuation", "whitespace", "values")
NAMES, PUNCTUATION, WHITESPACE, VALUES = range(4)

Layout: TypeAlias = NDArray[np.uint8]


class UnusualText(Exception):
    """A text that only the slower reader of its format can lay out or read."""


def require(condition: object) -> None:
    """Raise ``UnusualText`` unless the condition holds."""
    if not condition:
        raise UnusualText


def tabulate_kinds(others: int, *groups: tuple[bytes, int]) -> bytes:
    """Return a table for ``bytes.translate``: each group's kind for its bytes, else ``others``."""
    table = bytearray([others]) * 256
    for members, kind in groups:
        for byte in members:
            table[byte] = kind
    return bytes(table)


def lay_out_groups(matches: list[tuple[bytes, ...]], kinds: Layout) -> Layout:
    """Build the layout of a text from a pattern whose groups leave no gap in it.

    Args:
        matches: the groups of all matches, as ``findall`` gives them for the UTF-8 bytes.
        kinds: the kind of each group of a match.
    """
    # 0xFF never occurs in UTF-8. Joining the groups with it is faster than measuring each.
    joined = np.frombuffer(b"\xff".join([*chain.from_iterable(matches), b""]), np.uint8)
    ends = np.flatnonzero(joined == 0xFF)
    return np.repeat(np.tile(kinds, len(matches)), np.diff(ends, prepend=-1) - 1)


def characters_of(text: str, layout: Layout) -> tuple[NDArray[np.uint8], Layout]:
    """Return the first byte of every character, and that byte's kind.

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
    """Return for each byte of UTF-8 text whether a character starts there."""
    starts: NDArray[np.bool_] = (raw & 0xC0) != 0x80
    return starts


def run_starts(kinds: Layout) -> NDArray[np.intp]:
    """Return the index where each run of equal codes starts, in ascending order."""
    changes = np.flatnonzero(kinds[1:] != kinds[:-1]) + 1
    return np.insert(changes, 0, 0) if kinds.size else changes


def check_length(layout: Layout, byte_count: int) -> None:
    """Raise ``ValueError`` unless the layout has one code for each of ``byte_count`` bytes."""
    if layout.size != byte_count:
        raise ValueError(f"The layout covers {layout.size} bytes, but the text has {byte_count}")
