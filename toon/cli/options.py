"""Options that several commands take, and the filters among them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

from toon.cli.output import say, terminal_width
from toon.codec.text import LEGACY_VERSION, SPEC_VERSION
from toon.text import Notice, Parsed, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol, TypeAlias, TypeVar

    from toon.costs.explanation import Explaining
    from toon.costs.models import Choice, Model

    Value = TypeVar("Value")

    class _Named(Protocol):
        @property
        def name(self) -> str: ...


#: The type of argparse's add_subparsers; the class has no public name.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

# argparse asks gettext for each of its words, also for None. Nothing is translated, and the
# search for translations takes longer than all other work.
vars(argparse)["_"] = lambda words: words


class Help(argparse.HelpFormatter):
    """A formatter of argparse help as wide as the terminal, found without importing modules."""

    def __init__(self, prog: str) -> None:
        setting = os.environ.get("COLUMNS", "")
        columns = int(setting) if setting.isdecimal() else terminal_width(1)
        super().__init__(prog, width=max(columns - 2, 11))


class RawHelp(Help, argparse.RawDescriptionHelpFormatter):
    """A formatter of argparse help that keeps the lines of description and epilog as they are."""


def add_files(parser: argparse.ArgumentParser, use: str) -> None:
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help=f"{use}; - is stdin")
    parser.add_argument("-o", "--output", metavar="FILE", help="instead of standard output")


def check_argument(read: Callable[..., Value], *values: object) -> Value:
    """Return ``read(*values)``; turn a ValueError into argparse's error with the same message."""
    try:
        return read(*values)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_names(parser: argparse.ArgumentParser, option: str, text: str) -> None:
    """Add ``option`` to a parser: names of models, tokenizers or formats with commas between."""

    def read(text: str) -> list[str]:
        from toon import formats, tokenizers
        from toon.costs import models

        tables: dict[str, Callable[[str], _Named]] = {
            "--model": models.get,
            "--tokenizer": tokenizers.get,
        }
        table = tables.get(option, formats.get)
        return [check_argument(table, name.strip()).name for name in text.split(",")]

    text = f"names with commas between; {text}"
    parser.add_argument(option, type=read, action="extend", metavar="NAMES", help=text)


def read_count(text: str) -> int:
    """Convert an option's argument to a whole number; refuse one below 1."""
    number = whole_number(text, 1, 10**9)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 on")
    return number


def add_counting(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the options ``--model`` and ``--tokenizer`` to a command's parser."""
    from toon.limits import DEFAULT_TOKENIZER

    add_names(parser, "--model", "as in gpt-5,claude-haiku-4.5; each brings its tokenizer")
    add_names(parser, "--tokenizer", f"default: {DEFAULT_TOKENIZER}, without a model{more}")


def read_choices(options: argparse.Namespace) -> list[Choice]:
    """Return the models and tokenizers that a command's options name, or the default tokenizer."""
    from toon.costs.models import choices

    return choices(options.model or (), options.tokenizer or ())


def leave_uncounted(choices: list[Choice]) -> list[Choice]:
    """Return the models and tokenizers that can be counted on this machine; report the others.

    If none can be, return all: counting by them then says why it fails.
    """
    from toon.tokenizers import get

    counted = [choice for choice in choices if choice.counted]
    for choice in choices if counted else ():
        if choice not in counted:
            say(f"{choice.name} is left out. {get(choice.tokenizer).evidence}")
    return counted or choices


def excess_words(tokens: int, allowed: int) -> str:
    """Write a number of tokens beside a limit: ``120 tokens, 20 more than the 100``."""
    from toon.wording import count, plural

    return f"{plural(tokens, 'token')}, {count(tokens - allowed)} more than the {count(allowed)}"


def add_explaining(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--together",
        type=_explaining_check(lambda text: (text,)),
        default="1",
        metavar="N",
        help="payloads in a prompt, which share the note to the model (1); none: it needs no note",
    )
    parser.add_argument(
        "--explain",
        type=_explaining_check(lambda text: ("1", [text])),
        action="append",
        default=[],
        metavar="FORMAT=TEXT",
        help="your own note to the model about a format; may be given again",
    )
    parser.add_argument(
        "--explained-cached",
        type=_explaining_check(lambda text: ("1", (), text)),
        default="0",
        metavar="SHARE",
        help="share of the prompts, 0 to 1, that read the note from the provider's cache, "
        "at the model's price of that (0)",
    )


def _explaining_check(place: Callable[[str], tuple[Any, ...]]) -> Callable[[str], str]:
    """Return a function that checks an option's argument by ``Explaining.parse`` and returns it.

    ``place`` puts the argument among the arguments of ``Explaining.parse``.
    """

    def read(text: str) -> str:
        from toon.costs.explanation import Explaining

        check_argument(Explaining.parse, *place(text))
        return text

    return read


def read_explaining(options: argparse.Namespace, model: Model | None = None) -> Explaining:
    """Return how a command's options count notes that explain formats, at a model's prices."""
    from toon.costs.explanation import Explaining
    from toon.costs.prices import use_prices

    explaining = Explaining.parse(options.together, options.explain, options.explained_cached)
    return use_prices(model, explaining)


def add_toon_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--indent",
        type=int,
        choices=range(1, 17),
        default=2,
        metavar="N",
        help="spaces a level, 1 to 16 (2)",
    )
    parser.add_argument(
        "--spec",
        choices=(SPEC_VERSION, LEGACY_VERSION),
        default=SPEC_VERSION,
        help=f"version of TOON ({SPEC_VERSION}); {LEGACY_VERSION} is what older libraries use",
    )


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--filter",
        metavar="PATTERNS",
        default="",
        help="fields to drop first, as in etag,*.kind,items.at.*.rs: * is any number of levels",
    )
    parser.add_argument(
        "--filter-preset", metavar="NAME", help="fields that a service's answers can do without"
    )


def apply_filters(options: argparse.Namespace, parsed: Parsed) -> Parsed:
    """Return a JSON value without the fields that a command's options filter; a notice counts them.

    Raises:
        ValueError: A pattern or the name of a preset is wrong.
    """
    if not options.filter and options.filter_preset is None:
        return parsed
    from toon.values import filters
    from toon.wording import plural

    patterns = filters.parse(options.filter)
    if options.filter_preset is not None:
        patterns += filters.preset(options.filter_preset)
    if not patterns:
        return parsed
    value, dropped = filters.apply(parsed.value, patterns)
    notice = Notice(f"{plural(dropped, 'field')} dropped by filters")
    return Parsed(value, (*parsed.notices, notice))
