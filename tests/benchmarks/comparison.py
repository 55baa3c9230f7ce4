"""Comparison against tokenization: ``python -m tests.benchmarks.comparison``.

Compares all formats under every exact tokenizer for a payload of about 100 KB of compact JSON, and
tokenizes the same texts alone. The target is at most 3 times as long.
"""

from __future__ import annotations

import json

from tests.benchmarks.timing import Ratios, best, payloads
from toon import tokenizers
from toon.costs.compare import compare
from toon.costs.document import Document
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.tokenizers import TOKENIZERS


def payload() -> object:
    """Rows of the first flat payload, up to 100,000 bytes."""
    rows = next(value for name, value in payloads() if name in ("tabular", "uniform-rows"))
    rows = next(iter(rows.values())) if isinstance(rows, dict) else rows
    size = len(json.dumps(rows))
    return rows[: max(1, len(rows) * 100_000 // size)]


def main() -> Ratios:
    value = payload()
    texts = []
    for format in FORMATS.values():
        try:
            texts.append(format.dumps(value))
        except NotApplicable:
            continue
    exact = [name for name, tokenizer in TOKENIZERS.items() if tokenizer.exact]
    whole = best(lambda: compare(Document.of(value), tokenizers=exact), 3)
    alone = best(lambda: [tokenizers.get(n).count(t) for n in exact for t in texts], 3)
    print(f"{len(texts)} formats, {len(exact)} tokenizers: {whole * 1e3:.0f} ms")
    print(f"the tokenizations alone: {alone * 1e3:.0f} ms; ratio {whole / alone:.2f}")
    return [[whole / alone]]


if __name__ == "__main__":
    main()
