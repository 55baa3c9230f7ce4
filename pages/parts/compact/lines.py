"""The panel "Lines": a query for a list, its answer, and what the list costs in each form."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact import forms
from pages.parts.compact.offer import (
    PLAYGROUND,
    UNREADABLE,
    Offer,
    offer_payload,
    read_clock,
    source_label,
)
from pages.parts.faults import apart
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask_value, draw_error
from pages.parts.static import draw_details
from toon.compact.domains import DOMAINS
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON
from toon.playground.panes import Pane
from toon.records.answers import Answered, answer_query
from toon.records.forms import Form


def measure_answer(
    data: Pane | None, domain: str, query: tuple[tuple[str, str], ...], now: str, tokenizer: str
) -> Answered:
    """Answers a query for the records of the payload, or for bundled ones if there is none.

    See :func:`toon.records.answers.answer_query`.
    """
    asked = domain, query, now, tokenizer
    return _of_bundled(*asked) if data is None else ask_value(data, answer_query, *asked)


@cached(32)
def _of_bundled(
    domain: str, query: tuple[tuple[str, str], ...], now: str, tokenizer: str
) -> Answered:
    return answer_query(None, domain, query, now, tokenizer)


_FORMATS: Final = {"compact": "lines", "json": "JSON", "toon": TOON.label}

#: Parameters that are typed: name -> what people call it, an example, and what it does.
_TEXTS: Final = {
    "date": ("Day", "today", "A day, or yesterday, today, tomorrow, counted from the time in Now."),
    "q": ("Words", "launch", "Records that hold all of these words."),
    "fields": (
        "Fields",
        "title,start_at",
        "Root fields only, separated by commas; id stays. Not for lines.",
    ),
    "since": (
        "Changed since",
        "2026-02-18T14:00:00Z",
        "What was created, updated or deleted since: a diff.",
    ),
}


@st.fragment
@apart
def draw_lines(tokenizer: str, now: str, tz: str) -> None:
    """A query over the records of the playground or bundled ones, and what it costs."""
    offer = offer_payload("lines")
    if offer.is_new and offer.domain:
        st.session_state.lines_of = PLAYGROUND
    if offer.domain is None:
        st.caption(
            f"The payload of the playground gives no lines: {escape_markdown(offer.reason)}. The "
            "bundled records of each domain do."
        )
        if offer.reason == UNREADABLE:
            draw_error()
    data, domain, query = _choose_query(offer, tz)
    clock = read_clock(now, bundled=data is None)
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
            "no change is found whatever happened. What this would save is not counted."
        )
    elif answer["status"] == 200:
        forms.draw_headline(_asked_form(answer, query))
    _draw_answer(answer, domain, query)
    if answer["status"] == 200:
        forms.draw_forms(answer["forms"], "lines_forms")
        dropped = answer["dropped"]
        draw_details(
            f"What the lines leave out: {len(dropped)}",
            dropped or ["Only names and nulls."],
            is_open=True,
        )


def _choose_query(offer: Offer, tz: str) -> tuple[Pane | None, str, dict[str, str]]:
    """The controls: whose records (None: bundled ones), what they are, and the parameters."""
    own = [PLAYGROUND] if offer.domain else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Records",
            [*own, *DOMAINS],
            format_func=source_label,
            key="lines_of",
            persist_state="session",
            width=230,
        )
        form = st.segmented_control(
            "Answer in",
            list(_FORMATS),
            format_func=lambda name: _FORMATS[name],
            default="compact",
            required=True,
            key="lines_format",
            persist_state="session",
        )
        limit = st.slider(
            "Records at most", 1, 100, 10, key="lines_limit", persist_state="session", width=220
        )
        with st.popover("Filter"):
            texts = {
                name: st.text_input(
                    called,
                    key=f"lines_{name}",
                    persist_state="session",
                    placeholder=placeholder,
                    help=does,
                )
                for name, (called, placeholder, does) in _TEXTS.items()
            }
    parameters = {"format": form, "limit": str(limit), **texts, "tz": tz}
    query = {name: text.strip() for name, text in parameters.items() if text and text.strip()}
    if offer.domain and chosen == PLAYGROUND:
        return offer.data, offer.domain, query
    return None, chosen, query


def _asked_form(answer: Answered, query: dict[str, str]) -> Form:
    """The form, of those measured, that answers the query."""
    if answer["envelope"] is not None:
        return forms.lines_of(answer["forms"])
    if "since" in query or "fields" in query:
        return answer["forms"][-1]
    name = (TOON if query["format"] == "toon" else JSON_COMPACT).name
    return next(form for form in answer["forms"] if form["form"] == name)


def _draw_answer(answer: Answered, domain: str, query: dict[str, str]) -> None:
    asked = f"GET /{domain}?{urlencode(query, safe=':,/')}"
    st.code(
        f"{asked}\n{answer['status']} · {forms.header_line(answer['tokens'])}",
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
