"""Measures the advisor's steps: each one alone, several together, and the best combination.

The tokens of a row are counted on the text that the row shows, and its proof reads that text back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from toon import formats, tokenizers
from toon.advisor.rows import (
    AppliedRow,
    Basis,
    BestRow,
    CombinedRow,
    IdleRow,
    Measured,
    RoundRow,
    StepRow,
    TrailRow,
)
from toon.advisor.steps import STEPS
from toon.advisor.steps.base import Step, StepOptions
from toon.advisor.trail import Trail
from toon.costs.explanation import ALONE
from toon.formats import FORMATS
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.walks import check_depth

BASELINE: Final = "json-compact"


def advise(
    value: Any,
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    format: str = BASELINE,
    keep_fields: Sequence[str] | None = None,
) -> list[StepRow]:
    """Applies every step alone.

    Args:
        value: Any plain JSON value; it is not changed.
        tokenizer: The name of the tokenizer that counts.
        format: The lossless format the value is sent in today.
        keep_fields: Patterns of the fields that the step ``keep-fields`` keeps.

    Returns:
        One row per step, the greatest saving first, steps with nothing to do last.

    Raises:
        ValueError: an unknown name, a format that is not lossless, a pattern that is malformed or
            matches nothing, nesting too deep, or a value with no JSON form.
    """
    measurer = _Measurer.of(value, tokenizer, format, keep_fields)
    rows = [measurer.step_row(step) for step in STEPS.values()]
    return sorted(rows, key=lambda row: (row["saved"] is None, -(row["saved"] or 0)))


def combined(
    value: Any,
    steps: Iterable[str],
    *,
    tokenizer: str = DEFAULT_TOKENIZER,
    format: str = BASELINE,
    keep_fields: Sequence[str] | None = None,
) -> CombinedRow:
    """Applies the steps of these names together, in the order of the table.

    If no step is lossy, the text is read back and all steps are undone, the last one first. That
    proves whether the value comes back.

    Raises:
        ValueError: as for :func:`advise`, and for an unknown step.
    """
    return _Measurer.of(value, tokenizer, format, keep_fields).combined_row(_steps(steps))


def best_combination(
    value: Any, *, tokenizer: str = DEFAULT_TOKENIZER, format: str = BASELINE
) -> BestRow:
    """The steps without loss that save most together, found by a greedy search.

    Each round measures every remaining step together with those chosen so far and chooses the
    best; the search ends when no step helps. A step that changes the format must save more tokens
    than explaining the new format takes. A step that fails its proof is not chosen.

    Raises:
        ValueError: as for :func:`advise`.
    """
    measurer = _Measurer.of(value, tokenizer, format, None)
    left = {name for name, step in STEPS.items() if step.kind != "lossy"}
    chosen: list[str] = []
    rounds: list[RoundRow] = []
    best_cost = measurer.cost(measurer.trail([]))
    while candidates := measurer.candidates(chosen, left):
        name, trail = min(candidates.items(), key=lambda item: measurer.cost(item[1]))
        cost = measurer.cost(trail)
        if cost >= best_cost:
            break
        left.remove(name)
        if not trail.prove(value).ok:
            continue
        chosen.append(name)
        rounds.append({"step": name, "tokens": trail.tokens, "saved": best_cost - cost})
        best_cost = cost
    return {**measurer.combined_row(_steps(chosen)), "rounds": rounds}


def _steps(names: Iterable[str]) -> list[Step]:
    """The steps of these names, in the order of the table, each once."""
    chosen = set(names)
    for name in sorted(chosen - STEPS.keys()):
        raise ValueError(f"no step {name!r}; there are {', '.join(STEPS)}")
    return [step for name, step in STEPS.items() if name in chosen]


@dataclass(frozen=True, slots=True)
class _Measurer:
    """Measures one value under one tokenizer, every combination of steps at most once.

    ``baseline`` is the value's tokens as compact JSON. ``trails`` holds the trails measured so far,
    by the names of their steps; the first one has no steps.
    """

    value: Any
    options: StepOptions
    baseline: int
    trails: dict[tuple[str, ...], Trail]

    @staticmethod
    def of(value: Any, tokenizer: str, format: str, keep_fields: Sequence[str] | None) -> _Measurer:
        check_depth(value)
        measure = tokenizers.get(tokenizer)
        if not formats.get(format).lossless:
            raise ValueError(f"{FORMATS[format].label} loses data itself: nothing can be proven")
        options = StepOptions(measure, format, None if keep_fields is None else tuple(keep_fields))
        baseline = measure.count(FORMATS[BASELINE].dumps(value))
        return _Measurer(value, options, baseline, {(): Trail.start(value, options)})

    @property
    def before(self) -> int:
        """The tokens of the value as given, in the format it is sent in today."""
        return self.trails[()].tokens

    def trail(self, steps: Sequence[Step]) -> Trail:
        names = tuple(step.name for step in steps)
        if names not in self.trails:
            self.trails[names] = self.trail(steps[:-1]).after(steps[-1])
        return self.trails[names]

    def candidates(self, chosen: Sequence[str], left: Iterable[str]) -> dict[str, Trail]:
        """The chosen steps with one more, by its name, for each one that has something to do."""
        trails = {name: self.trail(_steps([*chosen, name])) for name in STEPS if name in left}
        return {name: trail for name, trail in trails.items() if name not in trail.skipped}

    def cost(self, trail: Trail) -> int:
        """The tokens of the text and of the explanation of its format."""
        return trail.tokens + self.primer(trail.format)

    def primer(self, format: str) -> int:
        uses = FORMATS[format].uses(FORMATS[format].dumps(self.value))
        return ALONE.tokens(format, uses, self.options.tokenizer.name)

    def step_row(self, step: Step) -> StepRow:
        trail = self.trail([step])
        if step.name in trail.skipped:
            given = {
                "step": step.name,
                "label": step.label,
                "kind": step.kind,
                "reason": trail.skipped[step.name],
            }
            cells = dict.fromkeys(AppliedRow.__annotations__)
            return cast(IdleRow, {**cells, **self.basis(), **given})
        applied = trail.stages[0].applied
        measured = self.measured(trail, applied.legend, applied.kept)
        return {"step": step.name, "label": step.label, **measured}

    def combined_row(self, steps: Sequence[Step]) -> CombinedRow:
        trail = self.trail(steps)
        alone = {step.name: self.before - self.trail([step]).tokens for step in steps}
        legend = {step.name: done.legend for step, done, _ in trail.stages if done.legend}
        kept = {step.name: done.kept for step, done, _ in trail.stages if done.kept}
        tokens = [self.before, *(stage.tokens for stage in trail.stages)]
        stages: list[TrailRow] = [
            {"step": step.name, "tokens": after, "saved": before - after, "alone": alone[step.name]}
            for (step, _, after), before in zip(trail.stages, tokens, strict=False)
        ]
        saved_alone = sum(alone.values())
        return {
            **self.measured(trail, legend, kept),
            "steps": [stage.step.name for stage in trail.stages],
            "skipped": trail.skipped,
            "trail": stages,
            "saved_alone": saved_alone,
            "interaction": self.before - trail.tokens - saved_alone,
        }

    def measured(self, trail: Trail, legend: Any, kept: Any) -> Measured:
        """The cells about the text of a trail, its proof, its legend and the data kept aside."""
        proof = trail.prove(self.value)
        count = self.options.tokenizer.count
        compact = FORMATS[BASELINE].dumps
        kept_tokens = count(compact(kept)) if kept else 0
        return {
            "kind": trail.kind if proof.ok else "lossy",
            "proven": proof.ok,
            "note": "; ".join(stage.applied.note for stage in trail.stages),
            "lost": proof.difference,
            **self.basis(),
            "tokens": trail.tokens,
            "saved": self.before - trail.tokens,
            "vs": fraction(trail.tokens, self.baseline),
            "format": trail.format,
            "text": trail.text,
            "primer": self.primer(trail.format),
            "legend": legend,
            "legend_tokens": count(compact(legend)) if legend else 0,
            "kept": kept,
            "kept_tokens": kept_tokens,
            "tokens_with_kept": trail.tokens + kept_tokens,
            "reason": None,
        }

    def basis(self) -> Basis:
        """The cells that are the same in every row."""
        return {
            "tokenizer": self.options.tokenizer.name,
            "exact": self.options.tokenizer.exact,
            "baseline": BASELINE,
            "baseline_tokens": self.baseline,
            "before": self.before,
        }
