"""The same value in another format."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from toon.advisor.steps.base import Applied, SelfContained, StepOptions
from toon.costs.choice import cheapest
from toon.costs.typed import nothing_to_compare
from toon.formats import FORMATS, RECOMMENDED
from toon.formats.base import NotApplicable


@dataclass(frozen=True, slots=True)
class Minify(SelfContained):
    """Switches to compact JSON."""

    name: str = "minify"
    label: str = "Minify"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        if options.format == "json-compact":
            raise NotApplicable("it is compact JSON already")
        return _switched(value, options.format, "json-compact")


@dataclass(frozen=True, slots=True)
class SwitchFormat(SelfContained):
    """Switches to the format that costs least, explanation included, and gives this value back."""

    name: str = "format"
    label: str = "Switch format and delimiter"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        if nothing := nothing_to_compare(value):
            raise NotApplicable(nothing)
        today = options.format
        texts, costs = {}, {}
        for name in dict.fromkeys([today, *RECOMMENDED]):
            with suppress(ValueError):  # the format cannot carry this value
                texts[name] = options.write(value, name)
                tokens, explanation = options.price(name, texts[name])
                costs[name] = tokens + options.explaining.share(explanation)
        best = cheapest(costs, lambda name: options.prove(value, name, texts[name]).ok, today)
        if best == today:
            raise NotApplicable(
                "no lossless format with a public library costs less, explanation included"
            )
        return _switched(value, today, best)


def _switched(value: Any, today: str, format: str) -> Applied:
    note = f"{FORMATS[format].label} instead of {FORMATS[today].label}"
    return Applied(value, note, format=format)
