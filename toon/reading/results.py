"""Results of answers: each format's share of right ones, difference from compact JSON, and tokens.

Only questions with an answer in both formats are compared. A difference is called seen only if
chance alone gives one so large in fewer than 5 of 100 runs.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toon.reading.logs import Record
from toon.reading.statistics import Paired, Share
from toon.reading.tasks import BASELINE


class FormatResult(NamedTuple):
    """A model's right answers in one format, and the number of questions without an answer.

    ``paired`` compares it with the baseline, compact JSON; None for the baseline, or without common
    questions. Tokens are sums over all answers; None if the log lacks some.
    """

    format: str
    share: Share
    unanswered: int
    paired: Paired | None
    input_tokens: int | None
    output_tokens: int | None

    @property
    def tokens_per_right(self) -> float | None:
        """Tokens of input and output for each right answer in a format; None if unknown."""
        if self.input_tokens is None or self.output_tokens is None or not self.share.right:
            return None
        return (self.input_tokens + self.output_tokens) / self.share.right


class Results(NamedTuple):
    """The results of a model's answers in several formats.

    They are those of each format, the baseline first; the right answers by kind of question and
    format; the records of wrong answers and of missing ones.
    """

    formats: list[FormatResult]
    kinds: dict[str, dict[str, Share]]
    wrong: list[Record]
    unanswered: list[Record]


def summarise(records: Iterable[Record]) -> Results:
    """Return a model's Results from the records of its answers: how many are right, by format and
    by kind of question, and the records of the wrong and the missing ones.
    """
    every = list(records)
    names = sorted(dict.fromkeys(row.format for row in every), key=lambda name: name != BASELINE)
    mine = {name: [row for row in every if row.format == name] for name in names}
    return Results(
        [_format(name, mine[name], mine.get(BASELINE, [])) for name in names],
        {
            kind: {name: _share(row for row in mine[name] if row.kind == kind) for name in names}
            for kind in dict.fromkeys(row.kind for row in every)
        },
        [row for row in every if row.is_right is False],
        [row for row in every if row.reply is None],
    )


def _format(name: str, mine: Sequence[Record], base: Sequence[Record]) -> FormatResult:
    answered = [row for row in mine if row.reply is not None]
    return FormatResult(
        name,
        _share(answered),
        len(mine) - len(answered),
        None if name == BASELINE else _pair(answered, base),
        _sum([row.input_tokens for row in answered]),
        _sum([row.output_tokens for row in answered]),
    )


def _pair(mine: Iterable[Record], base: Iterable[Record]) -> Paired | None:
    """Count the questions got right in a format, in compact JSON, in both and in neither.

    Questions without an answer in either format are left out. None if no question is left.
    """
    theirs = {row.question: row.is_right for row in base if row.reply is not None}
    pairs = [(row.is_right, theirs[row.question]) for row in mine if row.question in theirs]
    if not pairs:
        return None
    orders = ((True, True), (True, False), (False, True), (False, False))
    return Paired(*(pairs.count(order) for order in orders))


def _share(records: Iterable[Record]) -> Share:
    graded = [row.is_right for row in records if row.is_right is not None]
    return Share(sum(graded), len(graded))


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None
