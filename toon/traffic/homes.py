"""Agents' homes: folders and archives in which only the sessions are logs."""

import re
from collections.abc import Callable, Sequence
from typing import Final

#: Folders that agents keep their sessions in.
_HOMES: Final = re.compile(
    r"(?i)(?:^|/)(?:\.claude|\.codex|\.gemini|\.qwen|\.copilot|\.continue|\.factory|\.pi|\.lmstudio"
    r"|opencode|chatSessions|rollout-[^/]*\.jsonl|sessions-index\.json)(?:/|$)"
)
#: Files beside sessions: lists of sessions, facts of a sub-agent, settings.
_BESIDE: Final = re.compile(
    r"(?i)(?:sessions?-index|.*\.meta|settings(?:\.local)?|config|projects|trustedFolders|version"
    r"|google_accounts|installation_id|models_cache|\.?claude|state|stats-cache|package(?:-lock)?"
    r"|keybindings|todos|summary|logs|mcp|tui|history|prompt_history|.*history-index)\.jsonl?"
)
#: The folder of an archived log in which the messages are.
_SAMPLES: Final = "samples/"
_HEADER: Final = "header.json"
_LOOKED_AT: Final = 50


def find_beside(names: Sequence[str], is_session: Callable[[str], bool]) -> frozenset[str]:
    """Return which of a folder's file names belong to a coding agent but hold no session.

    ``is_session`` tells by a file's content whether it is a session; it is called only for the few
    files whose names do not tell.
    """
    if _HEADER in names and any(name.startswith(_SAMPLES) for name in names):  # Inspect
        return frozenset(name for name in names if not name.startswith(_SAMPLES))
    beside = [name for name in names if _BESIDE.fullmatch(name.rpartition("/")[2])]
    others = [name for name in names if name not in set(beside)][:_LOOKED_AT] if beside else []
    is_home = beside and (any(map(_HOMES.search, names)) or any(map(is_session, others)))
    return frozenset(name for name in beside if not is_session(name)) if is_home else frozenset()
