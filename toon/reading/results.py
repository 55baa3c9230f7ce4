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

from toon.reading.plan import BASELINE
from toon.reading.run import Record
from toon.reading.statistics import MOST_DISCORDANT, Paired, Share, questions_for


@dataclass(frozen=True)
class FormatResult:
    """What came of a format.

    Attributes:
        format: Its name.
        share: Right answers among the prompts that have an answer.
        paired: Beside the baseline; None for the baseline, and where nothing can be compared.
        billed_tokens: Tokens of input as the endpoint counted, where it says.
        our_tokens: Ours of the same prompts.
        completion_tokens: Those of the answers, where the endpoint says.
        tokens_per_right: Tokens of input and output by right answer: billed, or ours where the
            endpoint says none.
        seconds, prompt_seconds, generation_seconds: Medians of a call.
    """

    format: str
    share: Share
    paired: Paired | None
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


@dataclass(frozen=True)
class Results:
    """What a run says.

    Attributes:
        formats: By format, the baseline first.
        kinds: By kind of question, the share of each format.
        wrong: The records of wrong answers.
        unanswered: The records without an answer.
    """

    formats: list[FormatResult]
    kinds: dict[str, dict[str, Share]]
    wrong: list[Record]
    unanswered: list[Record]


def summarise(records: Iterable[Record]) -> Results:
    """What the records of a run say, finished or not."""
    every = list(records)
    names = sorted(dict.fromkeys(one.format for one in every), key=lambda name: name != BASELINE)
    of = {name: [one for one in every if one.format == name] for name in names}
    return Results(
        [_format(name, of[name], of.get(BASELINE, [])) for name in names],
        {
            kind: {name: _share(one for one in of[name] if one.kind == kind) for name in names}
            for kind in dict.fromkeys(one.kind for one in every)
        },
        [one for one in every if one.is_right is False],
        [one for one in every if one.said is None],
    )


def _format(name: str, mine: Sequence[Record], base: Sequence[Record]) -> FormatResult:
    answered = [one for one in mine if one.said is not None]
    share = _share(answered)
    counted = [one for one in answered if one.prompt_tokens is not None]
    used = sum(one.tokens for one in answered)
    return FormatResult(
        name,
        share,
        None if name == BASELINE else _pair(answered, base),
        _sum(one.prompt_tokens for one in counted),
        _sum(one.our_tokens for one in counted or answered) or 0,
        _sum(one.completion_tokens for one in answered),
        used / share.right if share.right else None,
        _median(one.seconds for one in answered),
        _median(one.prompt_seconds for one in answered),
        _median(one.generation_seconds for one in answered),
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


#: Dollars of a call with so many tokens of input and output; None: not known.
Price: TypeAlias = Callable[[int, int], Decimal | None]
#: The difference that a longer run is planned for.
FIVE_POINTS: Final = 0.05


class Longer(NamedTuple):
    """A run that would see a difference of five points.

    Attributes:
        format: The format that would be compared with the baseline.
        questions: How many questions it takes at least, given how often the formats differed.
        most: How many, if they differ as often as any of the published answers do.
        requests: How many prompts that is, in both formats.
        tokens: Tokens of input and output, as they were in this run.
        dollars: At the price of the chosen model; None: not known.
    """

    format: str
    questions: int
    most: int
    requests: int
    tokens: int
    dollars: Decimal | None


def plan_longer(results: Results, price: Price) -> list[Longer]:
    """What it takes to see a difference of five points, for each format that was compared."""
    return [
        _longer(one, results.formats[0], one.paired, price)
        for one in results.formats
        if one.paired is not None
    ]


def _longer(one: FormatResult, base: FormatResult, paired: Paired, price: Price) -> Longer:
    questions = questions_for(FIVE_POINTS, paired.discordant)
    calls = [_per_call(each) for each in (one, base)]
    prices = [price(*call) for call in calls]
    known = [price for price in prices if price is not None]
    return Longer(
        one.format,
        questions,
        max(questions, questions_for(FIVE_POINTS, MOST_DISCORDANT)),
        2 * questions,
        questions * sum(map(sum, calls)),
        questions * sum(known, Decimal()) if len(known) == len(prices) else None,
    )


def _per_call(one: FormatResult) -> tuple[int, int]:
    """Tokens of input and output of a mean call, rounded up."""
    answered = one.share.asked
    if not answered:
        return 0, 0
    read = one.our_tokens if one.billed_tokens is None else one.billed_tokens
    return -(-read // answered), -(-(one.completion_tokens or 0) // answered)
