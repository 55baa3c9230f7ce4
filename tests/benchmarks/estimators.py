"""How far the estimates are from o200k_base: ``python -m tests.benchmarks.estimators``.

The corpus is every payload of ``samples/`` in every format that can carry it: whole, and cut into
the objects and arrays that its arrays hold, at most 25 of one array, evenly spaced. Texts of fewer
than 20 tokens are left out, because there one token is more than 5 %, and those that an estimator
refuses. ``difference`` is the 95th percentile of the error of the difference between any two
formats of one payload, as a share of the larger's tokens. ``--by-format`` prints each
format, ``--official`` adds the payloads of the official benchmark if they are beside this checkout.

``--fit`` fits weights to one half of all these payloads in JSON and TOON and tests them on the
other, both ways. The weights minimise the squares of the relative errors, are not negative, and
are rounded to two places. ``toon.tokenizers.estimates.WEIGHTS`` is the first result.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.timing import DATASETS, ROOT
from toon import tokenizers
from toon.cli.output import align
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.tokenizers.estimates import WEIGHTS, class_features
from toon.values.json_text import parse_json
from toon.wording import UNKNOWN, percent, signed_percent

ESTIMATES = ("chars4", "estimate")

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
#: The samples in the half that ``WEIGHTS`` were fitted to.
FITTED = (
    "arrays-of-arrays",
    "deep-config",
    "emails",
    "keyed-objects",
    "mcp-tool-result",
    "orders-with-items",
    "tickets",
    "weather",
)
#: The formats that ``WEIGHTS`` were fitted to.
FITTED_FORMATS = ("json-pretty", "json-python", "json-compact", "toon", "toon-tab", "toon-pipe")
OFFICIAL_FORMATS = ("json-pretty", "json-compact", "toon", "csv", "xml", "yaml")
FEWEST_TOKENS = 20
MOST_PIECES = 25


class Text(NamedTuple):
    payload: str
    part: int  # 0 is the whole payload
    format: str
    text: str
    tokens: int  # of o200k_base


def corpus(paths: Iterable[Path] = SAMPLES) -> list[Text]:
    """Every text of every payload, in the order of the files."""
    count = tokenizers.get("o200k_base").count
    texts = []
    for path in paths:
        whole = parse_json(path.read_text(encoding="utf-8")).value
        for part, value in enumerate([whole, *natural_pieces(whole)]):
            for format, text in written(value):
                if (tokens := count(text)) >= FEWEST_TOKENS:
                    texts.append(Text(path.stem, part, format, text, tokens))
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


def pair_errors(real: Mapping[str, float], estimated: Mapping[str, float]) -> list[float]:
    """Return the errors of the difference between any two formats of one payload.

    They are signed, as fractions of the larger's real tokens; the formats are the keys.
    """
    return [
        (estimated[one] - estimated[other] - real[one] + real[other]) / max(real[one], real[other])
        for one, other in combinations(real, 2)
    ]


def difference_errors(texts: Iterable[Text], name: str) -> NDArray[np.float64]:
    """Return ``pair_errors`` of one estimate for the formats of the official benchmark."""
    count = tokenizers.get(name).count
    real: dict[tuple[str, int], dict[str, float]] = {}
    estimated: dict[tuple[str, int], dict[str, float]] = {}
    for text in texts:
        if text.format in OFFICIAL_FORMATS:
            value = text.payload, text.part
            real.setdefault(value, {})[text.format] = text.tokens
            estimated.setdefault(value, {})[text.format] = count(text.text)
    pairs = (pair_errors(real[value], estimated[value]) for value in real)
    return np.fromiter(chain.from_iterable(pairs), np.float64)


def estimated(texts: Iterable[Text], name: str) -> list[Text]:
    """Return the texts that an estimator does not refuse."""
    estimator = tokenizers.get(name)
    return [text for text in texts if estimator.no_estimate(text.text) is None]


def figures(signed: NDArray[np.float64]) -> list[str]:
    """The mean, and of the absolute errors the median, p95, maximum and share within 15 %."""
    size = np.abs(signed)
    middle, high = np.percentile(size, [50, 95])
    shares = [percent(share, 1) for share in (middle, high, size.max(), (size <= 0.15).mean())]
    return [f"{len(signed):,}", signed_percent(signed.mean()), *shares]


HEAD = ["estimate", "texts", "mean", "median", "95 % below", "worst", "within 15 %"]


def table(texts: list[Text], by_format: bool = False) -> list[str]:
    """The table: each estimate on the texts that it does not refuse.

    ``estimate`` also has a line for the payloads that it was not fitted to.
    """
    rest = [text for text in texts if text.payload not in FITTED]
    lines = [[*HEAD, "difference", "refused"]]
    for name in ESTIMATES:
        lines.append(_line(name, name, texts))
        for format in FORMATS if by_format else ():
            chosen = [text for text in texts if text.format == format]
            lines.append(_line(f"{name}, {format}", name, chosen))
    lines.append(_line("estimate, not fitted", "estimate", rest))
    return align(lines)


def _line(title: str, name: str, texts: list[Text]) -> list[str]:
    chosen = estimated(texts, name)
    off = np.abs(difference_errors(chosen, name))
    difference = percent(np.percentile(off, 95), 1) if off.size else UNKNOWN
    refused = f"{len(texts) - len(chosen):,}"
    return [title, *figures(errors(chosen, name)), difference, refused]


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


def print_fits() -> None:
    texts = [text for text in corpus([*SAMPLES, *DATASETS]) if text.format in FITTED_FORMATS]
    for (half, rest), name in ((halves(texts), "even"), (halves(texts)[::-1], "odd")):
        weights = fitted(half)
        print(f"fitted on {name}: {weights}")
        lines = [
            ["fitted", *figures(errors_with(half, weights))],
            ["tested", *figures(errors_with(rest, weights))],
            ["before", *figures(errors_with(rest, BEFORE))],
        ]
        print("\n".join(align([HEAD, *lines])))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--by-format", action="store_true", help="a line for each format too")
    parser.add_argument("--official", action="store_true", help="the official payloads too")
    parser.add_argument("--fit", action="store_true", help="print weights fitted anew")
    options = parser.parse_args(arguments)
    if options.fit:
        print_fits()
        return
    texts = corpus([*SAMPLES, *DATASETS] if options.official else SAMPLES)
    print("\n".join(table(texts, options.by_format)))


if __name__ == "__main__":
    main()
