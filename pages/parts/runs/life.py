"""The run of a page: what is open, what a job makes, and what the address names.

Session state:
    {page}_run: The run that is shown.
    {page}_job: The :class:`pages.parts.runs.job.Job` under way.
    {page}_said: The message about the last action, as (kind, text).

The address holds the token of the run in a parameter: a page that is loaded again shows the run
that it showed before, as long as this process keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts.markdown import escape_markdown
from pages.parts.runs.job import Job
from toon.errors import RunError
from toon.files import write_file
from toon.server import SERVER
from toon.server.runs import KEPT_HOURS, MOST, Folder, Runs

_POLL: Final = 0.4  # seconds
#: What is said of a run that is not kept any more, before what to do instead.
_IS_GONE: Final = (
    f"This run is gone: the server keeps {MOST} runs, each for {KEPT_HOURS} hours after the last "
    "look at it, and none when it is restarted."
)


class Opened(Protocol):
    """A run that is open; ``token`` is that of a run that is kept."""

    token: str | None

    def look(self) -> bool:
        """Whether the run can still be shown. Asking counts as a look, which keeps it longer."""


Shown = TypeVar("Shown", bound=Opened)
Working = TypeVar("Working", bound=Job[Any])


class Life(Generic[Shown, Working]):
    """The life of the runs of one page.

    Args:
        page: What the keys of the session state begin with, and the runs are kept under.
        parameter: The parameter of the address that holds the token of the run.
        open_run: Opens the file of a run by the run's name for people.
        instead: What to do where a run is gone.
        jobs: The jobs under way that the address may name.
    """

    def __init__(
        self,
        page: str,
        parameter: str,
        open_run: Callable[[str, Path], Shown],
        instead: str,
        jobs: Mapping[str, Working] | None = None,
    ) -> None:
        self.gone = f"{_IS_GONE} {instead}"
        self._page, self._parameter = page, parameter
        self._open = open_run
        self._jobs = {} if jobs is None else jobs

    @property
    def _runs(self) -> Runs:
        return SERVER.runs[self._page]

    @property
    def shown(self) -> Shown | None:
        """The run that is shown."""
        shown: Shown | None = st.session_state.get(f"{self._page}_run")
        return shown

    @property
    def job(self) -> Working | None:
        """The job under way."""
        job: Working | None = st.session_state.get(f"{self._page}_job")
        return job

    @property
    def stays(self) -> str:
        """That a run stays open where another cannot be opened; "" if there is none but a sample"""
        return " What was open stays open." if self.shown and self.shown.token else ""

    def drop_job(self) -> None:
        """Cancels the job under way; what it has done by then is not shown."""
        if job := st.session_state.pop(f"{self._page}_job", None):
            job.cancel()

    def start(self, job: Working) -> None:
        """Makes a job the one under way."""
        st.session_state[f"{self._page}_job"] = job

    def take_ended(self) -> Working | None:
        """The job, once, if it has ended."""
        job = self.job
        if job is None or not job.done:
            return None
        del st.session_state[f"{self._page}_job"]
        return job

    def find(self) -> Shown | None:
        """The run to show: what is open, or what the address names; None if there is none."""
        asked, shown, job = st.query_params.get(self._parameter), self.shown, self.job
        if asked and job is None and (shown is None or asked != shown.token):
            if asked in self._jobs:
                self.start(self._jobs[asked])
            else:
                shown = self.reopen(asked)
        elif shown and not shown.look():
            shown = self.reopen(shown.token or "")
        self.show(shown)
        return shown

    def reopen(self, token: str) -> Shown | None:
        """The run that is kept under this token; None, and why, if there is none."""
        kept = self._runs.get(token)
        if kept is None:
            self.say("warning", self.gone)
            return None
        shown = self._open(kept.name, kept.folder.file)
        shown.token = token
        return shown

    def show(self, shown: Shown | None) -> None:
        """Makes a run the one that this session shows; the address names it, or the job's."""
        st.session_state[f"{self._page}_run"] = shown
        token = (self.job.token if self.job else None) or (shown.token if shown else None)
        if token is None:
            st.query_params.pop(self._parameter, None)
        elif st.query_params.get(self._parameter) != token:
            st.query_params[self._parameter] = token

    def open_file(self, name: str, data: bytes) -> bool:
        """Keeps the file of a run and shows it; else says why not, and what was shown stays."""
        folder = Folder()
        try:
            write_file(folder.file, data)
            shown = self._open(name, folder.file)
        except (OSError, RunError, RuntimeError, ValueError) as error:
            path = folder.file
            reason = str(error).replace(str(path), "it").replace(path.name, "it").rstrip(".")
            self.say("error", f"{name} cannot be opened: {reason}.{self.stays}")
            return False
        shown.token = self._runs.keep(name, folder)
        self.show(shown)
        return True

    def say(self, kind: str, text: str) -> None:
        """Keeps a message, an "error", "warning" or "success", until another action."""
        st.session_state[f"{self._page}_said"] = kind, text

    def unsay(self) -> None:
        """Drops the message of the last action."""
        st.session_state.pop(f"{self._page}_said", None)

    def draw(self, describe: Callable[[Working], tuple[float, str]], help: str) -> None:
        """The last message, and the job with a button to stop it.

        Args:
            describe: The job in, its fraction (0 to 1) and a line about it out.
            help: What happens to the work that is done when it is stopped.
        """
        if said := st.session_state.get(f"{self._page}_said"):
            kind, text = said
            boxes = {"error": st.error, "warning": st.warning, "success": st.success}
            boxes[kind](escape_markdown(text))
        if self.job:
            st.fragment(self._draw_job, run_every=_POLL)(describe, help)

    def _draw_job(self, describe: Callable[[Working], tuple[float, str]], help: str) -> None:
        """The page runs again when the job is done."""
        job = self.job
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
            key=f"{self._page}_cancel",
            on_click=job.cancel,
            disabled=job.cancelled,
            width="stretch",
            help=help,
        )


def file_stem(name: str) -> str:
    """What a file about the run of this name is called, without its ending."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name.partition(".")[0]).strip("-") or "run"
