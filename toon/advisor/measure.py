"""Steps applied, written, counted and undone: alone, together, and the best of them together.

Every figure is measured on the very text that a row shows. Savings are against ``before``, the
tokens of the value as it was in the format it was in; ``vs`` is against compact JSON of the
value as it was, whatever the format, and so is the same scale for all rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from toon import tokenizers
from toon.advisor.steps import STEPS, Applied, Options, Step
from toon.advisor.steps.base import KINDS, Kind
from toon.costs.explanation import explanation_tokens
from toon.errors import EncodeError
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.values.equality import differences
from toon.values.fractions import fraction
from toon.values.paths import check_depth

Row = dict[str, Any]

BASELINE: Final = "json-compact"

#: What a row has of a step that did something.
_MEASURED: Final = (
    "proven",
    "note",
    "lost",
    "tokens",
    "saved",
    "vs",
    "format",
    "text",
    "primer",
    "legend",
    "legend_tokens",
    "kept",
    "kept_tokens",
    "tokens_with_kept",
)


def advise(
    value: Any,
    *,
    tokenizer: str = "o200k_base",
    format: str = BASELINE,
    keep_fields: Sequence[str] | None = None,
) -> list[Row]:
    """One row per step applied alone, the greatest saving first, steps with nothing to do last.

    Args:
        value: Any plain JSON value; it is not changed.
        tokenizer: The name of who counts.
        format: The lossless format the value is sent in today.
        keep_fields: Patterns of the fields that the step ``keep-fields`` leaves.

    A row holds ``step`` (its name), ``label``, ``kind`` ("lossless", "reversible", "lossy"),
    ``proven`` (undone from this very text and found equal; always False for a lossy step),
    ``note`` (what was done), ``lost`` (what is lost, or None), ``tokenizer``, ``exact`` (False: an
    estimate), ``baseline``, ``baseline_tokens``, ``before``, ``tokens``, ``saved`` (signed,
    positive = fewer), ``vs`` (signed fraction of the baseline, negative = fewer), ``format`` and
    ``text`` (what is sent), ``primer`` (tokens by which explaining that format exceeds explaining
    JSON, not in ``tokens``), ``legend`` (the part of the text that explains the rest) with
    ``legend_tokens`` (written alone; it is counted in ``tokens``), and ``kept`` (what the caller
    keeps to undo the step) with ``kept_tokens`` (not in ``tokens``) and ``tokens_with_kept``.

    A step that failed its proof has ``kind`` "lossy", whatever it promised, and ``lost`` says
    why. Of a step that has nothing to do all figures are None, and ``reason`` says so.

    Raises:
        ValueError: an unknown name, a format that is not lossless, a pattern that is none or
            names nothing, nesting too deep, or a value with no JSON form.
    """
    lab = _Lab.of(value, tokenizer, format, keep_fields)
    rows = []
    for step in STEPS.values():
        trail = lab.applied([step])
        about = {"step": step.name, "label": step.label}
        if step.name in trail.skipped:
            rows.append(about | lab.nothing(step.kind, trail.skipped[step.name]))
            continue
        done = trail.stages[0].applied
        rows.append(about | lab.row(trail, done.legend, done.kept))
    return sorted(rows, key=lambda row: (row["saved"] is None, -(row["saved"] or 0)))


def combined(
    value: Any,
    steps: Iterable[str],
    *,
    tokenizer: str = "o200k_base",
    format: str = BASELINE,
    keep_fields: Sequence[str] | None = None,
) -> Row:
    """The steps of these names together, in the order of the table; one row.

    The row is like those of :func:`advise`, for the steps together, with ``legend`` and ``kept``
    by the name of the step, and further: ``steps`` (those applied, in order), ``skipped`` (reason
    by name, of those that had nothing left to do), ``trail`` (after each step ``step``,
    ``tokens``, ``saved`` by it there, and ``alone``: what it saves on its own), ``saved_alone``
    (the sum of what all the steps asked for save alone) and ``interaction`` (``saved`` less that
    sum: savings do not add). Steps that are all lossless or reversible are undone one after
    another, from the text.

    Raises:
        ValueError: as for :func:`advise`, and for a name that is no step's.
    """
    lab = _Lab.of(value, tokenizer, format, keep_fields)
    return lab.together(_steps(steps))


def best_combination(
    value: Any,
    kinds: Iterable[Kind] = ("lossless", "reversible"),
    *,
    tokenizer: str = "o200k_base",
    format: str = BASELINE,
    keep_fields: Sequence[str] | None = None,
) -> Row:
    """The steps of these kinds that save most together, found greedily; a row of ``combined``.

    In each round every step left is tried with those chosen, and measured; the best is chosen,
    until none helps. A format that needs explaining must save more than its explanation takes. A
    choice that should come back and does not is dropped. ``rounds`` tells them: ``step``,
    ``tokens`` and ``saved`` by that round, less what explaining a new format takes.
    """
    wanted = set(kinds)
    lab = _Lab.of(value, tokenizer, format, keep_fields)
    left = {name for name, step in STEPS.items() if step.kind in wanted}
    chosen: list[str] = []
    rounds: list[Row] = []
    now = lab.cost(lab.applied([]))
    while trials := lab.trials(chosen, left):
        trail, name = min(trials, key=lambda trial: lab.cost(trial[0]))
        cost = lab.cost(trail)
        if cost >= now:
            break
        left.remove(name)
        if trail.promise != "lossy" and not lab.proof(trail)[0]:
            continue
        chosen.append(name)
        rounds.append({"step": name, "tokens": trail.tokens, "saved": now - cost})
        now = cost
    return lab.together(_steps(chosen)) | {"rounds": rounds}


def _steps(names: Iterable[str]) -> list[Step]:
    """The steps of these names, in the order of the table, each once."""
    chosen = set(names)
    for name in sorted(chosen - STEPS.keys()):
        raise ValueError(f"no step {name!r}; there are {', '.join(STEPS)}")
    return [step for name, step in STEPS.items() if name in chosen]


class _Stage(NamedTuple):
    """A step that was applied, and the tokens of the value after it."""

    step: Step
    applied: Applied
    tokens: int


@dataclass(frozen=True, slots=True)
class _Trail:
    """Steps one after another, and the value and text they end in."""

    value: Any
    options: Options
    text: str
    tokens: int
    stages: tuple[_Stage, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def format(self) -> str:
        """The format of the text."""
        return self.options.format

    @property
    def promise(self) -> Kind:
        """The worst of the steps' kinds."""
        return max((stage.step.kind for stage in self.stages), key=KINDS.index, default=KINDS[0])

    def further(self, step: Step) -> _Trail:
        """One step more; it is skipped if it has nothing to do."""
        try:
            applied = step.apply(self.value, self.options)
            options = replace(self.options, format=applied.format or self.format)
            text = FORMATS[options.format].dumps(applied.value)
        except (NotApplicable, EncodeError) as reason:
            return replace(self, skipped=self.skipped | {step.name: str(reason)})
        tokens = options.tokenizer.count(text)
        stages = (*self.stages, _Stage(step, applied, tokens))
        return _Trail(applied.value, options, text, tokens, stages, self.skipped)


@dataclass(frozen=True, slots=True)
class _Lab:
    """One value under one tokenizer: all that is measured is measured here, and once.

    ``trails`` are those walked so far, by the names of their steps; the first has none.
    """

    value: Any
    options: Options
    baseline: int
    trails: dict[tuple[str, ...], _Trail]

    @staticmethod
    def of(value: Any, tokenizer: str, format: str, keep_fields: Sequence[str] | None) -> _Lab:
        check_depth(value)
        measure = tokenizers.get(tokenizer)
        if format not in FORMATS:
            raise ValueError(f"no format {format!r}; there are {', '.join(FORMATS)}")
        if not FORMATS[format].lossless:
            raise ValueError(f"{FORMATS[format].label} loses data itself: nothing can be proven")
        options = Options(measure, format, None if keep_fields is None else tuple(keep_fields))
        text = FORMATS[format].dumps(value)
        start = _Trail(value, options, text, measure.count(text))
        baseline = measure.count(FORMATS[BASELINE].dumps(value))
        return _Lab(value, options, baseline, {(): start})

    @property
    def before(self) -> int:
        """The tokens of the value as it was, in the format it was in."""
        return self.trails[()].tokens

    def applied(self, steps: Sequence[Step]) -> _Trail:
        """The steps in the order given."""
        names = tuple(step.name for step in steps)
        if names not in self.trails:
            self.trails[names] = self.applied(steps[:-1]).further(steps[-1])
        return self.trails[names]

    def proof(self, trail: _Trail) -> tuple[bool, str | None]:
        """Whether the value comes back from the trail's text, and what is lost."""
        lost = [stage.applied.lost for stage in trail.stages if stage.applied.lost]
        if trail.promise == "lossy":
            return False, "; ".join(lost)
        try:
            value = FORMATS[trail.format].loads(trail.text)
            for stage in reversed(trail.stages):
                value = stage.step.undo(replace(stage.applied, value=value))
        except ValueError as error:
            return False, f"it cannot be undone: {error}"
        found = differences(self.value, value)
        if not found.same:
            return False, f"it does not come back: {found}"
        return True, str(found) if found.reordered else None

    def cost(self, trail: _Trail) -> int:
        """The tokens of the text and of the explanation its format needs."""
        return trail.tokens + self.primer(trail.format)

    def primer(self, format: str) -> int:
        return explanation_tokens(format, self.options.tokenizer.name)

    def trials(self, chosen: Sequence[str], left: Iterable[str]) -> list[tuple[_Trail, str]]:
        """The chosen steps with each one of those left that has something to do."""
        trails = ((self.applied(_steps([*chosen, name])), name) for name in STEPS if name in left)
        return [(trail, name) for trail, name in trails if name not in trail.skipped]

    def row(self, trail: _Trail, legend: Any, kept: Any) -> Row:
        proven, lost = self.proof(trail)
        count = self.options.tokenizer.count
        compact = FORMATS[BASELINE].dumps
        kept_tokens = count(compact(kept)) if kept else 0
        return {
            "kind": trail.promise if proven else "lossy",
            "proven": proven,
            "note": "; ".join(stage.applied.note for stage in trail.stages),
            "lost": lost,
            **self.common(),
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

    def common(self) -> Row:
        return {
            "tokenizer": self.options.tokenizer.name,
            "exact": self.options.tokenizer.exact,
            "baseline": BASELINE,
            "baseline_tokens": self.baseline,
            "before": self.before,
        }

    def nothing(self, kind: Kind, reason: str) -> Row:
        """The row of a step that has nothing to do."""
        return {"kind": kind, **self.common(), **dict.fromkeys(_MEASURED), "reason": reason}

    def together(self, steps: Sequence[Step]) -> Row:
        """The row of several steps, and how they get on."""
        trail = self.applied(steps)
        alone = {step.name: self.before - self.applied([step]).tokens for step in steps}
        legend = {step.name: done.legend for step, done, _ in trail.stages if done.legend}
        kept = {step.name: done.kept for step, done, _ in trail.stages if done.kept}
        tokens = [self.before, *(stage.tokens for stage in trail.stages)]
        saved_alone = sum(alone.values())
        return self.row(trail, legend, kept) | {
            "steps": [stage.step.name for stage in trail.stages],
            "skipped": trail.skipped,
            "trail": [
                {
                    "step": stage.step.name,
                    "tokens": stage.tokens,
                    "saved": before - stage.tokens,
                    "alone": alone[stage.step.name],
                }
                for stage, before in zip(trail.stages, tokens, strict=False)
            ],
            "saved_alone": saved_alone,
            "interaction": self.before - trail.tokens - saved_alone,
        }
