"""What models answered, by the logs of what ran the folder.

Session state:
    reading_readings: The answers of each model in the logs that were opened last.
    reading_refused: Why the logs could not be opened; "" where they could.
"""

from __future__ import annotations

from math import ceil
from typing import Final

import streamlit as st

from pages.parts import payload
from pages.parts.markdown import escape_markdown
from pages.parts.marks import COMPARED, compared
from pages.parts.tables import draw_table
from toon.formats import label
from toon.reading.logs import Reading, Record, read_logs
from toon.reading.questions import KINDS
from toon.reading.results import FormatResult, Results, summarise
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import METHODS
from toon.wording import UNKNOWN, plural

#: The key of the page's tabs.
TAB: Final = "reading_tab"
#: Wrong answers that are drawn, and characters of each; the log has them whole.
_SHOWN: Final = 20
_SAID: Final = 1_000


def current() -> tuple[Reading, Results] | None:
    """The answers of the model that is looked at; None where no log is open."""
    readings: list[Reading] = st.session_state.get("reading_readings", [])
    if not readings:
        return None
    named = {one.model: one for one in readings}
    chosen = named.get(st.session_state.get("reading_model", ""), readings[0])
    return chosen, summarise(chosen.records)


def draw_answers() -> None:
    """The logs to open, and what they say below their verdict."""
    st.file_uploader(
        "Logs of Inspect (.eval, .json) or results of promptfoo (.json)",
        type=["eval", "json", "parquet"],  # the last is that of runs of before, which is said
        accept_multiple_files=True,
        key="reading_upload",
        on_change=_open,
    )
    if refused := st.session_state.get("reading_refused"):
        st.error(escape_markdown(refused))
    if (found := current()) is None:
        st.caption("No log is open. The tab Questions has the folder that makes one.")
        return
    readings = st.session_state.reading_readings
    if len(readings) > 1:
        models = [one.model for one in readings]
        st.selectbox("Model", models, key="reading_model", format_func=escape_markdown, width=380)
    _draw(*found)


def _open() -> None:
    """Open the logs that were uploaded; what was open stays where they cannot be."""
    session = st.session_state
    files = [(file.name, file.getvalue()) for file in session.reading_upload]
    session.reading_refused = ""
    if not files:
        return
    try:
        # In a worker: a small log may unpack to a large one.
        session.reading_readings = payload.work_apart(read_logs, files)
    except (RuntimeError, ValueError) as error:
        session.reading_refused = str(error)


def _draw(reading: Reading, results: Results) -> None:
    for note in reading.notes:
        st.warning(escape_markdown(note))
    draw_table(
        [_line(one) for one in results.formats],
        "reading_result",
        counts=["Answers", "Right", "No answer", "Input", "Output", "Tokens a right answer"],
        shares=["Right, %"],
        right=[*COMPARED, "Could have seen"],
        height="content",
        alt=f"Answers, right answers, their share, the difference from {label(BASELINE)}, and "
        "tokens, by format.",
    )
    st.caption(
        f"Points: right answers minus those in {label(BASELINE)}, on the same questions. Input and "
        "Output are tokens as the log counts them.",
        help=METHODS,
    )
    st.header("By kind of question", anchor=False)
    names = [one.format for one in results.formats]
    draw_table(
        [
            {
                "It asks for": KINDS[kind].label if kind in KINDS else kind,
                **{label(name): f"{shares[name].right} of {shares[name].asked}" for name in names},
            }
            for kind, shares in results.kinds.items()
        ],
        "reading_kinds",
        right=[label(name) for name in names],
        height="content",
        alt="Right answers by kind of question and format.",
    )
    _draw_wrong([*results.wrong, *results.unanswered])


def _line(one: FormatResult) -> dict[str, object]:
    """What came of a format."""
    share, paired = one.share, one.paired
    seen = f"{ceil(100 * paired.smallest_seen)} points" if paired else UNKNOWN
    return {
        "Format": label(one.format),
        "Answers": share.asked,
        "Right": share.right,
        "Right, %": share.accuracy if share.asked else None,
        **compared(share, paired),
        "Could have seen": seen,
        "No answer": one.unanswered,
        "Input": one.input_tokens,
        "Output": one.output_tokens,
        "Tokens a right answer": one.tokens_per_right,
    }


def _draw_wrong(records: list[Record]) -> None:
    """The first wrong answers beside their questions, as plain text; a model may say anything."""
    st.header("Wrong answers", anchor=False)
    if not records:
        st.caption("There are none.")
        return
    with st.container(key="reading_wrong"):
        draw_table([_wrong_line(one) for one in records[:_SHOWN]])
    if len(records) > _SHOWN:
        st.caption(f"And {plural(len(records) - _SHOWN, 'other')}, all in the logs.")


def _wrong_line(one: Record) -> dict[str, object]:
    said = f"({one.error})" if one.said is None else one.said
    return {
        "Question": one.text,
        "Format": label(one.format),
        "Right is": one.answer,
        "The model said": said[:_SAID] + ("…" if len(said) > _SAID else ""),
    }
