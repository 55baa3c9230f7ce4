"""Steps applied one after another, and the proof that they can be undone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from toon.advisor.steps.base import STEP_KINDS, Applied, Step, StepKind, StepOptions
from toon.costs.document import Proof, compare_values
from toon.errors import EncodeError
from toon.formats import FORMATS
from toon.formats.base import NotApplicable


class Stage(NamedTuple):
    """A step and its result."""

    step: Step
    applied: Applied


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """The steps applied so far, the value and text after them, and reasons of the skipped steps.

    ``tokens`` counts the text. ``explanation`` counts the tokens, sent once, that tell a model how
    to read it, beyond those for JSON; ``cost`` includes this payload's share of them.
    """

    value: Any
    options: StepOptions
    text: str
    tokens: int
    explanation: int
    stages: tuple[Stage, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def start(value: Any, options: StepOptions) -> Trail:
        """Return a trail without steps."""
        text = options.write(value, options.format)
        return Trail(value, options, text, *options.price(options.format, text))

    @property
    def format(self) -> str:
        return self.options.format

    @property
    def cost(self) -> float:
        return self.tokens + self.options.explaining.share(self.explanation)

    @property
    def explanation_text(self) -> str:
        """The sentences a prompt must have for a model to read the text."""
        uses = FORMATS[self.format].uses(self.text)
        steps = (stage.applied.explanation for stage in self.stages)
        return " ".join(filter(None, [self.options.explaining.text(self.format, uses), *steps]))

    @property
    def kind(self) -> StepKind:
        """The most harmful kind of the steps."""
        kinds = (stage.step.kind for stage in self.stages)
        return max(kinds, key=STEP_KINDS.index, default=STEP_KINDS[0])

    def after(self, step: Step) -> Trail:
        """Return this trail with one more step.

        The step is skipped if it has nothing to do, or if its value cannot be written.
        """
        try:
            applied = step.apply(self.value, self.options)
            options = replace(self.options, format=applied.format or self.format)
            if applied.value is not self.value:
                options = replace(options, typed=None)
            end = Trail.start(applied.value, options)
        except (NotApplicable, EncodeError) as reason:
            return replace(self, skipped=self.skipped | {step.name: str(reason)})
        count = options.tokenizer.count
        sentences = [*(stage.applied.explanation for stage in self.stages), applied.explanation]
        explanation = end.explanation + sum(map(count, sentences))
        stages = (*self.stages, Stage(step, applied))
        return replace(end, explanation=explanation, stages=stages, skipped=self.skipped)

    def prove(self, original: Any) -> Proof:
        """Prove once that ``original`` comes back from the text, or say what is lost.

        A trail with a lossy step is never proven, and nothing is undone.
        """
        return self.options.once(self._prove, original)

    def _prove(self, original: Any) -> Proof:
        if self.kind == "lossy":
            losses = [lost for stage in self.stages if (lost := stage.applied.lost)]
            return Proof(False, "; ".join(losses))
        try:
            proof = compare_values(original, self._undone())
        except ValueError as error:
            return Proof(False, f"it cannot be undone: {error}")
        return proof if proof.ok else Proof(False, f"it does not come back: {proof.difference}")

    def _undone(self) -> Any:
        """Read the value from the text and undo every step, the last one first.

        A text already proven to read as its value is not read again.
        """
        value = self.value
        if self.options.prove(value, self.format) != Proof(ok=True):
            value = FORMATS[self.format].loads(self.text)
        for stage in reversed(self.stages):
            value = stage.step.undo(replace(stage.applied, value=value))
        return value
