"""Measurement of a growing log in a thread, beside the browser sessions that watch it.

The log is a file that grows, or the session logs of coding agents, the newest first.

Session state:
    dashboard_following: The :class:`Following` whose run is shown.
    dashboard_paused: Whether the run that is shown stays as it is. What comes meanwhile is
        measured all the same, and shown afterwards.
"""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

import streamlit as st

from pages.parts.dashboard.job import Board, Work
from pages.parts.dashboard.open_run import OpenRun
from pages.parts.hosted import lock
from pages.parts.markdown import escape_markdown
from toon.agents.measuring import Measuring
from toon.http.lock import allowed_files
from toon.measuring.measure import Settings
from toon.server import SERVER
from toon.server.runs import Folder, make_token
from toon.tap.follow import BEHIND, Follower
from toon.tap.growing_run import GrowingRun
from toon.wording import plural

#: Growing logs that are measured, by the token of the run, as long as any session holds them.
FOLLOWINGS: Final[WeakValueDictionary[str, Following]] = WeakValueDictionary()
#: Files that the operator names, which are measured on when nobody looks.
_BY_FILE: Final[dict[Path, Following]] = {}

_PATH_KEY: Final = "dashboard_follow_path"
_FILE_KEY: Final = "dashboard_follow_file"
_POLL: Final = 1.0  # seconds
#: A run is written anew after these seconds, and after this many times the last writing took.
_PAUSE: Final = 1.0
_PAUSE_TIMES: Final = 8
#: A run of sessions is written anew after this share of the time that has passed since the first
#: look at them: more of them come all the time, and whoever shows a run needs the processors too.
_SHARE: Final = 0.5
#: Bytes of rows that are held in memory before they are written.
_MOST_NEW: Final = 64_000_000


Source = Follower | Measuring


class Following(Work):
    """A thread that measures a growing log, ``source``, and writes the run anew as it grows.

    ``is_live`` says that the source is a file to which somebody adds: it has no end.
    """

    def __init__(self, source: Source, settings: Settings, name: str) -> None:
        self.source, self.name, self.is_live = source, name, isinstance(source, Follower)
        token = make_token()
        board = Board(token=token, cancel=source.stop)
        FOLLOWINGS[token] = self
        share = 0.0 if self.is_live else _SHARE
        work = partial(_work, source, settings, name, board, share)
        super().__init__("toon-dashboard-follow", board, work)


def _follow(path: Path, settings: Settings) -> Following:
    return Following(Follower(path, settings), settings, path.name)


def _work(source: Source, settings: Settings, name: str, board: Board, share: float) -> None:
    folder, began = Folder(), time.monotonic()
    run, due = GrowingRun(folder.path, settings), 0.0

    def publish(*, complete: bool = False) -> float:
        """Write the rows measured so far as a run; return the clock time of the next writing."""
        start = time.monotonic()
        snapshot = run.write(source.account, complete=complete)
        run.link(folder.file)
        if SERVER.runs.get(board.token or "") is None:  # also counts as a look
            SERVER.runs.keep(name, folder, board.token)
        # A page may look at any moment: what it shows is kept already, and its records are counted.
        board.snapshot = snapshot
        board.records = run.totals.records
        now = time.monotonic()
        return now + max(_PAUSE, _PAUSE_TIMES * (now - start), share * (now - began))

    try:
        for table in source.tables():
            board.left = source.left
            if table is not None:
                run.add(table)
            if run.new_bytes and (time.monotonic() >= due or run.new_bytes > _MOST_NEW):
                due = publish()
        if run.new_bytes or not source.stop.is_set():
            publish(complete=not source.stop.is_set())
    except Exception as error:  # any error: else the page would wait for ever
        board.error = f"{type(error).__name__}: {error}"


def _list_files() -> tuple[Path, ...] | None:
    return allowed_files(lock(), os.environ)


def find_followed(settings: Settings) -> Following | None:
    """Return the measurement of a growing log that this session's page shows, or None.

    It is the one that ``?run=`` names, else the one watched before, else that of the file which the
    operator names; this one is started if need be with ``settings``.
    """
    state = st.session_state
    token = st.query_params.get("run")
    if token and token in FOLLOWINGS:
        state.dashboard_following = FOLLOWINGS[token]
    elif token is None and "dashboard_following" not in state and (files := _list_files()):
        state.dashboard_following = _share(files[0], settings)
    return get_current()


def get_current() -> Following | None:
    job: Following | None = st.session_state.get("dashboard_following")
    return job


def leave() -> None:
    """Stop showing a growing log in this browser session; the measurement itself goes on."""
    st.session_state.dashboard_following = None


def _share(path: Path, settings: Settings) -> Following:
    if path not in _BY_FILE or _BY_FILE[path].done:
        _BY_FILE[path] = _follow(path, settings)
    return _BY_FILE[path]


def open_newest(job: Following, shown: OpenRun | None) -> OpenRun | None:
    """Return a growing log's latest run, or ``shown`` while paused; None before the first run."""
    snapshot = job.board.snapshot
    if snapshot is None:
        return None
    previous = shown if shown is not None and shown.token == job.board.token else None
    if previous and (st.session_state.get("dashboard_paused") or previous.snapshot is snapshot):
        return previous
    run = OpenRun(job.name, snapshot.path)
    run.token, run.snapshot = job.board.token, snapshot
    if previous and job.is_live:
        run.number = previous.number  # the choices of its widgets stay; sessions bring other models
    return run


def draw_follow(settings: Settings) -> None:
    """Draw a form that starts to measure a file as it grows, unless this server may read none."""
    files = _list_files()
    if files == ():
        return  # a server for others, whose operator names none
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if files is None:
            st.text_input(
                "Or a file on this machine that grows, such as a recording of the tap",
                key=_PATH_KEY,
                persist_state="session",
                placeholder="traffic.jsonl",
                help="`python -m toon tap -o traffic.jsonl -- COMMAND` records the traffic of an "
                "MCP server, `--listen` that of an API. Any log of lines can be followed.",
            )
        else:
            st.selectbox("Or a file that grows", list(map(str, files)), key=_FILE_KEY)
        st.button(
            "Follow",
            key="dashboard_follow",
            on_click=_begin,
            args=(_FILE_KEY if files else _PATH_KEY, settings),
        )


def _begin(key: str, settings: Settings) -> None:
    """Start to measure the growing file whose path was typed or chosen in the field ``key``."""
    state = st.session_state
    if not state.get(key):
        return
    path = Path(state[key])
    state.dashboard_paused = state.dashboard_source = False
    state.dashboard_following = _share(path, settings) if _list_files() else _follow(path, settings)


def draw_following(job: Following, run: OpenRun | None) -> None:
    """Draw how far a growing log is measured, with Pause and Stop; rerun the page for a new run."""
    st.fragment(_draw, run_every=None if job.done else _POLL)(job, run)


def _draw(job: Following, run: OpenRun | None) -> None:
    board = job.board
    paused = st.session_state.get("dashboard_paused", False)
    shown = run.snapshot if run else None
    if shown is not board.snapshot and not paused:
        st.rerun()
    if board.error:
        st.error(escape_markdown(f"{job.name} cannot be read on: {board.error}"))
    with st.container(horizontal=True, vertical_alignment="center"):
        if board.left > BEHIND and not job.done:
            doing = f"Catching up with {job.name}" if job.is_live else f"Reading {job.name}"
            st.progress(
                1 - board.left / max(1, board.left + job.source.consumed),
                text=escape_markdown(
                    f"{doing}: {plural(job.source.records, 'record')} measured, "
                    f"{board.left / 1e6:,.1f} MB left"
                ),
            )
        else:
            records = plural(board.records, "record")
            if not job.is_live:
                status = f"{'Read' if job.done else 'Reading'} {job.name}: {records}."
            elif job.done:
                status = f"Followed {job.name}: {records}."
            elif paused:
                status = f"Paused. {job.name} has {records} by now."
            elif board.records:
                status = f"Following {job.name} live: {records} so far."
            else:
                status = f"Following {job.name}: waiting for the first call…"
            st.markdown(escape_markdown(status))
        if job.done:
            return
        if job.is_live:
            st.button(
                "Go on" if paused else "Pause",
                key="dashboard_pause",
                on_click=partial(st.session_state.update, dashboard_paused=not paused),
                help="What comes meanwhile is measured all the same.",
            )
        st.button(
            "Stop following" if job.is_live else "Stop",
            key="dashboard_unfollow",
            on_click=_stop,
            args=(job,),
        )


def _stop(job: Following) -> None:
    job.cancel()
    job.wait(10)
    for path in [path for path, standing in _BY_FILE.items() if standing is job]:
        del _BY_FILE[path]
    st.session_state.dashboard_paused = False
