"""The tab of context: a session replayed, with all that enters its context as JSON and as TOON.

Session state:
    uploaded_runs: The recorded runs that were dropped, as JSON by name, the last one first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import controls
from pages.parts.caches import cached
from pages.parts.charts import DASHED, DOTTED, SOLID, Line, token_lines
from pages.parts.dashboard.opened import Opened
from pages.parts.faults import counting
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask_once, work
from pages.parts.samples import sample_runs, spaced
from pages.parts.tables import draw_table
from pages.parts.texts import draw_text
from toon.analysis import Comparison
from toon.bounded import Exceeded
from toon.colours import COMPACT_JSON, TODAY
from toon.colours import TOON as TOON_COLOUR
from toon.context.formatter import Fallback
from toon.context.replay import Column, Explained, ReplayRow, ReplayTotals, replay_text
from toon.context.trace import read_run
from toon.costs.explanation import Explaining
from toon.errors import EncodeError, TextError
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.limits import PAGE_CHARACTERS
from toon.wording import capitalised, plural, signed_percent

#: The kinds of steps, in words.
KINDS: Final = {"task": "task", "tool_call": "tool call", "hand_off": "hand-off"}
_LINES: Final[dict[Column, Line]] = {
    "toon": Line(TOON_COLOUR, SOLID),
    "pretty": Line(TODAY, DOTTED),
    "json": Line(COMPACT_JSON, DASHED),
}
#: The last characters of a session's name, which are shown: its file.
_NAME: Final = 56
#: Bytes of a file in which a recorded run names its steps.
_LOOKED: Final = 4_096
_NOTHING_SENT: Final = "No step is sent as TOON, so there is no note."


@cached(16)
def replay_run(
    text: str, tokenizer: str, delimiter: str, smaller: bool, explaining: Explaining
) -> tuple[list[ReplayRow], ReplayTotals, Explained]:
    """The rows and totals of a run's JSON: see :func:`toon.context.replay.replay_text`."""
    fallback: Fallback | None = "smaller" if smaller else None
    return work(text, replay_text, text, tokenizer, delimiter, fallback, explaining)


def take_run(name: str, data: bytes) -> bool:
    """Whether a file is a recorded run, as ``toon.context`` writes it; keeps it for the tab."""
    is_toon = name.lower().endswith(".toon")
    if not is_toon and b'"steps"' not in data[:_LOOKED]:
        return False
    try:
        text = data.decode("utf-8-sig")
        run = work(text, partial(read_run, is_toon=is_toon), text)
    except (Exceeded, UnicodeDecodeError, TextError):
        return False
    st.session_state.uploaded_runs = {name: run, **st.session_state.get("uploaded_runs", {})}
    return True


def draw_context(opened: Opened, choice: Comparison) -> None:
    """A session of the run that is open, or a bundled one, step by step."""
    st.caption(
        "A session is replayed, with everything that enters its context as JSON and as TOON.",
        help="All agents share one context, and a model is called after every step with all that "
        "came before it, until nothing is left out. Of a log of yours, the steps are its results "
        "in JSON. Negative means fewer tokens.",
    )
    bundled, own = sample_runs(), st.session_state.get("uploaded_runs", {})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Session",
            [*own, *opened.sessions, *bundled],
            format_func=lambda name: (
                f"Example: {spaced(name)}" if name in bundled else name[-_NAME:]
            ),
            key=f"run_{opened.number}_{len(own)}",  # what comes is shown first
            persist_state="session",
            width=420,
        )
        delimiter = controls.choose_delimiter()
        smaller = st.toggle(
            "Keep JSON where TOON is not smaller", key="smaller", persist_state="session"
        )
    text = own.get(name) or bundled.get(name) or opened.session(name)
    if len(text) > PAGE_CHARACTERS and not ask_once(
        "replay_large", name, f"Replay {escape_markdown(name)}, a large session"
    ):
        return
    with counting():
        try:
            rows, totals, explained = replay_run(
                text, choice.tokenizer, delimiter, smaller, controls.explaining(is_one_prompt=True)
            )
        except EncodeError as error:
            raise ValueError(f"{name} cannot be replayed. {error}") from error
    if not any(row["compared"] for row in rows):
        st.info("Nothing to compare: no step holds structured data.")
        return
    draw_headline(totals, explained, smaller)
    draw_totals(totals, smaller)
    draw_chart(rows, smaller)
    draw_steps(rows, smaller)
    draw_step(name, rows)


def step_name(row: ReplayRow) -> str:
    """The kind and the subject of a step, such as ``tool call: search``."""
    return f"{KINDS[row['kind']]}: {row['subject']}"


def labels(smaller: bool) -> dict[Column, str]:
    """The names of the three contexts; ``smaller``: JSON is sent where TOON is not smaller."""
    toon = f"{TOON.label} where smaller" if smaller else TOON.label
    return {"json": JSON_COMPACT.label, "pretty": JSON_PRETTY.label, "toon": toon}


def draw_headline(totals: ReplayTotals, explained: Explained, smaller: bool) -> None:
    """How many tokens TOON saves or costs by the end of the run, and from which step on."""
    end, name = totals["context"], labels(smaller)["toon"]
    difference = end["tokens"]["toon"] - end["tokens"]["json"]
    tokens = plural(abs(difference), "token")
    if difference < 0:
        words = f"saves {tokens} of context against {JSON_COMPACT.label}"
    elif difference > 0:
        words = f"costs {tokens} of context more than {JSON_COMPACT.label}"
    else:
        words = f"fills as many tokens of context as {JSON_COMPACT.label}"
    share = f" ({signed_percent(end['vs']['json'])})" if difference else ""
    once, is_sent = explained["tokens"], totals["converted"] > 0
    included = f", note {'not ' if once is None else ''}included" if is_sent else ""
    st.header(f"{name} {words}{share}{included}", anchor=False)
    step = explained["worth_from"]
    worth = "is not worth it at the end" if step is None else f"is worth it from step {step:,} on"
    explained_by = None if once is None else plural(once, "token")
    how = _explained_words(explained_by) if is_sent else _NOTHING_SENT
    st.write(f"{how} In this run {name} {worth}.")


def _explained_words(tokens: str | None) -> str:
    if tokens is None:
        return "The model needs no note about TOON."
    return (
        "The whole run is one prompt, so one note to the model tells how to read TOON. It takes "
        f"{tokens}, which every call reads again. TOON's contexts and "
        "bills below include the note, its single steps do not."
    )


def draw_totals(totals: ReplayTotals, smaller: bool) -> None:
    """Context at the end and billed input by format, and how TOON compares with each."""
    context, billed = totals["context"], totals["billed"]
    calls = f"Billed tokens, {plural(totals['steps'], 'call')}"
    lines = [
        {
            "Format": label,
            "Context, tokens": context["tokens"][name],
            "TOON vs it": context["vs"].get(name),
            calls: billed["tokens"][name],
            "TOON vs it, billed": billed["vs"].get(name),
        }
        for name, label in labels(smaller).items()
    ]
    counts, against = ["Context, tokens", calls], ["TOON vs it", "TOON vs it, billed"]
    draw_table(lines, counts=counts, percents=against)


def draw_chart(rows: Sequence[ReplayRow], smaller: bool) -> None:
    """What the next call has to read after each step: all that was added so far."""
    names = labels(smaller)
    frame = pd.DataFrame(
        [
            {
                "step": row["step"],
                "what": step_name(row),
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
    along = alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1, format="d", grid=False))
    lines = {names[name]: line for name, line in _LINES.items()}
    is_short = len(rows) <= 40
    chart = token_lines(
        frame, along, "tokens of context", lines, tips, strokeWidth=2.5, point=is_short
    )
    st.altair_chart(
        chart.properties(height=300),
        key="run_context",
        alt="A line of tokens over the steps for each format; numbers in the table of steps.",
    )


_AGAINST: Final = f"vs {JSON_COMPACT.label}"


def draw_steps(rows: Sequence[ReplayRow], smaller: bool) -> None:
    """Every step: what it adds in each format, the context after it, and what was sent."""
    added = {name: f"+ {label}" for name, label in labels(smaller).items()}
    counts = [*added.values(), "Context, JSON", "Context, TOON"]
    draw_table(
        [_step_line(row, added) for row in rows],
        "steps",
        counts=counts,
        differences=[_AGAINST],
        height="content" if len(rows) <= 25 else "auto",
        alt="Every step with the tokens it adds and the context after it.",
    )


def _step_line(row: ReplayRow, added: dict[Column, str]) -> dict[str, object]:
    return {
        "Step": row["step"],
        "What": row["subject"],
        _AGAINST: row["added"]["toon"] - row["added"]["json"] if row["compared"] else None,
        **{label: row["added"][name] for name, label in added.items()},
        "Sent": _sent(row),
        "Kind": KINDS[row["kind"]],
        "Agent": row["agent"],
        "Context, JSON": row["context"]["json"],
        "Context, TOON": row["context"]["toon"],
    }


def _sent(row: ReplayRow) -> str:
    if row["outcome"] == "converted":
        return "as TOON"
    return "as JSON" if row["compared"] else "unchanged"  # the reason stands with the step's text


def draw_step(name: str, rows: Sequence[ReplayRow]) -> None:
    """The text of one step of the run ``name`` in both formats; at first, of the largest step."""
    most = max(rows, key=lambda row: row["added"]["json"])["step"]
    with st.expander("The text of a step, in both formats", expanded=True):
        number = st.selectbox(
            "Step",
            [row["step"] for row in rows],
            index=most - 1,
            format_func=lambda number: f"{number} · {step_name(rows[number - 1])}",
            key=f"step_of_{name}",
            persist_state="session",
        )
        row = rows[number - 1]
        if row["arguments"] is not None:
            st.caption("Arguments of the call, as the model wrote them. Every format counts them:")
            draw_text(row["arguments"], "json", height="content")
        if row["outcome"] != "converted":
            st.caption(escape_markdown(f"Sent {_sent(row)}: {row['reason']}."))
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
