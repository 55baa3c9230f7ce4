"""The words for right answers and their differences, on the page and in the command.

No sentence claims more than its interval: a difference is named only if it was seen.
"""

from collections.abc import Iterable
from functools import cache
from math import ceil
from typing import Final

from toon.formats import label
from toon.reading import known
from toon.reading.results import FormatResult, Results
from toon.reading.statistics import Interval, Paired, Share
from toon.reading.tasks import BASELINE
from toon.wording import UNKNOWN, capitalised, join_all, percent, plural, signed_points

#: The statistical methods, as a sentence.
METHODS: Final = (
    "Intervals are 95 %: Wilson's of a share, Newcombe's of a paired difference. p is of the exact "
    "McNemar test: below 0.05, a difference was seen."
)
#: The format that others are compared with.
_BASE: Final = label(BASELINE)
_NUMBERS: Final = ("none", "one", "two", "three", "four")


def p_words(p: float) -> str:
    """Write a p value as text: ``0.09``, ``0.004``, ``below 0.001``."""
    if p < 0.001:
        return "below 0.001"
    return f"{p:.3f}" if p < 0.01 else f"{p:.2f}"


def points_words(interval: Interval) -> str:
    """Write the interval of a difference in right answers, in points: ``−4.5 to +8.9``."""
    return f"{signed_points(interval.low)} to {signed_points(interval.high)}"


def share_words(share: Share) -> str:
    """Write a 95 % interval of right answers: ``61 % to 100 %``; a dash if nothing was asked."""
    if not share.asked:
        return UNKNOWN
    return " to ".join(percent(limit) for limit in share.interval)


def paired_words(paired: Paired | None) -> tuple[str, str, str]:
    """Return three texts: a paired difference in points, its 95 % interval, p; dashes for None."""
    if paired is None:
        return UNKNOWN, UNKNOWN, UNKNOWN
    interval = points_words(paired.interval)
    return signed_points(paired.difference), interval, p_words(paired.p_value)


def run_headline(model: str, results: Results) -> str:
    """Write a headline on which formats a model read better or worse than compact JSON in logs.

    Where no difference was seen, the headline says how large one could have been seen.
    """
    compared = {one.format: one.paired for one in results.formats if one.paired}
    seen = {name: pair for name, pair in compared.items() if pair.is_seen}
    if not compared:
        return f"{model}: nothing was compared"
    if not any(pair.is_test for pair in compared.values()):
        return f"{model}: no answer was right in any format, which says nothing of the formats"
    if not seen:
        least = max(pair.smallest_seen for pair in compared.values())
        if least >= 1:
            return f"{model}: no difference was seen, and so few questions cannot show any"
        could = f"this run could have seen one of at least {ceil(100 * least)} points"
        return f"{model}: no difference from {_BASE} was seen; {could}"
    said = " and ".join(
        f"{label(name)} {_better(pair)} ({signed_points(pair.difference)} points)"
        for name, pair in seen.items()
    )
    rest = len(compared) - len(seen)
    others = f"; no difference was seen for {plural(rest, 'other format')}" if rest else ""
    return f"{model} read {said} than {_BASE}{others}"


def _better(paired: Paired) -> str:
    return "better" if paired.difference > 0 else "worse"


def run_verdict(results: Results) -> str:
    """Write a sentence on each format in a model's logs: how it compares with compact JSON."""
    others = [one for one in results.formats if one.format != BASELINE]
    if len(others) == len(results.formats):
        names = join_all(label(one.format) for one in others)
        return f"There are answers in {names} alone: add the log of {_BASE}, asked the same."
    if not others:
        return f"There are answers in {_BASE} alone: add the log of another format, asked the same."
    sentences = [_sentence(one) for one in others]
    if len(others) > 1 and any(one.paired and one.paired.is_seen for one in others):
        sentences.append(
            f"With {len(others)} comparisons, chance shows a difference more often than with one."
        )
    return " ".join(sentences)


def _sentence(one: FormatResult) -> str:
    name, paired = label(one.format), one.paired
    if paired is None:
        return f"{name}: no question has an answer in it and in {_BASE} too."
    questions = plural(paired.asked, "question")
    if not paired.is_test:
        nothing = f"{questions} without one say nothing of the formats."
        return f"{name}: no answer was right, in it or in {_BASE}. {nothing}"
    points, interval, p = paired_words(paired)
    if paired.is_seen:
        what = "more" if paired.difference > 0 else "fewer"
        about = f"{points} points (95 % interval {interval}, p {p}, {questions})"
        return f"{name} had {what} right answers than {_BASE}: {about}."
    least = ceil(100 * paired.smallest_seen)
    could = f"a run of {questions} could have seen one of at least {least} points"
    if paired.smallest_seen >= 1:
        could = f"{questions} cannot show any"
    about = f"{points} points, 95 % interval {interval}"
    return f"{name}: no difference from {_BASE} was seen ({about}); {could}."


def known_headline() -> str:
    """Write how many models read TOON as well as compact JSON in published tests; name others."""
    pairs = {name: known.paired("toon", model) for model, name in known.MODELS.items()}
    seen = {name: pair for name, pair in pairs.items() if pair and pair.is_seen}
    said = [
        f"{name} {_better(pair)} ({signed_points(pair.difference)} points)"
        for name, pair in seen.items()
    ]
    many = capitalised(_NUMBERS[len(pairs) - len(seen)])
    return ", ".join([f"{many} models read {label('toon')} as well as {_BASE}", *said])


def known_briefly(model: str = "", format: str = "toon") -> tuple[str, str]:
    """Say how a model reads a format beside JSON by the published results: in few words, and whole.

    The result is two texts. A model that was not tested gets the other models' results. A model
    with no significant difference, or one in favour of the format, reads it as well as JSON.
    """
    pairs = {called: known.paired(format, name) for name, called in known.MODELS.items()}
    tested = {called: pair for called, pair in pairs.items() if pair}
    well = [name for name, pair in tested.items() if not pair.is_seen or pair.difference > 0]
    asked = plural(max(pair.asked for pair in tested.values()), "question")
    lost = known.LOST_IN_LOOPS.get(format)
    loops = f". In agent loops, one study saw {lost} points less accuracy" if lost else ""
    if model in tested:
        how = "as well as" if model in well else "worse than"
        return f"Read {how} JSON{loops}.", f"{model} reads it {how} JSON ({asked}){loops}."
    worse = [name for name in tested if name not in well]
    but = f", {join_all(worse)} worse" if worse else ""
    others = f"{join_all(well)} read it as well as JSON{but} ({asked}){loops}."
    untested = f"; test {model} first" if model else ""
    read = f"Read as well as JSON by {plural(len(well), 'model')}"
    return f"{read}{untested}{loops}.", others


def lost_in_loops(formats: Iterable[str]) -> str:
    """Write how much accuracy agents lost with the first of ``formats`` that a study measured.

    "" if it measured none of them.
    """
    families = (format.partition("-")[0] for format in formats)
    lost = next((format for format in families if format in known.LOST_IN_LOOPS), None)
    if lost is None:
        return ""
    points = known.LOST_IN_LOOPS[lost]
    return f"agents lost {points} points of accuracy with {label(lost)} in one study"


def untested_briefly() -> tuple[str, str]:
    """Return two texts on a format that no model was tested with: a few words, and advice."""
    words = f"Not yet tested with any model; {_BASE} is safe."
    return words, f"If in doubt, send {_BASE}."


def primer_words() -> str:
    """Write that the benchmark explained TOON in other words than ours, with the tokens of each."""
    theirs = known.PRIMER_TOKENS
    least, most = known.OUR_TOKENS
    return (
        f"Before the data stood the benchmark's own explanation: {theirs['toon']} tokens for "
        f"{label('toon')}, {theirs[BASELINE]} for {_BASE}. Ours says it in other words, "
        f"in {least} to {most} tokens on the same payloads: how well models read with ours is "
        "untested until you try."
    )


def study_words(study: known.Study) -> str:
    """Write what a study found, how it measured, and which parts of it were read here."""
    return (
        f"{study.where}: {study.found}. Measured with {study.measured} ({study.source}; read here: "
        f"{study.read})."
    )


@cache
def known_verdict(format: str, model: str) -> str:
    """Write how a model of the published results read a format beside compact JSON."""
    pair, name = known.paired(format, model), known.MODELS[model]
    if pair is None:
        return f"{name} was not asked in {label(format)}."
    points, interval, p = paired_words(pair)
    found = f"{points} points ({interval}), {pair.gained} questions won, {pair.lost} lost, p {p}"
    if pair.is_seen:
        return f"{name} read {label(format)} {_better(pair)} than {_BASE}: {found}."
    return (
        f"{name}: no difference was seen between {label(format)} and {_BASE}: {found}. "
        f"With {pair.asked} questions, one of at least {100 * pair.smallest_seen:.1f} points would "
        "be seen in four runs of five."
    )
