"""The run of the page: asked here, opened from a file, or named by the address."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

import streamlit as st

from pages.parts import payload
from pages.parts.reading.endpoint import chosen, may_ask
from pages.parts.reading.job import JOBS, Asking
from pages.parts.reading.questions import LARGEST_SEED, MOST_QUESTIONS
from pages.parts.runs.life import Life
from toon.costs.choice import COMPACT
from toon.errors import RunError
from toon.formats import FORMATS
from toon.reading.asking import Order
from toon.reading.budget import Budget
from toon.reading.endpoint import Endpoint
from toon.reading.plan import Plan
from toon.reading.questions import FEWEST
from toon.reading.results import Results, summarise
from toon.reading.run import About, AskedRun, check_resumable, read_run, to_parquet
from toon.server import SERVER
from toon.wording import plural

#: The key of the page's tabs.
TAB: Final = "reading_tab"


@dataclass
class Opened:
    """A run with its name for people and its token."""

    name: str
    run: AskedRun
    token: str | None = None

    def look(self) -> bool:
        """Counts as a look at the run; its answers are here even if its file is gone."""
        SERVER.runs["reading"].get(self.token or "")
        return True

    @cached_property
    def results(self) -> Results:
        """What the run says."""
        return summarise(self.run.records)

    @cached_property
    def file(self) -> bytes:
        """The run as a Parquet file."""
        return to_parquet(self.run)


def _open(name: str, path: Path) -> Opened:
    """Opens a run, and sets the controls so that it can go on."""
    # In a worker: a small file may unpack to a large one.
    run = payload.work_apart(read_run, BytesIO(path.read_bytes()))
    _choose_as(run.meta)
    return Opened(name, run)


#: The run that is shown here, and the job under way.
LIFE: Final = Life[Opened, Asking]("reading", "asked", _open, "Ask again, or open its file.", JOBS)


def current_run() -> Opened | None:
    """The run to show: what is open, or what the address names; None if there is none."""
    _take_ended()
    return LIFE.find()


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


def _take_ended() -> None:
    """Opens the run of a job that has ended. If it has no answer, the run shown stays."""
    if (job := LIFE.take_ended()) is None:
        return
    board, why = job.board, job.error or job.board.stopped
    if not board.is_kept:
        LIFE.show(LIFE.shown)
        LIFE.say("error", f"{job.name} gave no answer. {why}")
        return
    opened = LIFE.reopen(job.token or "")
    LIFE.show(opened)
    if opened is None:
        return
    st.session_state[TAB] = "Result"
    if why:
        answers = plural(board.answered, "answer")
        LIFE.say("warning", f"{why} {answers} of {job.requests:,} are kept.")
    else:
        failed = f" {plural(board.failed, 'request')} without an answer." if board.failed else ""
        LIFE.say("success", f"{job.name}: {plural(board.answered, 'answer')}.{failed}")


def done_of(plan: Plan, endpoint: Endpoint) -> AskedRun | None:
    """The open run, if it asked the same of the same endpoint."""
    opened = LIFE.shown
    if opened is None or opened.run.meta.base_url != endpoint.shown_url:
        return None
    try:
        check_resumable(opened.run, plan)
    except RunError:
        return None
    return opened.run


def start(plan: Plan, endpoint: Endpoint, budget: Budget, shown: list[object]) -> None:
    """Callback of the button: sends what is left. A second press does nothing.

    A field that was left by the very press is newer than what the page said would be sent.
    """
    if LIFE.job or not may_ask(endpoint.base_url) or not st.session_state.reading_on:
        return
    LIFE.unsay()
    if chosen() != shown:
        said = "Nothing was sent, as a field had changed. See what is sent; press again."
        LIFE.say("warning", said)
        return
    concurrency = int(st.session_state.reading_concurrency)
    order = Order(plan, endpoint, budget, concurrency, done_of(plan, endpoint))
    LIFE.start(Asking(order))


def draw_asked(place: Literal["above", "tab"]) -> None:
    """The last message, and the progress of a job: in the tab that asks while that is open."""
    if (place == "tab") is not (st.session_state.get(TAB) == "Ask"):
        return
    LIFE.draw(_progress, "Requests under way end; every answer is kept.")


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
    LIFE.unsay()
    file = st.session_state.reading_upload
    if file and LIFE.open_file(file.name, file.getvalue()):
        st.session_state[TAB] = "Result"
