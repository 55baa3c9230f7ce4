"""``toon measure --agents``: this machine's sessions of agents, listed before any is read."""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from toon.cli.output import align, say
from toon.wording import plural

if TYPE_CHECKING:
    from toon.agents.listing import SessionFile
    from toon.traffic.account import Account
    from toon.traffic.payload import Record

#: The days back to which sessions are measured by default, and the default output.
_DAYS: Final = 30
_OUTPUT: Final = Path("agents.parquet")


def add_agents(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--agents",
        action="store_true",
        help="in place of PATH: the sessions of the coding agents on this machine, the newest "
        f"first; without -o into {_OUTPUT}",
    )
    parser.add_argument(
        "--since",
        type=_days,
        default=argparse.SUPPRESS,
        metavar="DAYS",
        help=f"with --agents: sessions that changed in so many days, as in 7d; default: {_DAYS}d; "
        "all: whenever they did",
    )


def _days(text: str) -> int | None:
    """Return the number of days in an argument such as ``30d``; None for ``all``."""
    if text == "all":
        return None
    if not re.fullmatch(r"[0-9]{1,5}d", text):
        raise argparse.ArgumentTypeError(f"{text} is neither days such as 30d nor all")
    return int(text[:-1])


def check_agents(options: argparse.Namespace) -> None:
    """Refuse missing paths, and options that do not go with ``--agents``, as argparse does."""
    missing = ["PATH"] * (not options.paths) + ["-o/--output"] * (options.output is None)
    if options.agents:
        if options.paths or options.payload or options.group:
            options.parser.error("--agents takes neither PATH nor --payload nor --group")
    elif missing:
        options.parser.error(f"the following arguments are required: {', '.join(missing)}")
    elif hasattr(options, "since"):
        options.parser.error("--since belongs to --agents")
    options.output = options.output or _OUTPUT


class Corpus(NamedTuple):
    """The records to measure, the model that they name, and the bytes of their files.

    The bytes are None where a size is unknown.
    """

    read: Callable[[Account], Iterable[Record]]
    model: Callable[[], str | None]
    bytes: int | None


def sessions_of(options: argparse.Namespace) -> Corpus | int:
    """List agents' sessions; return them as a corpus, or the exit status if there are none."""
    from toon.agents.measuring import find_model
    from toon.agents.sessions import read_sessions

    files = _list(options)
    if not files:
        return 1

    def read(account: Account) -> Iterable[Record]:
        return chain.from_iterable(read_sessions(files, account))

    return Corpus(read, partial(find_model, files), sum(file.size for file in files))


def _list(options: argparse.Namespace) -> list[SessionFile]:
    """Print the sessions by agent; return the files of those in the asked days."""
    from toon.agents.listing import days_before, list_sessions, newest_first
    from toon.agents.words import HEAD, notes, rows, summed

    days = getattr(options, "since", _DAYS)
    found = list_sessions(os.environ)
    moment = days_before(time.time(), days)
    asked = [each.since(moment) for each in found]
    lines = align([HEAD, *rows(asked)]) if any(each.files for each in asked) else []
    if not lines:
        within = "" if days is None else f" that changed in the last {plural(days, 'day')}"
        lines = [f"no sessions of agents{within} are here"]
    older = [each.since(float("-inf")) for each in found if each.files]
    if sum(len(each.files) for each in asked) < sum(len(each.files) for each in older):
        lines.append(f"of all, which --since all measures: {summed(older)}")
    say("\n".join([*lines, *notes(found)]))
    return newest_first(asked)
