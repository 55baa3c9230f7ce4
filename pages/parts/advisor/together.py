"""The panel "Steps together": chosen steps in one go, what they save, and the resulting text."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from pages.parts.caches import cached_for_payload
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload, open_document, parse
from toon import advisor
from toon.advisor import STEPS, STRUCTURE
from toon.advisor.rows import BestRow, CombinedRow, FieldRow
from toon.formats import FORMATS
from toon.limits import SHOWN_CHARACTERS
from toon.playground.panes import Side
from toon.values.equality import differences
from toon.wording import signed_count, signed_percent

measure_together = cached_for_payload(advisor.combined)


def draw_together(
    data: Payload, tokenizer: str, format: str, best: BestRow, costs: Sequence[FieldRow]
) -> None:
    """The choice of steps and fields, their result, and ways to take it along."""
    chosen = st.multiselect(
        "Steps, always applied in the order of this list",
        [name for name in STEPS if name != "keep-fields"],
        default=best["steps"],
        format_func=lambda name: STEPS[name].label,
        key=f"steps_chosen_{hash((data.text, tokenizer, format))}",
        persist_state="session",
        placeholder="Choose steps",
    )
    fields = st.multiselect(
        "Only these fields (none chosen: all of them)",
        [row["field"] for row in costs if row["field"] not in (STRUCTURE, "$")],
        key=f"fields_chosen_{hash(data.text)}",
        persist_state="session",
        placeholder="All fields",
    )
    steps = (*chosen, "keep-fields") if fields else tuple(chosen)
    if not steps:
        st.info("Choose at least one step or field.")
        return
    try:
        row = measure_together(
            data, steps, tokenizer=tokenizer, format=format, keep_fields=tuple(fields) or None
        )
    except ValueError as error:
        st.error(escape_markdown(str(error)))
        return
    _draw_figures(row)
    _draw_losses(row)
    _draw_text(row["text"])
    _draw_buttons(row, data)


def _draw_figures(row: CombinedRow) -> None:
    about = "" if row["exact"] else "≈ "
    one, two, three, four = st.columns(4)
    one.metric("Tokens sent", f"{about}{row['tokens']:,}", border=True)
    two.metric("vs today", about + signed_count(-row["saved"]), border=True)
    three.metric("vs compact JSON", about + signed_percent(row["vs"]), border=True)
    four.metric(
        "Steps alone would add up to",
        about + signed_count(-row["saved_alone"]),
        border=True,
        help="The sum of what each step saves alone. The figures on the left are what they save "
        "together.",
    )


def _draw_losses(row: CombinedRow) -> None:
    if row["proven"]:
        st.badge("Proven: all of it comes back", color="green")
        if row["lost"]:
            st.caption(f"Except for the {row['lost']}, to which JSON gives no meaning.")
    else:
        st.badge("Not all of it comes back", color="orange")
        st.caption(f"Lost: {escape_markdown(row['lost'] or '')}.")
    if row["primer"]:
        about, label = "" if row["exact"] else "≈ ", FORMATS[row["format"]].label
        extra = signed_count(row["primer"])
        st.caption(f"Explaining {label} to a model takes {about}{extra} tokens on top.")
    for name, reason in row["skipped"].items():
        st.caption(f"{STEPS[name].label}: {escape_markdown(reason)}.")


def _draw_text(text: str) -> None:
    st.code(text[:SHOWN_CHARACTERS] or " ", language=None, height=320, wrap_lines=True)
    if len(text) > SHOWN_CHARACTERS:
        st.caption(f"The first {SHOWN_CHARACTERS:,} of {len(text):,} characters.")


def _draw_buttons(row: CombinedRow, data: Payload) -> None:
    left, right = st.columns([1, 3])
    if left.button("Open in the playground", type="primary", key="apply"):
        side, text = _document(row, data)
        open_document(side, text, "shaped payload")
        st.switch_page("playground.py")
    if row["kept"]:
        right.download_button(
            f"Download the map that undoes it ({row['kept_tokens']:,} tokens, never sent)",
            json.dumps(row["kept"], ensure_ascii=False, indent=2),
            "map.json",
            "application/json",
            key="map",
        )


def _document(row: CombinedRow, data: Payload) -> tuple[Side, str]:
    """The side of the editors that takes the result, and its text there.

    TOON goes to the TOON side if it means the same there: the playground may use another indent.
    """
    text = row["text"]
    if row["format"].startswith("json"):
        return "json", text
    value = FORMATS[row["format"]].loads(text)
    if row["format"].startswith("toon"):
        shown = parse("toon", text, data.options)
        if shown is not None and differences(value, shown.value).same:
            return "toon", text
    return "json", FORMATS["json-compact"].dumps(value)
