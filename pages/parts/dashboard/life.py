"""The run of the dashboard: what is open, what a job makes, and what the address names.

Session state:
    dashboard_run: The run that is shown.
    dashboard_job: The :class:`pages.parts.dashboard.job.Job` under way.
    dashboard_said: The message about the last action, as (kind, text).

The address holds the token of the run as ``run``: a page that is loaded again shows the run that
it showed before, as long as this process keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts.dashboard.job import Job
from pages.parts.dashboard.opened import Opened
from pages.parts.markdown import escape_markdown
from toon.errors import RunError
from toon.files import write_file
from toon.server import SERVER
from toon.server.runs import KEPT_HOURS, MOST, Folder
from toon.wording import plural

_POLL: Final = 0.4  # seconds
_BOXES: Final[dict[str, Callable[[str], object]]] = {
    "error": st.error,
    "warning": st.warning,
    "success": st.caption,
}
#: What is said of a run that is not kept any more.
GONE: Final = (
    f"This run is gone: the server keeps {MOST} runs, each for {KEPT_HOURS} hours after the last "
    "look at it, and none when it is restarted. Measure again or open a saved run."
)


def shown() -> Opened | None:
    """The run that is shown."""
    run: Opened | None = st.session_state.get("dashboard_run")
    return run


def under_way() -> Job | None:
    """The job under way."""
    job: Job | None = st.session_state.get("dashboard_job")
    return job


def stays() -> str:
    """That a run stays open where another cannot be opened; "" if there is none but a sample."""
    run = shown()
    return " What was open stays open." if run and run.token else ""


def drop_job() -> None:
    """Cancels the job under way; what it has done by then is not shown."""
    if job := st.session_state.pop("dashboard_job", None):
        job.cancel()


def take_ended() -> Job | None:
    """The job, once, if it has ended."""
    job = under_way()
    if job is None or not job.done:
        return None
    del st.session_state.dashboard_job
    return job


def find() -> Opened | None:
    """The run to show: what is open, or what the address names; None if there is none."""
    asked, run = st.query_params.get("run"), shown()
    if asked and under_way() is None and (run is None or asked != run.token):
        run = _reopen(asked)
    elif run and not run.look():
        run = _reopen(run.token or "")
    show(run)
    return run


def _reopen(token: str) -> Opened | None:
    """The run that is kept under this token; None, and why, if there is none."""
    kept = SERVER.runs.get(token)
    if kept is None:
        say("warning", GONE)
        return None
    run = Opened(kept.name, kept.folder.file)
    run.token = token
    return run


def show(run: Opened | None) -> None:
    """Makes a run the one that this session shows; the address names it, or the job's."""
    st.session_state.dashboard_run = run
    job = under_way()
    token = (job.board.token if job else None) or (run.token if run else None)
    if token is None:
        st.query_params.pop("run", None)
    elif st.query_params.get("run") != token:
        st.query_params["run"] = token


def open_file(name: str, data: bytes) -> bool:
    """Keeps the file of a run and shows it; else says why not, and what was shown stays."""
    folder = Folder()
    path = folder.file
    try:
        write_file(path, data)
        run = Opened(name, path)
    except (OSError, RunError, RuntimeError, ValueError) as error:
        reason = str(error).replace(str(path), "it").replace(path.name, "it").rstrip(".")
        say("error", f"{name} cannot be opened: {reason}.{stays()}")
        return False
    run.token = SERVER.runs.keep(name, folder)
    show(run)
    return True


def say(kind: str, text: str) -> None:
    """Keeps a message, an "error", "warning" or "success", until another action."""
    st.session_state.dashboard_said = kind, text


def unsay() -> None:
    """Drops the message of the last action."""
    st.session_state.pop("dashboard_said", None)


def said() -> tuple[str, str] | None:
    """The message of the last action, if there is one."""
    found: tuple[str, str] | None = st.session_state.get("dashboard_said")
    return found


def draw_done(otherwise: str) -> None:
    """What was done last in one line, or where nothing is said of it, something else."""
    kind, text = said() or ("", "")
    st.caption(escape_markdown(text if kind == "success" else otherwise))


def draw(*, is_done_said: bool) -> None:
    """The last message, and the job with a button to stop it."""
    if message := said():
        kind, text = message
        if not (is_done_said and kind == "success"):
            _BOXES[kind](escape_markdown(text))
    if under_way():
        _draw_job()


@st.fragment(run_every=_POLL)
def _draw_job() -> None:
    """How far the job is; the page runs again when it is done."""
    job = under_way()
    if job is None:
        return
    if job.done:
        with suppress(StreamlitAPIException):  # the page was left
            st.rerun()
        return
    bar, stop = st.columns([5, 1], vertical_alignment="bottom")
    progress, pace = job.board.progress, job.pace
    bad = f", {progress.bad:,} bad" if progress.bad else ""
    counted = f" ({plural(progress.records, 'record')}{bad})" if progress.records else ""
    line = f"Measuring {job.order.name}: {pace.words}{counted}"
    bar.progress(min(pace.done, 1.0), text=escape_markdown(line))
    stop.button(
        "Stopping…" if job.cancelled else "Cancel",
        key="dashboard_cancel",
        on_click=job.cancel,
        disabled=job.cancelled,
        width="stretch",
        help="What is measured by then is kept.",
    )
