"""The answer above the tabs: the verdict of one's own run, or what is known without one."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.reading.charts import Share, share_chart
from pages.parts.reading.runs import Opened
from pages.parts.reading.words import difference, right_share, told
from toon.costs.choice import COMPACT
from toon.formats import label
from toon.reading import known
from toon.reading.results import FormatResult
from toon.wording import plural, signed_points

#: The formats that the first chart compares, of the six that are known.
_FIRST: Final = (COMPACT, "json-pretty", "toon")
#: Characters of the name of a model in a sentence.
_NAME: Final = 60
_NUMBERS: Final = ("none", "one", "two", "three", "four")


def draw_headline(opened: Opened | None) -> None:
    """One sentence, the shares of right answers, and the differences from compact JSON."""
    if opened is None:
        _draw_known()
    else:
        _draw_run(opened)


def _draw_known() -> None:
    st.header(known_sentence(), anchor=False)
    pairs = [pair for model in known.MODELS if (pair := known.paired("toon", model))]
    structure = [
        pair
        for model in known.MODELS
        if (pair := known.paired("toon", model, kinds=known.STRUCTURE))
    ]
    won, of_structure = (sum(one.gained - one.lost for one in some) for some in (pairs, structure))
    st.write(
        f"The official benchmark asked each model {plural(pairs[0].asked, 'question')} in every "
        f"format. Of the {won} answers that TOON wins over compact JSON, {of_structure} are about "
        "the structure itself: how many records, which fields. The tab Ask tries your data and "
        "your model."
    )
    _draw_charts(
        [
            right_share(name, format, found.right, found.asked)
            for model, name in known.MODELS.items()
            for format in _FIRST
            if (found := known.share(format, model))
        ],
        [
            difference(name, "toon", pair)
            for name, pair in zip(known.MODELS.values(), pairs, strict=True)
        ],
        "TOON minus compact JSON, points",
    )


def known_sentence() -> str:
    """What is known of TOON beside compact JSON, in one sentence."""
    pairs = {name: known.paired("toon", model) for model, name in known.MODELS.items()}
    seen = {name: pair for name, pair in pairs.items() if pair and pair.is_seen}
    parts = []
    for word, is_so in (("better", True), ("worse", False)):
        some = [
            f"{name}, {signed_points(pair.difference)} points"
            for name, pair in seen.items()
            if (pair.gained > pair.lost) is is_so
        ]
        if some:
            read = "reads" if len(some) == 1 else "read"
            parts.append(
                f"{_NUMBERS[len(some)]} {read} TOON {word} than compact JSON ({'; '.join(some)})"
            )
    parts.append(f"for {_NUMBERS[len(pairs) - len(seen)]} no difference was seen")
    return f"Of {_NUMBERS[len(pairs)]} models, {'; '.join(parts)}"


def _draw_run(opened: Opened) -> None:
    formats = opened.results.formats
    model = str(opened.run.meta.model)[:_NAME]
    st.header(escape_markdown(run_sentence(model, formats)), anchor=False)
    st.write(escape_markdown(opened.results.verdict))
    _draw_charts(
        [
            right_share(one.label, one.format, one.right, one.answered)
            for one in formats
            if one.answered
        ],
        [difference(one.label, one.format, one.paired) for one in formats if one.paired],
        f"minus {label(COMPACT)}, points",
    )


def run_sentence(model: str, formats: Sequence[FormatResult]) -> str:
    """Which differences a run saw; never more than the intervals say."""
    compared = [one for one in formats if one.paired]
    seen = [(one, one.paired.difference) for one in compared if one.paired and one.is_seen]
    if not compared:
        return f"{model}: nothing was compared yet"
    if not any(one.paired and one.paired.is_test for one in compared):
        return f"{model}: no answer was right in any format, which says nothing of the formats"
    if not seen:
        least = max(one.smallest or 1 for one in compared)
        if least >= 1:
            return f"{model}: no difference was seen, and so few questions cannot show any"
        return (
            f"{model}: no difference from compact JSON was seen; this run could have seen one of "
            f"at least {ceil(100 * least)} points"
        )
    said = [
        f"{one.label} {'better' if points > 0 else 'worse'} ({signed_points(points)} points)"
        for one, points in seen
    ]
    rest = len(compared) - len(seen)
    others = f"; no difference was seen for {plural(rest, 'other format')}" if rest else ""
    return f"{model} read {' and '.join(said)} than compact JSON{others}"


def _draw_charts(shares: Sequence[Share], differences: Sequence[Share], title: str) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.altair_chart(
            share_chart(tuple(shares), "right answers, with 95 % intervals"),
            key="reading_shares",
            alt=f"Shares of right answers. {told(shares)}.",
        )
    if differences:
        with right:
            st.altair_chart(
                share_chart(tuple(differences), title, signed=True),
                key="reading_differences",
                alt=f"Paired differences, {title}. {told(differences)}.",
            )
            st.caption("Filled: a difference was seen (p below 0.05). Hollow: none was.")
