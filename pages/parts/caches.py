"""Every cache of the pages: one decorator and one table of bounds.

A cached function stands beside the panel that draws its result, and its name stands in ENTRIES.
It takes names, numbers and at most one payload, which is known by its key, and returns plain rows:
Streamlit copies what it returns, and objects of our own classes would not survive a hot reload.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, ParamSpec, TypeVar

import streamlit as st

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

#: How many results each function keeps; the least recently stored one goes first.
ENTRIES: Final = {
    # shared
    "bundled_texts": 3,
    "compare_formats": 24,
    "write_as": 32,
    # playground
    "measure_bill": 8,
    # compare
    "choose_format": 16,
    "compare_delimiters": 16,
    "find_unusable_tokenizers": 1,
    # compact
    "find_domain": 8,
    "measure_answer": 32,
    "measure_template": 32,
    "measure_story": 16,
    "measure_domains": 8,
    "measure_growth": 16,
    "measure_estimates": 8,
    # dialects
    "measure_claims": 16,
    "measure_slimmed": 16,
    "measure_ticket_shares": 16,
    # advisor
    "measure_steps": 8,
    "find_best_steps": 8,
    "measure_together": 8,
    "measure_fields": 8,
    # pipeline
    "replay_run": 16,
}

#: Seconds after which a result is worked out again, where what it says may change.
SECONDS: Final = {"find_unusable_tokenizers": 60}

#: By name, because a hot reload makes a new class; ``payload`` itself uses these caches.
_HASHES: Final[dict[str | type[Any], Callable[[Any], Any]]] = {
    "pages.parts.payload.Payload": attrgetter("key")
}


def cached(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Keeps the results of a function for all sessions, within the bounds above."""
    name = function.__name__
    return st.cache_data(
        function,
        max_entries=ENTRIES[name],
        ttl=SECONDS.get(name),
        show_spinner=False,
        hash_funcs=_HASHES,
    )
