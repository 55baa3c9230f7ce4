"""What is known of four models by the official benchmark, and the answer above the tabs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.marks import (
    COMPARED,
    Mark,
    compared,
    difference,
    right_share,
    rows_height,
    share_chart,
    told,
)
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon.formats import label
from toon.reading import known
from toon.reading.logs import Reading
from toon.reading.results import Results
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import (
    METHODS,
    known_headline,
    known_verdict,
    primer_words,
    run_headline,
    run_verdict,
    study_words,
)
from toon.wording import percent, plural

_ALL: Final = "all"


def draw_known() -> None:
    """What was seen for each model; every share and difference behind a click."""
    st.markdown(
        f"Over all questions and data, beside {label(BASELINE)}:\n"
        + "\n".join(f"- {known_verdict('toon', model)}" for model in known.MODELS)
    )
    st.markdown(primer_words())
    st.caption(f"Source: {known.SOURCE}, its graded answers.", help=METHODS)
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


# -- the answer above the tabs ----------------------------------------------------------------


#: The formats that the first chart compares, of the six that are known.
_FIRST: Final = (BASELINE, "json-pretty", "toon")
#: Characters of the name of a model in a sentence.
_NAME: Final = 60


def draw_headline(found: tuple[Reading, Results] | None) -> None:
    """One sentence, the shares of right answers, and the differences from compact JSON."""
    if found is None:
        _draw_known_headline()
    else:
        _draw_headline_of(*found)


def _draw_known_headline() -> None:
    st.header(known_headline(), anchor=False)
    pairs = {model: pair for model in known.MODELS if (pair := known.paired("toon", model))}
    structure = [known.paired("toon", model, kinds=known.STRUCTURE) for model in known.MODELS]
    won, of_structure = (
        sum(one.gained - one.lost for one in some if one) for some in (pairs.values(), structure)
    )
    asked = next(iter(pairs.values())).asked
    st.write(
        f"The official benchmark asked each model {plural(asked, 'question')}, in CSV those "
        f"that it can answer. Of "
        f"the {won} answers that {label('toon')} wins over {label(BASELINE)}, {of_structure} are "
        "about the structure itself: how many records, which fields. This says nothing of "
        "agents and of writing, where others measured losses: the tab Known has them. The tab "
        "Questions tries your data and your model."
    )
    _draw_charts(
        [
            right_share(name, format, found)
            for model, name in known.MODELS.items()
            for format in _FIRST
            if (found := known.share(format, model))
        ],
        [difference(known.MODELS[model], "toon", pair) for model, pair in pairs.items()],
        f"{label('toon')} minus {label(BASELINE)}, points",
    )


def _draw_headline_of(reading: Reading, results: Results) -> None:
    formats = results.formats
    st.header(escape_markdown(run_headline(reading.model[:_NAME], results)), anchor=False)
    st.write(escape_markdown(run_verdict(results)))
    _draw_charts(
        [
            right_share(label(one.format), one.format, one.share)
            for one in formats
            if one.share.asked
        ],
        [difference(label(one.format), one.format, one.paired) for one in formats if one.paired],
        f"minus {label(BASELINE)}, points",
    )


def _draw_charts(shares: Iterable[Mark], differences: Sequence[Mark], title: str) -> None:
    left, right = st.columns([3, 2], gap="medium")
    shares = tuple(shares)
    with left:
        st.altair_chart(
            share_chart(shares, "right answers, with 95 % intervals"),
            key="reading_shares",
            alt=f"Shares of right answers. {told(shares)}.",
        )
    if differences:
        with right:
            st.altair_chart(
                share_chart(tuple(differences), title, signed=True, height=rows_height(shares)),
                key="reading_differences",
                alt=f"Paired differences, {title}. {told(differences)}.",
            )
            st.caption("Filled: a difference was seen (p below 0.05). Hollow: none was.")
