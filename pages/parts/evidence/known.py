"""The results of four models in the official benchmark, their chart, other studies, and claims."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import controls
from pages.parts.charts import label_axis
from pages.parts.markdown import escape_markdown
from pages.parts.static import Card, draw_cards
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon.colours import COMPACT_JSON, GREY, SERIES, TODAY, TOON
from toon.costs.models import Choice
from toon.costs.worth import COMPACT
from toon.evidence import claims
from toon.evidence.claims import CLAIMS
from toon.formats import label, vs_label
from toon.formats.json import JSON_PRETTY
from toon.reading import known
from toon.reading.logs import Reading
from toon.reading.results import Results
from toon.reading.statistics import Paired, Share
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import (
    METHODS,
    known_headline,
    known_verdict,
    paired_words,
    points_words,
    primer_words,
    run_headline,
    run_verdict,
    share_words,
    study_words,
)
from toon.wording import percent, plural, signed_points

#: The most characters of a model's name in a sentence.
_NAME: Final = 60
#: Colours of formats; all others share one.
_COLOURS: Final = {"toon": TOON, BASELINE: COMPACT_JSON, "json-pretty": TODAY}
#: Room for the figure to the right of an interval, as a share of the scale.
_ROOM: Final = 0.32
#: Columns of tables: a share's interval, a difference, its interval and its p value.
COMPARED: Final = ("Interval", "Points", "Their interval", "p")

measure_claims = st.cache_data(max_entries=16, show_spinner=False)(claims.measure_claims)


def draw_headline(logs: tuple[Reading, Results] | None) -> None:
    """Draw how well models answer from TOON and other formats compared with minified JSON.

    The answers are those of the uploaded logs in ``logs``, else of published results.
    """
    if logs is None:
        pairs = {model: pair for model in known.MODELS if (pair := known.compare("toon", model))}
        questions = next(iter(pairs.values())).asked
        st.header(known_headline(), anchor=False)
        st.caption(f"{plural(questions, 'single question')} to each, by the official benchmark.")
        rows = [(known.MODELS[model], "toon", pair) for model, pair in pairs.items()]
    else:
        reading, results = logs
        st.header(escape_markdown(run_headline(reading.model[:_NAME], results)), anchor=False)
        st.caption(escape_markdown(run_verdict(results)))
        rows = [
            (label(row.format), row.format, row.paired) for row in results.formats if row.paired
        ]
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="center")
    if rows:
        words = "; ".join(f"{name}: {_describe_difference(pair)}" for name, _, pair in rows)
        with left:
            st.altair_chart(
                _difference_chart(tuple(rows)),
                key="reading_differences",
                alt=f"Paired differences, points against {label(BASELINE)}. {words}.",
            )
            st.caption("Filled: a difference was seen. Hollow: none was.")
    lost = known.LOST_IN_LOOPS["toon"]
    points = f"{signed_points(-lost / 100).partition('.')[0]} points"
    with right:
        draw_cards([Card("In agent loops", points, "with TOON", "red", (known.STUDIES[0].source,))])


def draw_sources() -> None:
    """Draw published results on models that read TOON, and savings that documents claim."""
    whole, some = (
        sum(
            pair.gained - pair.lost
            for model in known.MODELS
            if (pair := known.compare("toon", model, kinds))
        )
        for kinds in (known.KINDS, known.STRUCTURE)
    )
    verdicts = [
        *(known_verdict("toon", model) for model in known.MODELS),
        f"Of the {whole} answers that {label('toon')} wins, {some} are about the structure "
        "itself: how many records, which fields. This says nothing of agents and of writing.",
    ]
    _draw_list(f"The official benchmark, beside {label(BASELINE)}", verdicts)
    st.caption(f"{primer_words()} {METHODS} Source: {known.SOURCE}, its graded answers.")
    draw_fold("Every model and format", "reading_known_fold", _draw_shares)
    _draw_list("Beyond single questions, as others measured it", map(study_words, known.STUDIES))
    st.header("What documents claim, and what is measured here", anchor=False)
    draw_claims(controls.read_model())


def _draw_list(title: str, lines: Iterable[str]) -> None:
    st.header(title, anchor=False)
    st.markdown("\n".join(f"- {line}" for line in lines))


def _draw_shares() -> None:
    """Draw a table of the official benchmark: right answers of each model in each format."""
    lines = []
    for model, name in known.MODELS.items():
        for format in known.FORMATS:
            if share := known.find_share(format, model):
                pair = known.compare(format, model) if format != BASELINE else None
                line = {"Model": name, "Format": label(format), "Asked": share.asked}
                right = percent(share.accuracy, 1)
                lines.append({**line, "Right": right, **compare_cells(share, pair)})
    draw_table(
        lines,
        "reading_known",
        height="content",
        right=["Right", *COMPARED[1:]],
        alt="Right answers of each model in each format, and their difference.",
    )
    st.caption(f"Points are beside {label(BASELINE)}. CSV carries the flat data alone.")


def draw_claims(choice: Choice) -> None:
    """Draw a table of savings that formats' documents claim, beside those measured here."""
    rows = measure_claims(choice.tokenizer)
    st.caption(
        f"Each document's own example, measured here in tokens of {choice.name}.",
        help="Where a document prints no example, a sample of ours stands in.",
    )
    lines = [
        {
            "System": claim.system,
            "Its document": claim.says,
            "Claimed": claim.claimed,
            **{vs_label(name): row["vs"][name] for name in (JSON_PRETTY.name, COMPACT)},
            "Tokens": row["tokens"],
        }
        for claim, row in zip(CLAIMS, rows, strict=True)
    ]
    draw_table(
        lines,
        "claims",
        counts=["Tokens"],
        percents=["Claimed", vs_label(JSON_PRETTY.name), vs_label(COMPACT)],
        alt="Claimed savings beside measured ones.",
    )
    st.markdown("**Why they differ**")
    for claim in CLAIMS:
        st.caption(f"{claim.system}, {claim.says}: {claim.reason}.")


def _describe_difference(paired: Paired) -> str:
    return f"{signed_points(paired.difference)} points ({points_words(paired.interval)})"


def compare_cells(share: Share, paired: Paired | None) -> dict[str, object]:
    """Return a dict of texts by column of a table: the interval of a format's share of right
    answers, and its difference in points, with interval and p value.

    ``paired`` is the difference from minified JSON; None if there is none.
    """
    return dict(zip(COMPARED, (share_words(share), *paired_words(paired)), strict=True))


@lru_cache(maxsize=16)  # known results are the same for everybody, and a chart takes 10 ms
def _difference_chart(rows: tuple[tuple[str, str, Paired], ...]) -> alt.LayerChart:
    """Draw differences in right answers: a dot, interval and figure each, and a line at zero.

    A row has a label, a format and its difference, whose dot is hollow unless it was seen.
    """
    frame = pd.DataFrame(
        {
            "label": name,
            "colour": _COLOURS.get(format, SERIES[2]),
            "value": pair.difference,
            **dict(zip(("low", "high"), pair.interval, strict=True)),
            "text": signed_points(pair.difference),
            "words": _describe_difference(pair),
            "seen": pair.is_seen,
        }
        for name, format, pair in rows
    )
    # The scale reaches around all intervals, their figures, and zero.
    least, most = min(0.0, frame["low"].min()), max(0.0, frame["high"].max())
    width = max(most - least, 0.02)
    domain = [least - 0.04 * width, most + _ROOM * width]
    color = alt.Color("colour:N", scale=None)
    base = alt.Chart().encode(
        y=label_axis(frame["label"], limit=150),
        color=color,
        tooltip=[alt.Tooltip("label:N"), alt.Tooltip("words:N", title="difference")],
    )
    words = "datum.value == 0 ? '0' : format(100 * datum.value, '+,.0~f')"
    axis = alt.Axis(labelExpr=f"replace({words}, '-', '\u2212')", tickCount=5)
    x = alt.X(
        "low:Q",
        title=f"points against {label(BASELINE)}",
        scale=alt.Scale(domain=domain, nice=False),
        axis=axis,
    )
    zero = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeDash=[4, 3])
    dots = base.mark_point(size=70, filled=True, strokeWidth=1.6, opacity=1).encode(
        x=alt.X("value:Q"),
        stroke=alt.Stroke("colour:N", scale=None),
        fillOpacity=alt.FillOpacityValue(0, condition={"test": "datum.seen", "value": 1}),
    )
    figures = base.mark_text(align="left", dx=7, fontSize=11).encode(
        x=alt.X("high:Q"), text=alt.Text("text:N"), color=alt.ColorValue(GREY)
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=x, x2=alt.X2("high:Q"))
    return alt.LayerChart(
        layer=[zero.encode(x=alt.X("zero:Q")), interval, dots, figures],
        data=frame,
        height=34 * len(rows),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )
