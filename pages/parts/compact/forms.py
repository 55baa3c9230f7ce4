"""How the panels draw the forms of a response."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from pages.parts.compact import charts
from pages.parts.controls import with_caveat
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon.compact.envelope import Envelope
from toon.formats.json import JSON_COMPACT
from toon.limits import SHOWN_CHARACTERS
from toon.records.forms import COMPACT, LINES, PRETTY, SAME_FIELDS, Count, Form
from toon.wording import marked, plural, signed_percent


def draw_headline(rows: Sequence[Form], label: str = LINES) -> None:
    """What one form costs, against both JSONs with all fields and against JSON of its fields."""
    row = next(row for row in rows if row["label"] == label)
    about = partial(marked, exact=row["exact"])
    against = [
        f"{about(signed_percent(row['vs_pretty']))} vs {PRETTY}",
        f"{about(signed_percent(row['vs_compact']))} vs {COMPACT}",
    ]
    if row["vs_same"] is not None:
        against.append(f"{about(signed_percent(row['vs_same']))} vs {COMPACT} of the same fields")
    name, tokens = label[0].upper() + label[1:], about(plural(row["tokens"], "token"))
    st.header(f"{name}: {tokens}, {', '.join(against)}", anchor=False)


def draw_forms(rows: Sequence[Form], tokenizer: str, key: str) -> None:
    """Behind a click, bars and a table of all forms."""
    draw_fold(
        "The same list in every form",
        f"{key}_fold",
        lambda: _draw_bars_and_table(rows, tokenizer, key),
    )


def _draw_bars_and_table(rows: Sequence[Form], tokenizer: str, key: str) -> None:
    st.altair_chart(
        charts.form_bars(rows, exact=rows[0]["exact"]),
        key=f"{key}_chart",
        alt="Tokens of the same response in each form; the numbers are in the table.",
    )
    against = [f"vs {name}" for name in (PRETTY, COMPACT, SAME_FIELDS)]
    lines = [
        {
            "Form": row["label"],
            "Tokens": row["tokens"],
            **dict(
                zip(against, (row["vs_pretty"], row["vs_compact"], row["vs_same"]), strict=True)
            ),
        }
        for row in rows
    ]
    draw_table(
        lines,
        key,
        counts=["Tokens"],
        percents=against,
        estimated=() if rows[0]["exact"] else ["Tokens", *against],
        alt="Tokens of the list by form.",
    )
    st.caption(
        with_caveat("Most of what lines save is fields they leave out.", tokenizer),
        help=f"The last column compares each form with {JSON_COMPACT.label} of only its own "
        "fields, so it shows what the writing alone saves.",
    )


def draw_unmeasured(error: ValueError) -> None:
    """Says that a response cannot be measured: it is nested deeper than the formats allow."""
    st.error("The response cannot be measured in every form:")
    st.code(str(error), language=None)


def header_line(count: Count) -> str:
    """``X-Token-Count`` of a body beside its tokens, as a line of text."""
    about = partial(marked, exact=count["exact"])
    tokens, error = about(f"{count['tokens']:,}"), about(signed_percent(count["header_error"]))
    by = "exact:" if count["exact"] else "by the chosen model"
    counted = f"{by} {tokens}, so {error}"
    return f"X-Token-Count: {count['header']} (≈; {counted})"


def draw_body(text: str, language: str | None = "json") -> None:
    """The body of a response as it is sent; of a long one only the start."""
    st.code(text[:SHOWN_CHARACTERS], language=language, wrap_lines=True, height=_height(text))
    if len(text) > SHOWN_CHARACTERS:
        st.caption(f"The first {SHOWN_CHARACTERS:,} of {len(text):,} characters.")


def draw_envelope(value: Envelope, text: str, key: str) -> None:
    """Summary and lines; behind a click each line with its id, and the body."""
    lines = value["lines"]
    shown = "\n".join(lines)
    st.text(value["summary"])
    if lines:
        st.code(
            shown[:SHOWN_CHARACTERS],
            language=None,
            wrap_lines=True,
            line_numbers=True,
            height=_height(shown),
        )
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


def _height(text: str) -> int | Literal["content"]:
    return 380 if len(text) > 2_000 else "content"
