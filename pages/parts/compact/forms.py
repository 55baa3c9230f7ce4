"""How the panels draw the forms of a response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts.charts import bars, by_label, legend, row_height
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from pages.parts.texts import draw_text
from toon.colours import SERIES
from toon.compact.envelope import Envelope
from toon.formats.json import JSON_COMPACT
from toon.records.forms import FORM_LABELS, Form, Kind
from toon.wording import capitalised, plural, signed_percent

#: What a form of a response may hold, in words.
HOLDS: Final[dict[Kind, str]] = {
    "all": "all fields",
    "lines": "fields of the lines",
    "chosen": "fields chosen",
    "changes": "changes",
}
_COLOURS: Final = dict(zip(HOLDS.values(), SERIES, strict=False))


def label(row: Form) -> str:
    """What a form is called; one of chosen fields or of changes says so."""
    name = FORM_LABELS[row["form"]]
    return name if row["kind"] in ("all", "lines") else f"{name}, {HOLDS[row['kind']]}"


def lines_of(rows: Sequence[Form]) -> Form:
    """The form of compact lines."""
    return next(row for row in rows if row["form"] == "lines")


def draw_headline(row: Form) -> None:
    """What one form costs, against both JSONs with all fields and against JSON of its fields."""
    names = {**FORM_LABELS, "same-fields": f"{JSON_COMPACT.label} of the same fields"}
    against = [
        f"{signed_percent(change)} vs {names[form]}"
        for form, change in row["vs"].items()
        if change is not None
    ]
    name, tokens = label(row), plural(row["tokens"], "token")
    words = f"{capitalised(name)}: {tokens}, {', '.join(against)}"
    st.header(words, anchor=False)


def draw_forms(rows: Sequence[Form], key: str) -> None:
    """Behind a click, bars and a table of all forms."""
    draw_fold("The same list in every form", f"{key}_fold", lambda: _draw_bars_and_table(rows, key))


def _draw_bars_and_table(rows: Sequence[Form], key: str) -> None:
    st.altair_chart(
        _form_bars(rows),
        key=f"{key}_chart",
        alt="Tokens of the same response in each form; the numbers are in the table.",
    )
    against = {form: f"vs {FORM_LABELS[form]}" for form in rows[0]["vs"]}
    draw_table(
        [
            {
                "Form": label(row),
                "Tokens": row["tokens"],
                **{name: row["vs"][form] for form, name in against.items()},
            }
            for row in rows
        ],
        key,
        counts=["Tokens"],
        percents=list(against.values()),
        alt="Tokens of the list by form.",
    )
    st.caption(
        "Most of what lines save is fields they leave out.",
        help=f"The last column compares each form with {JSON_COMPACT.label} of only its own "
        "fields, so it shows what the writing alone saves.",
    )


def _form_bars(rows: Sequence[Form]) -> alt.LayerChart:
    """Bars of tokens by form, coloured by the fields they hold."""
    frame = pd.DataFrame(
        {
            "label": label(row),
            "kind": HOLDS[row["kind"]],
            "tokens": row["tokens"],
            "text": f"{row['tokens']:,}",
        }
        for row in rows
    )
    shown = {kind: colour for kind, colour in _COLOURS.items() if kind in set(frame["kind"])}
    scale = alt.Scale(domain=list(shown), range=list(shown.values()))
    color = alt.Color("kind:N", sort=list(shown), scale=scale, legend=legend(4, 2))
    tips = [
        alt.Tooltip("label:N"),
        alt.Tooltip("kind:N", title="holds"),
        alt.Tooltip("tokens:Q", format=","),
    ]
    chart = bars(frame, "tokens", by_label(frame["label"]), color, tips)
    return chart.properties(**row_height(32, frame["label"]))


def draw_unmeasured(error: ValueError) -> None:
    """Says that a response cannot be measured: it is nested deeper than the formats allow."""
    st.error("The response cannot be measured in every form:")
    st.code(str(error), language=None)


def header_line(tokens: int) -> str:
    """``X-Token-Count`` of a body, as a line of text."""
    return f"X-Token-Count: {tokens}"


def draw_body(text: str, language: str | None = "json") -> None:
    """The body of a response as it is sent."""
    draw_text(text, language)


def draw_envelope(value: Envelope, text: str, key: str) -> None:
    """Summary and lines; behind a click each line with its id, and the body."""
    lines = value["lines"]
    shown = "\n".join(lines)
    st.text(value["summary"])
    if lines:
        draw_text(shown, numbered=True)
    else:
        st.caption("No lines: there are no records.")
    draw_fold(
        "Each line with its full id",
        f"{key}_ids_fold",
        lambda: draw_table(
            pd.DataFrame({"Line": lines, "Id": value["ids"]}),
            f"{key}_ids",
            alt="Lines and their ids.",
        ),
    )
    draw_fold("The body as it is sent", f"{key}_body_fold", lambda: draw_body(text))
