"""The answer to a query for a list, and what the list takes in each form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypedDict

from toon.compact.domains import DOMAINS
from toon.compact.envelope import Envelope
from toon.compact.losses import losses
from toon.compact.relative import read_time, zone_of
from toon.formats.compact import page_of
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON
from toon.records.forms import Form, measure_form, measure_forms
from toon.records.query import Answer, respond
from toon.records.store import SAMPLE_NOW
from toon.tokenizers import Tokenizer, get

#: Parameters that ask for another form of the same list.
_FORM_PARAMETERS: Final = ("format", "fields", "since")
_TIMES: Final = ("created_at", "updated_at", "deleted_at")


class Answered(TypedDict):
    """The answer to a query, and its list in other forms.

    ``text`` is the body; ``envelope`` is its value if it holds compact lines. ``undated`` says
    that ``since`` was asked of records without a time of their last change. An error has no
    ``forms``. ``dropped`` says in words what lines leave out.
    """

    tokens: int
    status: int
    text: str
    envelope: Envelope | None
    undated: bool
    forms: list[Form]
    dropped: list[str]


@dataclass(frozen=True, slots=True)
class _Query:
    domain: str
    parameters: dict[str, str]
    now: datetime
    records: list[Any] | None  # None: the bundled ones

    def answer(self) -> Answer:
        return respond(self.domain, self.parameters, now=self.now, records=self.records)

    def list_as(self, **form: str) -> Answer:
        """Answer with the same list in another form."""
        query = self.parameters | dict.fromkeys(_FORM_PARAMETERS, "") | form
        query = {name: text for name, text in query.items() if text}
        return respond(self.domain, query, now=self.now, records=self.records)

    @property
    def is_undated(self) -> bool:
        if "since" not in self.parameters or self.records is None:
            return False
        return not any(read_time(record.get(name)) for record in self.records for name in _TIMES)


def answer_query(
    value: Any | None, domain: str, query: tuple[tuple[str, str], ...], now: str, tokenizer: str
) -> Answered:
    """Answer a query and measure the answer.

    Args:
        value: Holds the records; None for the bundled ones.
        domain: The domain of the records.
        query: The parameters, ``format`` among them.
        now: The time of the query, a timestamp.
        tokenizer: The name of the tokenizer that counts.

    Raises:
        ValueError: The records are nested deeper than the formats allow.
    """
    counter = get(tokenizer)
    own = None if value is None else page_of(value).records
    asked = _Query(domain, dict(query), read_time(now) or SAMPLE_NOW, own)
    response = asked.answer()
    is_lines = isinstance(response.value, dict) and response.value.get("format") == "compact"
    is_good = response.status == 200
    return {
        "tokens": counter.count(response.text()),
        "status": response.status,
        "text": response.text(),
        "envelope": response.value if is_lines else None,
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
    """Measure the answer to ``since`` or ``fields`` as another form; [] without them."""
    tokens = {form["form"]: form["tokens"] for form in forms}
    name = (TOON if asked.parameters.get("format") == "toon" else JSON_COMPACT).name
    count = tokenizer.count(text)
    if "since" in asked.parameters:
        return [measure_form(name, "changes", count, tokens, None, tokenizer)]
    if "fields" not in asked.parameters:
        return []
    base = tokenizer.count(asked.list_as(fields=asked.parameters["fields"]).text())
    return [measure_form(name, "chosen", count, tokens, base, tokenizer)]


def _dropped(asked: _Query) -> list[str]:
    records = asked.list_as().value["data"]
    zone = zone_of(asked.parameters.get("tz"))
    return losses(records, DOMAINS[asked.domain], asked.now, zone)
