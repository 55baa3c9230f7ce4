"""A test of one's own model: questions about the payload as a folder, and logs of the answers.

Session state:
    reading_readings: The answers of each model in the last opened logs.
    reading_refused: Why the last logs could not be opened, or "".
"""

from io import BytesIO
from math import ceil
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import streamlit as st

from pages.parts import payload
from pages.parts.evidence.known import COMPARED, compare_cells
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon.formats import FORMATS, RECOMMENDED, label
from toon.reading import tasks
from toon.reading.logs import Reading, Record, read_logs
from toon.reading.questions import FEWEST, KINDS, TooSmall
from toon.reading.results import FormatResult, Results, summarise
from toon.reading.tasks import BASELINE, FRAMEWORKS, Tasks, make_tasks
from toon.wording import UNKNOWN, plural

#: The key of the page's tabs.
TAB: Final = "evidence_tab"
#: The most questions of one folder: a payload seldom gives more.
_MOST_QUESTIONS: Final = 2_000
_NAMES: Final = {"inspect": "Inspect", "promptfoo": "promptfoo"}
#: The most wrong answers that are drawn, and characters of each; the log has all.
_MOST_WRONG: Final = 20
_MOST_CHARACTERS: Final = 1_000


def draw_asking() -> None:
    """Draw a download of questions for one's own model, and the results of its uploaded answers."""
    payload.draw_caption("Questions whose answers the data give, for a model of yours.")
    _draw_folder()
    _draw_results()


def _draw_folder() -> None:
    names = dict.fromkeys((*tasks.FORMATS, *RECOMMENDED, *FORMATS))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.popover("Questions and formats"):
            count = st.number_input(
                "Questions",
                FEWEST,
                _MOST_QUESTIONS,
                tasks.QUESTIONS,
                10,
                key="reading_count",
                persist_state="session",
            )
            formats = st.multiselect(
                f"Formats besides {label(BASELINE)}",
                [name for name in names if name != BASELINE],
                default=list(tasks.FORMATS),
                format_func=label,
                key="reading_formats",
                persist_state="session",
            )
        framework = st.segmented_control(
            "What runs it",
            list(FRAMEWORKS),
            default="inspect",
            required=True,
            format_func=_NAMES.__getitem__,
            key="reading_framework",
            label_visibility="collapsed",
            persist_state="session",
        )
    try:
        test = payload.ask_value(payload.require_pane(), _make_tasks, tuple(formats), count)
    except TooSmall as error:
        st.info(str(error))
        return
    questions = plural(len(test.questions[0]), "question")
    st.markdown(
        f"**{questions} in {plural(len(test.heads), 'format')}** with the answers of your data. "
        "Nothing is sent from here: the folder asks a model from your machine, with your key."
    )
    if test.refused:
        reasons = (f"{label(name)} {reason}" for name, reason in test.refused.items())
        st.caption(escape_markdown(f"Left out: {'; '.join(reasons)}."))
    st.code(tasks.COMMANDS[framework].format(folder="reading"), language=None, wrap_lines=True)
    st.download_button(
        "Download the folder (.zip)",
        lambda: _zip(FRAMEWORKS[framework](test)),
        "reading.zip",
        "application/zip",
        key="reading_folder",
        on_click="ignore",
        type="primary",
    )
    draw_fold("The questions", "reading_questions_fold", lambda: _draw_questions(test))


def _make_tasks(value: Any, formats: tuple[str, ...], count: int) -> Tasks:
    return make_tasks([value], formats, count)


def _draw_questions(test: Tasks) -> None:
    draw_table(
        [
            {
                "Question": row["question"],
                "Answer": row["answer"],
                "Asks for": KINDS[row["kind"]].label,
                "Type": row["type"],
            }
            for row in test.rows
        ],
        "reading_questions",
        alt="Questions with their answers, kinds and types.",
    )


def _zip(files: dict[str, str]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as folder:
        for name, text in files.items():
            folder.writestr(f"reading/{name}", text)
    return buffer.getvalue()


def read_results() -> tuple[Reading, Results] | None:
    """Return the chosen model's uploaded answers with their statistics, or None without any."""
    readings: list[Reading] = st.session_state.get("reading_readings", [])
    if not readings:
        return None
    by_model = {reading.model: reading for reading in readings}
    chosen = by_model.get(st.session_state.get("reading_model", ""), readings[0])
    return chosen, summarise(chosen.records)


def _draw_results() -> None:
    st.header("What your model answered", anchor=False)
    st.file_uploader(
        "Logs of Inspect (.eval, .json) or results of promptfoo (.json)",
        type=["eval", "json"],
        accept_multiple_files=True,
        key="reading_upload",
        on_change=_open,
    )
    if refused := st.session_state.get("reading_refused"):
        st.error(escape_markdown(refused))
    if (pair := read_results()) is None:
        return
    readings = st.session_state.reading_readings
    if len(readings) > 1:
        models = [reading.model for reading in readings]
        st.selectbox("Model", models, key="reading_model", format_func=escape_markdown, width=380)
    reading, results = pair
    for note in reading.notes:
        st.warning(escape_markdown(note))
    draw_table(
        [_row(row) for row in results.formats],
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
        "Output are tokens as the log counts them."
    )
    st.header("Wrong answers", anchor=False)
    if not (wrong := [*results.wrong, *results.unanswered]):
        st.caption("There are none.")
        return
    with st.container(key="reading_wrong"):  # as plain text: they are untrusted
        draw_table(map(_wrong_row, wrong[:_MOST_WRONG]))
    if len(wrong) > _MOST_WRONG:
        st.caption(f"And {plural(len(wrong) - _MOST_WRONG, 'other')}, all in the logs.")


def _open() -> None:
    """Read uploaded logs of models' answers; if that fails, keep the last and the reason."""
    session = st.session_state
    files = [(file.name, file.getvalue()) for file in session.reading_upload]
    session.reading_refused = ""
    if not files:
        return
    try:
        # In a worker: a small log may unpack to a large one.
        session.reading_readings = payload.run_in_worker(read_logs, files)
    except (RuntimeError, ValueError) as error:
        session.reading_refused = str(error)


def _row(row: FormatResult) -> dict[str, object]:
    """Return a format's row in the table of a model's right answers, as a dict by column."""
    share, paired = row.share, row.paired
    seen = f"{ceil(100 * paired.smallest_effect)} points" if paired else UNKNOWN
    return {
        "Format": label(row.format),
        "Answers": share.asked,
        "Right": share.right,
        "Right, %": share.accuracy if share.asked else None,
        **compare_cells(share, paired),
        "Could have seen": seen,
        "No answer": row.unanswered,
        "Input": row.input_tokens,
        "Output": row.output_tokens,
        "Tokens a right answer": row.tokens_per_right,
    }


def _wrong_row(record: Record) -> dict[str, object]:
    text = f"({record.error})" if record.reply is None else record.reply
    return {
        "Question": record.text,
        "Format": label(record.format),
        "Right is": record.answer,
        "The model said": text[:_MOST_CHARACTERS] + ("…" if len(text) > _MOST_CHARACTERS else ""),
    }
