"""Measures the advisor's steps: each one alone, several together, and the best combination.

The tokens of a row are counted on the text that the row shows, and its proof reads that text back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from toon import formats
from toon.advisor.rows import (
    AppliedRow,
    Basis,
    BestRow,
    CombinedRow,
    IdleRow,
    Measured,
    Overview,
    RoundRow,
    StepRow,
    TrailRow,
)
from toon.advisor.steps import STEPS
from toon.advisor.steps.base import Step, StepOptions
from toon.advisor.trail import Trail
from toon.costs.choice import is_worth
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.headline import credit_compact
from toon.costs.typed import Typed, no_estimate, nothing_to_compare
from toon.costs.verdict import Rung, climb
from toon.formats import AS_TYPED, label
from toon.formats.json import JSON_COMPACT
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers.fast_openai import get_fast
from toon.values.fractions import fraction
from toon.values.walks import check_depth
from toon.wording import plural

BASELINE: Final = JSON_COMPACT.name


def advise(
    document: Document,
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    format: str | None = None,
    keep_fields: Sequence[str] | None = None,
    explaining: Explaining = ALONE,
) -> list[StepRow]:
    """Applies every step alone.

    Args:
        document: Any payload.
        tokenizer: The name of the tokenizer that counts.
        format: The lossless format the value is sent in today. None: it is sent as typed, and the
            steps are applied to it minified.
        keep_fields: Patterns of the fields that the step ``keep-fields`` keeps.
        explaining: How the explanations of formats and steps are counted.

    Returns:
        One row per step, the greatest saving first, steps with nothing to do last.

    Raises:
        ValueError: an unknown name, a format that is not lossless, a pattern that is malformed or
            matches nothing, nesting too deep, or a value with no JSON form.
    """
    return Measurer.of(document, tokenizer, format, keep_fields, explaining).alone()


def combined(
    document: Document,
    steps: Iterable[str],
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    format: str | None = None,
    keep_fields: Sequence[str] | None = None,
    explaining: Explaining = ALONE,
) -> CombinedRow:
    """Applies the steps of these names together, in the order of the table.

    If no step is lossy, the text is read back and all steps are undone, the last one first. That
    proves whether the value comes back.

    Raises:
        ValueError: as for :func:`advise`, and for an unknown step.
    """
    measurer = Measurer.of(document, tokenizer, format, keep_fields, explaining)
    return measurer.combined_row(_steps(steps))


def best_combination(
    document: Document,
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    format: str | None = None,
    explaining: Explaining = ALONE,
) -> BestRow:
    """The self-contained steps that save most together, found by a greedy search.

    Each round measures every remaining step together with those chosen so far and chooses the one
    that costs least, explanation included. The search ends when none saves enough to be worth a
    change. A step that fails its proof is not chosen.

    Raises:
        ValueError: as for :func:`advise`.
    """
    return Measurer.of(document, tokenizer, format, None, explaining).best()


def overview(
    document: Document,
    *,
    tokenizer: str,
    format: str | None = None,
    explaining: Explaining = ALONE,
) -> Overview:
    """What :func:`best_combination` and :func:`advise` give, each combination measured once.

    Raises:
        ValueError: as for :func:`advise`.
    """
    measurer = Measurer.of(document, tokenizer, format, None, explaining)
    minifying = credit_compact(document, format or AS_TYPED, tokenizer)
    return {"best": measurer.best(), "alone": measurer.alone(), "minifying": minifying}


def _steps(names: Iterable[str]) -> list[Step]:
    """The steps of these names, in the order of the table, each once."""
    chosen = set(names)
    for name in sorted(chosen - STEPS.keys()):
        raise ValueError(f"no step {name!r}; there are {', '.join(STEPS)}")
    return [step for name, step in STEPS.items() if name in chosen]


@dataclass(frozen=True, slots=True)
class Measurer:
    """Measures one value under one tokenizer, every combination of steps at most once.

    ``basis`` are the cells that are the same in every row. ``trails`` holds the trails measured so
    far, by the names of their steps; the first one has no steps.
    """

    value: Any
    options: StepOptions
    basis: Basis
    trails: dict[tuple[str, ...], Trail]

    @staticmethod
    def of(
        document: Document,
        tokenizer: str,
        format: str | None,
        keep_fields: Sequence[str] | None,
        explaining: Explaining,
    ) -> Measurer:
        check_depth(document.value)
        measure, sent = get_fast(tokenizer), formats.get(format or BASELINE)
        if not sent.lossless:
            raise ValueError(f"{sent.label} loses data itself: nothing can be proven")
        keep = None if keep_fields is None else tuple(keep_fields)
        options = StepOptions(measure, sent.name, keep, document.typed, explaining)
        start = Trail.start(document.value, options)
        basis = _basis(start, document.typed if format is None else None)
        return Measurer(document.value, options, basis, {(): start})

    @property
    def start(self) -> Trail:
        """The value as given, without steps."""
        return self.trails[()]

    def trail(self, steps: Sequence[Step]) -> Trail:
        names = tuple(step.name for step in steps)
        if names not in self.trails:
            before = self.trail(steps[:-1])
            if before.skipped:  # these changed nothing, so the trail without them goes on the same
                done = [step for step in steps[:-1] if step.name not in before.skipped]
                end = self.trail([*done, steps[-1]])
                self.trails[names] = replace(end, skipped=before.skipped | end.skipped)
            else:
                self.trails[names] = before.after(steps[-1])
        return self.trails[names]

    def candidates(self, chosen: Sequence[str], left: Iterable[str]) -> dict[str, Trail]:
        """The chosen steps with one more, by its name, for each one that has something to do."""
        trails = {name: self.trail(_steps([*chosen, name])) for name in STEPS if name in left}
        return {name: trail for name, trail in trails.items() if name not in trail.skipped}

    def best(self) -> BestRow:
        """The self-contained steps that save most together; see :func:`best_combination`."""
        left = {name for name, step in STEPS.items() if step.kind == "self-contained"}
        chosen: list[str] = []
        rounds: list[RoundRow] = []
        cost = self.start.cost
        while candidates := self.candidates(chosen, left):
            name, trail = min(candidates.items(), key=lambda item: item[1].cost)
            if not is_worth(trail.cost, cost):
                break
            left.remove(name)
            if not trail.prove(self.value).ok:
                continue
            chosen.append(name)
            rounds.append({"step": name, "tokens": trail.tokens, "saved": cost - trail.cost})
            cost = trail.cost
        row = self.combined_row(_steps(chosen))
        nothing = row["no_estimate"] or nothing_to_compare(self.value)
        return {**row, "rounds": rounds, "ladder": self.ladder(row), "nothing": nothing}

    def step_row(self, step: Step) -> StepRow:
        trail = self.trail([step])
        facts = {"step": step.name, "label": step.label, "unanswerable": step.unanswerable}
        if step.name in trail.skipped:
            cells = dict.fromkeys(AppliedRow.__annotations__)
            given = {"kind": step.kind, "reason": trail.skipped[step.name]}
            return cast(IdleRow, {**cells, **self.basis, **facts, **given})
        applied = trail.stages[0].applied
        return cast(AppliedRow, {**facts, **self.measured(trail, applied.legend, applied.kept)})

    def alone(self) -> list[StepRow]:
        """One row per step, the greatest saving first, steps with nothing to do last."""
        rows = [self.step_row(step) for step in STEPS.values()]
        return sorted(rows, key=lambda row: (row["saved"] is None, -(row["saved"] or 0)))

    def combined_row(self, steps: Sequence[Step]) -> CombinedRow:
        trail = self.trail(steps)
        alone = {step.name: self.start.cost - self.trail([step]).cost for step in steps}
        legend = {stage.step.name: done for stage in trail.stages if (done := stage.applied.legend)}
        kept = {stage.step.name: done for stage in trail.stages if (done := stage.applied.kept)}
        costs = [self.start.cost, *(stage.cost for stage in trail.stages)]
        stages: list[TrailRow] = [
            {
                "step": stage.step.name,
                "tokens": stage.tokens,
                "saved": before - stage.cost,
                "alone": alone[stage.step.name],
            }
            for stage, before in zip(trail.stages, costs, strict=False)
        ]
        saved_alone = sum(alone.values())
        return {
            **self.measured(trail, legend, kept),
            "steps": [stage.step.name for stage in trail.stages],
            "skipped": trail.skipped,
            "trail": stages,
            "saved_alone": saved_alone,
            "interaction": self.start.cost - trail.cost - saved_alone,
        }

    def ladder(self, best: CombinedRow) -> list[Rung]:
        """What is sent today, the same minified, and what the best steps make of it if more."""
        basis = self.basis
        typed = self.options.typed.format if self.options.typed else JSON_COMPACT
        name = label(basis["today"], typed.name)
        today = basis["today"], name, basis["today_tokens"], basis["today_cost"]
        minified = basis["baseline_tokens"]
        steps = f"after {plural(len(best['steps']), 'step')}"
        last = steps if best["steps"] else "no step saves enough"
        texts = [today] if basis["today"] != BASELINE else []
        texts.append((BASELINE, label(BASELINE), minified, minified))
        is_minified = best["format"] == BASELINE and best["steps"] in (["minify"], ["format"])
        if not is_minified:
            texts.append((best["format"], last, best["tokens"], best["cost"]))
        return climb(texts)

    def measured(self, trail: Trail, legend: Any, kept: Any) -> Measured:
        """The cells about the text of a trail, its proof, its legend and the data kept aside."""
        proof = trail.prove(self.value)
        count = self.options.tokenizer.count
        kept_tokens = count(JSON_COMPACT.dumps(kept)) if kept else 0
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
            "legend_tokens": count(JSON_COMPACT.dumps(legend)) if legend else 0,
            "kept": kept,
            "kept_tokens": kept_tokens,
            "tokens_with_kept": trail.tokens + kept_tokens,
            "reason": None,
        }


def _basis(start: Trail, typed: Typed | None) -> Basis:
    """The cells of every row; ``typed`` is what is sent today, None for the start itself."""
    options = start.options
    today, tokens, cost = options.format, start.tokens, start.cost
    if typed:
        today = AS_TYPED
        tokens, explanation = options.price(typed.format.name, typed.text)
        cost = tokens + options.explaining.share(explanation)
    return {
        "tokenizer": options.tokenizer.name,
        "exact": options.tokenizer.exact,
        "no_estimate": no_estimate(start.value, options.typed, options.tokenizer),
        "together": options.explaining.together,
        "today": today,
        "today_tokens": tokens,
        "today_cost": cost,
        "baseline": BASELINE,
        "baseline_tokens": options.count(options.write(start.value, BASELINE)),
        "start": options.format,
        "start_cost": start.cost,
    }
