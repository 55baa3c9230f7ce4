"""The lines of a template, and what the list takes in each form."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypedDict

from toon.compact.context import Envelope
from toon.compact.domains import DOMAINS
from toon.compact.errors import QueryError
from toon.compact.losses import losses
from toon.compact.relative import read_time
from toon.compact.templates import TemplateError, parse
from toon.errors import render
from toon.formats.base import NotApplicable
from toon.formats.compact import page_of
from toon.formats.json import JSON_COMPACT
from toon.records.forms import Form, measure_forms
from toon.records.store import SAMPLE_NOW
from toon.tokenizers import get
from toon.values.projection import project


class Written(TypedDict):
    """The lines of a template, or the ``error`` in it: lines of text, the place marked.

    ``missing`` are its paths that lead nowhere. ``lines`` is None if there is an error, or no list
    of records where the template looks for it.
    """

    error: str
    missing: list[str]
    lines: Lines | None


class Lines(TypedDict):
    """Compact lines as a value and as text, and the same list in other forms.

    ``dropped`` says in words what the lines of a domain's own template leave out; None for others.
    """

    tokens: int
    envelope: Envelope
    text: str
    forms: list[Form]
    dropped: list[str] | None


def apply_template(value: Any, text: str, now: str, tokenizer: str) -> Written:
    """Apply a template to a value and measure its lines.

    Args:
        value: The value that the template is applied to.
        text: The template.
        now: The time that ages are counted back from, a timestamp.
        tokenizer: The name of the tokenizer that counts.

    Raises:
        ValueError: The value is nested deeper than the formats allow.
    """
    try:
        template = parse(text)
    except TemplateError as error:
        return {"error": render(error), "missing": [], "lines": None}
    moment = read_time(now) or SAMPLE_NOW
    try:
        envelope = template.lines(value, now=moment)
    except QueryError as error:
        message = f"{error.message}\nhint: {error.hint}"
        return {"error": message, "missing": [], "lines": None}
    missing = template.missing_paths(value)
    if envelope is None:
        return {"error": "", "missing": missing, "lines": None}
    counter, body = get(tokenizer), JSON_COMPACT.dumps(envelope)
    same_fields = _same_fields(value, template.patterns(value))
    lines: Lines = {
        "tokens": counter.count(body),
        "envelope": envelope,
        "text": body,
        "forms": measure_forms(value, body, same_fields, counter),
        "dropped": _dropped(value, text, moment),
    }
    return {"error": "", "missing": missing, "lines": lines}


def _dropped(value: Any, text: str, now: datetime) -> list[str] | None:
    """Return what the lines leave out, where template and records are of one domain."""
    own = (domain for domain in DOMAINS.values() if domain.text == text)
    domain = next(own, None)
    try:
        return losses(page_of(value).records, domain, now) if domain else None
    except NotApplicable:
        return None


def _same_fields(value: Any, patterns: list[str]) -> str:
    """Write compact JSON of those fields of the value that the template reads."""
    return JSON_COMPACT.dumps(project(value, [name for name in patterns if _has(value, name)]))


def _has(value: Any, pattern: str) -> bool:
    try:
        project(value, [pattern])
    except ValueError:
        return False
    return True
