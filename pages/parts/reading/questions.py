"""The questions that the payload of the playground gives, and the folder that asks a model."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import streamlit as st

from pages.parts import payload
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon.formats import FORMATS, RECOMMENDED, label
from toon.playground.panes import Pane
from toon.reading import tasks
from toon.reading.questions import FEWEST, KINDS, TooSmall
from toon.reading.tasks import BASELINE, FRAMEWORKS, Tasks, make_tasks
from toon.wording import plural

#: The most questions of one folder: a payload seldom gives more.
MOST_QUESTIONS: Final = 2_000
LARGEST_SEED: Final = 10**6
_NAMES: Final = {"inspect": "Inspect", "promptfoo": "promptfoo"}


def draw_questions() -> None:
    """How many and which, each with the answer that the data give, and the folder to download."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = _number("Questions", "count", FEWEST, MOST_QUESTIONS, tasks.QUESTIONS, 10)
        about = "The same payload and seed give the same questions."
        seed = _number("Seed", "seed", 0, LARGEST_SEED, tasks.SEED, help=about)
        _choose_formats()
    pane = payload.current()
    try:
        found = _tasks(pane, count, seed)
    except TooSmall as error:
        st.info(str(error))
        return
    _draw_folder(found, pane)
    draw_table(
        [
            {
                "Question": row["question"],
                "Answer": row["answer"],
                "Asks for": KINDS[row["kind"]].label,
                "Type": row["type"],
            }
            for row in found.rows
        ],
        "reading_questions",
        alt="Questions with their answers, kinds and types.",
    )


def _number(label: str, name: str, *numbers: int, **looks: Any) -> int:
    """A field that the session keeps; ``numbers`` are the least, the most, the usual and a step."""
    found: int = st.number_input(
        label, *numbers, key=f"reading_{name}", persist_state="session", width=140, **looks
    )
    return found


def _choose_formats() -> None:
    names = dict.fromkeys((*tasks.FORMATS, *RECOMMENDED, *FORMATS))
    st.pills(
        f"Formats besides {label(BASELINE)}",
        [name for name in names if name != BASELINE],
        selection_mode="multi",
        default=list(tasks.FORMATS),
        format_func=label,
        key="reading_formats",
        persist_state="session",
    )
    st.toggle("Explain each format", key="reading_explained", persist_state="session")


def _tasks(pane: Pane, count: int, seed: int) -> Tasks:
    formats = tuple(st.session_state.reading_formats)
    return payload.ask_value(
        pane, _make_tasks, formats, count, seed, bool(st.session_state.reading_explained)
    )


def _make_tasks(
    value: Any, formats: tuple[str, ...], count: int, seed: int, is_explained: bool
) -> Tasks:
    return make_tasks([value], formats, count, seed, is_explained=is_explained)


def _draw_folder(found: Tasks, pane: Pane) -> None:
    asked = plural(len(found.questions[0]), "question")
    st.markdown(
        f"**{asked} in {plural(len(found.heads), 'format')}**, each with the one answer that the "
        "data give. Nothing is sent from here: the folder asks a model on your machine, with your "
        "key, and the tab Answers reads its logs."
    )
    if found.refused:
        reasons = (f"{label(name)} {reason}" for name, reason in found.refused.items())
        st.caption(escape_markdown(f"Left out: {'; '.join(reasons)}."))
    framework = st.segmented_control(
        "What runs it",
        list(FRAMEWORKS),
        default="inspect",
        required=True,
        format_func=_NAMES.__getitem__,
        key="reading_framework",
        persist_state="session",
    )
    st.code(tasks.COMMANDS[framework].format(folder="reading"), language=None, wrap_lines=True)
    st.download_button(
        "Download the folder (.zip)",
        lambda: _zipped(FRAMEWORKS[framework](found)),
        "reading.zip",
        "application/zip",
        key="reading_folder",
        on_click="ignore",
        type="primary",
    )


def _zipped(files: dict[str, str]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as folder:
        for name, text in files.items():
            folder.writestr(f"reading/{name}", text)
    return buffer.getvalue()
