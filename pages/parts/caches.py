"""Results that all sessions share, kept by Streamlit within a bound.

Results about a payload are not kept here: its pane keeps them. A cached function takes names and
numbers and returns plain rows: Streamlit copies results, and objects of our own classes would not
survive a hot reload.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import streamlit as st

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def cached(
    entries: int, seconds: float | None = None
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Keep at most ``entries`` results of a function, each for ``seconds``, or for good if None."""
    return st.cache_data(max_entries=entries, ttl=seconds, show_spinner=False)
