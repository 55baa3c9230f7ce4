"""Results that all sessions share, kept by Streamlit within a bound.

Only what is not about a payload is kept here: a pane keeps what was found out about its text. A
cached function takes names and numbers and returns plain rows: Streamlit copies what it returns,
and objects of our own classes would not survive a hot reload.
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
    """Keeps the last results of a function, ``entries`` at most, and each so many ``seconds``."""
    return st.cache_data(max_entries=entries, ttl=seconds, show_spinner=False)
