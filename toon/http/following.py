"""Which files that grow the dashboard may follow for whoever uses it.

On one's own machine that is any. A server for others reads none but those that the operator lists.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from toon.http.lock import Lock, listed


def allowed_files(lock: Lock, environment: Mapping[str, str]) -> tuple[Path, ...] | None:
    """The files in ``TOON_FOLLOW``; None where there are none and any may be followed."""
    files = listed(environment, "TOON_FOLLOW", "files such as traffic.jsonl", bool)
    return tuple(map(Path, files)) if files or lock.is_for_others else None


def files_named(arguments: Sequence[str]) -> str:
    """The files that ``--follow FILE`` names in the arguments of a server, with commas between.

    Other arguments are somebody else's: several programs can start the server.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--follow", action="append", default=[], metavar="FILE")
    named: list[str] = parser.parse_known_args(list(arguments))[0].follow
    return ",".join(named)
