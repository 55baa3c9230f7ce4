"""``python -m toon ask``: asks a model about a payload in several formats, and grades it.

Exit status: 0 all was asked, 1 something was wrong or stopped it (standard error says what; the run
holds what was answered), 2 the command itself was wrong, 130 stopped, and it can go on.
"""

from __future__ import annotations

import argparse
import os
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.asked import plan_lines, prompt_lines, result_lines
from toon.cli.options import Commands
from toon.cli.output import INTERRUPTED, read_file, say, say_failure, show_progress, until_ctrl_c
from toon.limits import DEFAULT_TOKENIZER
from toon.values.json_text import parse_json
from toon.wording import plural

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.reading.budget import Budget
    from toon.reading.endpoint import Endpoint
    from toon.reading.plan import Plan
    from toon.reading.records import Record, Run


_EPILOG: Final = """\
URL is that of an endpoint that speaks as OpenAI's chat completions do: a llama.cpp, Ollama or vLLM
server, or a provider. Questions and prompts go to its host and nowhere else. The key is read from
the environment variable that --key-env names, and is never written.

The budget holds for one start. Input is counted before it is sent; what may have been billed
without an answer counts as spent. Ctrl-C and a reached budget keep the answers, and the same
command with --resume goes on from there.

exit status: 0 all was asked, 1 something was wrong or stopped it (the run holds the answers),
2 the command itself was wrong, 130 stopped by Ctrl-C

examples:
  python -m toon ask orders.json --formats toon csv --dry-run
  python -m toon ask orders.json --base-url http://localhost:8080/v1 --model qwen3 -o run.parquet
"""


def add_ask(commands: Commands) -> None:
    parser = commands.add_parser(
        "ask",
        help="whether a model still reads a payload in other formats",
        description="Makes questions out of a payload, asks a model in every format, grades the "
        "answers by rules, and says whether a difference from JSON was seen.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole, money = partial(_number, int), partial(_number, Decimal)
    parser.add_argument("payload", metavar="PAYLOAD", help="JSON; - is stdin")
    parser.add_argument("--base-url", metavar="URL", help="as in http://localhost:8080/v1")
    parser.add_argument("--model", metavar="NAME", help="the model, as the endpoint names it")
    parser.add_argument(
        "--formats", nargs="+", type=_format, default=["toon"], metavar="NAME",
        help="besides json-compact; default: toon",
    )  # fmt: skip
    parser.add_argument("--questions", type=whole, default=60, metavar="N", help="at most (60)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="draws the questions (1)")
    parser.add_argument("--explain", action="store_true", help="prompts explain their format")
    parser.add_argument(
        "--count-by", type=_choice, metavar="NAME",
        help="a model or tokenizer of this lab that counts and prices the prompts; default: the "
        f"model if the lab has it, else {DEFAULT_TOKENIZER}",
    )  # fmt: skip
    parser.add_argument(
        "--answer-tokens", type=whole, default=256, metavar="N", help="the most of an answer (256)"
    )
    parser.add_argument("--budget-requests", type=whole, metavar="N", help="default: a tenth more")
    parser.add_argument(
        "--budget-tokens", type=whole, metavar="N", help="of input and output; default: half more"
    )
    parser.add_argument("--budget-dollars", type=money, metavar="X", help="default: no bound")
    parser.add_argument(
        "--concurrency", type=whole, default=4, metavar="N", help="requests at once (4)"
    )
    parser.add_argument(
        "--timeout", type=whole, default=60, metavar="SECONDS", help="of a call (60)"
    )
    parser.add_argument(
        "--key-env", default="OPENAI_API_KEY", metavar="NAME",
        help="the environment variable that holds the key (OPENAI_API_KEY)",
    )  # fmt: skip
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the run, a Parquet file")
    parser.add_argument("--resume", action="store_true", help="go on with the run in that file")
    parser.add_argument(
        "--dry-run", action="store_true", help="show questions, prompts and cost; send nothing"
    )
    parser.set_defaults(run=run_ask)


def _number(kind: type[int] | type[Decimal], text: str) -> int | Decimal:
    try:
        value = kind(text)
        is_good = 0 < value < 10**12
    except (ValueError, InvalidOperation):
        is_good = False
    if not is_good:
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {text!r}")
    return value


def _format(name: str) -> str:
    from toon import formats

    try:
        return formats.get(name).name
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _choice(name: str) -> Choice:
    from toon.costs.models import choose

    try:
        return choose(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run_ask(options: argparse.Namespace) -> int:
    from toon.reading.faults import Failed

    wanted = {"--base-url": options.base_url, "--model": options.model, "-o": options.output}
    missing = [name for name, given in wanted.items() if not given]
    if missing and not options.dry_run:
        say(f"{', '.join(missing)} must be given; --dry-run shows what would be sent")
        return 2
    try:
        plan = _plan(options)
    except (OSError, ValueError) as error:
        return say_failure(options.payload, error)
    show_progress("")
    for name, reason in plan.refused.items():
        say(f"{name} is left out: {reason}")
    if options.dry_run:
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
    from toon.reading.plan import make_plan

    value = parse_json(read_file(options.payload)).value
    return make_plan(
        value,
        options.formats,
        options.questions,
        options.seed,
        is_explained=options.explain,
        model=options.model or "",
        lab_model=options.count_by or _counting(options.model or ""),
        answer_tokens=options.answer_tokens,
    )


def _counting(model: str) -> Choice:
    """The lab's model of that name, or its default tokenizer."""
    from toon.costs.models import Choice, choose

    try:
        return choose(model.rpartition("/")[2])
    except ValueError:
        return Choice(DEFAULT_TOKENIZER)


def _ask(options: argparse.Namespace, plan: Plan) -> int:
    from toon.reading.endpoint import Endpoint
    from toon.reading.run import Keeper, ask

    endpoint = Endpoint(
        options.base_url,
        options.model,
        os.environ.get(options.key_env, ""),
        seconds=options.timeout,
    )
    endpoint.check()
    budget = _budget(options, plan)
    run, was_killed = _begun(options, plan, endpoint)
    keeper = Keeper(options.output, run)
    _say_what_is_sent(options, plan, endpoint, run, was_killed)
    noticed = 0
    answers = sum(record.said is not None for record in run.records)

    def take(record: Record) -> None:
        nonlocal answers
        answers += record.said is not None
        keeper.add(record)
        show_progress(f"{answers:,} of {plural(plan.requests, 'answer')}")

    def is_cancelled() -> bool:
        nonlocal noticed
        noticed += stopped.is_set()
        if noticed == 2:  # when it asks again, it sends nothing more
            say("stopping when the requests under way have ended; Ctrl-C again leaves them")
        return stopped.is_set()

    with until_ctrl_c() as stopped:
        outcome = ask(
            plan,
            endpoint,
            budget=budget,
            concurrency=options.concurrency,
            done=run.records,
            on_record=take,
            is_cancelled=is_cancelled,
        )
    run = keeper.close(outcome.stopped, outcome.answered, endpoint.temperature)
    show_progress("")
    print("\n".join(result_lines(run, plan)))
    if not outcome.stopped:
        return 0
    say(outcome.stopped)
    say(f"{plural(answers, 'answer is', 'answers are')} kept in {options.output}")
    say("the same command with --resume goes on from there")
    return INTERRUPTED if stopped.is_set() else 1


def _budget(options: argparse.Namespace, plan: Plan) -> Budget:
    from toon.reading.budget import Budget, check_budget, default_budget

    usual = default_budget(plan)
    budget = Budget(
        options.budget_requests or usual.requests,
        options.budget_tokens or usual.tokens,
        options.budget_dollars,
    )
    check_budget(plan, budget)
    return budget


def _begun(options: argparse.Namespace, plan: Plan, endpoint: Endpoint) -> tuple[Run, bool]:
    """The run that this command continues, or a new one; and whether it was killed.

    Raises:
        OSError, RunError: The file cannot be read, or is a run of something else.
        ValueError: A file is there, and is not to be gone on with.
    """
    from toon.reading.records import UNDER_WAY
    from toon.reading.run import Run, check_resumable, describe, read_run

    if not options.output.exists():
        return Run(describe(plan, endpoint), []), False
    if not options.resume:
        raise ValueError(f"{options.output} is there: --resume goes on with it, or name another")
    run = read_run(options.output)
    check_resumable(run, plan)
    now = describe(plan, endpoint)
    now.began, now.answered = run.meta.began, run.meta.answered
    return Run(now, run.records), run.meta.stopped == UNDER_WAY


def _say_what_is_sent(
    options: argparse.Namespace, plan: Plan, endpoint: Endpoint, run: Run, was_killed: bool
) -> None:
    """Says what goes where, and what is sent a second time."""
    from toon.reading.run import to_ask

    left = to_ask(plan, run.records)
    key = f"the key in {options.key_env}" if endpoint.key else "no key"
    say(f"{plural(len(left.prompts), 'prompt')} to {endpoint.shown_url}, with {key}")
    if left.kept:
        say(f"{plural(left.kept, 'answer')} in {options.output} stay")
    if left.again:
        say(f"{plural(left.again, 'prompt is', 'prompts are')} sent again: no answer came before")
    if was_killed:
        say(f"What was sent after {options.output} was written last is sent again: it did not end")
