"""Which files that grow the dashboard may follow for whoever uses it.

On one's own machine that is any. A server for others reads none but those that the operator lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toon.http.lock import Lock, listed


def allowed_files(lock: Lock, environment: Mapping[str, str]) -> tuple[Path, ...] | None:
    """The files in ``TOON_FOLLOW``; None where there are none and any may be followed."""
    files = listed(environment, "TOON_FOLLOW", "files such as traffic.jsonl", bool)
    return tuple(map(Path, files)) if files or lock.is_for_others else None
