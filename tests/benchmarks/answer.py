"""A whole answer against tokenization: ``python -m tests.benchmarks.answer``.

Reads payloads of about 2 KB, 50 KB and 2 MB, says what to send, and counts the same texts alone, in
turns.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from tests.benchmarks.timing import Ratios, geometric_mean, in_turns, payloads
from toon.costs.answer import answer
from toon.costs.document import Document, Typed
from toon.formats import FORMATS, RECOMMENDED
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers.openai import encoding_of
from toon.values.json_text import parse_json

SIZES = {"2 KB": 2_000, "50 KB": 50_000, "2 MB": 2_000_000}


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


def compare(name: str, text: str) -> float:
    """Prints the time of an answer about ``text``, and gives its ratio."""
    bare = encoding_of(DEFAULT_TOKENIZER)
    count = partial(bare.encode_to_numpy, disallowed_special=())
    value = parse_json(text).value
    written = {FORMATS[format].dumps(value) for format in RECOMMENDED} | {text}
    whole, alone = in_turns(
        lambda: answer(Document(parse_json(text).value, Typed(text))),
        lambda: [count(each) for each in written],
    )
    print(f"{name:24}{len(text):10,}{whole * 1e3:11.2f}{alone * 1e3:12.2f}{whole / alone:8.2f}")
    return whole / alone


def main() -> Ratios:
    means = []
    print(f"{'payload':24}{'characters':>10}{'answer ms':>11}{'tokenize ms':>12}{'ratio':>8}")
    for label, size in SIZES.items():
        texts = (
            (name, json.dumps(value, indent=2, ensure_ascii=False)) for name, value in sized(size)
        )
        means.append(geometric_mean([compare(f"{name}, {label}", text) for name, text in texts]))
        print(f"{'geometric mean, ' + label:24}{means[-1]:41.2f}\n")
    return [means]


if __name__ == "__main__":
    main()
