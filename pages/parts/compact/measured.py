"""What the panels show, worked out: names and text in, plain rows out, every cache bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.parts import cached
from pages.parts.given import Given
from toon.advisor import project
from toon.compact.domains import DOMAINS
from toon.compact.errors import QueryError
from toon.compact.lines import page_context
from toon.compact.losses import losses
from toon.compact.relative import instant, read_time, zone_of
from toon.compact.templates import TemplateError, parse
from toon.errors import render
from toon.formats.base import NotApplicable
from toon.formats.compact import page_of
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.playground import panes
from toon.records import growth
from toon.records.query import Answer, respond, token_count_header
from toon.records.store import SAMPLE_NOW
from toon.records.story import story
from toon.tokenizers import Tokenizer, get
from toon.values.fractions import fraction
from toon.values.json_text import parse_json

Row = dict[str, Any]

#: Parameters that make another response of the same list.
_SHAPES: Final = ("format", "fields", "since")

TEMPLATES: Final = Path(__file__).parent.parent.parent.parent / "samples" / "templates"

#: The counts at which growth is measured.
COUNTS: Final = (1, 2, 5, 10, 20, 50, 100)

#: Forms of a response, as they are called everywhere.
PRETTY: Final = JSON_PRETTY.label
COMPACT: Final = JSON_COMPACT.label
SAME_FIELDS: Final = "same-fields JSON"
LINES: Final = "compact lines"


def _value(payload: Given) -> Any:
    options = panes.Options(indent=payload.indent, strict=payload.strict)
    return panes.read(payload.side, payload.text, options).value


# -- lines -----------------------------------------------------------------------------------


@st.cache_data(max_entries=8, show_spinner=False)
def found(payload: Given) -> Row:
    """The ``domain`` of a payload's records, or None and the ``reason``."""
    try:
        page = page_of(_value(payload))
    except NotApplicable as error:
        return {"domain": None, "reason": str(error)}
    return {"domain": page.kind.name, "reason": ""}


@st.cache_data(max_entries=32, show_spinner=False)
def answer(
    payload: Given | None, domain: str, query: tuple[tuple[str, str], ...], now: str, tokenizer: str
) -> Row:
    """What the API answers to a query, and what the same list costs in other forms.

    Args:
        payload: Whose records are asked for; the bundled ones if None.
        domain: What they are.
        query: The parameters, ``format`` among them.
        now: When it is asked, a timestamp.
        tokenizer: What counts.

    Returns:
        ``status``, ``text`` (the body), ``envelope`` (of compact lines, else None), the ``tokens``
        and the ``header`` that estimates them; ``forms`` (see ``_forms``; none for an error) and
        ``dropped``, what lines leave out, in words; ``undated``, whether ``since`` was asked of
        records of which none says when it changed.
    """
    used, asked = get(tokenizer), dict(query)
    held = None if payload is None else page_of(_value(payload)).records
    time = read_time(now) or SAMPLE_NOW

    def get_list(**parameters: str) -> Answer:
        kept = {name: text for name, text in asked.items() if name not in _SHAPES}
        return respond(domain, kept | parameters, now=time, records=held)

    given = respond(domain, asked, now=time, records=held)
    text = given.text()
    is_lines = isinstance(given.value, dict) and given.value.get("format") == "compact"
    row: Row = {
        "status": given.status,
        "text": text,
        "envelope": given.value if is_lines else None,
        **_counted(text, used),
        "undated": "since" in asked and held is not None and not any(map(_is_dated, held)),
        "forms": [],
        "dropped": [],
    }
    if given.status != 200:
        return row
    whole = get_list().value
    context = page_context(whole["data"], instant(time), zone_of(asked.get("tz")), None)
    same = {**whole, "data": [DOMAINS[domain].shown(record) for record in whole["data"]]}
    lines = get_list(format="compact").text()
    row["forms"] = _forms(whole, lines, JSON_COMPACT.dumps(same), used)
    if not row["undated"]:
        row["forms"] += _chosen(asked, text, get_list, used, row["forms"])
    row["dropped"] = losses(whole["data"], DOMAINS[domain], context)
    return row


def _is_dated(record: Row) -> bool:
    names = ("created_at", "updated_at", "deleted_at")
    return any(read_time(record.get(name)) is not None for name in names)


def _counted(text: str, used: Tokenizer) -> Row:
    """``tokens`` of a body, whether they are ``exact``, the ``header`` and its signed error."""
    tokens, header = used.count(text), token_count_header(text)
    return {
        "tokens": tokens,
        "exact": used.exact,
        "header": header,
        "header_error": fraction(header, tokens),
    }


def _forms(whole: Any, lines: str, same: str, used: Tokenizer) -> list[Row]:
    """A response in five forms: ``label``, ``kind`` (of fields), ``tokens``, ``exact``, ``vs_*``.

    ``vs_pretty``, ``vs_compact`` and ``vs_same`` are signed fractions against all fields in
    indented and in compact JSON, and against compact JSON of the same fields as the row itself has.
    """
    texts = {
        PRETTY: ("all fields", JSON_PRETTY.dumps(whole)),
        COMPACT: ("all fields", JSON_COMPACT.dumps(whole)),
        TOON.label: ("all fields", TOON.dumps(whole)),
        SAME_FIELDS: ("fields of the lines", same),
        LINES: ("fields of the lines", lines),
    }
    tokens = {label: used.count(text) for label, (_, text) in texts.items()}
    bases = {"all fields": tokens[COMPACT], "fields of the lines": tokens[SAME_FIELDS]}
    return [
        _form(label, kind, tokens[label], tokens, bases[kind], used)
        for label, (kind, _) in texts.items()
    ]


def _form(
    label: str, kind: str, count: int, tokens: dict[str, int], same: int | None, used: Tokenizer
) -> Row:
    return {
        "label": label,
        "kind": kind,
        "tokens": count,
        "exact": used.exact,
        "vs_pretty": fraction(count, tokens[PRETTY]),
        "vs_compact": fraction(count, tokens[COMPACT]),
        "vs_same": None if same is None else fraction(count, same),
    }


def _chosen(
    asked: dict[str, str], text: str, get_list: Any, used: Tokenizer, forms: list[Row]
) -> list[Row]:
    """The answer with ``since`` or ``fields`` as a form of its own, if that is what was asked."""
    tokens = {form["label"]: form["tokens"] for form in forms}
    name = TOON.label if asked.get("format") == "toon" else COMPACT
    if "since" in asked:
        return [_form(f"{name}, since", "changes", used.count(text), tokens, None, used)]
    if "fields" not in asked:
        return []
    base = used.count(get_list(fields=asked["fields"]).text())
    label = f"{name}, fields chosen"
    return [_form(label, "fields chosen", used.count(text), tokens, base, used)]


# -- templates -------------------------------------------------------------------------------


@st.cache_data(max_entries=1, show_spinner=False)
def starters() -> dict[str, str]:
    """The bundled templates by name, those of the domains first."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.txt")}
    names = [*DOMAINS, *sorted(texts.keys() - DOMAINS.keys())]
    return {name: texts[name] for name in names}


@st.cache_data(max_entries=32, show_spinner=False)
def templated(
    payload: Given | None, bundled: str, text: str, now: str, tz: str, tokenizer: str
) -> Row:
    """The lines a template gives.

    Args:
        payload: What it is applied to; the records or sample named ``bundled`` if None.
        bundled: A domain, of which ten records are taken, or a sample.
        text: The template.
        now: What ages are told from, a timestamp.
        tz: A zone, or "" for times as written.
        tokenizer: What counts.

    Returns:
        ``error`` (lines of text, the place marked) alone if there is one; else the ``envelope``
        (None if the payload has no records where the template looks for them), ``missing`` (its
        paths that lead nowhere), and, with an envelope, ``text``, ``tokens``, ``header`` and
        ``forms`` as in :func:`answer`.
    """
    try:
        template = parse(text)
    except TemplateError as error:
        return {"error": render(error)}
    value = _value(payload) if payload is not None else _bundled(bundled)
    try:
        envelope = template.lines(value, now=read_time(now) or SAMPLE_NOW, tz=tz or None)
    except QueryError as error:
        return {"error": f"{error.message}\nhint: {error.hint}"}
    missing = template.missing_paths(value)
    if template.records(value) is None:
        return {"error": "", "envelope": None, "missing": missing}
    used, lines = get(tokenizer), JSON_COMPACT.dumps(envelope)
    return {
        "error": "",
        "envelope": envelope,
        "missing": missing,
        "text": lines,
        **_counted(lines, used),
        "forms": _forms(value, lines, _same_fields(value, template.patterns(value)), used),
    }


def _bundled(name: str) -> Any:
    if name in DOMAINS:
        return respond(name, {"limit": "10"}).value
    return parse_json(cached.samples()[name]).value


def _same_fields(value: Any, patterns: list[str]) -> str:
    """Compact JSON of the fields that are there, of those a template reads."""
    return JSON_COMPACT.dumps(project(value, [name for name in patterns if _has(value, name)]))


def _has(value: Any, pattern: str) -> bool:
    try:
        project(value, [pattern])
    except ValueError:
        return False
    return True


# -- the rows of the library -----------------------------------------------------------------


@st.cache_data(max_entries=16, show_spinner=False)
def story_rows(domain: str, tokenizer: str, count: int) -> list[Row]:
    """The three steps, each with ``header`` and its error: see :func:`toon.records.story.story`."""
    used = get(tokenizer)
    return [row | _counted(row["text"], used) for row in story(domain, tokenizer, count)]


@st.cache_data(max_entries=8, show_spinner=False)
def domain_rows(tokenizer: str) -> list[Row]:
    """Ten records of each domain: see :func:`toon.records.growth.domain_rows`."""
    return growth.domain_rows(tokenizer)


@st.cache_data(max_entries=16, show_spinner=False)
def growth_rows(domain: str, tokenizer: str) -> list[Row]:
    """From 1 to 100 records: see :func:`toon.records.growth.growth_rows`."""
    return growth.growth_rows(domain, tokenizer, COUNTS)


@st.cache_data(max_entries=8, show_spinner=False)
def estimate_rows(tokenizer: str) -> list[Row]:
    """Estimates of every response: see :func:`toon.records.growth.estimate_rows`."""
    return growth.estimate_rows(tokenizer)
