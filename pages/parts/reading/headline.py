"""The answer above the tabs: the verdict of one's own logs, or what is known without one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.reading.charts import (
    Mark,
    difference,
    right_share,
    rows_height,
    share_chart,
    told,
)
from toon.formats import label
from toon.reading import known
from toon.reading.logs import Reading
from toon.reading.results import Results
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import known_headline, run_headline, run_verdict
from toon.wording import plural

#: The formats that the first chart compares, of the six that are known.
_FIRST: Final = (BASELINE, "json-pretty", "toon")
#: Characters of the name of a model in a sentence.
_NAME: Final = 60


def draw_headline(found: tuple[Reading, Results] | None) -> None:
    """One sentence, the shares of right answers, and the differences from compact JSON."""
    if found is None:
        _draw_known()
    else:
        _draw_answers(*found)


def _draw_known() -> None:
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


def _draw_answers(reading: Reading, results: Results) -> None:
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
                share_chart(
                    tuple(differences),
                    title,
                    signed=True,
                    height=rows_height(shares),
                ),
                key="reading_differences",
                alt=f"Paired differences, {title}. {told(differences)}.",
            )
            st.caption("Filled: a difference was seen (p below 0.05). Hollow: none was.")
