"""The growing files that visitors of the dashboard may follow.

On one's own machine any file may be followed; a server for others allows only listed files.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from toon.http.lock import Lock, listed


def allowed_files(lock: Lock, environment: Mapping[str, str]) -> tuple[Path, ...] | None:
    """Return the files in ``TOON_FOLLOW``; None if any file may be followed."""
    files = listed(environment, "TOON_FOLLOW", "files such as traffic.jsonl", bool)
    return tuple(map(Path, files)) if files or lock.is_for_others else None


def files_named(arguments: Sequence[str]) -> str:
    """Return the files of ``--follow FILE`` in a server's arguments, with commas between.

    Other arguments are ignored: they belong to the program that starts the server.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--follow", action="append", default=[], metavar="FILE")
    named: list[str] = parser.parse_known_args(list(arguments))[0].follow
    return ",".join(named)
