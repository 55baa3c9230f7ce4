"""The dashboard's tab Context: an agent's session replayed, its context as JSON and as TOON.

Session state:
    uploaded_runs: The recorded runs that were dropped, as JSON by name, the last one first.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import controls
from pages.parts.charts import legend, number_axis
from pages.parts.dashboard.open_run import MOST_STEPS, OpenRun
from pages.parts.faults import counting
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask_once, run_bounded
from pages.parts.samples import bundled_texts, spell
from pages.parts.static import draw_text
from pages.parts.tables import draw_table
from toon.analysis import Comparison
from toon.bounded import Exceeded
from toon.codec.text import DEFAULT_DELIMITER, NAMED_DELIMITERS
from toon.colours import COMPACT_JSON, TODAY
from toon.colours import TOON as TOON_COLOUR
from toon.context.formatter import Fallback
from toon.context.replay import Column, Replay, ReplayRow, Tokens, replay
from toon.context.trace import read_run
from toon.costs.explanation import Explaining
from toon.errors import EncodeError, TextError
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.limits import PAGE_CHARACTERS
from toon.values.fractions import fraction
from toon.wording import capitalised, plural, signed_percent

#: The kinds of steps, in words.
KINDS: Final = {"task": "task", "tool_call": "tool call", "hand_off": "hand-off"}
#: Colours and dashes of lines in the chart, so that they differ in more than colour.
_LINES: Final[dict[Column, tuple[str, list[int]]]] = {
    "toon": (TOON_COLOUR, [1, 0]),
    "pretty": (TODAY, [2, 3]),
    "json": (COMPACT_JSON, [7, 3]),
}
#: How many characters of a session's name are shown: the last ones, its file.
_NAME: Final = 56
#: Bytes of a file in which a recorded run names its steps.
_HEAD_BYTES: Final = 4_096


@st.cache_data(max_entries=16, show_spinner=False)
def replay_run(
    text: str, tokenizer: str, delimiter: str, smaller: bool, explaining: Explaining
) -> Replay:
    """Replay an agent's recorded steps, a JSON text: count each as JSON and as TOON.

    With ``smaller`` a step stays JSON where TOON is not smaller. Results are kept in a cache.
    """
    fallback: Fallback | None = "smaller" if smaller else None
    return run_bounded(text, replay, text, tokenizer, delimiter, fallback, explaining)


def take_run(name: str, data: bytes) -> bool:
    """Keep an uploaded file if it is an agent's recorded steps; return whether it is."""
    is_toon = name.lower().endswith(".toon")
    if not is_toon and b'"steps"' not in data[:_HEAD_BYTES]:
        return False
    try:
        text = data.decode("utf-8-sig")
        run = run_bounded(text, partial(read_run, is_toon=is_toon), text)
    except (Exceeded, UnicodeDecodeError, TextError):
        return False
    st.session_state.uploaded_runs = {name: run, **st.session_state.get("uploaded_runs", {})}
    return True


def draw_context(run: OpenRun, choice: Comparison) -> None:
    """Draw a chosen agent's session step by step: what its context takes as JSON and as TOON."""
    st.caption(
        "A session is replayed, with everything that enters its context as JSON and as TOON.",
        help="All agents share one context, and a model is called after every step with all that "
        "came before it, until nothing is left out. Of a log of yours, the steps are its results "
        "in JSON. Negative means fewer tokens.",
    )
    own = st.session_state.get("uploaded_runs", {})
    bundled = bundled_texts("pipelines", "json", "react-loop")  # the first is shown first
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Session",
            [*own, *run.sessions, *bundled],
            format_func=lambda name: (
                f"Example: {spell(name)}" if name in bundled else name[-_NAME:]
            ),
            key=f"run_{run.number}_{len(own)}",  # what comes is shown first
            persist_state="session",
            width=420,
        )
        delimiter = st.segmented_control(
            "Delimiter",
            list(NAMED_DELIMITERS),
            default=DEFAULT_DELIMITER,
            required=True,
            key="delimiter",
            persist_state="session",
        )
        smaller = st.toggle(
            "Keep JSON where TOON is not smaller", key="smaller", persist_state="session"
        )
    text = own.get(name) or bundled.get(name) or run.session(name)
    if len(text) > PAGE_CHARACTERS and not ask_once(
        "replay_large", name, f"Replay {escape_markdown(name)}, a large session"
    ):
        return
    with counting():
        try:
            replayed = replay_run(
                text, choice.tokenizer, delimiter, smaller, controls.read_note(is_one_prompt=True)
            )
        except EncodeError as error:
            raise ValueError(f"{name} cannot be replayed. {error}") from error
    rows = replayed["rows"]
    if not any(row["compared"] for row in rows):
        st.info("Nothing to compare: no step holds structured data.")
        return
    if name in run.sessions and len(rows) >= MOST_STEPS:
        st.caption(f"Of this session the first {MOST_STEPS:,} results are replayed.")
    toon = f"{TOON.label} where smaller" if smaller else TOON.label
    names: dict[Column, str] = {"json": JSON_COMPACT.label, "pretty": JSON_PRETTY.label}
    names["toon"] = toon
    _draw_headline(replayed, toon)
    _draw_totals(rows, names)
    _draw_chart(rows, names)
    _draw_steps(rows, names)
    _draw_step(name, rows)


def _step_name(row: ReplayRow) -> str:
    return f"{KINDS[row['kind']]}: {row['subject']}"


def _draw_headline(replayed: Replay, name: str) -> None:
    """Draw how many tokens of context TOON saves or costs by the last step, and when it pays."""
    end = replayed["rows"][-1]["context"]
    difference = end["toon"] - end["json"]
    tokens = plural(abs(difference), "token")
    if difference < 0:
        words = f"saves {tokens} of context against {JSON_COMPACT.label}"
    elif difference > 0:
        words = f"costs {tokens} of context more than {JSON_COMPACT.label}"
    else:
        words = f"fills as many tokens of context as {JSON_COMPACT.label}"
    share = f" ({signed_percent(fraction(end['toon'], end['json']))})" if difference else ""
    once, is_sent = (
        replayed["explanation"],
        any(row["outcome"] == "converted" for row in replayed["rows"]),
    )
    included = f", note {'not ' if once is None else ''}included" if is_sent else ""
    st.header(f"{name} {words}{share}{included}", anchor=False)
    step = replayed["worth_from"]
    worth = "is not worth it at the end" if step is None else f"is worth it from step {step:,} on"
    if not is_sent:
        how = "No step is sent as TOON, so there is no note."
    elif once is None:
        how = "The model needs no note about TOON."
    else:
        how = (
            "The whole run is one prompt, so one note to the model tells how to read TOON. It "
            f"takes {plural(once, 'token')}, which every call reads again. TOON's contexts and "
            "bills below include the note, its single steps do not."
        )
    st.write(f"{how} In this run {name} {worth}.")


def _draw_totals(rows: Sequence[ReplayRow], names: dict[Column, str]) -> None:
    """Draw a table of an agent's last context and billed input by format, and TOON against each."""
    context, billed = rows[-1]["context"], rows[-1]["billed"]
    calls = f"Billed tokens, {plural(len(rows), 'call')}"

    def change(tokens: Tokens, name: Column) -> float | None:
        return None if name == "toon" else fraction(tokens["toon"], tokens[name])

    lines = [
        {
            "Format": label,
            "Context, tokens": context[name],
            "TOON vs it": change(context, name),
            calls: billed[name],
            "TOON vs it, billed": None
            if name == "toon"
            else fraction(billed["toon"], billed[name]),
        }
        for name, label in names.items()
    ]
    counts, against = ["Context, tokens", calls], ["TOON vs it", "TOON vs it, billed"]
    draw_table(lines, counts=counts, percents=against)


def _draw_chart(rows: Sequence[ReplayRow], names: dict[Column, str]) -> None:
    """Draw an agent's context in tokens after each step as a chart, with a line for each format."""
    frame = pd.DataFrame(
        [
            {
                "step": row["step"],
                "what": _step_name(row),
                "sent": label,
                "tokens": row["context"][name],
                "added": row["added"][name],
            }
            for row in rows
            for name, label in names.items()
        ]
    )
    tips = [
        alt.Tooltip("step:Q"),
        alt.Tooltip("what:N"),
        alt.Tooltip("sent:N", title="format"),
        alt.Tooltip("tokens:Q", format=","),
        alt.Tooltip("added:Q", format=",", title="added by this step"),
    ]
    sent = [names[name] for name in _LINES]
    colours = alt.Scale(domain=sent, range=[colour for colour, _ in _LINES.values()])
    dashes = alt.Scale(domain=sent, range=[dash for _, dash in _LINES.values()])
    above = legend(3, labelLimit=260, symbolType="stroke", symbolSize=400)
    chart = (
        alt.Chart(frame)
        .mark_line(interpolate="step-after", strokeWidth=2.5, point=len(rows) <= 40)
        .encode(
            x=alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
            y=alt.Y("tokens:Q", title="tokens of context", axis=number_axis("y", tickMinStep=1)),
            color=alt.Color("sent:N", scale=colours, legend=above),
            strokeDash=alt.StrokeDash("sent:N", scale=dashes, legend=above),
            tooltip=tips,
        )
    )
    st.altair_chart(
        chart.properties(height=300),
        key="run_context",
        alt="A line of tokens over the steps for each format; numbers in the table of steps.",
    )


def _draw_steps(rows: Sequence[ReplayRow], names: dict[Column, str]) -> None:
    """Draw a table of an agent's steps: the tokens that each adds to the context, by format."""
    against = f"vs {JSON_COMPACT.label}"
    added = {name: f"+ {label}" for name, label in names.items()}
    draw_table(
        [
            {
                "Step": row["step"],
                "What": row["subject"],
                against: row["added"]["toon"] - row["added"]["json"] if row["compared"] else None,
                **{label: row["added"][name] for name, label in added.items()},
                "Sent": _outcome(row),
                "Kind": KINDS[row["kind"]],
                "Agent": row["agent"],
                "Context, JSON": row["context"]["json"],
                "Context, TOON": row["context"]["toon"],
            }
            for row in rows
        ],
        "steps",
        counts=[*added.values(), "Context, JSON", "Context, TOON"],
        differences=[against],
        height="content" if len(rows) <= 25 else "auto",
        alt="Every step with the tokens it adds and the context after it.",
    )


def _outcome(row: ReplayRow) -> str:
    if row["outcome"] == "converted":
        return "as TOON"
    return "as JSON" if row["compared"] else "unchanged"  # the reason stands with the step's text


def _draw_step(name: str, rows: Sequence[ReplayRow]) -> None:
    """Draw the text of a chosen step of an agent as JSON and TOON; at first the largest one."""
    most = max(rows, key=lambda row: row["added"]["json"])["step"]
    with st.expander("The text of a step, in both formats", expanded=True):
        number = st.selectbox(
            "Step",
            [row["step"] for row in rows],
            index=most - 1,
            format_func=lambda number: f"{number} · {_step_name(rows[number - 1])}",
            key=f"step_of_{name}",
            persist_state="session",
        )
        row = rows[number - 1]
        if row["arguments"] is not None:
            st.caption("Arguments of the call, as the model wrote them. Every format counts them:")
            draw_text(row["arguments"], "json", height="content")
        if row["outcome"] != "converted":
            st.caption(escape_markdown(f"Sent {_outcome(row)}: {row['reason']}."))
            _draw_text(row["toon_text"], None)
            return
        left, right = st.columns(2, gap="medium")
        with left:
            st.caption(
                f"{capitalised(JSON_COMPACT.label)}, {plural(len(row['json_text']), 'character')}"
            )
            _draw_text(row["json_text"], "json")
        with right:
            st.caption(f"TOON, {plural(len(row['toon_text']), 'character')}")
            _draw_text(row["toon_text"], None, wrap=False)


def _draw_text(text: str, language: str | None, *, wrap: bool = True) -> None:
    draw_text(text, language, wrap=wrap, height=380 if len(text) > 800 else "content")
