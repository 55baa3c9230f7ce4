"""What is known of reading: the official benchmark's graded answers of four models, as counts.

``known.json`` holds for each model, format, kind and shape how many questions were asked and how
many answers were right, and how many the format alone got right or wrong beside a baseline on the
same questions. It holds nothing else of the benchmark. ``python -m tests.benchmarks.reading``
derives it.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from toon.formats import label
from toon.reading.statistics import Interval, Paired, wilson
from toon.wording import signed_points

FILE: Final = Path(__file__).with_name("known.json")

SOURCE: Final = "toon-format/toon at commit f06ddca, benchmarks/results/accuracy/models"
MODELS: Final = {
    "claude-haiku-4-5-20251001": "Claude Haiku 4.5",
    "gemini-3.6-flash": "Gemini 3.6 Flash",
    "gpt-5.4-nano": "GPT-5.4 nano",
    "grok-4.5": "Grok 4.5",
}
FORMATS: Final = ("toon", "json-compact", "json-pretty", "yaml", "xml", "csv")
BASELINES: Final = ("json-compact", "json-pretty")
#: The benchmark's types of questions.
KINDS: Final = {
    "field-retrieval": "a field of a record",
    "aggregation": "counts, sums and averages",
    "filtering": "records that meet conditions",
    "structure-awareness": "structure: how many, which fields, the last",
    "structural-validation": "is the data whole",
}
#: The kinds that are about the structure itself, where TOON states lengths and fields.
STRUCTURE: Final = frozenset({"structure-awareness", "structural-validation"})
SHAPES: Final = {
    "flat": "flat records",
    "objects": "records with objects inside",
    "lists": "records with lists inside",
    "mixed": "records with different fields",
    "map": "a map of records",
    "deep": "settings, deep and without records",
    "damaged": "flat records, damaged on purpose",
}
#: The shapes that CSV can carry, so that it was asked about these alone.
FLAT: Final = frozenset({"flat", "damaged"})


class Cell(NamedTuple):
    """One line of the file: counts of answers of one model in one format.

    ``gained`` are right where the baseline is wrong, ``lost`` wrong where it is right, for each of
    ``BASELINES``.
    """

    model: str
    format: str
    kind: str
    shape: str
    asked: int
    right: int
    gained: tuple[int, int]
    lost: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Share:
    """Right answers among those asked; ``models`` gave them."""

    asked: int
    right: int
    models: int

    @property
    def accuracy(self) -> float:
        return self.right / self.asked

    @property
    def interval(self) -> Interval | None:
        """Wilson's interval; None for several models, whose questions are the same."""
        return wilson(self.right, self.asked) if self.models == 1 else None


@dataclass(frozen=True, slots=True)
class Calls:
    """What the service of a model counted for its answers in one format.

    ``seconds`` is the median of a call; tokens are those of all calls.
    """

    right: int
    prompt_tokens: int
    output_tokens: int
    seconds: float

    @property
    def tokens_per_right(self) -> float:
        return (self.prompt_tokens + self.output_tokens) / self.right


@cache
def cells() -> tuple[Cell, ...]:
    """Every line of the file."""
    return tuple(_cells())


def _cells() -> Iterator[Cell]:
    for line in json.loads(FILE.read_text(encoding="utf-8"))["answers"]:
        model, format, kind, shape, asked, right, *against = line
        gained, lost = (against[0], against[2]), (against[1], against[3])
        yield Cell(model, format, kind, shape, asked, right, gained, lost)


def share(
    format: str,
    model: str | None = None,
    *,
    kinds: Container[str] = KINDS,
    shapes: Container[str] = SHAPES,
) -> Share | None:
    """The right answers in a format, by one model or all; None if nothing was asked.

    All models together: the right answers of the four over the questions of the four. Each was
    asked the same, so each counts the same. This is how the published overall figures are made.
    """
    found = _chosen(format, model, kinds, shapes)
    asked = sum(cell.asked for cell in found)
    models = len({cell.model for cell in found})
    return Share(asked, sum(cell.right for cell in found), models) if asked else None


def paired(
    format: str,
    model: str,
    baseline: str = BASELINES[0],
    *,
    kinds: Container[str] = KINDS,
    shapes: Container[str] = SHAPES,
) -> Paired | None:
    """A format beside a baseline, on the questions asked in both; None if there are none."""
    at = BASELINES.index(baseline)
    found = _chosen(format, model, kinds, shapes)
    asked, right = sum(cell.asked for cell in found), sum(cell.right for cell in found)
    gained, lost = sum(cell.gained[at] for cell in found), sum(cell.lost[at] for cell in found)
    pair = Paired(right - gained, gained, lost, asked - right - lost)
    return pair if asked else None


def _chosen(
    format: str, model: str | None, kinds: Container[str], shapes: Container[str]
) -> list[Cell]:
    return [
        cell
        for cell in cells()
        if cell.format == format
        and model in (None, cell.model)
        and cell.kind in kinds
        and cell.shape in shapes
    ]


def calls(format: str, model: str, *, is_flat: bool = False) -> Calls | None:
    """Tokens and time of a model's calls: all, or those that CSV was asked too.

    None for all calls in CSV, because there are none beyond those.
    """
    found = _calls()[model].get(format, {}).get("flat" if is_flat else "all")
    return Calls(*found) if found else None


@cache
def _calls() -> dict[str, dict[str, dict[str, tuple[int, int, int, float]]]]:
    found: dict[str, dict[str, dict[str, tuple[int, int, int, float]]]]
    found = json.loads(FILE.read_text(encoding="utf-8"))["calls"]
    return found


@cache
def verdict(format: str, model: str, baseline: str = BASELINES[0]) -> str:
    """One sentence about a format beside a baseline; it claims no more than the interval."""
    pair = paired(format, model, baseline)
    if pair is None:
        return f"{MODELS[model]} was not asked in {label(format)}."
    low, high = pair.interval
    points = (
        f"{signed_points(pair.difference)} points ({signed_points(low)} to {signed_points(high)})"
    )
    counts = f"{pair.gained} questions won, {pair.lost} lost, p {p_text(pair.p_value)}"
    if pair.is_seen:
        word = "better" if pair.difference > 0 else "worse"
        return (
            f"{MODELS[model]} read {label(format)} {word} than {label(baseline)}: "
            f"{points}, {counts}."
        )
    return (
        f"{MODELS[model]}: no difference was seen between {label(format)} and {label(baseline)}: "
        f"{points}, {counts}. With {pair.asked} questions, one of at least "
        f"{100 * pair.smallest_seen:.1f} points would be seen in four runs of five."
    )


def p_text(p: float) -> str:
    """A p value for a sentence: ``0.09``, ``0.004``, ``below 0.001``."""
    if p < 0.001:
        return "below 0.001"
    return f"{p:.3f}" if p < 0.01 else f"{p:.2f}"
