"""The panel "Lines": a query for a list, its answer, and the same list in other forms."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from pages.parts.compact import forms, records
from pages.parts.compact.answers import Answer, measure_answer
from pages.parts.compact.measures import COMPACT, LINES
from pages.parts.compact.records import Offer
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload
from toon.compact.domains import DOMAINS

_FORMATS: Final = ("compact", "json", "toon")

#: Parameters that are typed: name -> an example and what it does.
_TEXTS: Final = {
    "date": ("today", "A day, or yesterday, today, tomorrow, counted from the time in Now."),
    "q": ("launch", "Records that hold all of these words."),
    "fields": ("title,start_at", "Root fields only, separated by commas; id stays. Not for lines."),
    "since": ("2026-02-18T14:00:00Z", "What was created, updated or deleted since: a diff."),
}


@st.fragment
def draw_lines(tokenizer: str, now: str, tz: str) -> None:
    """A query over the records of the playground or bundled ones, and what it costs."""
    offer = records.offer_payload("lines")
    if offer.is_new and offer.domain:
        st.session_state.lines_of = records.PLAYGROUND
    if offer.domain is None:
        st.caption(
            f"The payload of the playground gives no lines: {escape_markdown(offer.reason)}. The "
            "bundled records of each domain do."
        )
    data, domain, query = _choose_query(offer, tz)
    clock = records.read_clock(now, bundled=data is None)
    if clock is None:
        return
    try:
        answer = measure_answer(data, domain, tuple(query.items()), clock, tokenizer)
    except ValueError as error:
        forms.draw_unmeasured(error)
        return
    if answer["undated"]:
        st.warning(
            "None of these records has a timestamp in created_at, updated_at or deleted_at, so "
            "since finds no change whatever happened. What it would save is not counted."
        )
    elif answer["status"] == 200:
        forms.draw_headline(answer["forms"], tokenizer, _asked_form(answer, query))
    _draw_answer(answer, domain, query)
    if answer["status"] == 200:
        st.subheader("The same list in every form", anchor=False)
        forms.draw_forms(answer["forms"], "lines_forms")
        _draw_dropped(answer["dropped"])


def _choose_query(offer: Offer, tz: str) -> tuple[Payload | None, str, dict[str, str]]:
    """The controls: whose records (None: bundled ones), what they are, and the parameters."""
    own = [records.PLAYGROUND] if offer.domain else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Records",
            [*own, *DOMAINS],
            format_func=records.label,
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
            "limit: records at most",
            1,
            100,
            10,
            key="lines_limit",
            persist_state="session",
            width=220,
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        texts = {name: _choose_parameter(name, *about) for name, about in _TEXTS.items()}
    parameters = {"format": form, "limit": str(limit), **texts, "tz": tz}
    query = {name: text for name, text in parameters.items() if text}
    if offer.domain and chosen == records.PLAYGROUND:
        return offer.data, offer.domain, query
    return None, chosen, query


def _choose_parameter(name: str, placeholder: str, about: str) -> str:
    text = st.text_input(
        name,
        key=f"lines_{name}",
        persist_state="session",
        placeholder=placeholder,
        help=about,
        width=210,
    )
    return (text or "").strip()


def _asked_form(answer: Answer, query: dict[str, str]) -> str:
    """The form, of those measured, that answers the query."""
    if answer["envelope"] is not None:
        return LINES
    if "since" in query or "fields" in query:
        return answer["forms"][-1]["label"]
    return "TOON" if query["format"] == "toon" else COMPACT


def _draw_answer(answer: Answer, domain: str, query: dict[str, str]) -> None:
    asked = f"GET /{domain}?{urlencode(query, safe=':,/')}"
    st.code(
        f"{asked}\n{answer['status']} · {forms.header_line(answer)}",
        language=None,
        wrap_lines=True,
    )
    if answer["envelope"] is not None:
        forms.draw_envelope(answer["envelope"], answer["text"], "lines")
        return
    if answer["status"] != 200:
        st.warning("The query cannot be answered. An error is full JSON, whatever was asked for.")
    elif "since" in query:
        st.caption(
            "A diff holds objects and is no list, so format=compact is ignored and limit does not "
            "cut it. Below, it is compared with asking for the list again."
        )
    forms.draw_body(answer["text"], None if query["format"] == "toon" else "json")


def _draw_dropped(dropped: list[str]) -> None:
    with st.expander(f"What the lines leave out: {len(dropped)}", expanded=True):
        st.text("\n".join(dropped) if dropped else "Only names and nulls.")
