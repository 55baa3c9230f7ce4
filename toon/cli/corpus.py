"""The inputs of ``toon measure``: files, or the sessions of coding agents here (``--agents``)."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from toon.cli.output import align, say
from toon.cli.summary import say_bad
from toon.wording import plural

if TYPE_CHECKING:
    from toon.traffic.account import Account
    from toon.traffic.folders import InputFile
    from toon.traffic.payload import Record

#: The days back to which sessions are measured by default, and the default output.
_DAYS: Final = 30
_OUTPUT: Final = Path("agents.parquet")
#: The most files that are looked into before measuring, for payloads wrapped in an unknown way.
_SNIFFED_AT_MOST: Final = 200


def add_agents(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--agents",
        action="store_true",
        help="in place of PATH: the sessions of the coding agents on this machine, the newest "
        f"first; without -o into {_OUTPUT}",
    )
    parser.add_argument(
        "--since",
        type=_read_days,
        default=argparse.SUPPRESS,
        metavar="DAYS",
        help=f"with --agents: sessions that changed in so many days, as in 7d; default: {_DAYS}d; "
        "all: whenever they did",
    )


def _read_days(text: str) -> int | None:
    """Convert an argument such as ``30d`` to its number of days, ``all`` to None; refuse others."""
    if text == "all":
        return None
    if not re.fullmatch(r"[0-9]{1,5}d", text):
        raise argparse.ArgumentTypeError(f"{text} is neither days such as 30d nor all")
    return int(text[:-1])


def check_agents(options: argparse.Namespace) -> None:
    """Check the options of ``toon measure``: exit if some are missing or do not go with
    ``--agents``. Set the default of ``--output``.
    """
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
    """What to measure: functions that read its records and find the model they name (None if none
    does), and its size in bytes, None if a file is remote.
    """

    read: Callable[[Account], Iterable[Record]]
    model: Callable[[], str | None]
    bytes: int | None


def find_sessions(options: argparse.Namespace) -> Corpus | int:
    """List the sessions of coding agents on this machine on standard error; return those of the
    last ``--since`` days as a corpus, or exit status 1 if there are none.
    """
    from toon.agents.listing import (
        HEAD,
        days_before,
        list_sessions,
        newest_first,
        notes,
        rows,
        summed,
    )
    from toon.agents.measuring import find_model
    from toon.agents.sessions import read_sessions

    days = getattr(options, "since", _DAYS)
    homes = list_sessions(os.environ)
    moment = days_before(time.time(), days)
    recent = [home.since(moment) for home in homes]
    lines = align([HEAD, *rows(recent)]) if any(home.files for home in recent) else []
    if not lines:
        within = "" if days is None else f" that changed in the last {plural(days, 'day')}"
        lines = [f"no sessions of agents{within} are here"]
    older = [home.since(float("-inf")) for home in homes if home.files]
    if sum(len(home.files) for home in recent) < sum(len(home.files) for home in older):
        lines.append(f"of all, which --since all measures: {summed(older)}")
    say("\n".join([*lines, *notes(homes)]))
    files = newest_first(recent)
    if not files:
        return 1

    def read(account: Account) -> Iterable[Record]:
        return chain.from_iterable(read_sessions(files, account))

    return Corpus(read, partial(find_model, files), sum(file.size for file in files))


def list_files(options: argparse.Namespace) -> Corpus | int:
    """Return the files of ``toon measure PATH`` as a corpus, or an exit status if there is none.

    Raises:
        ValueError: An output is one of the files.
    """
    from toon.measuring.logged import find_logged_model
    from toon.traffic import read, read_paths
    from toon.traffic.folders import InputFile, find_files
    from toon.traffic.payload import BadRecord

    items = list(find_files(options.paths))
    files = [item for item in items if isinstance(item, InputFile)]
    if not files:
        bad = (item for item in items if isinstance(item, BadRecord))
        say_bad((item.source, item.record, item.reason) for item in bad)
        return 1
    inputs = {os.path.realpath(file.path) for file in files}
    for path in (options.output, *options.report):
        if os.path.realpath(path) in inputs:
            raise ValueError(f"{path} is one of the files to measure: name another output")
    if options.payload is None and _say_refused(files, options):
        return 2
    paths = {"payload_path": options.payload, "group_path": options.group}
    local = [file for file in files if not file.remote]

    def find_model() -> str | None:
        logs = (read(file.path, file.name, **paths) for file in local)
        return find_logged_model(logs, len(local))

    try:
        size = sum(os.path.getsize(file.path) for file in files)
    except OSError:  # a file that is remote
        size = None
    return Corpus(
        lambda account: read_paths(options.paths, **paths, account=account), find_model, size
    )


def _say_refused(files: Sequence[InputFile], options: argparse.Namespace) -> bool:
    """Report log files that wrap their payloads in an unknown way; return whether there are any.

    For each, print the commands that would read it, one for each path that may hold payloads.
    """
    from toon.traffic import sniff
    from toon.traffic.wrapped import WrappedError

    is_refused = False
    for file in files[:_SNIFFED_AT_MOST]:
        try:
            sniff(file.remote or file.path, file.name)
        except WrappedError as error:
            is_refused = True
            say(f"{file.name}: {error}")
            for place in error.candidates:
                seen = plural(place.count, "time")
                print(f"  {place.path}, seen {seen}, for instance {place.example}", file=sys.stderr)
                group = ["--group", options.group] if options.group else []
                rest = [file.path, "-o", str(options.output), *group, "--payload", place.path]
                print(f"    {options.parser.prog} {shlex.join(rest)}", file=sys.stderr)
        except ValueError:  # measuring will report the reason
            continue
    return is_refused
