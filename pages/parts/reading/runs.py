"""The run of the page: asked here, opened from a file, or named by the address.

Session state:
    reading_run: The :class:`Opened` run.
    reading_job, reading_said: See :mod:`pages.parts.progress`.

The address holds the token of the run in its parameter ``asked``: a page that is loaded again
finds the run that it showed before, or the job under way, as long as this process keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Final, Literal

import streamlit as st

from pages.parts import payload
from pages.parts.dashboard.kept import GONE_ANSWERS, Folder
from pages.parts.progress import draw_progress, name_in_address, say, unsay
from pages.parts.reading.endpoint import chosen, may_ask
from pages.parts.reading.job import JOBS, RUNS, Asking, Order
from pages.parts.reading.questions import LARGEST_SEED, MOST_QUESTIONS
from toon.costs.choice import COMPACT
from toon.errors import RunError
from toon.files import write_file
from toon.formats import FORMATS
from toon.reading.budget import Budget
from toon.reading.endpoint import Endpoint
from toon.reading.plan import Plan
from toon.reading.questions import FEWEST
from toon.reading.results import Results, summarise
from toon.reading.run import About, Record, Run, check_resumable, read_run, to_parquet
from toon.wording import plural

#: What the keys of the session state begin with.
_PAGE: Final = "reading"
#: The key of the page's tabs.
TAB: Final = "reading_tab"
_ASKED: Final = "asked"


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
        say(_PAGE, "warning", GONE_ANSWERS)
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
    name_in_address(_ASKED, named.token if named else None)


def _finish_job() -> None:
    """Opens the run of a job that has ended. If it has no answer, the run shown stays."""
    job: Asking | None = st.session_state.get("reading_job")
    if job is None or not job.done:
        return
    del st.session_state.reading_job
    why = job.error or job.board.stopped
    if not job.board.is_kept:
        st.query_params.pop(_ASKED, None)
        say(_PAGE, "error", f"{job.name} gave no answer. {why}")
        return
    st.session_state.reading_run = opened = _reopen(job.token)
    if opened is None:
        return
    st.session_state[TAB] = "Result"
    if why:
        say(
            _PAGE,
            "warning",
            f"{why} {plural(job.board.answered, 'answer')} of {job.requests:,} are kept.",
        )
    else:
        failed = (
            f" {plural(job.board.failed, 'request')} without an answer." if job.board.failed else ""
        )
        say(_PAGE, "success", f"{job.name}: {plural(job.board.answered, 'answer')}.{failed}")


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


def start(plan: Plan, endpoint: Endpoint, budget: Budget, shown: list[object]) -> None:
    """Callback of the button: sends what is left. A second press does nothing.

    A field that was left by the very press is newer than what the page said would be sent.
    """
    if is_asking() or not may_ask(endpoint.base_url) or not st.session_state.reading_on:
        return
    unsay(_PAGE)
    if chosen() != shown:
        say(
            _PAGE,
            "warning",
            "Nothing was sent, as a field had changed. See what is sent; press again.",
        )
        return
    concurrency = int(st.session_state.reading_concurrency)
    order = Order(plan, endpoint, budget, concurrency, done_of(plan, endpoint))
    st.session_state.reading_job = Asking(order)


def draw_asked(place: Literal["above", "tab"]) -> None:
    """The last message, and the progress of a job: in the tab that asks while that is open."""
    if (place == "tab") is not (st.session_state.get(TAB) == "Ask"):
        return
    draw_progress(_PAGE, _progress, "Requests under way end; every answer is kept.")


def _progress(job: Asking) -> tuple[float, str]:
    board = job.board
    failed = f", {board.failed:,} without an answer" if board.failed else ""
    return board.answered / job.requests, (
        f"Asking {job.name}: {board.answered:,} of {plural(job.requests, 'answer')}{failed}, "
        f"{plural(board.tokens, 'token')}"
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
    unsay(_PAGE)
    try:  # in a worker: a small file may unpack to a large one
        run = payload.work_apart(read_run, BytesIO(data))
    except (RunError, RuntimeError) as error:
        say(_PAGE, "error", f"{file.name} cannot be opened: {error}")
        return
    _choose_as(run.meta)
    folder = Folder()
    path = folder.path / "run.parquet"
    write_file(path, data)
    st.session_state.reading_run = Opened(file.name, RUNS.keep(file.name, path, folder), run)
    st.query_params.pop(_ASKED, None)
    st.session_state[TAB] = "Result"
