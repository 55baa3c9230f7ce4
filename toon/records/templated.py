"""The lines that a template makes of a list of records, and what the list takes in each form."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, Literal, TypedDict

from toon.compact.context import Envelope
from toon.compact.domains import DOMAINS
from toon.compact.errors import QueryError
from toon.compact.losses import losses
from toon.compact.relative import read_time
from toon.compact.templates import TemplateError, parse
from toon.errors import render
from toon.formats.base import NotApplicable
from toon.formats.compact import find_page
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.records.store import SAMPLE_NOW
from toon.tokenizers import get
from toon.values.fractions import fraction
from toon.values.projection import project

#: The labels of the forms of a response, by their keys.
FORM_LABELS: Final = {
    JSON_PRETTY.name: JSON_PRETTY.label,
    JSON_COMPACT.name: JSON_COMPACT.label,
    TOON.name: TOON.label,
    "same-fields": "same-fields JSON",
    "lines": "compact lines",
}

#: Which fields a form holds: all, or those that the lines are made of.
Kind = Literal["all", "lines"]


class Form(TypedDict):
    """The tokens of a list of records written in one form, such as TOON or compact lines.

    ``form`` is a key of ``FORM_LABELS``. ``vs`` has signed fractions: against all fields in
    indented and in compact JSON, and as ``same-fields`` against compact JSON of this form's fields.
    """

    form: str
    kind: Kind
    tokens: int
    vs: dict[str, float | None]


class Written(TypedDict):
    """The lines that a template makes of a JSON value, or the ``error`` in the template in words.

    ``missing`` are paths of the template that lead nowhere in the value. ``lines`` is None if there
    is an error, or no list of records where the template looks for it.
    """

    error: str
    missing: list[str]
    lines: Lines | None


class Lines(TypedDict):
    """Compact lines of a list of records with their tokens, and the tokens of other forms.

    ``dropped`` says in words what the lines of a domain's own template leave out; None for others.
    """

    tokens: int
    envelope: Envelope
    text: str
    forms: list[Form]
    dropped: list[str] | None


def apply_template(value: Any, text: str, now: str, tokenizer: str) -> Written:
    """Write the records in a JSON value as lines by a template, the source ``text``; count them
    with a tokenizer, beside other forms. A mistake in the template is the result's ``error``.

    Ages are counted back from ``now``, a timestamp.

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
    body = JSON_COMPACT.dumps(envelope)
    fields = [pattern for pattern in template.patterns(value) if _has(value, pattern)]
    texts: dict[str, tuple[Kind, str]] = {
        JSON_PRETTY.name: ("all", JSON_PRETTY.dumps(value)),
        JSON_COMPACT.name: ("all", JSON_COMPACT.dumps(value)),
        TOON.name: ("all", TOON.dumps(value)),
        "same-fields": ("lines", JSON_COMPACT.dumps(project(value, fields))),
        "lines": ("lines", body),
    }
    tokens = {form: get(tokenizer).count(text) for form, (_, text) in texts.items()}
    same: dict[Kind, str] = {"all": JSON_COMPACT.name, "lines": "same-fields"}
    forms: list[Form] = [
        {
            "form": form,
            "kind": kind,
            "tokens": tokens[form],
            "vs": {
                JSON_PRETTY.name: fraction(tokens[form], tokens[JSON_PRETTY.name]),
                JSON_COMPACT.name: fraction(tokens[form], tokens[JSON_COMPACT.name]),
                "same-fields": fraction(tokens[form], tokens[same[kind]]),
            },
        }
        for form, (kind, _) in texts.items()
    ]
    dropped = None
    with suppress(NotApplicable, StopIteration):
        domain = next(domain for domain in DOMAINS.values() if domain.text == text)
        dropped = losses(find_page(value).records, domain, moment)
    lines: Lines = {
        "tokens": tokens["lines"],
        "envelope": envelope,
        "text": body,
        "forms": forms,
        "dropped": dropped,
    }
    return {"error": "", "missing": missing, "lines": lines}


def _has(value: Any, pattern: str) -> bool:
    try:
        project(value, [pattern])
    except ValueError:
        return False
    return True
