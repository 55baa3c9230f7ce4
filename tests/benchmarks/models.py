"""How the tokenizers count against what services reported: ``python -m tests.benchmarks.models``.

For each model: whether its tokenizer gives the service's counts of the official benchmark's 1,329
prompts, else how far its estimates are on the datasets and formats that a fit has not seen, and
how far on the difference between two formats. Then, on kinds of text that no service counted: how
far the same fit to public tokenizers is (``held_out``). FOLDER holds the counts, see ``answers``.

``--fit`` fits the estimators anew and writes ``toon/tokenizers/fitted.json``. The weights minimise
the squares of the relative errors of every kind of dataset in every format. They are not negative.
A small
pull to one token a piece, and to nothing for the extras, keeps those that the prompts say little
about. A new model is a row of ``MODELS``, a run with ``--fit``, and its line in ``TOKENIZERS``.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks import kinds
from tests.benchmarks.answers import FOLDER, Prompt, missing, read_counts, read_prompts
from tests.benchmarks.estimators import pair_errors
from tests.benchmarks.held_out import elsewhere, print_held_out
from toon.cli.output import align
from toon.costs import models
from toon.formats import FORMATS
from toon.tokenizers import TOKENIZERS, Tokenizer, get
from toon.tokenizers.fitted import CLASSES, EXTRAS, FEATURES, FILE, Fit, Fits, features_of
from toon.tokenizers.openai import OpenAITokenizer
from toon.wording import percent, signed_percent

Numbers = NDArray[np.float64]


class Model(NamedTuple):
    label: str
    service: str  # the name of the file of its counts
    tokenizer: str
    fitted: bool = False


MODELS: Final = (
    Model("Gemini 3.6 Flash", "gemini-3.6-flash", "gemma3"),
    Model("GPT-5.4 nano", "gpt-5.4-nano", "o200k_base"),
    Model("Claude Haiku 4.5", "claude-haiku-4-5-20251001", "claude_haiku_4_5", fitted=True),
    Model("Grok 4.5", "grok-4.5", "grok_4_5", fitted=True),
)
#: What the fits stand on.
_BASE: Final = OpenAITokenizer("o200k_base", "")
#: Tokenizers that can count every kind of text, to try the method of the fits on.
PUBLIC: Final = [name for name, each in TOKENIZERS.items() if each.exact and name != _BASE.name]
#: The pull of the weights to where they start, as a share of what the prompts say of each.
RIDGE: Final = 0.01
#: A difference of TOON and compact JSON below this may have either sign.
CLEAR: Final = 0.03


class Fitted(NamedTuple):
    weights: Numbers  # of ``FEATURES``
    frame: float

    def estimates(self, features: Numbers) -> Numbers:
        """Return the tokens of whole calls."""
        found: Numbers = np.floor(features @ self.weights + 0.5) + self.frame
        return found


def features_of_all(prompts: list[Prompt]) -> Numbers:
    """Return a row of ``FEATURES`` for every prompt."""
    return np.array([features_of(_BASE, _BASE, prompt.text) for prompt in prompts])


def kind_of(prompt: Prompt) -> str:
    """Return the kind of a prompt's dataset: six hold employees, near copies of one another."""
    is_copy = prompt.dataset.startswith("structural-validation")
    return "tabular" if is_copy else prompt.dataset


def cells_of(prompts: list[Prompt]) -> NDArray[np.str_]:
    """Return what counts as one text in a fit: all of a kind in a format."""
    return np.array([f"{kind_of(prompt)} {prompt.format}" for prompt in prompts])


def fit(features: Numbers, counts: Numbers, cells: NDArray[np.str_], framed: bool = True) -> Fitted:
    """Fit weights; each cell counts as one text, and a call may have a frame."""
    names = np.unique(cells)
    means = np.array([features[cells == name].mean(axis=0) for name in names])
    aims = np.array([counts[cells == name].mean() for name in names])
    rows = np.column_stack((means, np.full(aims.size, float(framed)))) / aims[:, None]
    start = np.array([1.0] * len(CLASSES) + [0.0] * len(EXTRAS) + [0.0])
    square = rows.T @ rows
    pull = RIDGE * np.diag(square)
    pull[-1] = 0 if framed else 1  # the frame is what is left over
    weights = least_squares(square + np.diag(pull), rows.sum(axis=0) + pull * start, start)
    return Fitted(weights[:-1].round(2), float(weights[-1].round()))


def least_squares(square: Numbers, target: Numbers, start: Numbers) -> Numbers:
    """Solve ``square @ weights = target`` without negative weights, one weight after another."""
    weights = start.copy()
    for _ in range(20_000):
        before = weights.copy()
        for one in range(weights.size):
            slope = target[one] - square[one] @ weights
            weights[one] = max(0.0, weights[one] + slope / square[one, one])
        if np.abs(weights - before).max() < 1e-9:
            break
    return weights


class Evidence(NamedTuple):
    """One model's estimates of every prompt by a fit to other datasets, or formats, or both."""

    counts: Numbers
    by_dataset: Numbers
    by_format: Numbers
    by_both: Numbers
    fitted: Fitted  # to all prompts

    @property
    def errors(self) -> Numbers:
        return self.off(self.by_dataset)

    @property
    def texts(self) -> Numbers:
        """The counts without the frame of a call: an estimate is of a text."""
        return self.counts - self.fitted.frame

    def off(self, estimates: Numbers) -> Numbers:
        """Return the errors of estimates of calls, without the frame on either side."""
        return (estimates - self.fitted.frame) / self.texts - 1


def examine(prompts: list[Prompt], features: Numbers, counts: Numbers) -> Evidence:
    """Fit to all prompts, and for each kind of dataset and format to all others."""
    cells = cells_of(prompts)
    datasets = np.array(list(map(kind_of, prompts)))
    formats = np.array([prompt.format for prompt in prompts])

    def unseen(*keys: NDArray[np.str_]) -> Numbers:
        found = np.zeros(len(prompts))
        for group in sorted(set(zip(*keys, strict=True))):
            same = [key == name for key, name in zip(keys, group, strict=True)]
            out, seen = np.all(same, axis=0), ~np.any(same, axis=0)
            found[out] = fit(features[seen], counts[seen], cells[seen]).estimates(features[out])
        return found

    whole = fit(features, counts, cells)
    return Evidence(counts, unseen(datasets), unseen(formats), unseen(datasets, formats), whole)


class Difference(NamedTuple):
    """TOON against compact JSON in one dataset, as fractions of compact JSON."""

    dataset: str
    real: float
    estimated: float

    @property
    def off(self) -> float:
        return self.estimated - self.real


def differences(prompts: list[Prompt], evidence: Evidence) -> list[Difference]:
    """Return the mean difference of each dataset's questions, real and estimated."""
    places = {(prompt.question, prompt.format): n for n, prompt in enumerate(prompts)}
    pairs: dict[str, list[tuple[int, int]]] = {}
    for (question, format), n in places.items():
        if format == "toon":
            pairs.setdefault(prompts[n].dataset, []).append((n, places[question, "json-compact"]))

    def mean(tokens: Numbers, dataset: str) -> float:
        toon, compact = np.array(pairs[dataset]).T
        return float((tokens[toon] / tokens[compact] - 1).mean())

    return [
        Difference(name, mean(evidence.counts, name), mean(evidence.by_dataset, name))
        for name in pairs
    ]


def difference_errors(
    prompts: list[Prompt], evidence: Evidence, formats: Container[str] = FORMATS
) -> Numbers:
    """Return ``pair_errors`` of the prompts of every question, without the frame of a call."""
    frame = evidence.fitted.frame
    real: dict[str, dict[str, float]] = {}
    estimated: dict[str, dict[str, float]] = {}
    for prompt, count, estimate in zip(prompts, evidence.counts, evidence.by_dataset, strict=True):
        if prompt.format in formats:
            real.setdefault(prompt.question, {})[prompt.format] = count - frame
            estimated.setdefault(prompt.question, {})[prompt.format] = estimate - frame
    return np.concatenate([pair_errors(real[name], estimated[name]) for name in real])


def wrong_signs(found: list[Difference]) -> list[str]:
    """Return the datasets with a clear difference that the estimate has the other way."""
    return [one.dataset for one in found if abs(one.real) > CLEAR and one.real * one.estimated <= 0]


def as_fit(model: Model, prompts: list[Prompt], evidence: Evidence) -> Fit:
    return {
        "service": model.label,
        "weights": dict(zip(FEATURES, evidence.fitted.weights.tolist(), strict=True)),
        "frame": evidence.fitted.frame,
        "p95": round(summary(evidence.errors)[1], 3),
        "prompts": len(evidence.counts),
    }


def write_fits(folder: Path) -> None:
    """Fit every estimator and write ``fitted.json``."""
    prompts = read_prompts(folder)
    features = features_of_all(prompts)
    public = public_fits(prompts, features)
    estimators = {
        model.tokenizer: as_fit(
            model, prompts, examine(prompts, features, read_counts(prompts, model.service, folder))
        )
        for model in MODELS
        if model.fitted
    }
    weights = {name: dict(zip(FEATURES, fit.tolist(), strict=True)) for name, fit in public.items()}
    witnesses = {name: weights[name] for name in get("grok_4_5").witnesses}
    fits: Fits = {
        "estimators": estimators,
        "witnesses": witnesses,
        "elsewhere": elsewhere(weights, witnesses),
    }
    FILE.write_text(json.dumps(fits, indent=2) + "\n", encoding="utf-8")


def summary(errors: Numbers) -> tuple[float, float]:
    """Return the mean and the 95th percentile of the absolute errors."""
    return float(np.abs(errors).mean()), float(np.percentile(np.abs(errors), 95))


def print_evidence(folder: Path) -> None:
    prompts = read_prompts(folder)
    print(f"{len(prompts):,} prompts, {len({p.dataset for p in prompts})} datasets")
    features = features_of_all(prompts)
    for model in MODELS:
        counts = read_counts(prompts, model.service, folder)
        known = TOKENIZERS.get(model.tokenizer)
        print(f"\n{model.label}: {model.tokenizer}, {known.band if known else 'no tokenizer yet'}")
        if model.fitted:
            if known:
                alone, judged = paces(known, prompts)
                print(f"{alone:.2f} of the time of o200k_base, {judged:.2f} with no_estimate")
            print_errors(prompts, examine(prompts, features, counts))
        else:
            print_offsets(prompts, model, counts)
    public = public_fits(prompts, features)
    print_held_out({name: dict(zip(FEATURES, fit, strict=True)) for name, fit in public.items()})
    print_all_tokenizers()


def print_all_tokenizers() -> None:
    """Print what needs no data of the services."""
    for lines in (kinds.lines(), every_tokenizer(), every_model()):
        print("\n" + "\n".join(align(lines)))


def paces(estimator: Tokenizer, prompts: list[Prompt]) -> tuple[float, float]:
    """Return an estimator's time as a share of that of o200k_base, which it stands on.

    The second time includes that of ``no_estimate``.
    """
    texts = list({(p.dataset, p.format): p.text for p in prompts}.values())
    base = get("o200k_base")
    timed: tuple[Callable[[str], object], ...] = (
        base.count,
        estimator.count,
        lambda text: (estimator.no_estimate(text), estimator.count(text)),
    )
    times = [math.inf] * len(timed)
    for _ in range(7):
        for n, count in enumerate(timed):
            start = time.process_time()
            for text in texts:
                count(text)
            times[n] = min(times[n], time.process_time() - start)
    return times[1] / times[0], times[2] / times[0]


def print_offsets(prompts: list[Prompt], model: Model, counts: Numbers) -> None:
    """Print how many prompts have which number of tokens more than the tokenizer counts."""
    count = TOKENIZERS[model.tokenizer].count
    more = counts - np.array([count(prompt.text) for prompt in prompts])
    for tokens, number in zip(*np.unique(more, return_counts=True), strict=True):
        print(f"{number:,} of {len(prompts):,} prompts: {tokens:+.0f} tokens")


def print_errors(prompts: list[Prompt], evidence: Evidence) -> None:
    weights = zip(FEATURES, evidence.fitted.weights, strict=True)
    print(", ".join(f"{name} {weight:g}" for name, weight in weights))
    print(f"frame of a call: {evidence.fitted.frame:g}")
    datasets = [prompt.dataset for prompt in prompts]
    formats = [prompt.format for prompt in prompts]
    by_format = evidence.off(evidence.by_format)
    lines = [["left out", "prompts", "mean", "mean |error|", "95 % below", "worst"]]
    lines += error_lines("datasets, one after another", evidence.errors, datasets)
    lines += error_lines("the same by format", evidence.errors, formats)[1:]
    lines += error_lines("formats, one after another", by_format, formats)
    lines += error_lines("dataset and format at once", evidence.off(evidence.by_both), [])
    every = difference_errors(prompts, evidence)
    alone = difference_errors(prompts, evidence, ("toon", "json-compact"))
    lines += error_lines("difference of any two formats, of the larger", every, [])
    lines += error_lines("difference of TOON and minified JSON", alone, [])
    print("\n".join(align(lines)))
    found = differences(prompts, evidence)
    print("\n".join(align(difference_lines(found))))
    print(f"wrong signs where it is over {percent(CLEAR)}: {wrong_signs(found) or 'none'}")


def error_lines(name: str, errors: Numbers, groups: list[str]) -> list[list[str]]:
    """Lines of a table: all prompts, then each group."""

    def line(name: str, errors: Numbers) -> list[str]:
        worst = np.abs(errors).max()
        figures = [percent(value, 1) for value in (*summary(errors), worst)]
        return [name, f"{errors.size:,}", signed_percent(errors.mean()), *figures]

    each = [line(f"  {g}", errors[np.array(groups) == g]) for g in dict.fromkeys(groups)]
    return [line(name, errors), *each]


def difference_lines(found: list[Difference]) -> list[list[str]]:
    lines = [["TOON against minified JSON", "real", "estimated", "off by, in points"]]
    for one in found:
        figures = signed_percent(one.real), signed_percent(one.estimated)
        lines.append([f"  {one.dataset}", *figures, f"{100 * one.off:+.1f}".replace("-", "−")])
    off = 100 * np.mean([abs(one.off) for one in found])
    return [*lines, ["  mean, without sign", "", "", f"{off:.1f}"]]


Public = dict[str, Numbers]


def public_fits(prompts: list[Prompt], features: Numbers) -> Public:
    """Return the weights of the same fit to each tokenizer that can count every kind of text."""
    places = {(p.dataset, p.format): n for n, p in enumerate(prompts)}
    chosen = list(places.values())  # those of a dataset and format differ in their question alone
    texts = [prompts[n].text for n in chosen]
    cells = cells_of([prompts[n] for n in chosen])
    return {
        name: fit(
            features[chosen],
            np.array([get(name).count(text) for text in texts], np.float64),
            cells,
            framed=False,
        ).weights
        for name in PUBLIC
    }


def public_errors(fits: Public, text: str) -> Numbers:
    """Return the errors of the fits to public tokenizers on a text."""
    row = features_of(_BASE, _BASE, text)
    return np.array([row @ fits[name] / get(name).count(text) - 1 for name in fits])


def every_tokenizer() -> list[list[str]]:
    facts = [[name, each.band, each.evidence] for name, each in TOKENIZERS.items()]
    return [["tokenizer", "figures", "evidence"], *facts]


def every_model() -> list[list[str]]:
    """A table of the models that people choose."""
    facts = [[m.name, m.tokenizer, m.band, m.evidence] for m in models.MODELS.values()]
    return [["model", "tokenizer", "figures", "evidence"], *facts]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER, metavar="FOLDER")
    parser.add_argument("--fit", action="store_true", help="fit anew and write the weights")
    options = parser.parse_args(arguments)
    if lacks := missing(options.folder, [model.service for model in MODELS]):
        print_all_tokenizers()
        sys.exit(f"The counts of the services are not here: no {', '.join(lacks)} in FOLDER.")
    if options.fit:
        write_fits(options.folder)
    else:
        print_evidence(options.folder)


if __name__ == "__main__":
    main()
