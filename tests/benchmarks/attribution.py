"""Layout and attribution against tokenization: ``python -m tests.benchmarks.attribution``.

The ratio is (layout + breakdown without its tokenization) / (tokenization alone) of the same text.
The target is at most 1 for every text, and at most 0.5 for compact JSON.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.timing import Ratios, best, payloads
from toon import tokenizers
from toon.formats import FORMATS
from toon.layout.breakdown import breakdown
from toon.tokenizers.facts import Exact


class Tokenized(Exact):
    """A tokenizer with its answer prepared, so that only the attribution is timed."""

    name, label = "known", "known"

    def __init__(self, lengths: NDArray[np.int64]) -> None:
        self._lengths = lengths

    def count(self, text: str) -> int:
        return len(self._lengths)

    def pieces(self, text: str) -> list[bytes]:
        raise NotImplementedError

    def lengths(self, text: str) -> NDArray[np.int64]:
        return self._lengths


def measure(text: str, format: Any) -> tuple[float, float, float]:
    """Seconds for tokenization, layout and attribution."""
    tokenizer = tokenizers.get("o200k_base")
    known = Tokenized(tokenizer.lengths(text))
    layout = format.layout(text)
    return (
        best(lambda: tokenizer.count(text)),
        best(lambda: format.layout(text)),
        best(lambda: breakdown(text, layout, known)),
    )


def main() -> Ratios:
    print(
        f"{'payload':16}{'format':14}{'bytes':>10}{'tokenize ms':>13}{'layout':>8}{'split':>8}"
        f"{'ratio':>8}"
    )
    compact = 0.0
    large = [value for name, value in payloads() if name in ("event-logs", "tabular")] * 3
    for name, value in [*payloads(), ("2 MB", large)]:
        for format in (FORMATS["json-pretty"], FORMATS["json-compact"], FORMATS["toon"]):
            text = format.dumps(value)
            tokens, layout, split = measure(text, format)
            if (name, format.name) == ("2 MB", "json-compact"):
                compact = (layout + split) / tokens
            print(
                f"{name:16}{format.name:14}{len(text):10,}{tokens * 1e3:13.2f}{layout * 1e3:8.2f}"
                f"{split * 1e3:8.2f}{(layout + split) / tokens:8.2f}"
            )
    return [[compact]]


if __name__ == "__main__":
    main()
