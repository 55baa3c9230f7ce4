"""Layout and attribution against tokenization: ``python -m tests.benchmarks.attribution``.

The ratio is (layout + breakdown without its tokenization) / (tokenization alone) of the same text,
at 2 KB, 50 KB and 2 MB of indented JSON. The target is at most 1 for every text, and at most 0.5
for compact JSON.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.answer import SIZES, sized
from tests.benchmarks.timing import Ratios, in_turns
from toon import tokenizers
from toon.formats import FORMATS, Format
from toon.layout.breakdown import breakdown
from toon.tokenizers.facts import Counter

BOUNDS = {"json-pretty": 1, "json-compact": 0.5, "toon": 1}


class Tokenized(Counter):
    """A tokenizer with its answer prepared, so that only the attribution is timed."""

    def __init__(self, lengths: NDArray[np.int64]) -> None:
        super().__init__("known", "known")
        self._lengths = lengths

    def count(self, text: str) -> int:
        return len(self._lengths)

    def pieces(self, text: str) -> list[bytes]:
        raise NotImplementedError

    def lengths(self, text: str) -> NDArray[np.int64]:
        return self._lengths


def measure(text: str, format: Format) -> tuple[float, float]:
    """Seconds for tokenization by tiktoken, and for layout and attribution together."""
    tokenizer = tokenizers.get("o200k_base")
    known = Tokenized(tokenizer.lengths(text))
    return in_turns(
        lambda: tokenizer.count(text),
        lambda: breakdown(text, format.layout(text), known),
    )


def main() -> Ratios:
    largest = dict.fromkeys(SIZES, 0.0)
    print(f"{'payload':24}{'format':14}{'bytes':>10}{'tokenize ms':>13}{'split ms':>10}", end="")
    print(f"{'ratio':>8}{'bound':>7}")
    for label, size in SIZES.items():
        for name, value in sized(size):
            for format, bound in BOUNDS.items():
                text = FORMATS[format].dumps(value)
                tokens, split = measure(text, FORMATS[format])
                print(f"{name + ', ' + label:24}{format:14}{len(text):10,}", end="")
                print(f"{tokens * 1e3:13.2f}{split * 1e3:10.2f}{split / tokens:8.2f}{bound:7}")
                if format == "json-compact":
                    largest[label] = max(largest[label], split / tokens)
    return [[*largest.values()]]


if __name__ == "__main__":
    main()
