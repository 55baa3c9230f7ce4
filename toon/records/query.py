"""``GET /{domain}`` and ``GET /{domain}/{id}`` over records, as a function of the query.

Parameters are ``format=json|toon|compact``, ``fields=``, ``since=``, ``limit=``, ``offset=``,
``date=``, ``q=`` (or ``search=``) and ``tz=``. Every other parameter
filters by the root field of that name. Where the answer is not a list of records, ``fields`` and
``format=compact`` are ignored.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from toon.compact import compact
from toon.compact.context import DEFAULT_LIMIT, JsonObject
from toon.compact.domains import DOMAINS, Domain
from toon.compact.errors import NOT_FOUND, QueryError, refusal
from toon.compact.relative import zone_of
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON
from toon.records.filters import find_changes, keep_fields, select_records, sort_records
from toon.records.store import SAMPLE_NOW, store
from toon.text import whole_number

ANSWER_FORMATS: Final = ("json", "toon", "compact")
MAX_LIMIT: Final = 100

#: Parameters that are not filters; each may be given once.
_SHAPING: Final = ("format", "fields", "since", "limit", "offset", "tz")

Query = Mapping[str, str | Sequence[str]] | Sequence[tuple[str, str]]


class Answer(NamedTuple):
    """An HTTP answer of the sample API: its status, its value, and whether that is sent as TOON."""

    status: int
    value: Any
    is_toon: bool = False

    def text(self) -> str:
        """Return the body of the answer: the value as compact JSON, or as TOON if ``is_toon``."""
        return (TOON if self.is_toon else JSON_COMPACT).dumps(self.value)


def respond(
    domain: str,
    query: Query,
    *,
    now: datetime = SAMPLE_NOW,
    record_id: str | None = None,
    records: list[JsonObject] | None = None,
) -> Answer:
    """Answer a query of the sample API with records of a domain; a wrong one with an error.

    Nothing is raised. ``query`` has the parameters in their order, as pairs or as a mapping with a
    list for a repeated one. With a ``record_id`` the answer is one record. ``records`` are, with
    deleted ones, those to select from; None: the bundled ones.
    """
    try:
        if domain not in DOMAINS:
            known = ", ".join(DOMAINS)
            raise QueryError(f"there is no {domain!r}", code=NOT_FOUND, hint=f"there are {known}")
        stored = store(domain) if records is None else records
        params = QueryParams(query)
        if record_id is None:
            return _answer_list(DOMAINS[domain], params, stored, now)
        return Answer(200, {"data": _find(stored, record_id)}, params.format() == "toon")
    except QueryError as error:
        return Answer(error.status, error.as_json())


class QueryParams:
    """The parameters of a query of the sample API; methods raise QueryError for a wrong value."""

    def __init__(self, query: Query) -> None:
        if not isinstance(query, Mapping):
            self.pairs = list(query)
            return
        self.pairs = [
            (name, value)
            for name, values in query.items()
            for value in ([values] if isinstance(values, str) else values)
        ]

    def values(self, name: str) -> list[str]:
        """Return all values of a query's parameter, in their order."""
        return [value for key, value in self.pairs if key == name]

    def text(self, name: str) -> str | None:
        """Return the value of a query's parameter, None if missing; raise QueryError if double."""
        values = self.values(name)
        if len(values) > 1:
            raise refusal(name, values, f"{name} is given {len(values)} times")
        return values[0] if values else None

    def count(self, name: str, default: int, low: int, high: int) -> int:
        """Return a query's parameter as an integer, or its default if missing; raise QueryError if
        it is not from ``low`` to ``high``.
        """
        text = self.text(name)
        if text is None:
            return default
        number = whole_number(text, low, high)
        if number is None:
            raise refusal(name, text, f"{name} is not a whole number from {low:,} to {high:,}")
        return number

    def choice(self, name: str, allowed: Sequence[str], default: str) -> str:
        """Return a query's parameter or its default; raise QueryError if not in ``allowed``."""
        text = self.text(name)
        if text is not None and text not in allowed:
            raise refusal(name, text, f"{name} is not one of {', '.join(allowed)}")
        return default if text is None else text

    def format(self) -> str:
        return self.choice("format", ANSWER_FORMATS, "json")


def _answer_list(
    kind: Domain, params: QueryParams, stored: list[JsonObject], now: datetime
) -> Answer:
    form, moment, names = params.format(), params.text("since"), params.text("fields")
    limit = params.count("limit", DEFAULT_LIMIT, 1, MAX_LIMIT)
    offset = params.count("offset", 0, 0, 999_999_999)
    zone = zone_of(params.text("tz"))
    filters = [(name, value) for name, value in params.pairs if name not in _SHAPING]
    known = list(dict.fromkeys(name for record in stored for name in record))
    selected = select_records(stored, filters, kind, known, now, zone)
    if moment is not None:
        return Answer(200, find_changes(selected, moment, now=now), form == "toon")
    if names is not None and form == "compact":
        raise refusal("fields", names, "fields cannot be combined with format=compact")
    listed = [record for record in selected if record.get("deleted_at") is None]
    page = sort_records(listed, kind)[offset : offset + limit]
    total = len(listed)
    if form == "compact":
        envelope = compact(
            page,
            kind.name,
            now=now,
            zone=zone,
            filters=filters,
            total=total,
            limit=limit,
            offset=offset,
        )
        return Answer(200, envelope)
    data = page if names is None else keep_fields(page, names, known)
    meta = {"total": total, "limit": limit, "offset": offset}
    return Answer(200, {"data": data, "meta": meta}, form == "toon")


def _find(records: list[JsonObject], record_id: str) -> JsonObject:
    for record in records:
        if record.get("id") == record_id and record.get("deleted_at") is None:
            return record
    raise QueryError(
        f"there is no record {record_id!r}",
        code=NOT_FOUND,
        details={"id": record_id},
        hint="a line ends with the first eight characters of its id; ids has it in full",
    )
