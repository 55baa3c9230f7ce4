"""``python -m toon ask``: asks a model about a payload in several formats, and grades it.

Exit status: 0 all was asked, 1 something was wrong or stopped it (standard error says what; the run
holds what was answered), 2 the command itself was wrong, 130 stopped, and it can go on.
"""

from __future__ import annotations

import argparse
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import TYPE_CHECKING, Final

from toon.cli.around import new_run, said_by_argparse
from toon.cli.options import Commands, read_names
from toon.limits import DEFAULT_TOKENIZER

if TYPE_CHECKING:
    from toon.costs.models import Choice


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
  %(prog)s orders.json --formats toon,csv --dry-run
  %(prog)s orders.json --base-url http://localhost:8080/v1 --model qwen3 -o run.parquet
"""


def add_ask(commands: Commands) -> None:
    parser = commands.add_parser(
        "ask",
        help="whether a model still reads a payload in other formats",
        description="Makes questions out of a payload, asks a model in minified JSON and the "
        "formats named, grades the answers by rules, and says whether a difference from JSON was "
        "seen.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole, money = partial(_number, int), partial(_number, Decimal)
    parser.add_argument("payload", metavar="PAYLOAD", help="JSON; - is stdin")
    parser.add_argument("--base-url", metavar="URL", help="as in http://localhost:8080/v1")
    parser.add_argument("--model", metavar="NAME", help="the model, as the endpoint names it")
    parser.add_argument(
        "--formats", nargs="+", type=partial(read_names, "--format"), action="extend",
        metavar="NAMES", help="names with commas between; besides json-compact; default: toon",
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
    parser.add_argument(
        "--budget-requests", type=whole, metavar="N", help="default: a tenth and 5 more"
    )
    parser.add_argument(
        "--budget-tokens",
        type=whole,
        metavar="N",
        help="of input and output; default: half more input, and all that answers may take",
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
    parser.add_argument(
        "-o", "--output", type=new_run, metavar="FILE", help="the run, a Parquet file"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in that file")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show questions, the first prompt of each format and the cost; send nothing",
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


def _choice(name: str) -> Choice:
    """What the name of a model or tokenizer counts by."""
    from toon.costs.models import choose

    with said_by_argparse():
        return choose(name)


def run_ask(options: argparse.Namespace) -> int:
    from toon.cli.asked import run

    return run(options)
