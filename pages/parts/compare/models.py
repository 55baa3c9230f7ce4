"""The tab Models: answers that differ by tokenizer, and a service's own counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import controls, payload
from pages.parts.charts import row_height
from pages.parts.markdown import escape_markdown
from pages.parts.service import TITLE, draw_service
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon import tokenizers, wording
from toon.colours import GREY, INK_ON_CELLS, SAVES_TO_COSTS
from toon.costs.compare import Row, cost, label, measured_rows, objection
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.costs.verdict import Verdict
from toon.costs.worth import COMPACT
from toon.formats import label as format_label
from toon.formats import vs_label
from toon.playground.panes import Pane
from toon.tokenizers import EXACT, TOKENIZERS
from toon.values.fractions import fraction
from toon.wording import plural

find_unusable = st.cache_data(max_entries=1, ttl=60, show_spinner=False)(tokenizers.find_unusable)
#: Separates the two lines of a column's name in the heat map.
_BREAK: Final = " | "


def draw_models(choice: Choice) -> None:
    """Draw what to send by each tokenizer; in closed boxes all formats, and a service's count."""
    explaining = controls.read_note()
    data = payload.require_pane()
    unusable = find_unusable()
    usable = [name for name in TOKENIZERS if name not in unusable]
    verdicts = [payload.answer(data, name, explaining) for name in EXACT if name in usable]
    if nothing := next((verdict["sentence"] for verdict in verdicts if verdict["nothing"]), ""):
        st.info(nothing)
    else:
        _draw_answers(verdicts)
        draw_fold(
            "Every format by every tokenizer",
            "heatmap_fold",
            lambda: _draw_formats(data, usable, explaining),
        )
    draw_fold(TITLE, "service_fold", lambda: draw_service(data, choice, explaining))
    for name, why in unusable.items():
        st.caption(escape_markdown(f"{TOKENIZERS[name].label}: {why}"))


def _draw_answers(verdicts: Sequence[Verdict]) -> None:
    """Draw a table of the format to send and its saving by tokenizer; the headline sums up."""
    sent = Counter(map(_best_label, verdicts))
    winners = wording.join_all(f"{name} for {many:,}" for name, many in sent.most_common())
    st.header(
        f"{wording.capitalised(winners)} of {plural(len(verdicts), 'tokenizer')}", anchor=False
    )
    draw_table(
        [
            {
                "Tokenizer": TOKENIZERS[verdict["tokenizer"]].label,
                "Send": _best_label(verdict),
                "Today": wording.count(verdict["ladder"][0]["cost"]),
                "Then": wording.count(sent_rung["cost"]),
                "vs today": wording.signed_percent(sent_rung["vs_today"]),
            }
            for verdict in sorted(verdicts, key=lambda verdict: -sent[_best_label(verdict)])
            for sent_rung in [verdict["ladder"][-1 if verdict["switch"] else 0]]
        ],
        right=["Today", "Then", "vs today"],
    )


def _best_label(verdict: Verdict) -> str:
    """Return a verdict's label of the format to send: recommended, or today's if none is better."""
    return format_label(verdict["format"]) if verdict["switch"] else verdict["ladder"][0]["label"]


def _draw_formats(data: Pane, names: Sequence[str], explaining: Explaining) -> None:
    """Draw what the payload costs in each format by each tokenizer, as a heat map and a table."""
    rows = payload.compare_formats(data, tuple(names))
    st.caption(
        f"Cost {vs_label(COMPACT)} under the same tokenizer, in per cent; {explaining.assumption}.",
        help=f"Grey with ✗ is what is {wording.BADGES['not-recommended']}; Formats says why.",
    )
    st.altair_chart(
        heatmap(rows, explaining), key="heatmap", alt="Formats by tokenizers, signed per cent."
    )
    lines: dict[str, dict[str, object]] = {}
    for row in measured_rows(rows):
        line = lines.setdefault(label(row), {"Format": label(row)})
        line[row["tokenizer"]] = row["tokens"]
    columns = list(dict.fromkeys(name for line in lines.values() for name in line))[1:]
    draw_table(
        lines.values(),
        "heatmap_counts",
        counts=columns,
        height="content",
        alt="Tokens by format and tokenizer.",
    )


def heatmap(rows: Sequence[Row], explaining: Explaining) -> alt.LayerChart:
    """Draw a heat map of formats by tokenizers: the change of cost against minified JSON.

    Cells that may be recommended have a figure on a diverging colour; others are grey with ✗.
    """
    frame = pd.DataFrame(_cells(rows, explaining))
    formats, names = (list(dict.fromkeys(frame[column])) for column in ("format", "tokenizer"))
    lines = f"split(datum.label, '{_BREAK}')"
    along = alt.Axis(
        labelAngle=alt.expr("bandwidth('x') < 24 ? -90 : -40"),
        labelFontSize=alt.expr("bandwidth('x') < 24 ? 8 : 10"),
        labelLimit=320,
        labelOverlap=False,
        labelExpr=f"bandwidth('x') < 24 ? {lines}[0] : {lines}",  # one line where it is narrow
    )
    base = alt.Chart().encode(
        x=alt.X("tokenizer:N", sort=names, title=None, axis=along),
        y=alt.Y("format:N", sort=formats, title=None, axis=alt.Axis(labelLimit=200)),
        tooltip=[
            alt.Tooltip("format:N"),
            alt.Tooltip("tokenizer:N"),
            alt.Tooltip("tokens:Q", format=","),
            alt.Tooltip("cost:N", title="with its note"),
            alt.Tooltip("text:N", title=f"cost {vs_label(COMPACT)}"),
            alt.Tooltip("note:N", title="may be recommended"),
        ],
    )
    # The sign stands in the cell as well.
    color = alt.Color(
        "fraction:Q",
        scale=alt.Scale(domain=[-0.6, 0, 0.6], range=list(SAVES_TO_COSTS), clamp=True),
        legend=None,
    )
    grey = base.mark_rect(color=GREY, opacity=0.12)
    cells = base.mark_rect().encode(color=color)  # none where there is no fraction
    no_cell = {"test": "datum.fraction === null", "value": GREY}
    ink = alt.ColorValue(INK_ON_CELLS, condition=no_cell)
    # In a narrow cell the figure stands upright, in whole per cents.
    narrow = "bandwidth('x') < 44"
    text = base.mark_text(
        text={"expr": f"{narrow} ? datum.short : datum.text"},
        angle={"expr": f"{narrow} ? 270 : 0"},
        fontSize={"expr": f"{narrow} ? 8 : bandwidth('x') < 60 ? 9 : 11"},
    ).encode(color=ink)
    height = row_height(26, formats)
    chart: alt.LayerChart = alt.LayerChart(layer=[grey, cells, text], data=frame).properties(
        **height
    )
    return chart


def _cells(rows: Sequence[Row], explaining: Explaining) -> Iterator[dict[str, object]]:
    """Yield a heat map's cell, a dict, per format and tokenizer: the change from minified JSON.

    A cell is grey if its ``fraction`` is None: the format is not recommended or cannot be used.
    """
    compact = {
        row["tokenizer"]: row["tokens"] for row in measured_rows(rows) if row["format"] == COMPACT
    }
    for row in rows:
        reason, paid, vs = objection(row), None, None
        if row["tokens"] is not None:
            paid = cost(row, explaining)
            vs = fraction(paid, compact[row["tokenizer"]])
        mark = f" {wording.IS_LOST}" if reason else ""
        yield {
            "format": label(row),
            "tokenizer": TOKENIZERS[row["tokenizer"]].label,
            "fraction": None if reason else vs,
            "text": f"{wording.signed_percent(vs)}{mark}" if paid is not None else "n/a",
            "short": "n/a" if vs is None else wording.signed_count(100 * vs),
            "tokens": None if paid is None else row["tokens"],
            "cost": wording.UNKNOWN if paid is None else wording.decimal(paid),
            "note": f"no: {reason}" if reason else "yes",
        }
