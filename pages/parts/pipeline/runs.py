"""Which run is replayed: a bundled one or an uploaded one; and its replay."""

from __future__ import annotations

import streamlit as st

from pages.parts.caches import cached
from pages.parts.markdown import escape_markdown
from pages.parts.samples import sample_runs
from toon.codec.text import NAMED_DELIMITERS
from toon.context import ExecutionTrace, TraceError
from toon.context.replay import ReplayRow, ReplayTotals, replay, totals
from toon.errors import TextError, render
from toon.values.json_text import parse_json

_FORM = """{"name": "…", "steps": [
  {"kind": "task", "agent": "…", "task": "…", "content": …},
  {"kind": "tool_call", "agent": "…", "tool": "…",
   "arguments": {…}, "content": …},
  {"kind": "hand_off", "agent": "…", "to": "…", "content": …}]}"""


@cached
def replay_run(
    text: str, tokenizer: str, delimiter: str, smaller: bool
) -> tuple[list[ReplayRow], ReplayTotals]:
    """Rows and totals of a run's JSON: see :mod:`toon.context.replay`."""
    rows = replay(
        parse_json(text).value,
        tokenizer,
        NAMED_DELIMITERS[delimiter],
        fallback="smaller" if smaller else None,
    )
    return rows, totals(rows)


def choose_run() -> tuple[str, str]:
    """The name and JSON of the run to replay: a bundled one, or one of those uploaded."""
    bundled = sample_runs()
    runs = bundled | st.session_state.get("uploaded_runs", {})
    name = st.selectbox(
        "Run",
        list(runs),
        format_func=lambda name: name.replace("-", " ") if name in bundled else name,
        key="run",
        persist_state="session",
        width=190,
    )
    with st.popover("Upload"):
        st.file_uploader(
            "A run as .json or .toon, UTF-8",
            type=["json", "toon"],
            key="run_upload",
            on_change=_open_upload,
        )
        st.caption("The form of a run; `at` and `arguments` may be left out:")
        st.code(_FORM, language=None)
    return name, runs[name]


def _open_upload() -> None:
    """Opens the uploaded run. A file that holds no run is reported and replaces nothing."""
    file = st.session_state.run_upload
    if file is None:
        return
    try:
        text = _run_text(file.name, file.getvalue())
    except UnicodeDecodeError as error:
        st.session_state.run_error = file.name, f"it is not UTF-8: byte {error.start}"
    except TextError as error:
        st.session_state.run_error = file.name, render(error)
    else:
        uploaded = st.session_state.get("uploaded_runs", {})
        st.session_state.uploaded_runs = {**uploaded, file.name: text}
        st.session_state.run = file.name


def _run_text(name: str, data: bytes) -> str:
    """The JSON of an uploaded run, checked."""
    text = data.decode("utf-8-sig")
    is_toon = name.lower().endswith(".toon")
    trace = ExecutionTrace.from_toon(text) if is_toon else ExecutionTrace.from_json(text)
    if not trace.steps:
        raise TraceError("$.steps: there are no steps to replay")
    return trace.to_json() if is_toon else text


def draw_upload_error() -> None:
    """Says once why the last upload was not opened."""
    if error := st.session_state.pop("run_error", None):
        name, message = error
        st.error(f"{escape_markdown(name)} was not opened. The run below was open before.")
        st.code(message, language=None)
