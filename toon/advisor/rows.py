"""Types of the advisor's rows.

Costs are tokens with this payload's share of the explanation, as :class:`Explaining` divides it.
Three texts are measured against, and each figure says by its name which one:

- ``today``: what is sent now, the text as typed or a format;
- the baseline, which ``vs`` is against: the shortest faithful JSON, "minified", whatever is sent
  today, so that all rows share one scale;
- ``start``: what the steps are applied to, and what ``saved`` is against. It is the minified text
  where a text as typed is sent today, and the format that is sent today otherwise.
"""

from __future__ import annotations

from typing import Any, TypedDict

from toon.advisor.steps.base import StepKind
from toon.costs.verdict import Rung


class Basis(TypedDict):
    """The baselines of a row, and how explanations are shared."""

    tokenizer: str
    together: int | None  # payloads that share an explanation; None: none is needed
    today: str  # "as-typed" or a format
    today_tokens: int
    today_cost: float
    baseline: str
    baseline_tokens: int
    start: str  # a format
    start_cost: float


class Measured(Basis):
    """Figures of a value after steps: its text, costs and proof."""

    kind: StepKind  # "lossy" after a failed proof, whatever the step promises
    proven: bool  # undone from ``text`` and found equal; always False for a lossy step
    note: str  # what the steps did
    lost: str | None  # what is lost, or why the proof failed
    tokens: int  # of ``text``
    explanation: int  # tokens to explain format and steps beyond JSON, once; not in ``tokens``
    explanation_text: str
    cost: float  # ``tokens`` and the share of ``explanation``
    saved: float  # ``start_cost`` less ``cost``, explanation included; positive = fewer
    vs: float | None  # ``cost`` as a signed fraction of the baseline; None for a baseline of 0
    format: str
    text: str
    legend: Any  # the part of the text that explains the rest
    legend_tokens: int  # of the legend written alone; ``tokens`` includes it
    kept: Any  # what the caller keeps to undo the steps
    kept_tokens: int  # not in ``tokens``


class StepRow(Measured):
    """The figures of one step applied alone."""

    step: str


class CombinedRow(Measured):
    """The figures of several steps together; ``legend`` and ``kept`` are keyed by step name."""

    steps: list[str]  # the steps applied, in order
    skipped: dict[str, str]  # the reason for each step that had nothing left to do
    saved_alone: float  # the sum of what all the requested steps save alone; rarely ``saved``


class BestRow(CombinedRow):
    """The best combination and its ladder.

    ``ladder`` holds the costs of what is sent today, of the minified text if steps start from it,
    and of the text after each step. ``nothing`` says why there is nothing to recommend, or is None.
    """

    ladder: list[Rung]
    nothing: str | None


class Overview(TypedDict):
    """The best combination, and each step alone."""

    best: BestRow
    alone: list[StepRow]
    idle: dict[str, str]  # the reason for each step that has nothing to do


class FieldRow(TypedDict):
    """The cost of one field in compact JSON."""

    field: str  # a pattern, or ``STRUCTURE``
    count: int  # how often it is written; for the structure, its characters
    tokens: float  # name, colon and values; tokens that fields share are split by their bytes
    share: float  # of all tokens, 0 to 1
    baseline: str
    baseline_tokens: int
    removed_saves: int | None  # tokens saved by removing the field; None if not measured
    removed_vs: float | None  # the same as a signed fraction of the baseline, negative = fewer
