"""The run of the page: asked here, opened from a file, or named by the address.

Session state:
    reading_job: The :class:`Asking` in progress.
    reading_run: The :class:`Opened` run.
    reading_said: The message about the last action, as (kind, text).

The address holds the token of the run in its parameter ``asked``: a page that is loaded again
finds the run that it showed before, or the job under way, as long as this process keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Final, Literal

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts import payload
from pages.parts.dashboard.kept import KEPT_HOURS, MOST, Folder
from pages.parts.markdown import escape_markdown
from pages.parts.reading.endpoint import may_ask
from pages.parts.reading.job import JOBS, RUNS, Asking, Order
from pages.parts.reading.questions import LARGEST_SEED, MOST_QUESTIONS
from toon.costs.choice import COMPACT
from toon.files import write_file
from toon.formats import FORMATS
from toon.reading.endpoint import Endpoint
from toon.reading.plan import Plan
from toon.reading.questions import FEWEST
from toon.reading.records import About, RunError, check_resumable
from toon.reading.results import Results, summarise
from toon.reading.run import Budget, Record, Run, read_run, to_parquet
from toon.wording import plural

_POLL: Final = 0.4  # seconds
#: The key of the page's tabs.
TAB: Final = "reading_tab"
_ASKED: Final = "asked"
_GONE: Final = (
    f"This run is gone: the server keeps {MOST} runs, each for {KEPT_HOURS} hours after the last "
    "look at it, and none when it is restarted. Ask again, or open its file."
)


@dataclass(frozen=True)
class Opened:
    """A run with its name for people and its token."""

    name: str
    token: str
    run: Run

    @cached_property
    def results(self) -> Results:
        """What the run says."""
        return summarise(self.run.records)

    @cached_property
    def file(self) -> bytes:
        """The run as a Parquet file."""
        return to_parquet(self.run)


def current_run() -> Opened | None:
    """The run to show: what is open, or what the address names; None if there is none."""
    _finish_job()
    session, asked = st.session_state, st.query_params.get(_ASKED)
    opened: Opened | None = session.get("reading_run")
    known = {one.token for one in (opened, session.get("reading_job")) if one}
    if asked and asked not in known:
        if asked in JOBS and not is_asking():
            session.reading_job = JOBS[asked]
        elif not is_asking():
            opened = _reopen(asked)
    _show(opened)
    return opened


def is_asking() -> bool:
    """Whether a model is being asked for this session."""
    return "reading_job" in st.session_state


def _reopen(token: str) -> Opened | None:
    kept = RUNS.get(token)
    if kept is None:
        _say("warning", _GONE)
        return None
    run = read_run(kept.path)
    _choose_as(run.meta)
    return Opened(kept.name, token, run)


def _choose_as(meta: About) -> None:
    """Sets the controls to what a run was asked with, so that it can go on; but not whom to ask.

    A file may come from anybody: what no control could say is left out.
    """
    formats = [name for name in meta.formats if name in FORMATS and name != COMPACT]
    said = {
        "reading_count": (meta.questions, _is_whole(meta.questions, FEWEST, MOST_QUESTIONS)),
        "reading_seed": (meta.seed, _is_whole(meta.seed, 0, LARGEST_SEED)),
        "reading_formats": (formats, bool(formats)),
        "reading_explained": (meta.is_explained, isinstance(meta.is_explained, bool)),
        "reading_model": (meta.model, isinstance(meta.model, str) and len(meta.model) < 200),
    }
    st.session_state.update({key: value for key, (value, holds) in said.items() if holds})


def _is_whole(value: object, least: int, most: int) -> bool:
    """Whether a value is a whole number within bounds."""
    return type(value) is int and least <= value <= most


def _show(opened: Opened | None) -> None:
    """Makes a run, or the job under way, what this session and the address name."""
    job: Asking | None = st.session_state.get("reading_job")
    st.session_state.reading_run = opened
    named = job or opened
    if named is None:
        st.query_params.pop(_ASKED, None)
    elif st.query_params.get(_ASKED) != named.token:
        st.query_params[_ASKED] = named.token


def _say(kind: str, text: str) -> None:
    st.session_state.reading_said = kind, text


def _finish_job() -> None:
    """Opens the run of a job that has ended. If it has no answer, the run shown stays."""
    job: Asking | None = st.session_state.get("reading_job")
    if job is None or not job.done:
        return
    del st.session_state.reading_job
    why = job.error or job.board.stopped
    if not job.board.is_kept:
        st.query_params.pop(_ASKED, None)
        _say("error", f"{job.name} gave no answer. {why}")
        return
    st.session_state.reading_run = opened = _reopen(job.token)
    if opened is None:
        return
    st.session_state[TAB] = "Result"
    if why:
        _say(
            "warning", f"{why} {plural(job.board.answered, 'answer')} of {job.requests:,} are kept."
        )
    else:
        failed = (
            f" {plural(job.board.failed, 'request')} without an answer." if job.board.failed else ""
        )
        _say("success", f"{job.name}: {plural(job.board.answered, 'answer')}.{failed}")


def done_of(plan: Plan, endpoint: Endpoint) -> Sequence[Record]:
    """The records of the open run, if it asked the same of the same endpoint."""
    opened: Opened | None = st.session_state.get("reading_run")
    if opened is None or opened.run.meta.base_url != endpoint.shown_url:
        return ()
    try:
        check_resumable(opened.run, plan)
    except RunError:
        return ()
    return opened.run.records


def start(plan: Plan, endpoint: Endpoint, budget: Budget, concurrency: int) -> None:
    """Callback of the button: sends what is left. A second press does nothing."""
    if is_asking() or not may_ask(endpoint.base_url) or not st.session_state.reading_on:
        return
    st.session_state.pop("reading_said", None)
    order = Order(plan, endpoint, budget, concurrency, done_of(plan, endpoint))
    st.session_state.reading_job = Asking(order)


def draw_progress(place: Literal["above", "tab"]) -> None:
    """The last message, and the progress of a job: in the tab that asks while that is open."""
    if (place == "tab") is not (st.session_state.get(TAB) == "Ask"):
        return
    if said := st.session_state.get("reading_said"):
        kind, text = said
        boxes = {"error": st.error, "warning": st.warning, "success": st.success}
        boxes[kind](escape_markdown(text))
    if is_asking():
        st.fragment(_draw_progress, run_every=_POLL)()


def _draw_progress() -> None:
    """How far the job is, with a button to stop it. The page runs again when it is done."""
    job: Asking | None = st.session_state.get("reading_job")
    if job is None:
        return
    if job.done:
        with suppress(StreamlitAPIException):  # the page was left
            st.rerun()
        return
    bar, stop = st.columns([5, 1], vertical_alignment="bottom")
    board = job.board
    failed = f", {board.failed:,} without an answer" if board.failed else ""
    bar.progress(
        min(board.answered / job.requests, 1.0),
        text=escape_markdown(
            f"Asking {job.name}: {board.answered:,} of {plural(job.requests, 'answer')}{failed}, "
            f"{plural(board.tokens, 'token')}"
        ),
    )
    stop.button(
        "Stopping…" if job.cancelled else "Cancel",
        key="reading_cancel",
        on_click=job.cancel,
        disabled=job.cancelled,
        width="stretch",
        help="Requests under way end; every answer is kept.",
    )


def draw_upload() -> None:
    """Opens the file of a run, such as the command's."""
    with st.expander("Open the file of a run"):
        st.file_uploader(
            "A run (.parquet) of this page or of `python -m toon ask`",
            type="parquet",
            key="reading_upload",
            on_change=_open_upload,
        )


def _open_upload() -> None:
    file = st.session_state.reading_upload
    if file is None:
        return
    data: bytes = file.getvalue()
    st.session_state.pop("reading_said", None)
    try:  # in a worker: a small file may unpack to a large one
        run = payload.work_apart(read_run, BytesIO(data))
    except (RunError, RuntimeError) as error:
        _say("error", f"{file.name} cannot be opened: {error}")
        return
    _choose_as(run.meta)
    folder = Folder()
    path = folder.path / "run.parquet"
    write_file(path, data)
    st.session_state.reading_run = Opened(file.name, RUNS.keep(file.name, path, folder), run)
    st.query_params.pop(_ASKED, None)
    st.session_state[TAB] = "Result"
