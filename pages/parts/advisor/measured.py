"""What the advisor's panels draw, measured once for each payload and setting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pages.parts.caches import cached
from pages.parts.payload import Payload, work_on, work_on_value
from toon import advisor
from toon.advisor.rows import CombinedRow, FieldRow, Overview, StepRow
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


def _counted(function: Callable[..., Any], setting: Setting, **options: Any) -> partial[Any]:
    """The function, told how the payload is counted."""
    return partial(
        function,
        tokenizer=setting.tokenizer,
        format=setting.format,
        explaining=setting.explaining,
        **options,
    )


@cached
def measure_steps(data: Payload, setting: Setting) -> Overview:
    """The best self-contained steps together, and every step alone."""
    found: Overview = work_on(data, _counted(advisor.overview, setting))
    return found


@cached
def measure_together(
    data: Payload, setting: Setting, steps: tuple[str, ...], fields: tuple[str, ...]
) -> CombinedRow:
    """The chosen steps together; ``fields`` are those to keep."""
    find = _counted(advisor.combined, setting, steps=steps, keep_fields=fields or None)
    row: CombinedRow = work_on(data, find)
    return row


@cached
def measure_fields(data: Payload, tokenizer: str) -> list[FieldRow]:
    """What each field costs."""
    return work_on_value(data, partial(advisor.field_costs, tokenizer=tokenizer))
