"""What the advisor's panels draw, measured once for each payload and setting."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from pages.parts.caches import cached
from pages.parts.payload import Payload, work_on, work_on_value
from toon import advisor
from toon.advisor.rows import CombinedRow, FieldRow, Overview
from toon.advisor.steps.base import StepKind
from toon.costs.explanation import Explaining

#: What the classes of steps are called, and what they mean, in the order of their harm.
CLASSES: Final[dict[StepKind, tuple[str, str]]] = {
    "self-contained": ("Self-contained", "Any reader of the payload can undo it."),
    "with-a-map": ("With a map you keep", "Only your program can undo it; the model sees less."),
    "lossy": ("Lossy", "Nobody can undo it."),
}


class Setting(NamedTuple):
    """How the payload is counted; ``format`` None: it is sent as typed."""

    tokenizer: str
    format: str | None
    explaining: Explaining


@cached
def measure_steps(data: Payload, setting: Setting) -> Overview:
    """The best self-contained steps together, and every step alone."""
    return work_on(data, partial(advisor.overview, **setting._asdict()))


@cached
def measure_together(
    data: Payload, setting: Setting, steps: tuple[str, ...], fields: tuple[str, ...]
) -> CombinedRow:
    """The chosen steps together; ``fields`` are those to keep."""
    asked = {"steps": steps, "keep_fields": fields or None, **setting._asdict()}
    return work_on(data, partial(advisor.combined, **asked))


@cached
def measure_fields(data: Payload, tokenizer: str) -> list[FieldRow]:
    """What each field costs."""
    return work_on_value(data, partial(advisor.field_costs, tokenizer=tokenizer))
