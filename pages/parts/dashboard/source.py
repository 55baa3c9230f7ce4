"""Where the dashboard's run comes from: the sample, a saved run, or files measured here.

Session state:
    dashboard_source: Whether the form is unfolded.
    dashboard_own: Whether files of one's own are there: then nothing of the sample is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts import controls
from pages.parts.dashboard import agents, following, life
from pages.parts.dashboard.job import Job, Order
from pages.parts.dashboard.opened import SAMPLE_NAME, SAMPLE_RUN, Opened
from pages.parts.hosted import where_texts_go
from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_details
from pages.parts.tables import draw_table
from toon.costs import models
from toon.costs.models import MODELS
from toon.errors import TextError
from toon.formats import FORMATS, label
from toon.measuring.measure import ALWAYS, DEFAULT_FORMATS, Settings
from toon.reports.read_as import read_as_lines
from toon.server.runs import KEPT_HOURS, MOST
from toon.tokenizers import TOKENIZERS
from toon.traffic import sniff
from toon.traffic.account import Account
from toon.traffic.known import known_kinds
from toon.traffic.parquet import is_run
from toon.traffic.wrapped import WrappedError
from toon.wording import capitalised, plural, together


def current_run() -> Opened:
    """The run to show: what is followed or open, what the address names, or else the sample."""
    _take_ended()
    if job := following.followed(_settings()):
        return _newest(job)
    opened = life.find()
    if opened is None:
        opened = Opened(SAMPLE_NAME, SAMPLE_RUN)
        life.show(opened)
    return opened


def is_hidden(opened: Opened) -> bool:
    """Whether no figures are shown, because they would be of other files than one's own."""
    state = st.session_state
    is_own = state.get("dashboard_own") and state.get("dashboard_upload")
    return bool(life.under_way() or (opened.is_sample and is_own))


def _newest(job: following.Following) -> Opened:
    """The run of what is followed as far as it is measured; ends the page before its first row."""
    opened = following.newest(job, life.shown())
    if opened is None:
        following.draw_following(job, None)
        st.stop()
    life.show(opened)
    return opened


def _settings() -> Settings:
    """What a file that grows is measured by: the chosen model, and all that may be recommended."""
    tokenizers = models.tokenizers_of([models.choose(controls.chosen_name())])
    return Settings.of(tokenizers, DEFAULT_FORMATS, keep_payloads=True)


def _take_ended() -> None:
    """Opens the run of a job that has ended. If it has none, the run shown stays."""
    if (job := life.take_ended()) is None:
        return
    name, summary = job.order.name, job.board.summary
    if summary is None:
        life.say("error", f"{name} could not be measured. {job.board.error}")
        return
    totals = summary.totals
    if not totals.records:
        said = "cancelled before anything was measured."
        life.say("warning", f"{name}: {said}")
        return
    opened = Opened(name, summary.output)
    bad = plural(totals.errors, "bad record")
    skipped = f", {totals.skipped:,} skipped: no JSON payload" if totals.skipped else ""
    if not totals.payloads:
        reasons = opened.rows.errors.drop_null()
        first = f" The first: {reasons[0].as_py()}." if len(reasons) else ""
        said = f"holds nothing to measure: {bad}{skipped}.{first}{life.stays()}"
        life.say("error", f"{name} {said}")
        return
    opened.token = job.board.token
    following.leave()
    life.show(opened)
    _close()
    if summary.complete:
        more = f", {bad}" if totals.errors else ""
        said = f"is measured: {plural(totals.payloads, 'payload')}{more}{skipped}."
        life.say("success", f"{name} {said}")
    else:
        kept = plural(totals.records, "record is", "records are")
        life.say("warning", f"{name}: cancelled. The first {kept} kept.")


def _close() -> None:
    """Closes the form, so that the answer is in view."""
    st.session_state.dashboard_source = False


def draw_source(opened: Opened) -> None:
    """The form for another run, the last message, and the progress of a measurement."""
    agents.draw_agents()
    box = st.expander(
        "Measure your own traffic: drop your logs, or open a saved run",
        key="dashboard_source",
        on_change="rerun",
    )
    files = st.session_state.get("dashboard_upload") or ()
    waiting = not all(is_run(file.getvalue()) for file in files)
    # Streamlit forgets files that are not drawn: what is still to be measured must stay.
    if box.open or waiting:
        with box:
            _draw_form(opened)
    life.draw()
    if job := following.current():
        following.draw_following(job, opened)


def _draw_form(opened: Opened) -> None:
    _draw_known()
    limit = st.get_option("server.maxUploadSize")
    files = st.file_uploader(
        "Logs as your tools wrote them, gzipped or not, in a zip or a folder; or a run (.parquet)",
        accept_multiple_files=True,
        key="dashboard_upload",
        on_change=_take_files,
        help=f"The kind of a file is detected from its content. {where_texts_go()} In the "
        "names of groups, ids in a path, keys, mail addresses and what may name a customer in a "
        "host, such as acme in acme.example.com, become {id}.",
    )
    st.caption(
        f"Up to {limit:,} MB a file. For more, `python -m toon measure PATH -o run.parquet` "
        "measures on all cores or a cluster; open its run.parquet here."
    )
    following.draw_follow(_settings())
    detected = st.container()
    left, right = st.columns(2)
    path = left.text_input(
        "Path to the payload in a record",
        key="dashboard_payload",
        persist_state="session",
        placeholder="such as response.body; empty: detected",
        help="If it is empty, payloads are where the kind of log has them. [] is every item of an "
        "array, * is any depth, $ is the record itself.",
    )
    right.text_input(
        "Path to its group: endpoint or tool",
        key="dashboard_group",
        persist_state="session",
        placeholder="such as request.path; empty: detected",
    )
    with detected:
        logs = [file for file in files if not is_run(file.getvalue())]
        clear = bool(path) or _draw_detected(logs, _start)
    _choose_counting(left, right)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Measure anew" if files and clear else "Measure",
            type="primary",
            key="dashboard_measure",
            on_click=_start,
            disabled=not (files and clear) or bool(life.under_way()) or is_run(files[0].getvalue()),
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


def _choose_counting(left: Any, right: Any) -> None:
    left.multiselect(
        "Models",
        [*MODELS, *TOKENIZERS],
        format_func=controls.called,
        key="dashboard_models",
        persist_state="session",
        placeholder=f"the log's own, or {controls.chosen_model().name}",
        help="The first one decides the kinds of text and each payload's best format.",
    )
    right.multiselect(
        f"Formats, besides {together(map(label, ALWAYS))}",
        [name for name in FORMATS if name not in ALWAYS],
        default=[name for name in DEFAULT_FORMATS if name not in ALWAYS],
        format_func=label,
        key="dashboard_formats",
        persist_state="session",
    )


def _open_sample() -> None:
    life.unsay()
    st.session_state.dashboard_own = False
    following.leave()
    life.show(Opened(SAMPLE_NAME, SAMPLE_RUN))


def _take_files() -> None:
    """Callback of the upload: opens a run, and measures other files unless they need a path."""
    life.unsay()
    state, files = st.session_state, st.session_state.dashboard_upload
    state.dashboard_own = bool(files)
    if not files:
        return
    life.drop_job()  # it is about the files that were there before
    runs = [file for file in files if is_run(file.getvalue())]
    if not runs:
        if state.dashboard_payload.strip() or not _needs_path(files):
            _start()
    elif len(files) > 1:
        life.say("error", "Only one run can be open: remove the other files.")
    elif life.open_file(runs[0].name, runs[0].getvalue()):
        following.leave()
        _close()


def _start() -> None:
    """Measures the files with the settings as they are. Nothing happens while there is a job."""
    state = st.session_state
    if life.under_way() or not state.dashboard_upload:
        return
    life.unsay()
    order = Order(
        tuple((Path(file.name).name, file.getvalue()) for file in state.dashboard_upload),
        state.dashboard_payload.strip() or None,
        state.dashboard_group.strip() or None,
        tuple(models.tokenizers_of(map(models.choose, state.dashboard_models))),
        tuple(state.dashboard_formats),
        state.dashboard_keep,
        controls.chosen_model().tokenizer,
    )
    try:
        order.check()
    except ValueError as error:
        life.say("error", f"{capitalised(str(error))}.")
        return
    st.session_state.dashboard_job = Job(order)
    _close()


# -- what the files are -----------------------------------------------------------------------


#: Files whose kind the form says.
_SAID = 5


def _draw_known() -> None:
    """The kinds of logs that are read, what of them is measured, and where people find them."""
    draw_table(
        [
            {"What you have": kind.label, "Measured": kind.records, "Where it is": kind.kept}
            for kind in known_kinds()
        ],
        box="Which logs can be read, and where tools keep them",
    )


def _needs_path(files: Sequence[BytesIO]) -> bool:
    """Whether somebody must say where the payloads of the first of the files are."""
    for file in files[:_SAID]:
        try:
            sniff(file, file.name)
        except WrappedError:
            return True
        except TextError:  # measuring will name the reason
            continue
    return False


def _draw_detected(files: Sequence[BytesIO], start: Callable[[], None]) -> bool:
    """What the first of the files were recognised as; False if one of them needs a path.

    The button of a path takes it and calls ``start``.
    """
    clear = True
    for file in files[:_SAID]:
        try:
            found = str(sniff(file, file.name))
        except WrappedError as error:
            _draw_choice(file.name, error, start)
            clear = False
            continue
        except TextError as error:
            found = str(error)
        st.caption(escape_markdown(f"{file.name}: {found}."))
    return clear


def _draw_choice(name: str, error: WrappedError, start: Callable[[], None]) -> None:
    """The places in an unknown wrapper that payloads may lie in, each as a button."""
    st.warning(
        escape_markdown(f"{name} wraps its payloads in a way that is not known here.")
        + " Which part was sent to the model?"
    )
    for found in (*error.candidates, None):
        path = "$" if found is None else found.path
        seen = "the whole record" if found is None else plural(found.count, "time")
        example = "" if found is None else f": {found.example}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(path, key=f"dashboard_path_{path}", on_click=_take, args=(path, start))
            st.caption(escape_markdown(f"{seen}{example}"))


def _take(path: str, start: Callable[[], None]) -> None:
    st.session_state.dashboard_payload = path
    start()


def draw_read_as(opened: Opened) -> None:
    """What each file of the run was read as, in a closed box."""
    rows = Account.of_facts(opened.rows.about.get("read_as"))
    if rows:
        lines = read_as_lines(rows, quoting=opened.holds_payloads)
        draw_details("What the files were read as", lines)
