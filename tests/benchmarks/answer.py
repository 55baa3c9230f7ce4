"""A whole answer against tokenization: ``python -m tests.benchmarks.answer``.

Reads payloads of about 50 KB, says what to send, and counts the same texts alone. The target is at
most 1.5 times as long. The second ratio is characters: those that the answer counts, against those
of its distinct texts.
"""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch

from tests.benchmarks.timing import Ratios, best, geometric_mean, payloads
from toon import tokenizers
from toon.costs.answer import answer
from toon.costs.typed import Typed
from toon.formats import FORMATS, RECOMMENDED
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.values.json_text import parse_json

SIZE = 50_000


def resized(value: Any, size: int = SIZE) -> Any:
    """A value whose indented JSON has about ``size`` characters, from the rows of ``value``."""
    key = None if isinstance(value, list) else max(value, key=lambda name: len(str(value[name])))
    rows = value if key is None else value[key]
    share = size / len(json.dumps(value, indent=2))
    if isinstance(rows, dict):
        rows = dict(list(rows.items())[: int(share * len(rows)) or 1])
    elif isinstance(rows, list):
        rows = (rows * (int(share) + 1))[: int(share * len(rows)) or 1]
    return rows if key is None else {**value, key: rows}


def counted_characters(text: str) -> int:
    """The characters that the answer about ``text`` has counted."""
    lengths: list[int] = []
    count = OpenModelTokenizer.count

    def counting(self: OpenModelTokenizer, text: str) -> int:
        lengths.append(len(text))
        return count(self, text)

    with patch.object(OpenModelTokenizer, "count", counting):
        answer(parse_json(text).value, Typed(text))
    return sum(lengths)


def main() -> Ratios:
    count = tokenizers.get(DEFAULT_TOKENIZER).count
    times, sizes = [], []
    for name, value in payloads():
        text = json.dumps(resized(value), indent=2, ensure_ascii=False)
        if not 25_000 < len(text) < 100_000:
            continue
        written = {FORMATS[format].dumps(resized(value)) for format in RECOMMENDED} | {text}
        whole = best(lambda text=text: answer(parse_json(text).value, Typed(text)))
        alone = best(lambda texts=written: [count(each) for each in texts])
        times.append(whole / alone)
        sizes.append(counted_characters(text) / sum(map(len, written)))
        ratios = f"{whole / alone:.2f} of the time, {sizes[-1]:.2f} of the characters"
        print(f"{name:24} {len(text):7,} characters: {ratios}")
    print(f"geometric mean: {geometric_mean(times):.2f}; {geometric_mean(sizes):.2f} of characters")
    return [[geometric_mean(times)]]


if __name__ == "__main__":
    main()
