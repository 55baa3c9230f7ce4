"""The panel "Lines": a query for a list, its answer, and what the list costs in each form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact import forms, records
from pages.parts.compact.forms import (
    COMPACT,
    LINES,
    Count,
    Form,
    count_body,
    measure_form,
    measure_forms,
)
from pages.parts.compact.records import Offer
from pages.parts.markdown import escape_markdown
from pages.parts.payload import Payload, draw_error, read, say_no_estimate
from toon.compact.domains import DOMAINS
from toon.compact.envelope import Envelope
from toon.compact.lines import page_context
from toon.compact.losses import losses
from toon.compact.relative import instant, read_time, zone_of
from toon.formats.compact import page_of
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON
from toon.records.query import Answer as Response
from toon.records.query import respond
from toon.records.store import SAMPLE_NOW
from toon.tokenizers import Tokenizer, get

#: Parameters that ask for another form of the same list.
_FORM_PARAMETERS: Final = ("format", "fields", "since")
_TIMES: Final = ("created_at", "updated_at", "deleted_at")


class Answer(Count):
    """The answer to a query, and its list in other forms.

    ``text`` is the body; ``envelope`` is its value if it holds compact lines. ``no_estimate`` says
    why the tokens and the figures in ``forms`` do not hold, or is None. ``undated`` says
    that ``since`` was asked of records without a time of their last change. An error has no
    ``forms``. ``dropped`` says in words what lines leave out.
    """

    status: int
    text: str
    envelope: Envelope | None
    no_estimate: str | None
    undated: bool
    forms: list[Form]
    dropped: list[str]


@dataclass(frozen=True, slots=True)
class _Query:
    domain: str
    parameters: dict[str, str]
    now: datetime
    records: list[Any] | None  # None: the bundled ones

    def answer(self) -> Response:
        return respond(self.domain, self.parameters, now=self.now, records=self.records)

    def list_as(self, **form: str) -> Response:
        """The list that was asked for, in another form."""
        query = self.parameters | dict.fromkeys(_FORM_PARAMETERS, "") | form
        query = {name: text for name, text in query.items() if text}
        return respond(self.domain, query, now=self.now, records=self.records)

    @property
    def is_undated(self) -> bool:
        if "since" not in self.parameters or self.records is None:
            return False
        return not any(read_time(record.get(name)) for record in self.records for name in _TIMES)


@cached
def measure_answer(
    data: Payload | None, domain: str, query: tuple[tuple[str, str], ...], now: str, tokenizer: str
) -> Answer:
    """Answers a query and measures the answer.

    Args:
        data: Holds the records; the bundled ones if None.
        domain: What the records are.
        query: The parameters, ``format`` among them.
        now: The time of the query, a timestamp.
        tokenizer: What counts.
    """
    counter = get(tokenizer)
    own = None if data is None else page_of(data.value).records
    asked = _Query(domain, dict(query), read_time(now) or SAMPLE_NOW, own)
    response = asked.answer()
    is_lines = isinstance(response.value, dict) and response.value.get("format") == "compact"
    is_good = response.status == 200
    return {
        **count_body(response.text(), counter),
        "status": response.status,
        "text": response.text(),
        "envelope": response.value if is_lines else None,
        "no_estimate": records.no_estimate(data, counter),
        "undated": asked.is_undated,
        "forms": _measure_list(asked, response.text(), counter) if is_good else [],
        "dropped": _dropped(asked) if is_good else [],
    }


def _measure_list(asked: _Query, text: str, tokenizer: Tokenizer) -> list[Form]:
    whole = asked.list_as().value
    shown = [DOMAINS[asked.domain].visible(record) for record in whole["data"]]
    same_fields = JSON_COMPACT.dumps({**whole, "data": shown})
    lines = asked.list_as(format="compact").text()
    forms = measure_forms(whole, lines, same_fields, tokenizer)
    return forms if asked.is_undated else [*forms, *_measure_chosen(asked, text, tokenizer, forms)]


def _measure_chosen(
    asked: _Query, text: str, tokenizer: Tokenizer, forms: list[Form]
) -> list[Form]:
    """The answer to ``since`` or ``fields`` as another form, if the query has one of them."""
    tokens = {form["label"]: form["tokens"] for form in forms}
    name = TOON.label if asked.parameters.get("format") == "toon" else COMPACT
    count = tokenizer.count(text)
    if "since" in asked.parameters:
        return [measure_form(f"{name}, changes", "changes", count, tokens, None, tokenizer)]
    if "fields" not in asked.parameters:
        return []
    base = tokenizer.count(asked.list_as(fields=asked.parameters["fields"]).text())
    label = f"{name}, fields chosen"
    return [measure_form(label, "fields chosen", count, tokens, base, tokenizer)]


def _dropped(asked: _Query) -> list[str]:
    records = asked.list_as().value["data"]
    zone = zone_of(asked.parameters.get("tz"))
    context = page_context(records, instant(asked.now), zone)
    return losses(records, DOMAINS[asked.domain], context)


_FORMATS: Final = {"compact": "lines", "json": "JSON", "toon": "TOON"}

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
        if offer.data is None and read() is None:
            draw_error()
    data, domain, query = _choose_query(offer, tz)
    clock = records.read_clock(now, bundled=data is None)
    if clock is None:
        return
    try:
        answer = measure_answer(data, domain, tuple(query.items()), clock, tokenizer)
    except ValueError as error:
        forms.draw_unmeasured(error)
        return
    if answer["no_estimate"]:
        say_no_estimate(answer["no_estimate"])
    if answer["undated"]:
        st.warning(
            "None of these records has a timestamp in created_at, updated_at or deleted_at, so "
            "no change is found whatever happened. What this would save is not counted."
        )
    elif answer["status"] == 200 and not answer["no_estimate"]:
        forms.draw_headline(answer["forms"], _asked_form(answer, query))
    _draw_answer(answer, domain, query)
    if answer["status"] == 200:
        if not answer["no_estimate"]:
            forms.draw_forms(answer["forms"], tokenizer, "lines_forms")
        dropped = answer["dropped"]
        with st.expander(f"What the lines leave out: {len(dropped)}", expanded=True):
            st.text("\n".join(dropped) if dropped else "Only names and nulls.")


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
            "Answer in",
            list(_FORMATS),
            format_func=lambda name: _FORMATS[name],
            default="compact",
            required=True,
            key="lines_format",
            persist_state="session",
        )
        limit = st.slider(
            "Records at most",
            1,
            100,
            10,
            key="lines_limit",
            persist_state="session",
            width=220,
        )
        with st.popover("Filter"):
            texts = {
                name: st.text_input(
                    called,
                    key=f"lines_{name}",
                    persist_state="session",
                    placeholder=placeholder,
                    help=about,
                )
                for name, (called, placeholder, about) in _TEXTS.items()
            }
    parameters = {"format": form, "limit": str(limit), **texts, "tz": tz}
    query = {name: text.strip() for name, text in parameters.items() if text and text.strip()}
    if offer.domain and chosen == records.PLAYGROUND:
        return offer.data, offer.domain, query
    return None, chosen, query


def _asked_form(answer: Answer, query: dict[str, str]) -> str:
    """The form, of those measured, that answers the query."""
    if answer["envelope"] is not None:
        return LINES
    if "since" in query or "fields" in query:
        return answer["forms"][-1]["label"]
    return "TOON" if query["format"] == "toon" else COMPACT


def _draw_answer(answer: Answer, domain: str, query: dict[str, str]) -> None:
    asked = f"GET /{domain}?{urlencode(query, safe=':,/')}"
    header = "" if answer["no_estimate"] else f" · {forms.header_line(answer)}"
    st.code(f"{asked}\n{answer['status']}{header}", language=None, wrap_lines=True)
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
