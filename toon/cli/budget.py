"""``toon budget``: a check in builds that files or a server's tools take few enough tokens."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from toon.cli.options import Commands, add_counting, excess_words, leave_uncounted, read_choices
from toon.cli.output import end_progress, read_file, say, say_failure, show_progress
from toon.installed import require
from toon.text import clean
from toon.wording import plural, signed_percent

if TYPE_CHECKING:
    from toon.costs.models import Choice

_EPILOG: Final = """\
Files are counted as they stand, whatever they hold. With --max-vs they are JSON, TOON or a dialect:
what they say is written in FORMAT too, and CHANGE is the most that they may differ from it, such as
-10%% (at least 10 %% fewer tokens) or +0%% (no more tokens). What is over the budget is printed as
FILE:LINE: REASON, with the line in which a file passes --max-tokens.

With --mcp the server COMMAND is started and asked for its tools. Their definitions are counted as a
model is sent them with every prompt: name, description and input schema. Without a limit each tool
is printed with its tokens.

exit status: 0 all within the budget, 1 something is over it or cannot be read, 2 wrong command

examples:
  %(prog)s prompts/*.md --max-tokens 4000 --model gpt-5
  %(prog)s fixtures/*.toon --max-vs json-compact -10%%
  %(prog)s --mcp --save tools.json -- npx @modelcontextprotocol/server-memory
  %(prog)s --mcp --against tools.json -- npx @modelcontextprotocol/server-memory
"""

#: A change in per cent, with a minus of any kind. The first word is argparse's name of a number.
_CHANGE: Final = re.compile(r"[-+−]?[0-9]+(?:\.[0-9]+)?\s*%?")


def add_budget(commands: Commands) -> None:
    parser = commands.add_parser(
        "budget",
        help="whether files, or a server's tools, stay within a number of tokens",
        description="Fails where a file, or what a server defines, takes more tokens than it may.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [options] FILE ...\n       %(prog)s [options] --mcp -- COMMAND ...",
    )
    # argparse would take -10% as an option.
    parser._negative_number_matcher = _CHANGE
    parser.add_argument("files", nargs="+", metavar="FILE", help="text, JSON, TOON; - is stdin")
    parser.add_argument(
        "--max-tokens", type=int, metavar="N", help="tokens that a file, or all tools, may take"
    )
    parser.add_argument(
        "--max-vs",
        nargs=2,
        metavar=("FORMAT", "CHANGE"),
        help="the most that each may differ from its value in FORMAT, as in json-compact -10%%",
    )
    parser.add_argument("--mcp", action="store_true", help="count the tools of a server of MCP")
    parser.add_argument(
        "--max-tool-tokens", type=int, metavar="N", help="with --mcp: tokens that a tool may take"
    )
    text = "with --mcp: where the tokens of each tool are written, if all is within the budget"
    parser.add_argument("--save", metavar="FILE", help=text)
    text = "with --mcp: one that was saved; no tool may take more than there, or be new"
    parser.add_argument("--against", metavar="FILE", help=text)
    add_counting(parser)
    parser.set_defaults(run=run_budget)


def _read_max_vs(options: argparse.Namespace) -> tuple[str, float]:
    """Return the format and the most change, as a fraction, of ``--max-vs``; ("", 0) without."""
    from toon import formats

    name, change = options.max_vs or ("", "0")
    if not _CHANGE.fullmatch(change):
        options.parser.error(f"argument --max-vs: {change!r} is no change such as -10%")
    try:
        name = name and formats.get(name).name
    except ValueError as error:
        options.parser.error(f"argument --max-vs: {error}")
    return name, float(change.replace("−", "-").rstrip("% ")) / 100


def run_budget(options: argparse.Namespace) -> int:
    if options.mcp:
        require("mcp", "toon budget --mcp")
        from toon.cli.definitions import run_definitions

        return run_definitions(options)
    if options.max_tool_tokens is not None or options.save or options.against:
        options.parser.error("--max-tool-tokens, --save and --against are of --mcp")
    limit, max_vs = options.max_tokens, _read_max_vs(options)
    if (limit is None and not max_vs[0]) or (limit or 0) < 0:
        options.parser.error("name a budget: --max-tokens N or --max-vs FORMAT CHANGE")
    within, choices = 0, leave_uncounted(read_choices(options))
    for file in options.files:
        show_progress(f"counting {file}")
        try:
            text, is_over = read_file(file), False
            for choice in choices:
                for line, reason in _find_excess(text, choice, limit, *max_vs):
                    end_progress()
                    print(clean(f"{file}:{line}: {reason}"), flush=True)
                    is_over = True
            within += not is_over
        except (OSError, ValueError, RuntimeError) as error:
            say_failure(file, error)
    say(f"{plural(within, 'file')} of {len(options.files)} within the budget")
    return int(within < len(options.files))


def _find_excess(
    text: str, choice: Choice, limit: int | None, baseline: str, allowed: float
) -> Iterator[tuple[int, str]]:
    """Yield (line number, reason) for each way that a text is over its budget by one tokenizer.

    The text may take ``limit`` tokens. If ``baseline`` is a format, they may differ by the share
    ``allowed`` from the tokens of its value in that format.
    """
    from toon.costs.document import Document, Typed
    from toon.formats import AS_TYPED, FORMATS, vs_label
    from toon.playground.detection import read_any
    from toon.tokenizers import get
    from toon.values.fractions import fraction

    counter = get(choice.tokenizer)
    tokens = counter.count(text)
    by = f"by {choice.title}"
    if limit is not None and tokens > limit:
        ends = counter.lengths(text)[:limit].sum()
        line = text.encode()[: int(ends)].count(b"\n") + 1
        yield line, f"{excess_words(tokens, limit)} of the budget, {by}"
    if not baseline:
        return
    parsed, name = read_any(text)
    typed = Typed(text) if name == "json" else Typed(text, FORMATS[name])
    document = Document(parsed.value, typed)
    tokens, base = (document.tokens(name, choice.tokenizer) for name in (AS_TYPED, baseline))
    change = fraction(tokens, base)
    if change is not None and change > allowed:
        figure = f"{signed_percent(change)} {vs_label(baseline)} without notes"
        yield 1, f"{figure}, {signed_percent(allowed)} is the most of the budget, {by}"
