"""``GET /{domain}`` and ``GET /{domain}/{id}`` over records, as a function of the query.

``format=json|toon|compact``, ``fields=``, ``since=``, ``limit=``, ``offset=``, ``sort=``,
``order=asc|desc``, ``date=``, ``q=`` (or ``search=``), ``tz=``; every other parameter is a filter
on the root field of that name. Compact is for lists: elsewhere it is ignored, as ``fields`` is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, Final, NamedTuple

from toon.compact.domains import DOMAINS, Domain
from toon.compact.envelope import DEFAULT_LIMIT, compact
from toon.compact.errors import NOT_FOUND, QueryError
from toon.compact.lines import Record
from toon.compact.relative import zone_of
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON
from toon.records.fields import fields
from toon.records.filters import Filtering, filtered, ordered
from toon.records.since import since
from toon.records.store import SAMPLE_NOW, store
from toon.tokenizers import get

FORMATS: Final = ("json", "toon", "compact")
MAX_LIMIT: Final = 100

_COUNT: Final = re.compile(r"[0-9]{1,9}")

#: Parameters that are no filters; each may be given once.
_SHAPING: Final = ("format", "fields", "since", "limit", "offset", "sort", "order", "tz")

Query = Mapping[str, str | Sequence[str]] | Sequence[tuple[str, str]]


class Answer(NamedTuple):
    """``status`` (HTTP), ``value`` (data, an envelope or an error) and whether it goes as TOON."""

    status: int
    value: Any
    is_toon: bool = False

    def text(self) -> str:
        """The body: compact JSON, or TOON where that was asked for. Errors are always JSON."""
        return (TOON if self.is_toon else JSON_COMPACT).dumps(self.value)


def respond(
    domain: str,
    query: Query,
    *,
    now: datetime = SAMPLE_NOW,
    record_id: str | None = None,
    records: list[Record] | None = None,
) -> Answer:
    """The answer to a query; never raises for what stands in one.

    Args:
        domain: A name in ``DOMAINS``; any other is answered with ``NOT_FOUND``.
        query: The parameters in their order: as pairs, or with a list for a repeated one.
        now: When the query came.
        record_id: The full id for one record, None for a list.
        records: The records, deleted ones included; the bundled ones if None.
    """
    try:
        if domain not in DOMAINS:
            known = ", ".join(DOMAINS)
            raise QueryError(f"there is no {domain!r}", code=NOT_FOUND, hint=f"there are {known}")
        held = store(domain) if records is None else records
        asked = Asked(query)
        if record_id is None:
            return _list(DOMAINS[domain], asked, held, now)
        return Answer(200, {"data": _one(held, record_id)}, asked.format() == "toon")
    except QueryError as error:
        return Answer(error.status, error.as_json())


def token_count_header(text: str) -> int:
    """The value of ``X-Token-Count``: an estimate, from character classes, of the body's tokens."""
    return get("estimate").count(text)


class Asked:
    """The parameters of a query, checked as they are read; QueryError says what is wrong."""

    def __init__(self, query: Query) -> None:
        if not isinstance(query, Mapping):
            self.pairs = list(query)
            return
        self.pairs = [
            (name, value)
            for name, values in query.items()
            for value in ([values] if isinstance(values, str) else values)
        ]

    def text(self, name: str) -> str | None:
        """The value of a parameter that may be given once."""
        values = [value for key, value in self.pairs if key == name]
        if len(values) > 1:
            raise invalid(name, values, f"{name} is given {len(values)} times")
        return values[0] if values else None

    def count(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number in ASCII digits, both ends included."""
        text = self.text(name)
        if text is None:
            return default
        if not _COUNT.fullmatch(text) or not low <= int(text) <= high:
            raise invalid(name, text, f"{name} is not a whole number from {low:,} to {high:,}")
        return int(text)

    def one_of(self, name: str, allowed: Sequence[str], default: str) -> str:
        """One of few values, the default where the parameter is missing."""
        text = self.text(name)
        if text is not None and text not in allowed:
            raise invalid(name, text, f"{name} is none of {', '.join(allowed)}")
        return default if text is None else text

    def format(self) -> str:
        return self.one_of("format", FORMATS, "json")

    def zone(self) -> tzinfo | None:
        return zone_of(self.text("tz"))

    def filters(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self.pairs if name not in _SHAPING]


def _list(kind: Domain, asked: Asked, held: list[Record], now: datetime) -> Answer:
    form, moment, names = asked.format(), asked.text("since"), asked.text("fields")
    limit = asked.count("limit", DEFAULT_LIMIT, 1, MAX_LIMIT)
    offset = asked.count("offset", 0, 0, 999_999_999)
    sort, order = asked.text("sort"), asked.one_of("order", ("asc", "desc"), "")
    known = list(dict.fromkeys(name for record in held for name in record))
    found = filtered(held, asked.filters(), Filtering(kind, known, now, asked.zone()))
    if moment is not None:
        return Answer(200, since(found, moment, now=now), form == "toon")
    if names is not None and form == "compact":
        raise invalid("fields", names, "fields and format=compact exclude each other")
    there = [record for record in found if record.get("deleted_at") is None]
    page = ordered(there, kind, known, sort, order)[offset : offset + limit]
    place: dict[str, Any] = {"total": len(there), "limit": limit, "offset": offset}
    if form == "compact":
        zone, filters = asked.zone(), asked.filters()
        return Answer(200, compact(page, kind.name, now=now, tz=zone, filters=filters, **place))
    data = page if names is None else fields(page, names, known=known)
    return Answer(200, {"data": data, "meta": place}, form == "toon")


def _one(held: list[Record], record_id: str) -> Record:
    for record in held:
        if record.get("id") == record_id and record.get("deleted_at") is None:
            return record
    raise QueryError(
        f"there is no record {record_id!r}",
        code=NOT_FOUND,
        details={"id": record_id},
        hint="lines end in the first eight characters; ids has them in full",
    )


def invalid(name: str, value: Any, message: str) -> QueryError:
    """The error of one parameter."""
    return QueryError(message, details={"parameter": name, "value": value})
