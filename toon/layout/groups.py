"""Layouts from patterns whose groups follow each other without a gap and cover the whole text."""

from __future__ import annotations

from itertools import chain

import numpy as np

from toon.layout.spans import Layout


def layout_of_groups(matches: list[tuple[bytes, ...]], kinds: Layout) -> Layout:
    """The kind of each byte of a text.

    Args:
        matches: the groups of all matches, as ``findall`` gives them for the UTF-8 bytes.
        kinds: the kind of each group of a match.
    """
    # 0xFF never occurs in UTF-8. Joining the groups with it is faster than measuring each.
    joined = np.frombuffer(b"\xff".join([*chain.from_iterable(matches), b""]), np.uint8)
    ends = np.flatnonzero(joined == 0xFF)
    return np.repeat(np.tile(kinds, len(matches)), np.diff(ends, prepend=-1) - 1)
