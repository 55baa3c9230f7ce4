"""The panels of the pipeline page: which run, its totals, its charts, its steps and their text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import figures
from pages.parts.markdown import plain
from toon.codec.text import NAMED_DELIMITERS
from toon.context import ExecutionTrace, TraceError, truncate
from toon.context.replay import replay, totals
from toon.costs.choice import primer_tokens
from toon.errors import TextError, render
from toon.values.json_text import parse_json

RUNS = Path(__file__).parents[3] / "samples" / "pipelines"
KINDS = {"task": "task", "tool_call": "tool call", "hand_off": "hand-off"}

#: Characters of one step's text that are drawn; a browser is slow with more.
SHOWN = 20_000


# -- the run ---------------------------------------------------------------------------------


@st.cache_data(max_entries=1, show_spinner=False)
def bundled() -> dict[str, str]:
    """The bundled runs as JSON by name, the page's first one first."""
    paths = sorted(RUNS.glob("*.json"), key=lambda path: (path.stem != "react-loop", path.stem))
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


@st.cache_data(max_entries=16, show_spinner=False)
def cached_replay(
    text: str, tokenizer: str, delimiter: str, smaller: bool
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
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
    runs = bundled() | st.session_state.get("uploaded_runs", {})
    name = st.selectbox(
        "Run",
        list(runs),
        format_func=lambda name: name if name not in bundled() else name.replace("-", " "),
        key="run",
        persist_state="session",
        width=190,
    )
    with st.popover("Upload"):
        st.file_uploader(
            "A run as .json or .toon, UTF-8",
            type=["json", "toon"],
            key="run_upload",
            on_change=open_upload,
        )
        st.caption("The form of a run; `at` and `arguments` may be left out:")
        st.code(
            '{"name": "…", "steps": [\n'
            '  {"kind": "task", "agent": "…", "task": "…", "content": …},\n'
            '  {"kind": "tool_call", "agent": "…", "tool": "…",\n'
            '   "arguments": {…}, "content": …},\n'
            '  {"kind": "hand_off", "agent": "…", "to": "…", "content": …}]}',
            language=None,
        )
    return name, runs[name]


def open_upload() -> None:
    """Callback of the upload control; what is no run is reported and nothing is replaced."""
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


def show_upload_error() -> None:
    """Why the last upload was not taken over, once."""
    if error := st.session_state.pop("run_error", None):
        name, message = error
        st.error(f"{plain(name)} was not taken over; the run below is the one you had.")
        st.code(message, language=None)


def asked_for(name: str) -> bool:
    """Whether the user has asked for this large run; offers to."""
    if st.session_state.get("large_run") == name:
        return True
    place = st.empty()
    if not place.button(f"Replay {plain(name)}, a large run", key="replay_large"):
        return False
    st.session_state.large_run = name
    place.empty()
    return True


# -- totals ----------------------------------------------------------------------------------


def _labels(smaller: bool) -> dict[str, str]:
    toon = "TOON where smaller" if smaller else "TOON"
    return {"json": "compact JSON", "pretty": "indented JSON", "toon": toon}


def show_headline(totals: dict[str, Any], tokenizer: str, smaller: bool) -> None:
    """The end of the run in one sentence."""
    end = totals["context"]
    difference = end["toon"] - end["json"]
    about = "" if totals["exact"] else "≈ "
    words = {
        -1: f"saves {about}{-difference:,} {tokenizer} tokens of context against compact JSON",
        0: f"fills as many {tokenizer} tokens of context as compact JSON",
        1: f"costs {about}{difference:,} {tokenizer} tokens of context more than compact JSON",
    }[(difference > 0) - (difference < 0)]
    share = f" ({figures.signed_percent(end['vs_json'])})" if difference else ""
    st.subheader(f"{_labels(smaller)['toon']} {words}{share}", anchor=False)


def show_totals(totals: dict[str, Any], smaller: bool) -> None:
    """Context at the end and billed input by format, and how TOON compares with each."""
    context, billed = totals["context"], totals["billed"]
    against = {"json": "vs_json", "pretty": "vs_pretty"}
    calls = f"Billed tokens, {totals['steps']:,} calls"
    versus = ["TOON against it", "TOON against it, billed"]
    frame = pd.DataFrame(
        [
            {
                "Format": label,
                "Context, tokens": context[name],
                versus[0]: context.get(against.get(name)),
                calls: billed[name],
                versus[1]: billed.get(against.get(name)),
            }
            for name, label in _labels(smaller).items()
        ]
    )
    styled = (
        frame.style.format(figures.count, subset=["Context, tokens", calls])
        .format(figures.signed_percent, subset=versus)
        .map(figures.loss, subset=versus)
    )
    if not totals["exact"]:
        st.caption("≈ Tokens are estimates with this tokenizer, and so are the differences.")
    st.dataframe(styled, hide_index=True, width="stretch", key="run_totals", placeholder="")


# -- charts ----------------------------------------------------------------------------------


def show_charts(rows: list[dict[str, Any]], smaller: bool) -> None:
    """The context after each step, and the input billed up to it."""
    panels = {
        "context": (
            "Context after each step",
            "What the next call has to read: all that was added so far.",
        ),
        "billed": (
            "Input billed so far",
            "The context is sent again with every call: the sum of the contexts so far, before "
            "any discount for a cached prompt.",
        ),
    }
    for column, (measure, (title, caption)) in zip(
        st.columns(2, gap="medium"), panels.items(), strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            st.altair_chart(
                lines(rows, measure, _labels(smaller)),
                key=f"run_{measure}",
                alt=f"{title}: a line of tokens for each format; numbers in the table below.",
            )
            st.caption(caption)


def lines(rows: list[dict[str, Any]], measure: str, labels: dict[str, str]) -> alt.Chart:
    """Tokens by step, one stepped line a format; told apart by dashes as well as by colour."""
    frame = pd.DataFrame(
        [
            {
                "step": row["step"],
                "what": _what(row),
                "format": label,
                "tokens": row[f"{name}_{measure}"],
                "added": row[f"{name}_added"],
            }
            for row in rows
            for name, label in labels.items()
        ]
    )
    shown = [labels[name] for name in ("toon", "pretty", "json")]
    unit = "tokens" if rows[0]["exact"] else "≈ tokens"
    scale = alt.Scale(domain=shown)
    legend = alt.Legend(
        orient="top", title=None, labelLimit=160, symbolType="stroke", symbolSize=400, columns=2
    )
    dash = alt.Scale(domain=shown, range=[[1, 0], [2, 3], [7, 3]])
    return (
        alt.Chart(frame)
        .mark_line(interpolate="step-after", strokeWidth=2.5, point=len(rows) <= 40)
        .encode(
            x=alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
            y=alt.Y("tokens:Q", title=unit, axis=alt.Axis(format=",d", tickMinStep=1)),
            color=alt.Color("format:N", scale=scale, legend=legend),
            strokeDash=alt.StrokeDash("format:N", scale=dash, legend=legend),
            tooltip=[
                alt.Tooltip("step:Q"),
                alt.Tooltip("what:N"),
                alt.Tooltip("format:N"),
                alt.Tooltip("tokens:Q", format=","),
                alt.Tooltip("added:Q", format=",", title="added by this step"),
            ],
        )
        .properties(height=300)
    )


def _what(row: dict[str, Any]) -> str:
    return f"{KINDS[row['kind']]}: {row['subject']}"


# -- steps -----------------------------------------------------------------------------------


def show_steps(rows: list[dict[str, Any]], smaller: bool) -> None:
    """Every step: what it adds in each format, the context after it, and what was sent."""
    st.subheader("Every step", anchor=False)
    labels = {name: f"+ {label}" for name, label in _labels(smaller).items()}
    frame = pd.DataFrame([_step_line(row, labels) for row in rows])
    counts = [*labels.values(), "Context, JSON", "Context, TOON"]
    styled = (
        frame.style.format(figures.count, subset=counts)
        .format(_difference, subset=["vs compact"])
        .map(figures.loss, subset=["vs compact"])
    )
    height = "content" if len(rows) <= 25 else "auto"
    st.dataframe(
        styled, hide_index=True, width="stretch", height=height, key="steps", placeholder=""
    )


def _step_line(row: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
    difference = row["toon_added"] - row["json_added"] if row["compared"] else None
    return {
        "Step": row["step"],
        "Kind": KINDS[row["kind"]],
        "Agent": row["agent"],
        "What": row["subject"],
        **{label: row[f"{name}_added"] for name, label in labels.items()},
        "vs compact": difference,
        "Context, JSON": row["json_context"],
        "Context, TOON": row["toon_context"],
        "Sent": _sent(row),
    }


def _sent(row: dict[str, Any]) -> str:
    if row["outcome"] == "converted":
        return "as TOON"
    return f"{'as JSON' if row['compared'] else 'as it is'}: {row['reason']}"


def _difference(value: float | None) -> str:
    return "±0" if value == 0 else figures.signed_count(value)


def show_step(name: str, rows: list[dict[str, Any]]) -> None:
    """The text of one step in both formats: at first the one that adds most."""
    numbers = [row["step"] for row in rows]
    most = max(rows, key=lambda row: row["json_added"])["step"]
    with st.expander("The text of a step, in both formats", expanded=True):
        number = st.selectbox(
            "Step",
            numbers,
            index=most - 1,
            format_func=lambda number: f"{number} · {_what(rows[number - 1])}",
            key=f"step_of_{name}",
            persist_state="session",
        )
        row = rows[number - 1]
        if row["arguments"] is not None:
            st.caption("Called with, as the model wrote it; counted in every format:")
            st.code(truncate(row["arguments"], SHOWN), language="json", wrap_lines=True)
        if row["outcome"] != "converted":
            st.caption(f"Sent {plain(_sent(row))}.")
            _text(row["toon_text"], None, wrap=True)
            return
        for column, label, text, language in zip(
            st.columns(2, gap="medium"),
            ("Compact JSON", "TOON"),
            (row["json_text"], row["toon_text"]),
            ("json", None),
            strict=True,
        ):
            with column:
                st.caption(f"{label}, {len(text):,} characters")
                _text(text, language, wrap=language == "json")


def _text(text: str, language: str | None, *, wrap: bool) -> None:
    height = 380 if len(text) > 800 else "content"
    st.code(truncate(text, SHOWN), language=language, wrap_lines=wrap, height=height)


def show_notes(rows: list[dict[str, Any]], totals: dict[str, Any], tokenizer: str) -> None:
    """What was passed through and why, and what the figures leave out."""
    passed: dict[str, list[str]] = {}
    for row in rows:
        if row["outcome"] != "converted":
            cause, _, _ = row["reason"].partition(":")  # the rest stands in the table
            passed.setdefault(cause, []).append(str(row["step"]))
    lines = [
        f"- {plain(cause)}: {'step' if len(steps) == 1 else 'steps'} {', '.join(steps)}"
        for cause, steps in passed.items()
    ]
    st.subheader("What was passed through", anchor=False)
    st.markdown(
        f"Of {totals['steps']:,} steps {totals['converted']:,} were converted, "
        f"{totals['passed']:,} passed through as they are, {totals['failed']:,} failed. "
        "A step without structured data is the same text in every format.\n\n" + "\n".join(lines)
    )
    extra = primer_tokens("toon", tokenizer)
    about = "" if totals["exact"] else "≈ "
    st.caption(
        "Not counted: system prompt, tool descriptions, the model's own thoughts, and explaining "
        f"TOON to it. Ours takes {about}{figures.signed_count(extra)} tokens beyond JSON's in "
        f"every call: {about}{figures.signed_count(extra * totals['steps'])} of billed input here."
    )
