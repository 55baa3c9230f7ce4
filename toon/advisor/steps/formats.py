"""The step that writes a payload in another format and leaves its value unchanged."""

from contextlib import suppress

from toon.advisor.steps.base import Applied, Step, StepOptions
from toon.costs.document import Document
from toon.costs.worth import COMPACT, find_cheapest, keep_tested
from toon.formats import RECOMMENDED, label
from toon.formats.base import NotApplicable
from toon.wording import count_tested


class SwitchFormat(Step):
    """A step of the advisor that writes a payload in the cheapest format that is proven to bring it
    back, explanation included; the value stays.
    """

    name = "format"
    label = "Switch format and delimiter"

    def apply(self, document: Document, options: StepOptions) -> Applied:
        if nothing := document.explain_nothing():
            raise NotApplicable(nothing)
        tokenizer, explaining = options.tokenizer, options.explaining
        costs = {}
        for name in RECOMMENDED:
            with suppress(ValueError):  # the format cannot carry this value
                explanation = document.explanation(name, tokenizer, explaining)
                costs[name] = document.tokens(name, tokenizer) + explaining.share(explanation)
        best = find_cheapest(costs, lambda name: document.proof(name, tokenizer).ok)
        if best == COMPACT:
            among = count_tested(len(keep_tested(costs)))
            raise NotApplicable(f"none of {among} is worth a change, note included")
        note = f"{label(best)} instead of {label(COMPACT)}"
        return Applied(document.value, note, format=best)
