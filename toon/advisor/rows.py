"""The rows of the advisor.

Savings are against ``before``, the tokens of the value as given, in the format it is sent in
today. ``vs`` is against compact JSON of the value as given, whatever the format, so all rows
share one scale.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypedDict

from toon.advisor.steps.base import StepKind


class Basis(TypedDict):
    """What the figures of a row are measured with and against."""

    tokenizer: str
    exact: bool  # False: an estimate
    baseline: str
    baseline_tokens: int
    before: int


class Measured(Basis):
    """A value after steps: the text sent, its figures, and whether the value came back."""

    kind: StepKind  # "lossy" after a failed proof, whatever the step promises
    proven: bool  # undone from ``text`` and found equal; always False for a lossy step
    note: str  # what was done
    lost: str | None  # what is lost, or why the proof failed
    tokens: int
    saved: int  # signed, positive = fewer tokens
    vs: float | None  # signed fraction of the baseline, negative = fewer; None for a baseline of 0
    format: str
    text: str
    primer: int  # tokens to explain the format beyond JSON's explanation; not in ``tokens``
    legend: Any  # the part of the text that explains the rest
    legend_tokens: int  # of the legend written alone; ``tokens`` includes it
    kept: Any  # what the caller keeps to undo the steps
    kept_tokens: int  # not in ``tokens``
    tokens_with_kept: int
    reason: None


class AppliedRow(Measured):
    """One step that was applied alone."""

    step: str
    label: str


class IdleRow(Basis):
    """One step with nothing to do; ``reason`` says why. All other cells of a step are None."""

    step: str
    label: str
    kind: StepKind
    tokens: None
    saved: None
    reason: str


StepRow: TypeAlias = AppliedRow | IdleRow


class TrailRow(TypedDict):
    """One step of several: the tokens after it, what it saved there and what it saves alone."""

    step: str
    tokens: int
    saved: int
    alone: int


class CombinedRow(Measured):
    """Several steps together; ``legend`` and ``kept`` are by the name of the step."""

    steps: list[str]  # those applied, in order
    skipped: dict[str, str]  # reasons by step, for those with nothing left to do
    trail: list[TrailRow]
    saved_alone: int  # the sum of what all the requested steps save alone
    interaction: int  # ``saved`` less that sum: savings do not add up


class RoundRow(TypedDict):
    """One choice of the search: what it saved, less the cost of explaining a new format."""

    step: str
    tokens: int
    saved: int


class BestRow(CombinedRow):
    """The best combination, and the rounds of the search that found it."""

    rounds: list[RoundRow]


class FieldRow(TypedDict):
    """What one field costs in compact JSON."""

    field: str  # a pattern, or ``STRUCTURE``
    count: int  # how often it is written; for the structure, its characters
    tokens: float  # name, colon and values; tokens that fields share are split by their bytes
    share: float  # of all tokens, 0 to 1
    tokenizer: str
    exact: bool
    baseline: str
    baseline_tokens: int
    removed_saves: int | None  # tokens saved by removing the field; None if not measured
    removed_vs: float | None  # the same as a signed fraction of the baseline, negative = fewer
