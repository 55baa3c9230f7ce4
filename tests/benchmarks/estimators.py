"""How far the estimates are from o200k_base: ``python -m tests.benchmarks.estimators [--fit]``.

The corpus is every payload (``samples/`` and, if they are beside this checkout, the official
benchmark's) in every format that can carry it: whole, and cut into the objects and arrays that its
arrays hold, at most 25 of one array, evenly spaced. Texts of fewer than 20 tokens are left out,
because there one token is more than 5 %.

``--fit`` fits weights to one half of the payloads and tests them on the other, both ways. The
weights minimise the squares of the relative errors, are not negative, and are rounded to two
places. ``toon.tokenizers.estimates.WEIGHTS`` is the first result.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.timing import DATASETS, ROOT
from toon import tokenizers
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.tokenizers.estimates import WEIGHTS, class_features
from toon.values.json_text import parse_json

SAMPLES = sorted((ROOT / "samples").glob("*.json"))
#: The weights before, fitted to other payloads: 88 % of the texts here are within 15 %, but only
#: 52 % of those in Python's JSON, whose blanks split sequences of punctuation.
BEFORE = dict(
    zip(
        WEIGHTS,
        (0.85, 0.11, 1.65, 1.25, 0.04, 1.75, 0.45, 0.77, 0.38, 0.55, 0.75, 2.0),
        strict=True,
    )
)
FEWEST_TOKENS = 20
MOST_PIECES = 25


class Text(NamedTuple):
    payload: str
    format: str
    text: str
    tokens: int  # of o200k_base


def corpus() -> list[Text]:
    """Every text of every payload, in the order of the files."""
    count = tokenizers.get("o200k_base").count
    texts = []
    for path in [*SAMPLES, *DATASETS]:
        whole = parse_json(path.read_text(encoding="utf-8")).value
        for value in [whole, *natural_pieces(whole)]:
            for format, text in written(value):
                if (tokens := count(text)) >= FEWEST_TOKENS:
                    texts.append(Text(path.stem, format, text, tokens))
    return texts


def natural_pieces(value: Any) -> Iterator[Any]:
    """The objects and arrays in a value's arrays, at most ``MOST_PIECES`` of each array."""
    if isinstance(value, list):
        containers = [item for item in value if isinstance(item, dict | list)]
        yield from containers[:: -(-len(containers) // MOST_PIECES) or 1]
    elif isinstance(value, dict):
        for item in value.values():
            yield from natural_pieces(item)


def written(value: Any) -> Iterator[tuple[str, str]]:
    for name, format in FORMATS.items():
        try:
            yield name, format.dumps(value)
        except NotApplicable:
            continue


def errors(texts: Iterable[Text], name: str) -> NDArray[np.float64]:
    """Signed errors of one estimate, as fractions of the tokens of o200k_base."""
    count = tokenizers.get(name).count
    return np.array([count(text.text) / text.tokens - 1 for text in texts])


def summary(signed: NDArray[np.float64]) -> str:
    """The mean, and of the absolute errors the median, p95, maximum and share within 15 %."""
    size = np.abs(signed)
    middle, high = np.percentile(size, [50, 95])
    return (
        f"| {signed.mean():+.1%} | {middle:.1%} | {high:.1%} | {size.max():.1%}"
        f" | {(size <= 0.15).mean():.1%} |"
    )


def print_table(texts: list[Text]) -> None:
    print("| estimate | format | texts | mean | p50 | p95 | max | within 15 % |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in ("chars4", "estimate"):
        for format in [*FORMATS, "all"]:
            chosen = [text for text in texts if format in (text.format, "all")]
            print(f"| {name} | {format} | {len(chosen):,} {summary(errors(chosen, name))}")


def halves(texts: list[Text]) -> tuple[list[Text], list[Text]]:
    """Two halves that share no payload: every second file by name."""
    payloads = sorted({text.payload for text in texts})
    first = set(payloads[::2])
    return [t for t in texts if t.payload in first], [t for t in texts if t.payload not in first]


def fitted(texts: list[Text]) -> dict[str, float]:
    """Weights by projected gradient descent; every payload counts the same."""
    rows = np.array([[class_features(t.text)[name] / t.tokens for name in WEIGHTS] for t in texts])
    sizes = dict.fromkeys({t.payload for t in texts}, 0)
    for text in texts:
        sizes[text.payload] += 1
    root = np.sqrt([1 / sizes[t.payload] for t in texts])[:, None]
    rows, aim = rows * root, root[:, 0]
    # A pull to the weights before: classes that are rare in a half keep theirs.
    start = np.array(list(BEFORE.values()))
    pull = 1e-3 * np.eye(start.size)
    square, target = rows.T @ rows + pull, rows.T @ aim + pull @ start
    step = 1 / np.linalg.eigvalsh(square)[-1]
    weights = start
    for _ in range(20_000):
        weights = np.maximum(weights - step * (square @ weights - target), 0)
    return dict(zip(WEIGHTS, weights.round(2).tolist(), strict=True))


def errors_with(texts: list[Text], weights: dict[str, float]) -> NDArray[np.float64]:
    sums = []
    for text in texts:
        features = class_features(text.text)
        sums.append(int(sum(weights[name] * features[name] for name in weights) + 0.5))
    return np.array([total / text.tokens - 1 for total, text in zip(sums, texts, strict=True)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true", help="print weights fitted anew")
    texts = corpus()
    if parser.parse_args().fit:
        for name, (half, rest) in {
            "even, tested on odd": halves(texts),
            "odd, tested on even": halves(texts)[::-1],
        }.items():
            weights = fitted(half)
            print(f"fitted on {name}: {weights}")
            print(f"  fitted {summary(errors_with(half, weights))}")
            print(f"  tested {summary(errors_with(rest, weights))}")
            print(f"  before {summary(errors_with(rest, BEFORE))}")
    print_table(texts)


if __name__ == "__main__":
    main()
