"""Rewriting of a JSON text with other whitespace; all else stays as typed.

Numbers, escapes, the order of keys and repeated keys stay: ``1.0`` stays ``1.0``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.errors import TextError
from toon.formats import json as json_format
from toon.layout.json import json_layout
from toon.layout.spans import PUNCTUATION
from toon.limits import EDITOR_BYTES
from toon.values.json_text import parse_json

_INDENT: Final = 2
#: Bytes of a block: the places of its bytes take eight times as many.
_BLOCK: Final = 1 << 20


def minified(text: str) -> str:
    """Remove the whitespace between tokens; raise TextError if the text is no JSON."""
    parse_json(text)
    return json_format.minified(text)


def indented(text: str) -> str:
    """Write the JSON text with a line for each item, two spaces a level.

    Raises:
        TextError: The text is no JSON, or the result would be larger than the editors take.
    """
    data = minified(text).encode()
    raw = np.frombuffer(data, np.uint8)
    gaps = _gaps(raw, json_layout(data.decode()) == PUNCTUATION)
    if raw.size + int(gaps.sum(dtype=np.int64)) > EDITOR_BYTES:
        raise TextError(f"indented it would be larger than {EDITOR_BYTES // 1_000_000} MB")
    return b"".join(_spaced(raw, gaps)).decode()


def _gaps(raw: NDArray[np.uint8], marks: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Count the bytes to insert after each byte: a blank after a colon, else a break and indent."""
    opens, closes = marks & np.isin(raw, list(b"[{")), marks & np.isin(raw, list(b"]}"))
    breaks = opens | (marks & (raw == ord(",")))
    breaks[:-1] |= closes[1:]
    breaks[:-1] &= ~(opens[:-1] & closes[1:])  # an empty container stays on its line
    depth = np.cumsum(opens.view(np.int8) - closes.view(np.int8), dtype=np.int16)
    depth[:-1] -= closes[1:]  # a closing bracket stands as far left as the line it was opened on
    gaps = np.where(breaks, 1 + _INDENT * depth, 0).astype(np.int16)
    gaps[marks & (raw == ord(":"))] = 1
    return gaps


def _spaced(raw: NDArray[np.uint8], gaps: NDArray[np.int16]) -> Iterator[bytes]:
    """Yield the pieces of the text with the gaps filled."""
    for start in range(0, raw.size, _BLOCK):
        block, gap = raw[start : start + _BLOCK], gaps[start : start + _BLOCK]
        ends = np.cumsum(gap + 1, dtype=np.intp)
        places = ends - gap - 1
        spaced = np.full(ends[-1], ord(" "), np.uint8)
        spaced[places] = block
        broken = (gap > 0) & (block != ord(":"))
        spaced[places[broken] + 1] = ord("\n")
        yield spaced.tobytes()
