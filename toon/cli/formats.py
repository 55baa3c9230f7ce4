"""``encode`` and ``decode`` with ``--format``: any format of the table in the place of TOON."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from toon.cli.output import read_blocks, say_notices
from toon.installed import require
from toon.text import Notice, Parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_TOON: Final = "toon"
#: Options that only TOON has, by their place among the parsed ones.
_TOONS: Final = ("delimiter", "indent", "spec", "fold_keys", "expand_paths")


def add_format(parser: argparse.ArgumentParser, what: str) -> None:
    """Adds ``--format``: None stands for TOON, which needs no table."""
    about = f"{what}: toon (default), json-columns, tron or another that the command stats lists"
    parser.add_argument("--format", type=_other, metavar="NAME", help=about)


def _other(name: str) -> str | None:
    """The name of a format other than TOON.

    Raises:
        InstallationError: What formats need is not installed.
    """
    if name == _TOON:
        return None
    require("tokens", f"--format {name}")
    from toon import formats
    from toon.cli.around import said_by_argparse

    with said_by_argparse():
        return formats.get(name).name


def check_options(options: argparse.Namespace) -> None:
    """Refuses an option of TOON beside another format; the command ends with status 2."""
    if options.format is None:
        return
    given = vars(options)
    for name in _TOONS:
        if name in given and given[name] != options.parser.get_default(name):
            option = f"--{name.replace('_', '-')}"
            options.parser.error(f"argument {option}: is for TOON, not for {options.format}")


def write_in(options: argparse.Namespace, value: Any) -> Iterator[str]:
    """A value in the format asked for; what it loses is said on standard error.

    Raises:
        ValueError, EncodeError: The format cannot carry the value.
    """
    from toon.costs.proof import lost_of
    from toon.formats import FORMATS
    from toon.formats.base import NotApplicable

    format = FORMATS[options.format]
    try:
        text = format.dumps(value)
    except NotApplicable as reason:
        raise ValueError(f"{options.file}: {reason}") from None
    say_notices(options.file, [Notice(each) for each in lost_of(format, value, text)])
    yield text


def read_as(options: argparse.Namespace) -> Parsed:
    """The value of a file in the format asked for.

    Raises:
        ValueError: The text is of another format, or nobody can read this one back.
    """
    from toon.formats import FORMATS
    from toon.formats.base import OneWay

    text = "".join(read_blocks(options.file))
    try:
        return FORMATS[options.format].read(text, strict=not options.lenient)
    except OneWay as reason:
        raise ValueError(f"{options.file}: {reason}") from None
