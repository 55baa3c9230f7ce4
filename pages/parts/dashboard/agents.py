"""Offers to measure the session logs of coding agents on this machine, if the server is one's own.

Session state:
    dashboard_agents_days: In how many last days the sessions changed that are read, in words.
"""

import time
from collections.abc import Sequence
from typing import Final

import streamlit as st

from pages.parts import controls
from pages.parts.dashboard import following, life
from pages.parts.hosted import is_own
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon.agents.homes import user_home
from toon.agents.listing import (
    HEAD,
    Listing,
    list_sessions,
    notes,
    rows,
    sort_files,
    subtract_days,
    sum_up,
)
from toon.agents.measuring import Measuring, find_tokenizer
from toon.costs import models
from toon.measuring.measure import DEFAULT_FORMATS, Settings

#: The days that are offered, in words, and how many they are; None is all time.
_DAYS: Final = {"7 days": 7, "30 days": 30, "90 days": 90, "all": None}
_DEFAULT: Final = "30 days"
_KEY: Final = "dashboard_agents_days"
#: Seconds for which a list of sessions is shown before it is made anew.
_LIST_SECONDS: Final = 30


def draw_agents() -> None:
    """Draw a button that measures the session logs of coding agents on this machine, if it has any.

    A server for others neither lists nor reads the sessions on its machine: they are not theirs.
    """
    if not is_own() or not (listings := _list_sessions(user_home())):
        return
    chosen, job = _pick_sessions(listings), following.get_current()
    reads = job is not None and not job.is_live and not job.done
    st.button(
        "Read my agents' sessions",
        key="dashboard_agents",
        type="primary",
        width="stretch",
        on_click=_begin,
        disabled=reads or bool(life.get_job()),
        help=f"{_labels(chosen)}. Nothing leaves this machine. Only files of sessions are opened, "
        "no settings and no credentials.",
    )
    st.caption(f"{sum_up(chosen)}, of {_describe_days()}")


def draw_sessions() -> None:
    """Draw a choice of last days, and how many session logs each coding agent changed in them."""
    if not is_own() or not (listings := _list_sessions(user_home())):
        return
    st.segmented_control(
        "Sessions of my agents that changed in the last",
        list(_DAYS),
        default=_DEFAULT,
        required=True,
        key=_KEY,
        persist_state="session",
    )
    chosen = _pick_sessions(listings)
    st.caption(escape_markdown(f"{sum_up(chosen)}: {_labels(chosen)}"))
    if any(listing.files for listing in chosen):
        cells = [dict(zip(HEAD, row, strict=True)) for row in rows(chosen)]
        draw_table(cells, right=HEAD[1:], box="Whose sessions these are")
    for note in notes(listings):
        st.caption(escape_markdown(note))


def _read_days() -> str:
    chosen = st.session_state.get(_KEY)
    return chosen if chosen in _DAYS else _DEFAULT


def _describe_days() -> str:
    return "all time" if _read_days() == "all" else f"the last {_read_days()}"


def _labels(chosen: Sequence[Listing]) -> str:
    labels = [listing.agent.label for listing in chosen if listing.files]
    return ", ".join(labels) or "No session changed in that time"


@st.cache_resource(max_entries=1, ttl=_LIST_SECONDS, show_spinner=False)
def _list_sessions(home: str) -> list[Listing]:
    # As a resource, which is not copied for each session of the app: there may be many files.
    return list_sessions()


def _pick_sessions(listings: Sequence[Listing]) -> list[Listing]:
    """Return agents' lists of session logs, cut to those that changed in the chosen last days."""
    moment = subtract_days(time.time(), _DAYS[_read_days()])
    return [listing.select_since(moment) for listing in listings]


def _begin() -> None:
    """Start to measure agents' session logs in a thread, newest first; on one's own server only."""
    if not is_own() or life.get_job():
        return
    files = sort_files(_pick_sessions(_list_sessions(user_home())))
    if not files:
        return
    life.say()
    state = st.session_state
    chosen = models.tokenizers_of(map(models.choose, state.get("dashboard_models", ())))
    tokenizers = chosen or [find_tokenizer(files, controls.read_model().tokenizer)]
    settings = Settings.of(
        tokenizers, DEFAULT_FORMATS, keep_payloads=state.get("dashboard_keep", True)
    )
    name = f"agents' sessions of {_describe_days()}"
    state.dashboard_paused = state.dashboard_source = False
    st.query_params.pop("run", None)  # what the address names would be shown
    state.dashboard_following = following.Following(Measuring(files, settings), settings, name)
