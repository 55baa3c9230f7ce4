"""What is known before anybody is asked: the official benchmark's answers of four models."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

import streamlit as st

from pages.parts.reading.charts import COMPARED, compared
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon.formats import label
from toon.reading import known
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import METHODS, known_verdict, primer_words, study_words
from toon.wording import percent

_ALL: Final = "all"


def draw_known() -> None:
    """What was seen for each model; every share and difference behind a click."""
    st.markdown(
        f"Over all questions and data, beside {label(BASELINE)}:\n"
        + "\n".join(f"- {known_verdict('toon', model)}" for model in known.MODELS)
    )
    st.markdown(primer_words())
    st.caption(
        f"Source: {known.SOURCE}, its graded answers.",
        help=METHODS,
    )
    st.markdown(
        "Beyond single questions, as others measured it:\n"
        + "\n".join(f"- {study_words(study)}" for study in known.STUDIES)
    )
    draw_fold("Every format, by question", "reading_known_fold", _draw_shares)


def _draw_shares() -> None:
    """Right answers and differences, of the questions that are chosen."""
    kind = st.selectbox(
        "Questions about",
        [_ALL, *known.KINDS],
        format_func=lambda name: known.KINDS.get(name, _ALL),
        key="reading_kind",
        persist_state="session",
        width=300,
    )
    kinds = known.KINDS if kind == _ALL else {kind}
    draw_table(
        list(_lines(kinds)),
        "reading_known",
        height="content",
        right=["Right", *COMPARED[1:]],
        alt="Right answers of each model in each format, and their difference.",
    )
    st.caption(f"Points are beside {label(BASELINE)}. CSV carries the flat data alone.")


def _lines(kinds: Container[str]) -> Iterator[dict[str, object]]:
    """One row for each model and format that was asked about such questions."""
    for model, name in known.MODELS.items():
        for format in known.FORMATS:
            found = known.share(format, model, kinds)
            if found is None:
                continue
            pair = known.paired(format, model, kinds)
            yield {
                "Model": name,
                "Format": label(format),
                "Asked": found.asked,
                "Right": percent(found.accuracy, 1),
                **compared(found, pair if format != BASELINE else None),
            }
