"""A whole answer against tokenization: ``python -m tests.benchmarks.answer``.

Reads payloads of about 2 KB, 50 KB and 2 MB, says what to send, and counts the same texts alone, in
turns. The second ratio is characters: those that the answer counts, against those of its distinct
texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from tests.benchmarks.timing import Ratios, geometric_mean, in_turns, payloads
from toon import tokenizers
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.typed import Typed
from toon.formats import FORMATS, RECOMMENDED
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.tokenizers.fast_openai import get_fast
from toon.values.json_text import parse_json

SIZES = {"2 KB": 2_000, "50 KB": 50_000, "2 MB": 2_000_000}
#: The most that a whole answer may take of its tokenizations.
BOUND = 1.5


def resized(value: Any, size: int) -> Any:
    """A value whose indented JSON has about ``size`` characters, from the rows of ``value``."""
    key = None if isinstance(value, list) else max(value, key=lambda name: len(str(value[name])))
    rows = value if key is None else value[key]
    share = size / len(json.dumps(value, indent=2))
    if isinstance(rows, dict):
        rows = dict(list(rows.items())[: int(share * len(rows)) or 1])
    elif isinstance(rows, list):
        rows = (rows * (int(share) + 1))[: int(share * len(rows)) or 1]
    return rows if key is None else {**value, key: rows}


def sized(size: int) -> Iterator[tuple[str, Any]]:
    """The payloads that there are in about this size, each with its name."""
    for name, value in payloads():
        value = resized(value, size)
        if size / 2 < len(json.dumps(value, indent=2, ensure_ascii=False)) < size * 2:
            yield name, value


def counted_characters(text: str) -> int:
    """The characters that the answer about ``text`` has counted."""
    lengths: list[int] = []
    counter = type(get_fast(DEFAULT_TOKENIZER))
    count = counter.count

    def counting(self: Tokenizer, text: str) -> int:
        lengths.append(len(text))
        return count(self, text)

    with patch.object(counter, "count", counting):
        answer(Document(parse_json(text).value, Typed(text)))
    return sum(lengths)


def compare(name: str, text: str) -> tuple[float, float]:
    """Prints the time and the characters of an answer about ``text`` as ratios, and gives them."""
    count = tokenizers.get(DEFAULT_TOKENIZER).count  # bare tiktoken
    value = parse_json(text).value
    written = {FORMATS[format].dumps(value) for format in RECOMMENDED} | {text}
    whole, alone = in_turns(
        lambda: answer(Document(parse_json(text).value, Typed(text))),
        lambda: [count(each) for each in written],
    )
    characters = counted_characters(text) / sum(map(len, written))
    print(f"{name:24}{len(text):10,}{whole * 1e3:11.2f}{alone * 1e3:12.2f}", end="")
    print(f"{whole / alone:8.2f}{BOUND:7}{characters:12.2f}")
    return whole / alone, characters


def main() -> Ratios:
    means = []
    print(f"{'payload':24}{'characters':>10}{'answer ms':>11}{'tokenize ms':>12}", end="")
    print(f"{'ratio':>8}{'bound':>7}{'characters':>12}")
    for label, size in SIZES.items():
        found = [
            compare(f"{name}, {label}", json.dumps(value, indent=2, ensure_ascii=False))
            for name, value in sized(size)
        ]
        times, characters = (geometric_mean(list(each)) for each in zip(*found, strict=True))
        print(f"{'geometric mean, ' + label:24}{times:41.2f}{BOUND:7}{characters:12.2f}\n")
        means.append(times)
    return [means]


if __name__ == "__main__":
    main()
