"""What ``python -m toon ask`` does and prints, apart from its options: they need none of this."""

from __future__ import annotations

import argparse
import os
from itertools import chain, islice
from pathlib import Path
from typing import Final

from toon.cli.around import until_ctrl_c
from toon.cli.output import (
    INTERRUPTED,
    align,
    end_progress,
    read_file,
    say,
    say_failure,
    show_progress,
)
from toon.costs.models import Choice, choose, refusal
from toon.costs.prices import price_source
from toon.limits import DEFAULT_TOKENIZER
from toon.reading.asking import Order, ask
from toon.reading.budget import make_budget
from toon.reading.endpoint import Endpoint
from toon.reading.faults import Failed
from toon.reading.plan import BASELINE, Plan, make_plan
from toon.reading.results import FormatResult, Results, plan_longer, summarise
from toon.reading.run import (
    UNDER_WAY,
    AskedRun,
    Keeper,
    Record,
    begin,
    check_resumable,
    left_of,
    read_run,
)
from toon.reading.verdicts import longer_words, paired_words, run_verdict, share_words
from toon.text import clean
from toon.values.json_text import parse_json
from toon.wording import (
    UNKNOWN,
    count,
    dollars,
    marked,
    percent,
    plural,
    quoted,
    signed_percent,
)

#: How many wrong answers are listed.
SHOWN: Final = 10

_COST_HEAD: Final = ["format", "prompts", "input tokens", "vs json-compact"]
_HEAD: Final = [
    "format", "right", "of", "share", "95 % interval", "vs json-compact", "95 % interval", "p",
    "billed", "ours", "a right answer", "seconds",
]  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Runs the command; returns its exit status."""
    wanted = {"--base-url": options.base_url, "--model": options.model, "-o": options.output}
    missing = [name for name, given in wanted.items() if not given]
    if missing and not options.dry_run:
        say(f"{', '.join(missing)} must be given; --dry-run shows what would be sent")
        return 2
    try:
        plan = _plan(options)
    except (OSError, ValueError) as error:
        return say_failure(options.payload, error)
    if plan.no_estimate:
        return say_failure(options.payload, ValueError(refusal(plan.no_estimate)))
    for name, reason in plan.refused.items():
        say(f"{name} is left out: {reason}")
    if options.dry_run:
        end_progress()
        print("\n".join([*plan_lines(plan), *prompt_lines(plan)]))
        return 0
    try:
        return _ask(options, plan)
    except (OSError, ValueError, Failed) as error:
        return say_failure(str(options.output), error)
    except KeyboardInterrupt:
        say(f"left; {options.output} has the answers up to now, but for a few")
        return INTERRUPTED


def _plan(options: argparse.Namespace) -> Plan:
    value = parse_json(read_file(options.payload)).value
    return make_plan(
        value,
        list(dict.fromkeys(chain.from_iterable(options.formats or [["toon"]]))),
        options.questions,
        options.seed,
        is_explained=options.explain,
        model=options.model or "",
        lab_model=options.count_by or _counting(options.model or ""),
        answer_tokens=options.answer_tokens,
    )


def _counting(model: str) -> Choice:
    """The lab's model of that name, or its default tokenizer."""
    try:
        return choose(model.rpartition("/")[2])
    except ValueError:
        return Choice(DEFAULT_TOKENIZER)


def _ask(options: argparse.Namespace, plan: Plan) -> int:
    key = os.environ.get(options.key_env, "")
    endpoint = Endpoint(options.base_url, options.model, key, seconds=options.timeout)
    endpoint.check()
    budget = make_budget(
        plan, options.budget_requests, options.budget_tokens, options.budget_dollars
    )
    before = _read_before(options.output, plan, options.resume)
    order = Order(plan, endpoint, budget, options.concurrency, before)
    run = begin(plan, endpoint, before)
    keeper = Keeper(options.output, run)
    _say_what_is_sent(options, order)
    noticed = 0

    def take(record: Record) -> None:
        keeper.note()
        show_progress(f"{run.answers:,} of {plural(plan.requests, 'answer')}")

    def is_cancelled() -> bool:
        nonlocal noticed
        noticed += stopped.is_set()
        if noticed == 2:  # when it asks again, it sends nothing more
            say("stopping when the requests under way have ended; Ctrl-C again leaves them")
        return stopped.is_set()

    with until_ctrl_c() as stopped:
        ask(order, run, on_record=take, is_cancelled=is_cancelled)
    keeper.write()
    end_progress()
    print("\n".join(result_lines(run, plan)))
    if not run.meta.stopped:
        return 0
    say(run.meta.stopped)
    say(f"{plural(run.answers, 'answer is', 'answers are')} kept in {options.output}")
    say("the same command with --resume goes on from there")
    return INTERRUPTED if stopped.is_set() else 1


def _read_before(path: Path, plan: Plan, is_resumed: bool) -> AskedRun | None:
    """The run that this command goes on with; None for a new one.

    Raises:
        OSError, RunError: The file cannot be read, or is a run of something else.
        ValueError: A file is there, and is not to be gone on with.
    """
    if not path.exists():
        return None
    if not is_resumed:
        raise ValueError(f"{path} is there: --resume goes on with it, or name another")
    before = read_run(path)
    check_resumable(before, plan)
    return before


def _say_what_is_sent(options: argparse.Namespace, order: Order) -> None:
    """Says what goes where, and what is sent a second time."""
    left, endpoint, before = left_of(order.plan, order.before), order.endpoint, order.before
    key = f"the key in {options.key_env}" if endpoint.key else "no key"
    say(f"{plural(len(left.prompts), 'prompt')} to {endpoint.shown_url}, with {key}")
    if left.kept:
        say(f"{plural(left.kept, 'answer')} in {options.output} stay")
    if left.again:
        say(f"{plural(left.again, 'prompt is', 'prompts are')} sent again: no answer came before")
    if before and before.meta.stopped == UNDER_WAY:
        say(f"What was sent after {options.output} was written last is sent again: it did not end")


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


def result_lines(run: AskedRun, plan: Plan) -> list[str]:
    """What a run says so far."""
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
