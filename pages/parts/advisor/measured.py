"""What the advisor's panels draw, measured once for each payload and setting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pages.parts.caches import cached, cached_for_payload
from pages.parts.payload import Payload
from toon import advisor
from toon.advisor.rows import BestRow, CombinedRow, StepRow
from toon.advisor.steps.base import StepKind
from toon.costs.explanation import Explaining

#: What the classes of steps are called, and what they mean, in the order of their harm.
CLASSES: Final[dict[StepKind, tuple[str, str]]] = {
    "self-contained": ("Self-contained", "Any reader of the payload can undo it."),
    "with-a-map": ("With a map you keep", "Only your program can undo it; the model sees less."),
    "lossy": ("Lossy", "Nobody can undo it."),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """How the payload is counted; ``format`` None: it is sent as typed."""

    tokenizer: str
    format: str | None
    explaining: Explaining


def is_rung(row: StepRow) -> bool:
    """Whether the ladder has taken this step already: all others start from the minified text."""
    return row["step"] == "minify" and row["start"] == row["baseline"]


def advise(data: Payload, setting: Setting) -> list[StepRow]:
    """The rows of every step alone."""
    return advisor.advise(
        data.value,
        tokenizer=setting.tokenizer,
        typed=data.typed,
        format=setting.format,
        explaining=setting.explaining,
    )


def best_combination(data: Payload, setting: Setting) -> BestRow:
    """The best self-contained steps together."""
    return advisor.best_combination(
        data.value,
        tokenizer=setting.tokenizer,
        typed=data.typed,
        format=setting.format,
        explaining=setting.explaining,
    )


def combined(
    data: Payload, setting: Setting, steps: tuple[str, ...], fields: tuple[str, ...]
) -> CombinedRow:
    """The chosen steps together; ``fields`` are those to keep."""
    return advisor.combined(
        data.value,
        steps,
        tokenizer=setting.tokenizer,
        typed=data.typed,
        format=setting.format,
        keep_fields=fields or None,
        explaining=setting.explaining,
    )


measure_steps = cached(advise)
find_best_steps = cached(best_combination)
measure_together = cached(combined)
measure_fields = cached_for_payload(advisor.field_costs)
