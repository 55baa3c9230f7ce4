"""Steps that write a payload in another format and leave its value unchanged."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from toon.advisor.steps.base import Applied, SelfContained, StepOptions
from toon.costs.worth import cheapest, tried
from toon.formats import FORMATS, RECOMMENDED
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.wording import formats_tried


class Minify(SelfContained):
    """The switch to compact JSON, the baseline of all advice."""

    name = "minify"
    label = "Minify"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        if options.format == JSON_COMPACT.name:
            raise NotApplicable(f"it is {JSON_COMPACT.label} already")
        return _switched(value, options.format, JSON_COMPACT.name)


class SwitchFormat(SelfContained):
    """The switch to the format with the lowest cost, explanation included, that is proven here."""

    name = "format"
    label = "Switch format and delimiter"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        if nothing := options.document(value).nothing():
            raise NotApplicable(nothing)
        today = options.format
        costs = {}
        for name in dict.fromkeys([today, *RECOMMENDED]):
            with suppress(ValueError):  # the format cannot carry this value
                tokens, explanation = options.price(name, options.write(value, name))
                costs[name] = tokens + options.explaining.share(explanation)
        best = cheapest(costs, partial(options.may_send, value), today)
        if best == today:
            among = formats_tried(len(tried(costs)))
            raise NotApplicable(f"none of {among} is worth a change, note included")
        return _switched(value, today, best)


def _switched(value: Any, today: str, format: str) -> Applied:
    note = f"{FORMATS[format].label} instead of {FORMATS[today].label}"
    return Applied(value, note, format=format)
