"""What a run says: each format's share of right answers, difference from compact JSON, and cost.

Only questions with an answer in both formats are compared. A difference is called seen only if
chance alone gives one so large in fewer than 5 of 100 runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from typing import Final, NamedTuple, TypeAlias

from toon.formats import label
from toon.reading.plan import BASELINE
from toon.reading.run import Record
from toon.reading.statistics import (
    MOST_DISCORDANT,
    SIGNIFICANT,
    Interval,
    Paired,
    questions_for,
    wilson,
)
from toon.wording import UNKNOWN, plural


@dataclass(frozen=True)
class FormatResult:
    """What came of a format.

    Attributes:
        format, label: Its name, and the one for people.
        asked: Prompts that were sent.
        answered: Prompts that have an answer.
        right: Right answers.
        accuracy, interval: Their share of the answers, with its interval; None without answers.
        paired: Beside the baseline; None for the baseline, and where nothing can be compared.
        smallest: The smallest difference that the run could have seen, 0 to 1; None without a pair.
        billed_tokens: Tokens of input as the endpoint counted, where it says.
        our_tokens: Ours of the same prompts.
        completion_tokens: Those of the answers, where the endpoint says.
        tokens_per_right: Tokens of input and output by right answer: billed, or ours where the
            endpoint says none.
        seconds, prompt_seconds, generation_seconds: Medians of a call.
    """

    format: str
    label: str
    asked: int
    answered: int
    right: int
    accuracy: float | None
    interval: Interval | None
    paired: Paired | None
    smallest: float | None
    billed_tokens: int | None
    our_tokens: int
    completion_tokens: int | None
    tokens_per_right: float | None
    seconds: float | None
    prompt_seconds: float | None
    generation_seconds: float | None

    @property
    def billed_difference(self) -> float | None:
        """How many more tokens the endpoint counted than we did, as a share of ours."""
        if self.billed_tokens is None or not self.our_tokens:
            return None
        return self.billed_tokens / self.our_tokens - 1

    @property
    def is_seen(self) -> bool:
        """Whether a difference from the baseline was seen."""
        return self.paired is not None and self.paired.p_value < SIGNIFICANT


class Share(NamedTuple):
    """Right answers of so many."""

    right: int
    answered: int


@dataclass(frozen=True)
class Results:
    """What a run says.

    Attributes:
        formats: By format, the baseline first.
        kinds: By kind of question, the share of each format.
        wrong: The records of wrong answers.
        unanswered: The records without an answer.
        verdict: One sentence for each format beside the baseline.
        baseline: The name of the format that the others are compared with.
    """

    formats: list[FormatResult]
    kinds: dict[str, dict[str, Share]]
    wrong: list[Record]
    unanswered: list[Record]
    verdict: str
    baseline: str


def summarise(records: Iterable[Record], baseline: str = BASELINE) -> Results:
    """What the records of a run say, finished or not."""
    every = list(records)
    names = sorted(dict.fromkeys(one.format for one in every), key=lambda name: name != baseline)
    of = {name: [one for one in every if one.format == name] for name in names}
    found = [_format(name, of[name], of.get(baseline, []), baseline) for name in names]
    kinds = {
        kind: {name: _share(one for one in of[name] if one.kind == kind) for name in names}
        for kind in dict.fromkeys(one.kind for one in every)
    }
    return Results(
        formats=found,
        kinds=kinds,
        wrong=[one for one in every if one.is_right is False],
        unanswered=[one for one in every if one.said is None],
        verdict=_verdict(found, baseline),
        baseline=baseline,
    )


def _format(
    name: str, mine: Sequence[Record], base: Sequence[Record], baseline: str
) -> FormatResult:
    answered = [one for one in mine if one.said is not None]
    right = sum(one.is_right is True for one in answered)
    paired = None if name == baseline else _pair(answered, base)
    counted = [one for one in answered if one.prompt_tokens is not None]
    ours = [one for one in counted or answered if one.our_tokens is not None]
    billed = _sum(one.prompt_tokens for one in counted)
    completion = _sum(one.completion_tokens for one in answered)
    our_tokens = sum(one.our_tokens or 0 for one in ours)
    used = sum(one.tokens for one in answered)
    return FormatResult(
        format=name,
        label=label(name),
        asked=len(mine),
        answered=len(answered),
        right=right,
        accuracy=right / len(answered) if answered else None,
        interval=wilson(right, len(answered)) if answered else None,
        paired=paired,
        smallest=paired.smallest_seen if paired else None,
        billed_tokens=billed,
        our_tokens=our_tokens,
        completion_tokens=completion,
        tokens_per_right=used / right if right else None,
        seconds=_median(one.seconds for one in answered),
        prompt_seconds=_median(one.prompt_seconds for one in answered),
        generation_seconds=_median(one.generation_seconds for one in answered),
    )


def _pair(mine: Iterable[Record], base: Iterable[Record]) -> Paired | None:
    """The questions that have an answer in both; None if there are none."""
    theirs = {one.question: one.is_right for one in base if one.said is not None}
    pairs = [(one.is_right, theirs[one.question]) for one in mine if one.question in theirs]
    if not pairs:
        return None
    orders = ((True, True), (True, False), (False, True), (False, False))
    return Paired(*(pairs.count(order) for order in orders))


def _share(records: Iterable[Record]) -> Share:
    graded = [one.is_right for one in records if one.is_right is not None]
    return Share(sum(graded), len(graded))


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _verdict(found: Sequence[FormatResult], baseline: str) -> str:
    others = [one for one in found if one.format != baseline]
    sentences = [_sentence(one, label(baseline)) for one in others]
    if len(others) > 1 and any(one.is_seen for one in others):
        sentences.append(
            f"With {len(others)} comparisons, chance shows a difference more often than with one."
        )
    return " ".join(sentences) or "Nothing was compared yet."


def _sentence(one: FormatResult, base: str) -> str:
    """What the run says of a format: never more than its interval."""
    paired = one.paired
    if paired is None or one.smallest is None:
        return f"{one.label}: no question has an answer in it and in {base} too."
    interval = f"95 % interval {points(paired.interval.low)} to {points(paired.interval.high)}"
    if not paired.is_test:
        return (
            f"{one.label}: no answer was right, in it or in {base}. "
            f"{plural(paired.asked, 'question')} without one say nothing of the formats."
        )
    if one.is_seen:
        what = "more" if paired.difference > 0 else "fewer"
        return (
            f"{one.label} had {what} right answers than {base}: {points(paired.difference)} points "
            f"({interval}, p = {paired.p_value:.2g}, {plural(paired.asked, 'question')})."
        )
    could = (
        f"a run of {plural(paired.asked, 'question')} could have seen one of at least "
        f"{_whole_points(one.smallest)} points"
        if one.smallest < 1
        else f"{plural(paired.asked, 'question')} cannot show any"
    )
    return (
        f"{one.label}: no difference from {base} was seen "
        f"({points(paired.difference)} points, {interval}); {could}."
    )


def points(share: float | None) -> str:
    """A difference of shares as percentage points with a sign: ``+3.3``."""
    if share is None:
        return UNKNOWN
    text = f"{100 * share:+.1f}".replace("-", "−")
    return f"±{text[1:]}" if text[1:] == "0.0" else text


def _whole_points(share: float) -> int:
    """Percentage points, rounded up: a smaller difference could not have been seen."""
    return -int(-100 * share // 1)


#: Dollars of a call with so many tokens of input and output; None: not known.
Price: TypeAlias = Callable[[int, int], Decimal | None]
#: The difference that a longer run is planned for.
FIVE_POINTS: Final = 0.05


class Longer(NamedTuple):
    """A run that would see a difference of so many points.

    Attributes:
        format: The format that would be compared with the baseline.
        difference: The difference, 0 to 1.
        questions: How many questions it takes at least, given how often the formats differed.
        most: How many, if they differ as often as any of the published answers do.
        requests: How many prompts that is, in both formats.
        tokens: Tokens of input and output, as they were in this run.
        dollars: At the price of the chosen model; None: not known.
    """

    format: str
    difference: float
    questions: int
    most: int
    requests: int
    tokens: int
    dollars: Decimal | None


def plan_longer(
    results: Results, price: Price | None = None, difference: float = FIVE_POINTS
) -> list[Longer]:
    """What it takes to see ``difference``, for each format that was compared.

    ``price`` gives the dollars of a call with so many tokens of input and output.
    """
    base = next((one for one in results.formats if one.format == results.baseline), None)
    return [
        _longer(one, base, price, difference)
        for one in results.formats
        if base is not None and one.paired is not None
    ]


def _longer(
    one: FormatResult, base: FormatResult, price: Price | None, difference: float
) -> Longer:
    assert one.paired is not None
    discordant = (one.paired.gained + one.paired.lost) / one.paired.asked
    questions = questions_for(difference, discordant)
    calls = [_per_call(each) for each in (one, base)]
    prices = [price(*call) if price else None for call in calls]
    known = [price for price in prices if price is not None]
    return Longer(
        one.format,
        difference,
        questions,
        max(questions, questions_for(difference, MOST_DISCORDANT)),
        2 * questions,
        questions * sum(map(sum, calls)),
        questions * sum(known, Decimal()) if len(known) == len(prices) else None,
    )


def _per_call(one: FormatResult) -> tuple[int, int]:
    """Tokens of input and output of a mean call, rounded up."""
    if not one.answered:
        return 0, 0
    read = one.our_tokens if one.billed_tokens is None else one.billed_tokens
    return -(-read // one.answered), -(-(one.completion_tokens or 0) // one.answered)
