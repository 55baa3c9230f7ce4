"""The measured run on the dashboard: what is open, what a job makes, and what the address names.

Session state:
    dashboard_run: The run that is shown.
    dashboard_job: The :class:`pages.parts.dashboard.job.Job` under way.
    dashboard_said: The message about the last action, as (kind, text).

The address holds the token of the run as ``run``: a page that is loaded again shows the run that
it showed before, as long as this process keeps it.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts.dashboard.job import Job
from pages.parts.dashboard.open_run import OpenRun
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
#: The message about a run that is not kept any more.
GONE: Final = (
    f"This run is gone: the server keeps {MOST} runs, each for {KEPT_HOURS} hours after the last "
    "look at it, and none when it is restarted. Measure again or open a saved run."
)


def get_run() -> OpenRun | None:
    run: OpenRun | None = st.session_state.get("dashboard_run")
    return run


def get_job() -> Job | None:
    job: Job | None = st.session_state.get("dashboard_job")
    return job


def mention_open_run() -> str:
    """Return a sentence that the run shown stays open; "" if the dashboard shows the example."""
    run = get_run()
    return " What was open stays open." if run and run.token else ""


def find_run() -> OpenRun | None:
    """Return the measured run that the page's address names, else the one shown last, or None.

    The dashboard shows it from then on. A warning says if the server keeps it no longer.
    """
    token, run = st.query_params.get("run"), get_run()
    if token and get_job() is None and (run is None or token != run.token):
        run = _reopen(token)
    elif run and not run.look():
        run = _reopen(run.token or "")
    show(run)
    return run


def _reopen(token: str) -> OpenRun | None:
    entry = SERVER.runs.get(token)
    if entry is None:
        say("warning", GONE)
        return None
    run = OpenRun(entry.name, entry.folder.file)
    run.token = token
    return run


def show(run: OpenRun | None) -> None:
    """Make ``run`` the one that the dashboard shows, and write its token into the page's address.

    The token of a job under way comes before that of the run; without either the address has none.
    """
    st.session_state.dashboard_run = run
    job = get_job()
    token = (job.board.token if job else None) or (run.token if run else None)
    if token is None:
        st.query_params.pop("run", None)
    elif st.query_params.get("run") != token:
        st.query_params["run"] = token


def open_file(name: str, data: bytes) -> bool:
    """Show an uploaded run (Parquet) on the dashboard; if unreadable, say why and return False."""
    folder = Folder()
    path = folder.file
    try:
        write_file(path, data)
        run = OpenRun(name, path)
    except (OSError, RunError, RuntimeError, ValueError) as error:
        reason = str(error).replace(str(path), "it").replace(path.name, "it").rstrip(".")
        say("error", f"{name} cannot be opened: {reason}.{mention_open_run()}")
        return False
    run.token = SERVER.runs.keep(name, folder)
    show(run)
    return True


def say(kind: str = "", text: str = "") -> None:
    """Keep an "error", "warning" or "success" message for the dashboard; "" drops the last one."""
    st.session_state.dashboard_said = kind, text


def get_message() -> tuple[str, str]:
    """Return the kind and text of the dashboard's message about the last action; "" for none."""
    message: tuple[str, str] = st.session_state.get("dashboard_said", ("", ""))
    return message


def draw(*, is_done_said: bool) -> None:
    """Draw the dashboard's last message, and the progress of a measurement under way.

    A message of success is left out where it ``is_done_said`` elsewhere.
    """
    kind, text = get_message()
    if kind and not (is_done_said and kind == "success"):
        _BOXES[kind](escape_markdown(text))
    if get_job():
        _draw_job()


@st.fragment(run_every=_POLL)
def _draw_job() -> None:
    job = get_job()
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
