"""Every cache of the pages: how to make one, and one table of bounds.

A cached function stands beside the panel that draws its result, and its name stands in ENTRIES.
It takes names, numbers and at most one payload, which is known by its key. It returns plain rows:
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
    "sample_titles": 1,
    "compare_formats": 24,
    "no_estimate": 32,
    "measure_code": 24,
    # playground
    "measure_bill": 8,
    # compare
    "compare_delimiters": 16,
    "has_growing_table": 16,
    "unusable": 1,
    # compact
    "find_domain": 8,
    "measure_answer": 32,
    "measure_template": 32,
    "measure_story": 16,
    "domain_rows": 8,
    "growth_rows": 16,
    "estimate_rows": 8,
    # dialects
    "write_as": 32,
    "measure_claims": 16,
    "measure_slimmed": 16,
    "measure_ticket_shares": 16,
    # advisor
    "measure_steps": 8,
    "measure_together": 8,
    "measure_fields": 8,
    # pipeline
    "replay_run": 16,
    # reading
    "find_questions": 8,
    "hash_payload": 32,
}

#: Seconds after which a result is worked out again, where it may change by itself.
SECONDS: Final = {"unusable": 60}

#: The class by its name: a hot reload replaces it, and ``payload`` itself uses these caches.
_HASHES: Final[dict[str | type[Any], Callable[[Any], Any]]] = {
    "toon.playground.panes.Pane": attrgetter("key")
}


def cached(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Keeps the results of a function for all sessions, within the bounds above."""
    name = function.__name__
    keep = st.cache_data(
        max_entries=ENTRIES[name],
        ttl=SECONDS.get(name),
        show_spinner=False,
        hash_funcs=_HASHES,
    )
    return keep(function)
