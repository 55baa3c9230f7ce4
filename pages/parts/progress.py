"""What a page says of its last action and of its job, and the token of its run in the address.

Session state:
    {page}_said: The message about the last action, as (kind, text).
    {page}_job: The :class:`pages.parts.job.Job` in progress.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts.markdown import escape_markdown

_POLL: Final = 0.4  # seconds


def say(page: str, kind: str, text: str) -> None:
    """Keeps a message, an "error", "warning" or "success", until another action."""
    st.session_state[f"{page}_said"] = kind, text


def unsay(page: str) -> None:
    """Drops the message of the last action."""
    st.session_state.pop(f"{page}_said", None)


def draw_progress(page: str, describe: Callable[[Any], tuple[float, str]], help: str) -> None:
    """The last message, and the job with a button to stop it.

    Args:
        page: What the keys of the session state begin with.
        describe: The job in, its fraction (0 to 1) and a line about it out.
        help: What happens to the work that is done when it is stopped.
    """
    if said := st.session_state.get(f"{page}_said"):
        kind, text = said
        boxes = {"error": st.error, "warning": st.warning, "success": st.success}
        boxes[kind](escape_markdown(text))
    if f"{page}_job" in st.session_state:
        st.fragment(_draw_job, run_every=_POLL)(page, describe, help)


def _draw_job(page: str, describe: Callable[[Any], tuple[float, str]], help: str) -> None:
    """The page runs again when the job is done."""
    job = st.session_state.get(f"{page}_job")
    if job is None:
        return
    if job.done:
        with suppress(StreamlitAPIException):  # the page was left
            st.rerun()
        return
    bar, stop = st.columns([5, 1], vertical_alignment="bottom")
    fraction, line = describe(job)
    bar.progress(min(fraction, 1.0), text=escape_markdown(line))
    stop.button(
        "Stopping…" if job.cancelled else "Cancel",
        key=f"{page}_cancel",
        on_click=job.cancel,
        disabled=job.cancelled,
        width="stretch",
        help=help,
    )


def name_in_address(parameter: str, token: str | None) -> None:
    """Lets the address name the run that is shown; None: it names none."""
    if token is None:
        st.query_params.pop(parameter, None)
    elif st.query_params.get(parameter) != token:
        st.query_params[parameter] = token
