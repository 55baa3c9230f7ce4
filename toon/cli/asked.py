"""What ``python -m toon ask`` prints: the plan, the prompts, and what a run says."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from toon.cli.output import align
from toon.text import clean
from toon.wording import (
    UNKNOWN,
    count,
    marked,
    percent,
    plural,
    quoted,
    signed_percent,
)

if TYPE_CHECKING:
    from toon.reading.plan import Plan
    from toon.reading.results import FormatResult, Results
    from toon.reading.run import Record, Run

#: How many wrong answers are listed.
SHOWN: Final = 10

_COST_HEAD: Final = ["format", "prompts", "input tokens", "vs json-compact"]
_HEAD: Final = [
    "format", "right", "of", "share", "95 % interval", "vs json-compact", "95 % interval", "p",
    "billed", "ours", "a right answer", "seconds",
]  # fmt: skip


def plan_lines(plan: Plan) -> list[str]:
    """The questions with their answers, and what asking them takes."""
    questions = [
        ["", "kind", "right answer", "question"],
        *(
            [f"{number}", one.kind, quoted(one.answer, 30)[1:-1], clean(one.text)]
            for number, one in enumerate(plan.questions, 1)
        ),
    ]
    return [*align(questions), "", *_cost_lines(plan)]


def _cost_lines(plan: Plan) -> list[str]:
    from toon.reading.plan import BASELINE

    base = plan.tokens[BASELINE]
    rows = [
        [
            name,
            count(len(plan.questions)),
            marked(count(tokens), exact=plan.is_exact),
            UNKNOWN
            if name == BASELINE
            else marked(signed_percent(tokens / base - 1), exact=plan.is_exact),
        ]
        for name, tokens in plan.tokens.items()
    ]
    return [
        f"Tokens by {plan.lab_model.title()}; formats are {_explained(plan.is_explained)}.",
        *align([_COST_HEAD, *rows]),
        f"At most {plural(plan.output_bound, 'token')} of answers, {plan.answer_tokens:,} each.",
        _price_line(plan),
    ]


def _explained(is_explained: bool) -> str:
    return "explained" if is_explained else "not explained"


def _price_line(plan: Plan) -> str:
    from toon.costs.prices import price_source
    from toon.wording import dollars

    if plan.price is None:
        return f"No price is known for {plan.lab_model.name}."
    price = dollars(plan.price, estimated=not plan.is_exact)
    return f"At most {price} by the prices of {price_source()}."


def prompt_lines(plan: Plan) -> list[str]:
    """The first prompt of each format."""
    first = islice(plan.prompts(), len(plan.formats))
    return [
        line
        for prompt in first
        for line in [
            "",
            f"--- the first prompt in {prompt.format}",
            *map(clean, prompt.text.split("\n")),
        ]
    ]


def result_lines(run: Run, plan: Plan) -> list[str]:
    """What a run says so far."""
    from toon.reading.results import summarise
    from toon.reading.verdicts import run_verdict

    results = summarise(run.records)
    rows = [_cells(one, plan.is_exact) for one in results.formats]
    lines = [
        f"{plan.model}, {plural(len(plan.questions), 'question')}, formats "
        f"{_explained(plan.is_explained)}; our tokens by {plan.lab_model.title()}",
        *align([_HEAD, *rows]),
        run_verdict(results),
        *_kind_lines(results),
        *_longer_lines(results, plan),
    ]
    return [*lines, *_wrong_lines(results)]


def _cells(one: FormatResult, exact: bool) -> list[str]:
    from toon.reading.verdicts import paired_words, share_words

    share, billed = one.share, count(one.billed_tokens)
    if one.billed_difference is not None:
        billed += f" ({signed_percent(one.billed_difference)})"
    return [
        one.format,
        count(share.right),
        count(share.asked),
        percent(share.accuracy) if share.asked else UNKNOWN,
        share_words(share),
        *paired_words(one.paired),
        billed,
        marked(count(one.our_tokens), exact=exact),
        count(one.tokens_per_right),
        _seconds(one),
    ]


def _seconds(one: FormatResult) -> str:
    """The median of a call, and its two parts where the server says."""
    if one.seconds is None:
        return UNKNOWN
    parts = ""
    if one.prompt_seconds is not None and one.generation_seconds is not None:
        parts = f" ({one.prompt_seconds:.2f} prompt, {one.generation_seconds:.2f} answer)"
    return f"{one.seconds:.2f}{parts}"


def _kind_lines(results: Results) -> list[str]:
    names = [one.format for one in results.formats]
    rows = [
        [kind, *(f"{shares[name].right}/{shares[name].asked}" for name in names), ""]
        for kind, shares in results.kinds.items()
    ]
    return ["", *align([["kind of question", *names, ""], *rows])] if rows else []


def _longer_lines(results: Results, plan: Plan) -> list[str]:
    from toon.reading.results import plan_longer
    from toon.reading.verdicts import longer_words
    from toon.wording import dollars

    lines = [
        f"To see 5 points in {one.format}: "
        + longer_words(one, dollars(one.dollars, estimated=True) if one.dollars is not None else "")
        + " where answers differ more often."
        for one in plan_longer(results, plan.price_of)
    ]
    return ["", *lines] if lines else []


def _wrong_lines(results: Results) -> list[str]:
    lines = [_wrong_line(record) for record in results.wrong[:SHOWN]]
    more = len(results.wrong) - SHOWN
    if more > 0:
        lines.append(f"  and {more:,} more, all in the run")
    lines += [
        f"  {one.format}, no answer: {clean(one.error)}" for one in results.unanswered[:SHOWN]
    ]
    return ["", "wrong or without an answer", *lines] if lines else []


def _wrong_line(record: Record) -> str:
    said = quoted(record.said or "", 40)
    return (
        f"  {record.format}: {clean(record.text)} {clean(said)}, right is {quoted(record.answer)}"
    )
