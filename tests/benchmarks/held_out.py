"""The method of the fits on tokenizers and payloads that it has not seen.

Every public tokenizer is estimated as Claude is: by the same fit, from the same texts, with those
witnesses that are not of its family. The payloads are of ``elsewhere``, the samples and the shared
data sets. What is refused has no error; of the others these functions say how far they are off.

``--answers`` prints instead how many of these payloads have another answer since JSON by columns
and TRON are among what is chosen from, and needs a bare clone alone.
"""

from __future__ import annotations

import functools
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.elsewhere import payloads
from tests.benchmarks.timing import ROOT
from toon.cli.output import align
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.formats import RECOMMENDED, label
from toon.tokenizers import get
from toon.tokenizers.fast_openai import get_fast
from toon.tokenizers.fitted import FEATURES, FEWEST, Elsewhere, FittedEstimator
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.tokenizers.openai import OpenAITokenizer
from toon.values.fractions import fraction
from toon.wording import percent, signed_percent

#: Tokenizers of one family cut texts in the same way, or have most of their tokens in common.
FAMILIES: Final = (
    {"cl100k_base", "llama3", "glm4", "qwen3"},
    {"o200k_base", "kimi_k2"},
    {"deepseek_v3"},
    {"mistral_v3"},
    {"gemma3"},
)
#: What the fits have seen, and some payloads like it.
SEEN: Final = "data sets"
#: Formats that are chosen from since TOON is not the only one that wins.
NEWER: Final = ("json-columns", "tron")
#: The formats that the stated errors are of; those of others are tested to be no larger.
WRITTEN: Final = (
    "json-pretty", "json-python", "json-compact", "yaml", "csv", "xml", "toon", "toon-tab",
    "toon-pipe",
)  # fmt: skip
_DATASETS: Final = ROOT.parent / "shared" / "datasets"


_cut = functools.cache(OpenAITokenizer("o200k_base", "").ids)


class _Remembering(OpenAITokenizer):
    """Cuts each text once for the estimators of all tokenizers."""

    def ids(self, text: str) -> NDArray[Any]:
        return _cut(text)


_BASE: Final = _Remembering("o200k_base", "")

Weights = Mapping[str, Mapping[str, float]]


class Case(NamedTuple):
    """A payload in every format that carries it."""

    kind: str
    size: str
    document: Document
    texts: dict[str, str]


@functools.cache
def cases(sizes: tuple[int, ...] = ()) -> list[Case]:
    """Return every payload, of ``elsewhere`` those of the sizes, or all."""
    found = [(kind, str(n), value) for kind, n, value in payloads() if not sizes or n in sizes]
    files = [("samples", path) for path in sorted((ROOT / "samples").glob("**/*.json"))]
    files += [(SEEN, path) for path in sorted(_DATASETS.glob("*-*.json"))]
    found += [(kind, path.stem, _read(path)) for kind, path in files]
    return [_case(*each) for each in found]


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _case(kind: str, size: str, value: Any) -> Case:
    document = Document.of(value)
    names = document.written(dict.fromkeys((*WRITTEN, *RECOMMENDED)))
    return Case(kind, size, document, {name: document.text(name) for name in names})


def held_out(name: str, weights: Weights, witnesses: Iterable[str]) -> FittedEstimator:
    """Return the estimator of a public tokenizer that its own family is no witness of."""
    family = next(family for family in FAMILIES if name in family)
    known = {
        each: weights[each.name]
        for each in map(get, witnesses)
        if isinstance(each, OpenModelTokenizer) and each.name not in family
    }
    return FittedEstimator(name, name, "", None, _BASE, weights[name], known)


class Estimate(NamedTuple):
    """A text of a payload: its tokens by a tokenizer, real and estimated."""

    kind: str
    payload: int
    format: str
    tokenizer: str
    real: int
    estimated: int

    @property
    def error(self) -> float:
        return self.estimated / self.real - 1


class Refused(NamedTuple):
    kind: str
    payload: int
    tokenizer: str


def estimates(
    weights: Weights, witnesses: Iterable[str], sizes: tuple[int, ...] = ()
) -> tuple[list[Estimate], list[Refused]]:
    """Estimate every payload for every public tokenizer that has weights."""
    found: list[Estimate] = []
    refused: list[Refused] = []
    for name in weights:
        estimator, real = held_out(name, weights, witnesses), get_fast(name).count
        for n, case in enumerate(cases(sizes)):
            if case.document.judged(estimator):
                refused.append(Refused(case.kind, n, name))
                continue
            for format, text in case.texts.items():
                row = case.kind, n, format, name, real(text), estimator.count(text)
                found.append(Estimate(*row))
    return found, refused


def by_kind(found: list[Estimate], fewest: int = FEWEST) -> dict[str, list[float]]:
    """Return the absolute errors of every kind, of texts of at least so many tokens."""
    errors: dict[str, list[float]] = {}
    for each in found:
        if each.real >= fewest:
            errors.setdefault(each.kind, []).append(abs(each.error))
    return errors


def differences(found: list[Estimate], fewest: int = FEWEST) -> dict[str, list[float]]:
    """Return by kind how far the differences of any two formats are off, of the larger's tokens."""
    groups: dict[tuple[str, int, str], list[Estimate]] = {}
    for each in found:
        if each.real >= fewest:
            groups.setdefault((each.kind, each.payload, each.tokenizer), []).append(each)
    errors: dict[str, list[float]] = {}
    for (kind, _, _), texts in groups.items():
        errors.setdefault(kind, []).extend(map(_off, combinations(texts, 2)))
    return errors


def _off(pair: tuple[Estimate, Estimate]) -> float:
    one, other = pair
    off = one.estimated - other.estimated - one.real + other.real
    return abs(off) / max(one.real, other.real)


def of_o200k(name: str, sizes: tuple[int, ...] = ()) -> list[Estimate]:
    """Return what an estimator of o200k_base says of every payload that it does not refuse."""
    estimator, real = get(name), get_fast("o200k_base").count
    return [
        Estimate(case.kind, n, format, name, real(text), estimator.count(text))
        for n, case in enumerate(cases(sizes))
        if case.document.no_estimate(name) is None
        for format, text in case.texts.items()
    ]


def p95(errors: list[float]) -> float:
    return float(np.percentile(errors, 95))


#: A kind with fewer estimates is left out of the worst: most of its payloads are refused.
ENOUGH: Final = 50


def worst(errors: dict[str, list[float]]) -> float:
    """Return the 95th percentile of the kind where it is highest."""
    return max(p95(each) for each in errors.values() if len(each) >= ENOUGH)


def elsewhere(weights: Weights, witnesses: Iterable[str]) -> Elsewhere:
    """Return what the estimators say of their errors."""
    stated = errors_of(estimates(weights, witnesses)[0])
    return {**stated, "tokenizers": len(weights)}


class Errors(TypedDict):
    """What ``Elsewhere`` says of any estimator."""

    mean: float
    p95: float
    difference: float
    texts: int
    kinds: int


def errors_of(found: list[Estimate]) -> Errors:
    """Return the errors of what no fit has seen, each that of its worst kind but for the mean."""
    unseen = [each for each in found if each.kind != SEEN and each.format in WRITTEN]
    errors = by_kind(unseen)
    every = [error for each in errors.values() for error in each]
    return {
        "mean": round(float(np.mean(every)), 3),
        "p95": round(worst(errors), 3),
        "difference": round(worst(differences(unseen)), 3),
        "texts": len(every),
        "kinds": len(errors),
    }


def tab_shares(
    found: list[Estimate], sizes: tuple[int, ...] = ()
) -> Iterator[tuple[str, int, int, int]]:
    """Yield for every tokenizer its tables, and in how many a tab costs less: real, estimated."""
    texts = {(each.tokenizer, each.payload, each.format): each for each in found}
    for name in dict.fromkeys(each.tokenizer for each in found):
        tables = [
            (texts[name, payload, "toon"], tab)
            for (tokenizer, payload, format), tab in texts.items()
            if tokenizer == name
            and format == "toon-tab"
            and "\t" in cases(sizes)[payload].texts[format]
        ]
        real = sum(tab.real < comma.real for comma, tab in tables)
        yield name, len(tables), real, sum(tab.estimated < comma.estimated for comma, tab in tables)


def print_held_out(weights: Weights) -> None:
    """Print every kind, every size, and the delimiters."""
    found, refused = estimates(weights, get("grok_4_5").witnesses)
    errors, off = by_kind(found), differences(found)
    lines = [["held out, by kind", "texts", "mean", "95 % below", "difference", "refused"]]
    for kind in dict.fromkeys(case.kind for case in cases()):
        size = sum(case.kind == kind for case in cases()) * len(weights)
        none = sum(each.kind == kind for each in refused)
        figures = [percent(v, 1) for v in _figures(errors.get(kind), off.get(kind))]
        lines.append([kind, f"{len(errors.get(kind, [])):,}", *figures, f"{none} of {size}"])
    print("\n" + "\n".join(align(lines)))
    sizes = [["real tokens", "texts", "mean", "95 % below"]]
    for low, high in ((10, 20), (20, 50), (50, 200), (200, 523), (523, 10**9)):
        some = [abs(each.error) for each in found if low <= each.real < high]
        sizes.append([f"{low} to {high - 1:,}", f"{len(some):,}", *map(_percent, _both(some))])
    print("\n" + "\n".join(align(sizes)))
    tabs = [["tokenizer", "tables", "tab costs less", "estimated"]]
    tabs += [[name, *map(str, counts)] for name, *counts in tab_shares(found)]
    print("\n" + "\n".join(align(tabs)))


def _percent(share: float) -> str:
    return percent(share, 1)


def _both(errors: list[float]) -> tuple[float, float]:
    return (float(np.mean(errors)), p95(errors)) if errors else (0.0, 0.0)


def _figures(errors: list[float] | None, off: list[float] | None) -> tuple[float, float, float]:
    return (*_both(errors or []), p95(off) if off else 0.0)


class Changed(NamedTuple):
    """A payload whose answer is another one since there are newer formats, and what it costs."""

    kind: str
    format: str
    before: float
    after: float


def changed_answers(
    explaining: Explaining = ALONE, sizes: tuple[int, ...] = ()
) -> Iterator[Changed]:
    """Yield the payloads that one of the ``NEWER`` is recommended for, by o200k_base."""
    older = tuple(name for name in RECOMMENDED if name not in NEWER)
    for case in cases(sizes):
        before = answer(case.document, explaining=explaining, formats=older)
        after = answer(case.document, explaining=explaining)
        if before["format"] != after["format"]:
            yield Changed(case.kind, after["format"], before["cost"], after["cost"])


def print_answers() -> None:
    """Print what the newer formats change of the answers, with a note to the model and without."""
    totals = Counter(_set_of(case.kind) for case in cases())
    lines = [["payloads", "note", "another answer", *map(label, NEWER), "tokens fewer", "of them"]]
    for name, explaining in (("its own", ALONE), ("none", Explaining(None))):
        changed = list(changed_answers(explaining))
        for each_set, total in totals.items():
            some = [each for each in changed if _set_of(each.kind) == each_set]
            chosen = Counter(each.format for each in some)
            before, after = (sum(map(attrgetter(each), some)) for each in ("before", "after"))
            shares = [str(chosen[each]) for each in NEWER]
            fewer = [f"{before - after:,.0f}", signed_percent(fraction(after, before))]
            lines.append([each_set, name, f"{len(some)} of {total}", *shares, *fewer])
    print("\n".join(align(lines)))


def _set_of(kind: str) -> str:
    return kind if kind in ("samples", SEEN) else "elsewhere"


def main() -> None:
    if sys.argv[1:] == ["--answers"]:
        print_answers()
        return
    from tests.benchmarks.answers import FOLDER, read_prompts
    from tests.benchmarks.models import features_of_all, public_fits

    prompts = read_prompts(FOLDER)
    fits = public_fits(prompts, features_of_all(prompts))
    print_held_out({name: dict(zip(FEATURES, fit, strict=True)) for name, fit in fits.items()})


if __name__ == "__main__":
    main()
