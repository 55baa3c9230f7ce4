"""The questions that the payload of the playground gives, each with its answer."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from pages.parts import payload
from pages.parts.caches import cached
from pages.parts.payload import Payload
from pages.parts.reading.endpoint import number_field
from pages.parts.tables import draw_table
from toon.reading.questions import FEWEST, KINDS, Question, TooSmall, make_questions
from toon.wording import plural

#: The most questions of one run: more cost much, and a payload seldom gives more.
MOST_QUESTIONS: Final = 2_000
LARGEST_SEED: Final = 10**6


def choose_questions() -> tuple[int, int]:
    """How many questions to make, and the seed that they are drawn by."""
    about = "Each is asked once in every format."
    count = number_field(
        "Questions", "count", FEWEST, MOST_QUESTIONS, 60, 10, width=140, help=about
    )
    about = "The same payload and seed give the same questions."
    seed = number_field("Seed", "seed", 0, LARGEST_SEED, 0, width=140, help=about)
    return count, seed


@cached
def find_questions(data: Payload, count: int, seed: int) -> list[tuple[str, ...]]:
    """The questions as plain rows: see :func:`toon.reading.questions.make_questions`."""
    make = partial(make_questions, count=count, seed=seed)
    return [tuple(question) for question in payload.work_on_value(data, make)]


def draw_questions() -> None:
    """How many and which; each with the answer that the data give. Nothing is sent."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count, seed = choose_questions()
    try:
        rows = find_questions(payload.current(), count, seed)
    except TooSmall as error:
        st.info(str(error))
        return
    fewer = "" if len(rows) == count else " This payload gives no more."
    st.caption(
        f"{plural(len(rows), 'question')}, each with the one answer that the data give. "
        f"Nothing has been sent.{fewer}"
    )
    draw_table(
        [
            {
                "Question": question.text,
                "Answer": question.answer,
                "Asks for": KINDS[question.kind].label,
                "Type": question.type,
                "Place": question.place,
            }
            for question in map(Question._make, rows)
        ],
        "reading_questions",
        alt="Questions with their answers, kinds, types and places.",
    )
