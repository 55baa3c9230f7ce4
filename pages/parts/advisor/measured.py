"""What the advisor's panels draw, measured once for each payload and setting."""

from __future__ import annotations

from typing import Final, NamedTuple

from pages.parts.payload import ask, ask_value
from toon import advisor
from toon.advisor.rows import CombinedRow, FieldRow, Overview
from toon.advisor.steps.base import StepKind
from toon.costs.explanation import Explaining
from toon.playground.panes import Pane

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


def measure_steps(pane: Pane, setting: Setting) -> Overview:
    """The best self-contained steps together, and every step alone."""
    return ask(pane, advisor.overview, **setting._asdict())


def measure_together(
    pane: Pane, setting: Setting, steps: tuple[str, ...], fields: tuple[str, ...]
) -> CombinedRow:
    """The chosen steps together; ``fields`` are those to keep."""
    return ask(pane, advisor.combined, steps, keep_fields=fields or None, **setting._asdict())


def measure_fields(pane: Pane, tokenizer: str) -> list[FieldRow]:
    """What each field costs."""
    return ask_value(pane, advisor.field_costs, tokenizer)
