"""The panel "Lines": a query for a list, its answer, and the same list in other forms."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.parts.compact import forms, measured, source
from pages.parts.markdown import plain
from toon.compact.domains import DOMAINS

_FORMATS = ("compact", "json", "toon")

#: Parameters that are typed: name -> an example and what it does.
_TEXTS = {
    "date": ("today", "A day, or yesterday, today, tomorrow: told from the time in Now."),
    "q": ("launch", "Words that all stand somewhere in a record."),
    "fields": ("title,start_at", "Root fields alone, divided by commas; id stays. Not for lines."),
    "since": ("2026-02-18T14:00:00Z", "What was created, updated or deleted since: a diff."),
}


@st.fragment
def show(tokenizer: str, now: str, tz: str) -> None:
    """A query over the records of the playground or bundled ones, and what it costs."""
    found = source.found_in_playground("lines")
    if found["is_new"] and found["domain"]:
        st.session_state.lines_of = source.PLAYGROUND
    _explain(found)
    payload, domain, query = _query(found, tz)
    moment = source.moment(now, bundled=payload is None)
    if moment is None:
        source.explain_moment(now)
        return
    try:
        row = measured.answer(payload, domain, tuple(query.items()), moment, tokenizer)
    except ValueError as error:
        forms.explain_unmeasured(error)
        return
    if row["undated"]:
        st.warning(
            "None of these records has a timestamp in created_at, updated_at or deleted_at, so "
            "since finds no change whatever happened. What it would save is not counted."
        )
    elif row["status"] == 200:
        forms.headline(row["forms"], tokenizer, _asked_form(row, query))
    _answer(row, domain, query)
    if row["status"] == 200:
        st.subheader("The same list in every form", anchor=False)
        forms.show(row["forms"], "lines_forms")
        _dropped(row["dropped"])


def _explain(found: dict[str, Any]) -> None:
    if found["domain"] is None:
        st.caption(
            f"The payload of the playground gives no lines: {plain(found['reason'])}. The bundled "
            "records of each domain do."
        )


def _query(found: dict[str, Any], tz: str) -> tuple[Any, str, dict[str, str]]:
    """The controls: whose records (None for bundled ones), what they are, and the parameters."""
    mine = [source.PLAYGROUND] if found["domain"] else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Records",
            [*mine, *DOMAINS],
            format_func=source.label,
            key="lines_of",
            persist_state="session",
            width=230,
        )
        form = st.segmented_control(
            "format",
            _FORMATS,
            default="compact",
            required=True,
            key="lines_format",
            persist_state="session",
        )
        limit = st.slider(
            "limit: records at most", 1, 100, 10, key="lines_limit", persist_state="session",
            width=220,
        )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom"):
        texts = {name: _parameter(name, *about) for name, about in _TEXTS.items()}
    parameters = {"format": form, "limit": str(limit), **texts, "tz": tz}
    query = {name: text for name, text in parameters.items() if text}
    if chosen == source.PLAYGROUND:
        return source.given(), found["domain"], query
    return None, chosen, query


def _parameter(name: str, placeholder: str, about: str) -> str:
    text = st.text_input(
        name,
        key=f"lines_{name}",
        persist_state="session",
        placeholder=placeholder,
        help=about,
        width=210,
    )
    return (text or "").strip()


def _asked_form(row: dict[str, Any], query: dict[str, str]) -> str:
    """The form that answers the query, of those that are measured."""
    if row["envelope"] is not None:
        return measured.LINES
    if "since" in query or "fields" in query:
        return str(row["forms"][-1]["label"])
    return "TOON" if query["format"] == "toon" else measured.COMPACT


def _answer(row: dict[str, Any], domain: str, query: dict[str, str]) -> None:
    asked = f"GET /{domain}?{urlencode(query, safe=':,/')}"
    st.code(f"{asked}\n{row['status']} · {forms.header(row)}", language=None, wrap_lines=True)
    if row["envelope"] is not None:
        forms.envelope(row["envelope"], row["text"], "lines")
        return
    if row["status"] != 200:
        st.warning("The query cannot be answered. An error is full JSON, whatever was asked for.")
    elif "since" in query:
        st.caption(
            "A diff holds objects and is no list: format=compact is ignored, and limit does not "
            "cut it. Below it is set against asking for the list again."
        )
    forms.body(row["text"], None if query["format"] == "toon" else "json")


def _dropped(dropped: list[str]) -> None:
    with st.expander(f"What the lines leave out: {len(dropped)}", expanded=True):
        st.text("\n".join(dropped) if dropped else "Nothing but names and nulls.")
