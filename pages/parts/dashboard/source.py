"""Where the dashboard's run comes from: the sample, a saved run, or files measured here.

Session state:
    dashboard_run: The :class:`Opened` run.
    dashboard_source: Whether the form is unfolded.
    dashboard_job, dashboard_said: See :mod:`pages.parts.progress`.

The address holds the token of the run in its parameter ``run``: a page that is loaded again shows
the run that it showed before, as long as this process keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.parts import controls
from pages.parts.dashboard.choices import chosen_model
from pages.parts.dashboard.job import Job, Order, prepare
from pages.parts.dashboard.kept import GONE, KEPT_HOURS, MOST, RUNS, Folder
from pages.parts.dashboard.opened import SAMPLE_CORPUS, SAMPLE_RUN, Opened
from pages.parts.markdown import escape_markdown
from pages.parts.progress import draw_progress, name_in_address, say, unsay
from toon.costs import models
from toon.costs.models import MODELS
from toon.errors import RunError, TextError
from toon.files import write_file
from toon.formats import FORMATS
from toon.measuring.measure import ALWAYS, DEFAULT_FORMATS
from toon.tokenizers import TOKENIZERS
from toon.traffic import sniff
from toon.wording import plural

#: What the keys of the session state begin with.
_PAGE: Final = "dashboard"
_PARQUET: Final = b"PAR1"
#: The parameter of the address that holds the token of the run.
_RUN: Final = "run"
#: Files whose kind the form says.
_SAID: Final = 5


def current_run() -> Opened:
    """The run to show: what is open, what the address names, or else the sample."""
    _finish_job()
    asked = st.query_params.get(_RUN)
    opened: Opened | None = st.session_state.get("dashboard_run")
    if opened is None or (asked and asked != opened.token):
        opened = _reopen(asked)
    elif not opened.look():
        opened = _reopen(opened.token)
    _show(opened)
    return opened


def _reopen(token: str | None) -> Opened:
    """The run that is kept under this token; the sample if there is none, and why."""
    if token is None:
        return Opened(SAMPLE_CORPUS.name, SAMPLE_RUN)
    kept = RUNS.get(token)
    if kept is None:
        say(_PAGE, "warning", GONE)
        return Opened(SAMPLE_CORPUS.name, SAMPLE_RUN)
    opened = Opened(kept.name, kept.path)
    opened.token = token
    return opened


def _show(opened: Opened) -> None:
    """Makes a run the one that is shown, in this session and in the address."""
    st.session_state.dashboard_run = opened
    name_in_address(_RUN, opened.token)


def _show_and_close(opened: Opened) -> None:
    """Shows a run and closes the form, so that the answer is in view."""
    _show(opened)
    st.session_state.dashboard_source = False


def _finish_job() -> None:
    """Opens the run of a finished job. If it has none, the run shown stays."""
    job: Job | None = st.session_state.get("dashboard_job")
    if job is None or not job.done:
        return
    del st.session_state.dashboard_job
    if job.summary is None:
        say(_PAGE, "error", f"{job.order.name} could not be measured. {job.error}")
        return
    name, summary, totals = job.order.name, job.summary, job.summary.totals
    if not totals.records:
        say(
            _PAGE,
            "warning",
            f"{name}: cancelled before anything was measured. Nothing has changed.",
        )
        return
    opened = Opened(name, summary.output)
    skipped = f", {totals.skipped:,} skipped: not JSON" if totals.skipped else ""
    if not totals.payloads:
        reasons = opened.rows.errors.drop_null()
        first = f" The first: {reasons[0].as_py()}." if len(reasons) else ""
        say(
            _PAGE,
            "error",
            f"{name} holds nothing to measure: {plural(totals.errors, 'bad record')}{skipped}."
            f"{first} What was open stays open.",
        )
        return
    opened.token = job.token
    _show_and_close(opened)
    if summary.complete:
        bad = f", {plural(totals.errors, 'bad record')}" if totals.errors else ""
        say(
            _PAGE,
            "success",
            f"{name} is measured: {plural(totals.payloads, 'payload')}{bad}{skipped}.",
        )
    else:
        kept = plural(totals.records, "record is", "records are")
        say(_PAGE, "warning", f"{name}: cancelled. The first {kept} kept.")


def draw_source(opened: Opened) -> None:
    """The form for another run, the last message, and the progress of a measurement."""
    box = st.expander(
        "Measure your own traffic, or open a saved run", key="dashboard_source", on_change="rerun"
    )
    files = st.session_state.get("dashboard_upload") or ()
    waiting = not all(_is_run(file.getvalue()) for file in files)
    # Streamlit forgets files that are not drawn: what is still to be measured must stay.
    if box.open or waiting:
        with box:
            _draw_form(opened)
    draw_progress(_PAGE, _progress, "What is measured by then is kept.")


def _draw_form(opened: Opened) -> None:
    limit = st.get_option("server.maxUploadSize")
    files = st.file_uploader(
        "HAR, JSON Lines, JSON, CSV, zip (a folder too), MCP or chat transcripts, gzipped or not; "
        "or a run (.parquet)",
        accept_multiple_files=True,
        key="dashboard_upload",
        on_change=_open_if_run,
        help="The kind of a file is detected from its content. Nothing leaves this machine. In the "
        "names of groups, ids in a path, keys, mail addresses and what may name a customer in a "
        "host, such as acme in acme.example.com, become {id}.",
    )
    st.caption(
        f"Up to {limit:,} MB a file. For more, `python -m toon measure PATH -o run.parquet` "
        "measures on all cores or a cluster; open its run.parquet here."
    )
    left, right = st.columns(2)
    path = left.text_input(
        "Path to the payload in a record",
        key="dashboard_payload",
        persist_state="session",
        placeholder="such as response.body; empty: detected",
        help="If it is empty, the payload is the record itself, or what stands under payload in "
        "records that also name their tool or endpoint. $ is the record itself.",
    )
    right.text_input(
        "Path to its group: endpoint or tool",
        key="dashboard_group",
        persist_state="session",
        placeholder="such as request.path; empty: detected",
    )
    with st.container():  # what comes and goes in it moves no button
        if not path:
            _say_detected(files)
    _choose_counting(left, right)
    with st.container(horizontal=True, vertical_alignment="center"):
        running = "dashboard_job" in st.session_state
        st.button(
            "Measure",
            type="primary",
            key="dashboard_measure",
            on_click=_start,
            disabled=not files or running or _is_run(files[0].getvalue()),
        )
        st.checkbox(
            "Keep the payloads in the run, to open them from the table",
            value=True,
            key="dashboard_keep",
            persist_state="session",
            help="The run is in a temporary folder of this server. It is removed when the server "
            f"stops, when {MOST} newer runs are there, or {KEPT_HOURS} hours after the last look "
            "at it, and a quarter of an hour later at most. Until then its address opens it again, "
            "even after this tab is closed.",
        )
        if not opened.is_sample:
            st.button("Back to the sample corpus", key="dashboard_sample", on_click=_open_sample)


def _say_detected(files: Sequence[BytesIO]) -> None:
    """What the first of the files were recognised as, and where their payloads are."""
    for file in files[:_SAID]:
        if _is_run(file.getvalue()):
            continue
        try:
            found = str(sniff(file, file.name))
        except TextError as error:
            found = str(error)
        st.caption(escape_markdown(f"{file.name}: {found}."))


def _choose_counting(left: Any, right: Any) -> None:
    left.multiselect(
        "Models",
        [*MODELS, *TOKENIZERS],
        default=[chosen_model()],
        format_func=controls.called,
        key=_counted_for(),
        persist_state="session",
        help="The first one decides the kinds of text and each payload's best format.",
    )
    right.multiselect(
        "Formats, besides compact and indented JSON",
        [name for name in FORMATS if name not in ALWAYS],
        default=[name for name in DEFAULT_FORMATS if name not in ALWAYS],
        format_func=lambda name: FORMATS[name].label,
        key="dashboard_formats",
        persist_state="session",
    )


def _counted_for() -> str:
    """The key of the models to measure for: each chosen model starts its own list."""
    return f"dashboard_models_{chosen_model()}"


def _open_sample() -> None:
    unsay(_PAGE)
    _show(Opened(SAMPLE_CORPUS.name, SAMPLE_RUN))


def _is_run(data: bytes) -> bool:
    return data[:4] == _PARQUET


def _open_if_run() -> None:
    """Callback of the upload: opens a run at once; other files wait for the button."""
    unsay(_PAGE)
    files = st.session_state.dashboard_upload
    runs = [file for file in files if _is_run(file.getvalue())]
    if not runs:
        prepare([file.getvalue() for file in files])
        return
    if len(files) > 1:
        say(_PAGE, "error", "Only one run can be open: remove the other files.")
        return
    folder = Folder()
    path = folder.path / "run.parquet"
    try:
        write_file(path, runs[0].getvalue())
        opened = Opened(runs[0].name, path)
    except (OSError, RunError, ValueError) as error:
        reason = str(error).replace(str(path), "it").replace(path.name, "it")
        say(_PAGE, "error", f"{runs[0].name} cannot be opened: {reason}. What was open stays open.")
    else:
        opened.token = RUNS.keep(opened.name, path, folder)
        _show_and_close(opened)


def _start() -> None:
    """Callback of the button. A second press does nothing while there is a job."""
    state = st.session_state
    if "dashboard_job" in state or not state.dashboard_upload:
        return
    unsay(_PAGE)
    order = Order(
        tuple((Path(file.name).name, file.getvalue()) for file in state.dashboard_upload),
        state.dashboard_payload.strip() or None,
        state.dashboard_group.strip() or None,
        tuple(models.tokenizers_of(map(models.choose, state[_counted_for()]))),
        tuple(state.dashboard_formats),
        state.dashboard_keep,
    )
    try:
        order.check()
    except ValueError as error:
        say(_PAGE, "error", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return
    state.dashboard_job = Job(order)


def _progress(job: Job) -> tuple[float, str]:
    progress, left = job.progress, job.left
    if not progress.records or left is None:
        return job.fraction, f"Measuring {job.order.name}: reading…"
    return job.fraction, (
        f"Measuring {job.order.name}: {plural(progress.records, 'record')}, {progress.bad:,} bad; "
        f"{job.rate / 1e6:,.2f} MB/s, about {left:,.0f} s left"
    )
