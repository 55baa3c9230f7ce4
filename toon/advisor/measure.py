"""Measurements of the advisor's steps: each alone, several together, and the best combination.

The tokens of a row are counted on the text that the row shows, and its proof reads that text back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypedDict

from toon.advisor.steps import STEPS
from toon.advisor.steps.base import STEP_KINDS, Applied, Step, StepKind, StepOptions
from toon.costs.document import Document, Proof, compare_values
from toon.costs.verdict import Rung, climb
from toon.costs.worth import is_worth
from toon.errors import EncodeError
from toon.formats import AS_TYPED, FORMATS, label
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.values.fractions import fraction

#: What the steps are applied to: the shortest faithful JSON, "minified", whatever is sent today.
BASELINE: Final = JSON_COMPACT.name


class Row(TypedDict):
    """The figures of a payload after some of the advisor's steps. Costs are tokens, with the
    payload's share of the explanation of its format, as :class:`Explaining` divides it.
    """

    steps: list[str]  # the steps applied, in order
    skipped: dict[str, str]  # by step that had nothing left to do, the reason
    kind: StepKind  # "lossy" after a failed proof, whatever the steps promise
    proven: bool  # undone from ``text`` and found equal; always False for a lossy step
    note: str  # what the steps did
    lost: str | None  # what is lost, or why the proof failed
    format: str
    text: str
    tokens: int  # of ``text``
    explanation: int  # tokens to explain format and steps beyond JSON, once; not in ``tokens``
    explanation_text: str
    cost: float  # ``tokens`` and the share of ``explanation``
    saved: float  # the cost of the baseline less ``cost``; positive = fewer
    saved_alone: float  # the sum of what the steps asked for save alone; rarely ``saved``
    vs: float | None  # ``cost`` as a signed fraction of the baseline; None for a baseline of 0
    ladder: list[Rung]  # what is sent today, the baseline, and the text after each step
    legend_tokens: int  # of the part of the text that explains the rest; ``tokens`` includes them
    kept: dict[str, Any]  # by step, what the caller keeps to undo it
    kept_tokens: int  # of ``kept`` as JSON; not in ``tokens``


class Overview(TypedDict):
    """The advisor's best steps for a payload together, and each step alone, best first.

    ``nothing`` says why nothing is recommended, or is None; ``idle`` why a step does nothing.
    """

    best: Row
    nothing: str | None
    alone: list[Row]
    idle: dict[str, str]  # by step that has nothing to do, the reason


def combine(document: Document, steps: Iterable[str], options: StepOptions) -> Row:
    """Apply the named steps of the advisor to a payload in table order; return the figures after.

    Raises:
        ValueError: A pattern of a field is malformed or matches nothing.
    """
    return Measurer(document, options).row(steps)


def overview(document: Document, options: StepOptions) -> Overview:
    """Try the advisor's steps on a payload; return the best combination, and each step alone."""
    measurer = Measurer(document, options)
    return {
        "best": measurer.best_row(),
        "nothing": document.explain_nothing(),
        "alone": measurer.single_rows(),
        "idle": {name: why for name in STEPS for why in measurer.trail([name]).skipped.values()},
    }


@dataclass(frozen=True)
class Trail:
    """A payload to which some of the advisor's steps were applied, with all that they did.

    Attributes:
        start: The payload before all steps.
        document: The payload after them.
        stages: The steps that did something, in order, each with its result.
        skipped: The reason for each step that had nothing to do, by its name.
    """

    start: Document
    options: StepOptions
    document: Document
    stages: tuple[tuple[Step, Applied], ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def format(self) -> str:
        """The name of the format to write the payload in after the steps, or of compact JSON."""
        return next((done.format for _, done in self.stages if done.format), BASELINE)

    @property
    def text(self) -> str:
        return self.document.text(self.format, self.options.tokenizer)

    @property
    def tokens(self) -> int:
        return self.document.count(self.text, self.options.tokenizer)

    @property
    def explanation(self) -> int:
        """The tokens that explain the format and the steps to a model once, beyond plain JSON's."""
        tokenizer, explaining = self.options.tokenizer, self.options.explaining
        of_steps = (self.document.count(done.explanation, tokenizer) for _, done in self.stages)
        return self.document.explanation(self.format, tokenizer, explaining) + sum(of_steps)

    @property
    def explanation_text(self) -> str:
        """The sentences that a prompt needs to explain the payload's format and steps."""
        uses = self.document.uses(self.format, self.options.tokenizer)
        of_steps = (done.explanation for _, done in self.stages)
        return " ".join(filter(None, [self.options.explaining.text(self.format, uses), *of_steps]))

    @property
    def cost(self) -> float:
        """The tokens of the payload after the steps, with its share of those that explain it."""
        return self.tokens + self.options.explaining.share(self.explanation)

    @property
    def kind(self) -> StepKind:
        """How the steps are undone, the worst of them: self-contained, with-a-map or lossy."""
        kinds = (step.kind for step, _ in self.stages)
        return max(kinds, key=STEP_KINDS.index, default=STEP_KINDS[0])

    def apply(self, step: Step) -> Trail:
        """Apply one more of the advisor's steps to the payload; return a new trail with it.

        The step is skipped if it has nothing to do, or if its value cannot be written.
        """
        try:
            applied = step.apply(self.document, self.options)
            is_same = applied.value is self.document.value
            document = self.document if is_same else Document(applied.value)
            end = replace(self, document=document, stages=(*self.stages, (step, applied)))
            document.text(end.format, self.options.tokenizer)
        except (NotApplicable, EncodeError) as reason:
            return replace(self, skipped=self.skipped | {step.name: str(reason)})
        return end

    @cached_property
    def proof(self) -> Proof:
        """The proof that the payload before the steps comes back from its text, or what is lost.

        After a lossy step there is none. Otherwise the text is read, unless it is known to give its
        value, and every step undone, the last one first.
        """
        if self.kind == "lossy":
            return Proof(False, "; ".join(done.lost for _, done in self.stages if done.lost))
        value = self.document.value
        try:
            if self.document.proof(self.format, self.options.tokenizer) != Proof(ok=True):
                value = FORMATS[self.format].loads(self.text)
            for step, applied in reversed(self.stages):
                value = step.undo(replace(applied, value=value))
            proof = compare_values(self.start.value, value)
        except ValueError as error:
            return Proof(False, f"it cannot be undone: {error}")
        return proof if proof.ok else Proof(False, f"it does not come back: {proof.difference}")


class Measurer:
    """A measurer of what the advisor's steps save on one payload; it keeps every result."""

    def __init__(self, document: Document, options: StepOptions) -> None:
        self.document = document
        self._trails: dict[tuple[str, ...], Trail] = {(): Trail(document, options, document)}

    def trail(self, steps: Iterable[str]) -> Trail:
        """Apply the named steps of the advisor to the payload, in table order; return the trail."""
        chosen = set(steps)
        names = tuple(name for name in STEPS if name in chosen)
        if names not in self._trails:
            before = self.trail(names[:-1])
            if before.skipped:
                # Skipped steps changed nothing: the trail without them has the same end.
                end = self.trail(name for name in names if name not in before.skipped)
                self._trails[names] = replace(end, skipped=before.skipped | end.skipped)
            else:
                self._trails[names] = before.apply(STEPS[names[-1]])
        return self._trails[names]

    def best_row(self) -> Row:
        """Return the figures of the self-contained steps that save most tokens together.

        The search is greedy: each round chooses the step that costs least with those chosen so far,
        explanation included. It ends when none saves enough to be worth a change. A step that fails
        its proof is not chosen.
        """
        left = [name for name, step in STEPS.items() if step.kind == "self-contained"]
        chosen: list[str] = []
        cost = self.trail([]).cost
        while left:
            trails = {name: self.trail([*chosen, name]) for name in left}
            acting = [name for name in left if name not in trails[name].skipped]
            name = min(acting, key=lambda name: trails[name].cost, default="")
            if not name or not is_worth(trails[name].cost, cost):
                break
            left.remove(name)
            if trails[name].proof.ok:
                chosen.append(name)
                cost = trails[name].cost
        return self.row(chosen)

    def single_rows(self) -> list[Row]:
        """Return the figures of each step of the advisor that does something, best first."""
        rows = [self.row([name]) for name in STEPS if not self.trail([name]).skipped]
        return sorted(rows, key=lambda row: -row["saved"])

    def row(self, names: Iterable[str]) -> Row:
        """Apply the named steps of the advisor together; return the figures of the payload.

        If no step is lossy, the text is read back and all steps are undone, as the proof.
        """
        asked = list(names)
        start, trail = self.trail([]), self.trail(asked)
        proof, compact = trail.proof, JSON_COMPACT.dumps

        def count(value: Any) -> int:
            tokenizer = trail.options.tokenizer
            return self.document.count(compact(value), tokenizer) if value else 0

        kept = {step.name: applied.kept for step, applied in trail.stages if applied.kept}
        return {
            "steps": [step.name for step, _ in trail.stages],
            "skipped": trail.skipped,
            "kind": trail.kind if proof.ok else "lossy",
            "proven": proof.ok,
            "note": "; ".join(applied.note for _, applied in trail.stages),
            "lost": proof.difference,
            "format": trail.format,
            "text": trail.text,
            "tokens": trail.tokens,
            "explanation": trail.explanation,
            "explanation_text": trail.explanation_text,
            "cost": trail.cost,
            "saved": start.cost - trail.cost,
            "saved_alone": sum(start.cost - self.trail([name]).cost for name in asked),
            "vs": fraction(trail.cost, start.tokens),
            "ladder": self._ladder(trail),
            "legend_tokens": sum(count(applied.legend) for _, applied in trail.stages),
            "kept": kept,
            "kept_tokens": count(kept),
        }

    def _ladder(self, trail: Trail) -> list[Rung]:
        start, typed = self.trail([]), self.document.typed
        texts = [(BASELINE, label(BASELINE), start.tokens, start.cost)]
        if typed:
            tokens = self.document.tokens(AS_TYPED, trail.options.tokenizer)
            texts.insert(0, (AS_TYPED, label(AS_TYPED, typed.format.name), tokens, tokens))
        names = [step.name for step, _ in trail.stages]
        for many, (step, applied) in enumerate(trail.stages, 1):
            rung = self.trail(names[:many])
            name = label(rung.format) if applied.format else step.label
            texts.append((rung.format, name, rung.tokens, rung.cost))
        return climb(texts)
