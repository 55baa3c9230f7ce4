"""The codec line by line against whole documents: ``python -m tests.benchmarks.lines``.

``decode_lines`` reads the array of each payload, or a payload without one as an array's element.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

import toon
from tests.benchmarks.timing import Ratios, in_turns, payloads


def array(value: Any) -> list[Any]:
    """The payload's array, which may stand below a key; or one of it alone."""
    only = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    return only if isinstance(only, list) else [value]


def encoding(value: Any) -> float:
    whole, lines = in_turns(
        partial(toon.encode, value), lambda: deque(toon.encode_lines(value), maxlen=0)
    )
    return lines / whole


def decoding(text: str) -> float:
    given = text.split("\n")
    whole, lines = in_turns(
        partial(toon.decode, text), lambda: deque(toon.decode_lines(given), maxlen=0)
    )
    return lines / whole


def main() -> Ratios:
    ratios: Ratios = [[], []]
    print(f"{'payload':16}{'encode_lines':>14}{'decode_lines':>14}   times as long as the whole")
    for name, value in payloads():
        pair = encoding(value), decoding(toon.encode(array(value)))
        for which, ratio in zip(ratios, pair, strict=True):
            which.append(ratio)
        print(f"{name:16}{pair[0]:14.2f}{pair[1]:14.2f}")
    return ratios


if __name__ == "__main__":
    main()
