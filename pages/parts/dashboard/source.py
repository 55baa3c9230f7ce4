"""Where the dashboard's run comes from: the sample, a saved run, or files measured here.

Session state:
    dashboard_own: Whether files of one's own are there: then nothing of the sample is shown.
    dashboard_wrapped: Files of which somebody must say where the payloads are, with the error.
"""

import io
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import controls
from pages.parts.dashboard import agents, following, life
from pages.parts.dashboard.context import take_run
from pages.parts.dashboard.job import Job, Order
from pages.parts.dashboard.open_run import SAMPLE_NAME, SAMPLE_RUN, OpenRun
from pages.parts.hosted import describe_privacy
from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_details
from pages.parts.tables import draw_table
from toon.costs import models
from toon.costs.models import MODELS
from toon.errors import TextError
from toon.measuring.measure import DEFAULT_FORMATS, Settings
from toon.reports.read_as import read_as_lines
from toon.server.runs import KEPT_HOURS, MOST
from toon.tokenizers import TOKENIZERS
from toon.traffic import read, sniff
from toon.traffic.account import Account
from toon.traffic.parquet import is_run
from toon.traffic.sniff import list_kinds
from toon.traffic.wrapped import WrappedError
from toon.wording import capitalised, plural

#: Files that are looked into before measuring, for payloads that lie at an unknown place.
_MOST_FILES: Final = 5


def current_run() -> OpenRun:
    """Return the measured run to show: of a growing log, the open one, or the example.

    The page ends here before the first row of a file that is followed.
    """
    if (finished := life.get_job()) and finished.done:
        del st.session_state.dashboard_job
        _take_result(finished)
    if job := following.find_followed(_settings()):
        run = following.open_newest(job, life.get_run())
        if run is None:
            following.draw_following(job, None)
            st.stop()
        life.show(run)
    elif (run := life.find_run()) is None:
        run = OpenRun(SAMPLE_NAME, SAMPLE_RUN)
        life.show(run)
    return run


def is_hidden(run: OpenRun) -> bool:
    """Return whether to hide all figures, because the user's own files are not measured yet."""
    state = st.session_state
    is_own = state.get("dashboard_own") and state.get("dashboard_upload")
    return bool(life.get_job() or (run.is_sample and is_own))


def _settings() -> Settings:
    """Return settings to measure a growing log: the chosen tokenizer and the default formats."""
    tokenizers = models.tokenizers_of([models.choose(controls.read_model_name())])
    return Settings.of(tokenizers, DEFAULT_FORMATS, keep_payloads=True)


def _take_result(job: Job) -> None:
    """Show the run of a measurement that has ended, and keep a message on how it ended."""
    name, summary = job.order.name, job.board.summary
    if summary is None:
        life.say("error", f"{name} could not be measured. {job.board.error}")
        return
    totals = summary.totals
    if not totals.records:
        life.say("warning", f"{name}: cancelled before anything was measured.")
        return
    run = OpenRun(name, summary.output)
    bad = plural(totals.errors, "bad record")
    skipped = f", {totals.skipped:,} skipped: no JSON payload" if totals.skipped else ""
    if not totals.payloads:
        reasons = run.rows.errors.drop_null()
        first = f" The first: {reasons[0].as_py()}." if len(reasons) else ""
        words = f"holds nothing to measure: {bad}{skipped}.{first}{life.mention_open_run()}"
        life.say("error", f"{name} {words}")
        return
    run.token = job.board.token
    following.leave()
    life.show(run)
    if summary.complete:
        more = f", {bad}" if totals.errors else ""
        words = f"is measured: {plural(totals.payloads, 'payload')}{more}{skipped}."
        life.say("success", f"{name} {words}")
    else:
        records = plural(totals.records, "record is", "records are")
        life.say("warning", f"{name}: cancelled. The first {records} kept.")


def draw_source(head: DeltaGenerator, run: OpenRun) -> None:
    """Draw where to drop logs, other sources, the last message and a measurement's progress.

    Once a run of one's own is shown, it is one line in the page's ``head``, which opens the rest.
    """
    job = following.get_current()
    if run.is_sample:
        left, right = st.columns([4, 1], vertical_alignment="bottom")
        place = left
        with right:
            agents.draw_agents()
            more = st.popover(
                "More ways", key="dashboard_source", on_change="rerun", width="stretch"
            )
    else:
        with head, st.container(key="dashboard_whose"):
            if job:
                following.draw_following(job, run)
            else:
                kind, text = life.get_message()
                st.caption(escape_markdown(text if kind == "success" else f"{run.title}."))
        place = more = head.popover("Change…", key="dashboard_source", on_change="rerun")
    files = place.file_uploader(
        "Drop your logs: files as your tools wrote them, zips, or a saved run",
        accept_multiple_files=True,
        key="dashboard_upload",
        on_change=_take_files,
    )
    if not run.is_sample:
        with more:
            agents.draw_agents()
    if more.open:
        with more:
            _draw_form(run, bool(files) and not is_run(files[0].getvalue()))
    for name, error in st.session_state.get("dashboard_wrapped", ()):
        _draw_choice(name, error)
    life.draw(is_done_said=not run.is_sample)
    if job and run.is_sample:
        following.draw_following(job, run)


def _draw_form(run: OpenRun, holds_logs: bool) -> None:
    limit = st.get_option("server.maxUploadSize")
    st.caption(
        f"The kind of a file is detected from its content. {describe_privacy()} In the names of "
        "groups, ids in a path, keys, mail addresses and what may name a customer in a host "
        f"become {{id}}. Up to {limit:,} MB a file: for more, `python -m toon measure PATH -o "
        "run.parquet` measures on all cores or a cluster; open its run.parquet here."
    )
    draw_table(
        [
            {"What you have": kind.label, "Measured": kind.records, "Where it is": kind.kept}
            for kind in list_kinds()
        ],
        box="Which logs can be read, and where tools keep them",
    )
    agents.draw_sessions()
    following.draw_follow(_settings())
    st.text_input(
        "Path to the payload in a record",
        key="dashboard_payload",
        persist_state="session",
        placeholder="such as response.body; empty: detected",
        help="If it is empty, payloads are where the kind of log has them. [] is every item of an "
        "array, * is any depth, $ is the record itself.",
    )
    st.text_input(
        "Path to its group: endpoint or tool",
        key="dashboard_group",
        persist_state="session",
        placeholder="such as request.path; empty: detected",
    )
    st.multiselect(
        "Models",
        [*MODELS, *TOKENIZERS],
        format_func=controls.model_label,
        key="dashboard_models",
        persist_state="session",
        placeholder=f"the log's own, or {controls.read_model().name}",
        help="The first one decides the kinds of text and each payload's best format.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Measure anew",
            key="dashboard_measure",
            on_click=_start,
            disabled=not holds_logs or bool(life.get_job()),
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
        if not run.is_sample:
            st.button("Back to the example", key="dashboard_sample", on_click=_open_sample)


def _open_sample() -> None:
    life.say()
    st.session_state.dashboard_own, st.session_state.dashboard_wrapped = False, []
    following.leave()
    life.show(OpenRun(SAMPLE_NAME, SAMPLE_RUN))


def _take_files() -> None:
    """Show an uploaded run, or measure uploaded logs; ask for the payloads' path if unknown."""
    life.say()
    state, files = st.session_state, st.session_state.dashboard_upload
    state.dashboard_own, state.dashboard_wrapped = bool(files), []
    if not files:
        return
    state.dashboard_source = False
    if job := state.pop("dashboard_job", None):
        job.cancel()  # it is about the files that were there before
    if len(files) == 1 and take_run(files[0].name, files[0].getvalue()):
        state.dashboard_own, state.dashboard_tab = False, "Context"
        life.say("success", f"{files[0].name} is a recorded run: the tab Context replays it.")
        return
    runs = [file for file in files if is_run(file.getvalue())]
    if not runs:
        for file in () if _read_path("payload") else files[:_MOST_FILES]:
            try:
                sniff(file, file.name)
            except WrappedError as error:
                state.dashboard_wrapped.append((file.name, error))
            except TextError:  # measuring will name the reason
                continue
        if not state.dashboard_wrapped:
            _start()
    elif len(files) > 1:
        life.say("error", "Only one run can be open: remove the other files.")
    elif life.open_file(runs[0].name, runs[0].getvalue()):
        following.leave()


def _read_path(path: str) -> str | None:
    """Return the typed path to the "payload" or "group" in a log's records; None if empty."""
    return st.session_state.get(f"dashboard_{path}", "").strip() or None


def _start() -> None:
    """Start a thread that measures the uploaded logs as the form is set, if none is at work."""
    state = st.session_state
    if life.get_job() or not state.dashboard_upload:
        return
    life.say()
    order = Order(
        tuple((Path(file.name).name, file.getvalue()) for file in state.dashboard_upload),
        _read_path("payload"),
        _read_path("group"),
        tuple(models.tokenizers_of(map(models.choose, state.get("dashboard_models", ())))),
        state.get("dashboard_keep", True),
        controls.read_model().tokenizer,
    )
    try:
        read(io.BytesIO(), "", payload_path=order.payload_path, group_path=order.group_path)
    except ValueError as error:  # a path is invalid
        life.say("error", f"{capitalised(str(error))}.")
        return
    state.dashboard_job = Job(order)


def _draw_choice(name: str, error: WrappedError) -> None:
    """Draw a button for each path where payloads may lie in a log of an unknown kind."""
    st.warning(
        escape_markdown(f"{name} wraps its payloads in a way that is not known here.")
        + " Which part was sent to the model?"
    )
    for place in (*error.candidates, None):
        path = "$" if place is None else place.path
        seen = "the whole record" if place is None else plural(place.count, "time")
        example = "" if place is None else f": {place.example}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(path, key=f"dashboard_path_{path}", on_click=_take, args=(path,))
            st.caption(escape_markdown(f"{seen}{example}"))


def _take(path: str) -> None:
    st.session_state.dashboard_payload, st.session_state.dashboard_wrapped = path, []
    _start()


def draw_read_as(run: OpenRun) -> None:
    """Draw a closed box that says as which kind of log each file of a run was read."""
    rows = Account.from_facts(run.rows.about.get("read_as"))
    if rows:
        lines = read_as_lines(rows, quoting=run.holds_payloads)
        draw_details("What the files were read as", lines)
