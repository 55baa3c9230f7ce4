"""Measurements of the advisor's steps: each alone, several together, and the best combination.

The tokens of a row are counted on the text that the row shows, and its proof reads that text back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypedDict, Unpack

from toon import formats, tokenizers
from toon.advisor.rows import Basis, BestRow, CombinedRow, Measured, Overview, StepRow
from toon.advisor.steps import STEPS
from toon.advisor.steps.base import Step, StepOptions
from toon.advisor.trail import Trail
from toon.costs.document import Document, Typed
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import Rung, climb
from toon.costs.worth import is_worth
from toon.formats import AS_TYPED, label
from toon.formats.json import JSON_COMPACT
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.walks import check_depth

BASELINE: Final = JSON_COMPACT.name


class Asked(TypedDict, total=False):
    """The options of all advice; :meth:`Measurer.of` explains them."""

    tokenizer: str
    format: str | None
    keep_fields: Sequence[str] | None
    explaining: Explaining


def combined(document: Document, steps: Iterable[str], **asked: Unpack[Asked]) -> CombinedRow:
    """Apply the steps with these names together, in the order of the table, and return the row.

    Raises:
        ValueError: As for :meth:`Measurer.of`, and for an unknown step.
    """
    return Measurer.of(document, **asked).together(_steps(steps))


def overview(document: Document, **asked: Unpack[Asked]) -> Overview:
    """Return the best combination and each step alone; every combination is measured once."""
    measurer = Measurer.of(document, **asked)
    return {
        "best": measurer.best(),
        "alone": measurer.alone(),
        "idle": measurer.idle(),
    }


def _steps(names: Iterable[str]) -> list[Step]:
    """Return the steps with these names, in the order of the table, without repeats."""
    chosen = set(names)
    for name in sorted(chosen - STEPS.keys()):
        raise ValueError(f"no step {name!r}; there are {', '.join(STEPS)}")
    return [step for name, step in STEPS.items() if name in chosen]


@dataclass(frozen=True, slots=True)
class Measurer:
    """A measurer of one value under one tokenizer; it measures a combination of steps once.

    ``start`` is the value without steps; ``basis`` holds the cells that all rows share.
    """

    value: Any
    options: StepOptions
    start: Trail
    basis: Basis

    @staticmethod
    def of(
        document: Document,
        tokenizer: str = DEFAULT_TOKENIZER,
        format: str | None = None,
        keep_fields: Sequence[str] | None = None,
        explaining: Explaining = ALONE,
    ) -> Measurer:
        """Return the measurer of a payload.

        Args:
            document: Any payload.
            tokenizer: The name of the tokenizer that counts.
            format: The lossless format the value is sent in today. None: it is sent as typed, and
                the steps are applied to it minified.
            keep_fields: Patterns of the fields that the step ``keep-fields`` keeps.
            explaining: How the explanations of formats and steps are counted.

        Raises:
            ValueError: An unknown name, a format that is not lossless, a pattern that is malformed
                or matches nothing, nesting too deep, or a value with no JSON form.
        """
        check_depth(document.value)
        measure, sent = tokenizers.get(tokenizer), formats.get(format or BASELINE)
        if not sent.lossless:
            raise ValueError(f"{sent.label} loses data itself: nothing can be proven")
        keep = None if keep_fields is None else tuple(keep_fields)
        options = StepOptions(measure, sent.name, keep, document.typed, explaining)
        start = Trail.start(document.value, options)
        basis = _basis(start, document.typed if format is None else None)
        return Measurer(document.value, options, start, basis)

    def trail(self, steps: Sequence[Step]) -> Trail:
        """Apply these steps one after another to the value."""
        if not steps:
            return self.start
        names = tuple(step.name for step in steps)
        return self.options.memory.once(names, self._measure, steps)

    def _measure(self, steps: Sequence[Step]) -> Trail:
        before = self.trail(steps[:-1])
        if not before.skipped:
            return before.after(steps[-1])
        # Skipped steps changed nothing: the trail without them has the same end.
        done = [step for step in steps[:-1] if step.name not in before.skipped]
        end = self.trail([*done, steps[-1]])
        return replace(end, skipped=before.skipped | end.skipped)

    def candidates(self, chosen: Sequence[str], left: Iterable[str]) -> dict[str, Trail]:
        """Return the trails of ``chosen`` plus one step of ``left``, by that step, if it acts."""
        trails = {name: self.trail(_steps([*chosen, name])) for name in STEPS if name in left}
        return {name: trail for name, trail in trails.items() if name not in trail.skipped}

    def best(self) -> BestRow:
        """Search greedily for the self-contained steps that save most together.

        Each round measures every remaining step together with those chosen so far and chooses the
        one that costs least, explanation included. The search ends when none saves enough to be
        worth a change. A step that fails its proof is not chosen.
        """
        left = {name for name, step in STEPS.items() if step.kind == "self-contained"}
        chosen: list[str] = []
        cost = self.start.cost
        while candidates := self.candidates(chosen, left):
            name, trail = min(candidates.items(), key=lambda item: item[1].cost)
            if not is_worth(trail.cost, cost):
                break
            left.remove(name)
            if not trail.prove(self.value).ok:
                continue
            chosen.append(name)
            cost = trail.cost
        row = self.together(_steps(chosen))
        nothing = self.options.document(self.value).nothing()
        return {**row, "ladder": self.ladder(row), "nothing": nothing}

    def alone(self) -> list[StepRow]:
        """Return a row for each step that has something to do, the greatest saving first."""
        rows: list[StepRow] = [
            {**self.measured(trail, applied.legend, applied.kept), "step": name}
            for name, trail in self.candidates([], STEPS).items()
            for applied in [trail.stages[0].applied]
        ]
        return sorted(rows, key=lambda row: -row["saved"])

    def idle(self) -> dict[str, str]:
        """Return, by step name, the reason why a step has nothing to do.

        ``minify`` is left out where its result is the start of all others.
        """
        trails = {name: self.trail([step]) for name, step in STEPS.items()}
        if self.basis["start"] == BASELINE:
            del trails["minify"]
        return {name: trail.skipped[name] for name, trail in trails.items() if trail.skipped}

    def together(self, steps: Sequence[Step]) -> CombinedRow:
        """Apply the steps one after another and return their row.

        If no step is lossy, the text is read back and all steps are undone, the last one first.
        That proves whether the value comes back.
        """
        trail = self.trail(steps)
        parts = {stage.step.name: stage.applied for stage in trail.stages}
        legend = {name: applied.legend for name, applied in parts.items() if applied.legend}
        kept = {name: applied.kept for name, applied in parts.items() if applied.kept}
        return {
            **self.measured(trail, legend, kept),
            "steps": list(parts),
            "skipped": trail.skipped,
            "saved_alone": sum(self.start.cost - self.trail([step]).cost for step in steps),
        }

    def ladder(self, best: CombinedRow) -> list[Rung]:
        """Return the rungs: what is sent today, minified text if steps start from it, each step."""
        basis = self.basis
        typed = self.options.typed.format if self.options.typed else JSON_COMPACT
        name = label(basis["today"], typed.name)
        texts = [(basis["today"], name, basis["today_tokens"], basis["today_cost"])]
        if basis["today"] != basis["start"]:
            minified = basis["baseline_tokens"]
            texts.append((BASELINE, label(BASELINE), minified, minified))
        for many, step in enumerate(best["steps"], 1):
            trail = self.trail(_steps(best["steps"][:many]))
            is_format = trail.stages[-1].applied.format is not None
            name = label(trail.format) if is_format else STEPS[step].label
            texts.append((trail.format, name, trail.tokens, trail.cost))
        return climb(texts)

    def measured(self, trail: Trail, legend: Any, kept: Any) -> Measured:
        """Return the cells of a trail: text, figures, proof, legend, and the data kept aside."""
        proof = trail.prove(self.value)
        return {
            "kind": trail.kind if proof.ok else "lossy",
            "proven": proof.ok,
            "note": "; ".join(stage.applied.note for stage in trail.stages),
            "lost": proof.difference,
            **self.basis,
            "tokens": trail.tokens,
            "explanation": trail.explanation,
            "explanation_text": trail.explanation_text,
            "cost": trail.cost,
            "saved": self.start.cost - trail.cost,
            "vs": fraction(trail.cost, self.basis["baseline_tokens"]),
            "format": trail.format,
            "text": trail.text,
            "legend": legend,
            "legend_tokens": self.options.count(JSON_COMPACT.dumps(legend)) if legend else 0,
            "kept": kept,
            "kept_tokens": self.options.count(JSON_COMPACT.dumps(kept)) if kept else 0,
        }


def _basis(start: Trail, typed: Typed | None) -> Basis:
    """Return the cells that all rows share; ``typed`` is sent today, or the start if it is None."""
    options = start.options
    today, tokens, cost = options.format, start.tokens, start.cost
    if typed:
        today = AS_TYPED
        tokens = cost = options.count(typed.text)
    return {
        "tokenizer": options.tokenizer.name,
        "together": options.explaining.together,
        "today": today,
        "today_tokens": tokens,
        "today_cost": cost,
        "baseline": BASELINE,
        "baseline_tokens": options.count(options.write(start.value, BASELINE)),
        "start": options.format,
        "start_cost": start.cost,
    }
