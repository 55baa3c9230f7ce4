"""Offers to read the sessions that agents keep on this machine, where the server is one's own.

Session state:
    dashboard_agents_days: In how many last days the sessions changed that are read, in words.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import streamlit as st

from pages.parts import controls
from pages.parts.dashboard import following, life
from pages.parts.hosted import is_own
from pages.parts.static import draw_details
from toon.agents.homes import user_home
from toon.agents.listing import Listing, days_before, list_sessions, newest_first
from toon.agents.measuring import Measuring, tokenizer_of
from toon.agents.words import lines, notes, summed
from toon.costs import models
from toon.measuring.measure import DEFAULT_FORMATS, Settings

#: The days that are offered, in words, and how many they are; None is all time.
_DAYS: Final = {"7 days": 7, "30 days": 30, "90 days": 90, "all": None}
_FIRST: Final = "30 days"
_KEY: Final = "dashboard_agents_days"
#: Seconds for which a list of sessions is shown before it is made anew.
_FRESH: Final = 30


def draw_agents() -> None:
    """The button, the choice of days and what is there; nothing where there is none.

    A server for others neither lists nor reads what it finds: it is not theirs.
    """
    if not is_own():
        return
    found = _listed(user_home())
    if not found:
        return
    job = following.current()
    reads = job is not None and not job.is_live and not job.done
    with st.container(horizontal=True):
        st.button(
            "Read my agents' sessions",
            key="dashboard_agents",
            type="primary",
            on_click=_begin,
            disabled=reads or bool(life.under_way()),
            help="Nothing leaves this machine. Only files of sessions are opened, no settings and "
            "no credentials.",
        )
        st.segmented_control(
            "Changed in the last",
            list(_DAYS),
            default=_FIRST,
            required=True,
            key=_KEY,
            persist_state="session",
            label_visibility="collapsed",
        )
    asked = _asked(found)
    draw_details(_said(asked), [*lines(asked), *notes(found)])


def _said(asked: Sequence[Listing]) -> str:
    named = [each.agent.label for each in asked if each.files]
    return f"{summed(asked)}: {', '.join(named)}" if named else "No session changed in that time"


@st.cache_resource(max_entries=1, ttl=_FRESH, show_spinner=False)
def _listed(home: str) -> list[Listing]:
    """What there is in the home; a list of many files is not copied for each session."""
    return list_sessions()


def _asked(found: Sequence[Listing]) -> list[Listing]:
    """What of it changed in the chosen days."""
    moment = days_before(time.time(), _DAYS[_within()])
    return [each.since(moment) for each in found]


def _within() -> str:
    chosen = st.session_state.get(_KEY)
    return chosen if chosen in _DAYS else _FIRST


def _begin() -> None:
    """Reads the sessions, the newest first. A client may ask for it where no button is."""
    if not is_own() or life.under_way():
        return
    files = newest_first(_asked(_listed(user_home())))
    if not files:
        return
    life.unsay()
    state = st.session_state
    chosen = models.tokenizers_of(map(models.choose, state.get("dashboard_models", ())))
    tokenizers = chosen or [tokenizer_of(files, controls.chosen_model().tokenizer)]
    settings = Settings.of(
        tokenizers, DEFAULT_FORMATS, keep_payloads=state.get("dashboard_keep", True)
    )
    days = "" if _within() == "all" else f" of the last {_within()}"
    state.dashboard_paused = state.dashboard_source = False
    st.query_params.pop("run", None)  # what the address names would be shown
    state.dashboard_following = following.Following(
        Measuring(files, settings), settings, f"agents' sessions{days}", is_live=False
    )
