"""A template that was read: the lines it gives, and the fields it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final

from toon.compact.envelope import DEFAULT_LIMIT
from toon.compact.lines import Context
from toon.compact.relative import instant, zone_of
from toon.compact.templates.formatters import FORMATTERS
from toon.compact.templates.parts import Field, Nodes, Value, fields_in, rendered
from toon.compact.templates.paths import Path, found, pattern_of, value_at
from toon.compact.text import as_text

_COUNT: Final[Path] = ("count",)
_SUMMARY: Final[Nodes] = (
    Field((Value(_COUNT, ()),), ""),
    " ",
    Field((Value(_COUNT, ((FORMATTERS["plural"], ("record", "records")),)),), ""),
)


@dataclass(frozen=True, slots=True)
class Template:
    """The line of a record, where the records lie, and what the page of them is called.

    ``text`` is what :func:`toon.compact.templates.parse` read; the others are None where it sets
    nothing.
    """

    text: str
    pattern: Nodes
    rows: Path | None = None
    id: Path | None = None
    summary: Nodes | None = None

    def lines(self, value: Any, *, now: datetime, tz: str | tzinfo | None = None) -> Any:
        """The envelope of :func:`toon.compact.compact`, one line and one id for each record.

        ``meta`` is that of ``value`` where it has one. What holds no list of records where the
        template looks for it, such as an error, comes back as it is.

        Args:
            value: The payload, any JSON value.
            now: What ages are told from; in ``tz`` or UTC if it has no offset.
            tz: An IANA name or a zone for dates and times; None leaves them as written.

        Raises:
            QueryError: ``tz`` names no zone.
        """
        context = _context(now, tz)
        records = self.records(value)
        if records is None:
            return value
        head = (value if isinstance(value, dict) else {}) | {"count": len(records)}
        return {
            "format": "compact",
            "summary": rendered(self.summary or _SUMMARY, head, context),
            "lines": [rendered(self.pattern, record, context) for record in records],
            "ids": [_full(value_at(record, self._id)) for record in records],
            "meta": _meta(value, len(records)),
        }

    def line(self, record: Any, *, now: datetime, tz: str | tzinfo | None = None) -> str:
        """The line of one record, whatever it holds; ``now`` and ``tz`` as in :meth:`lines`."""
        return rendered(self.pattern, record, _context(now, tz))

    def records(self, value: Any) -> list[Any] | None:
        """The list the lines are made of, or None if there is none."""
        path = self._rows_in(value)
        records = None if path is None else value_at(value, path)
        return records if isinstance(records, list) else None

    @property
    def fields(self) -> list[str]:
        """The fields of a record that lines and ids are made of, as patterns of the advisor."""
        return list(dict.fromkeys(map(pattern_of, self._record_paths())))

    def patterns(self, value: Any) -> list[str]:
        """The fields of the whole of ``value`` that its envelope is made of.

        They are what :func:`toon.advisor.project` takes, for JSON of the same fields.
        """
        path = self._rows_in(value)
        if path is None:
            return []
        record = path if None in path else (*path, None)
        inside = [(*record, *below) for below in self._record_paths()]
        beside = [head for heads in _choices(self.summary) for head in heads if head != _COUNT]
        return list(dict.fromkeys(map(pattern_of, [*inside, *beside])))

    def missing_paths(self, value: Any) -> list[str]:
        """The paths of the template that lead nowhere in ``value``, as patterns.

        A path is missing if no record has it. With ``or``, the paths of a field are told only if
        all of them are. Without records it is ``rows`` alone, ``$`` where that is not set.
        """
        records = self.records(value)
        if records is None:
            return [pattern_of(self.rows or ())]
        named = [*_choices(self.pattern), *([[self.id]] if self.id else [])]
        lost = _nowhere(records, named) if records else []
        heads = [paths for paths in _choices(self.summary) if _COUNT not in paths]
        return list(dict.fromkeys(map(pattern_of, [*lost, *_nowhere([value], heads)])))

    def _record_paths(self) -> list[Path]:
        return [path for paths in _choices(self.pattern) for path in paths] + [self._id]

    @property
    def _id(self) -> Path:
        return ("id",) if self.id is None else self.id

    def _rows_in(self, value: Any) -> Path | None:
        if self.rows is not None or isinstance(value, list):
            return self.rows or ()
        if not isinstance(value, dict):
            return None
        lists = [key for key, item in value.items() if isinstance(item, list)]
        return (lists[0],) if len(lists) == 1 else None


def _context(now: datetime, tz: str | tzinfo | None) -> Context:
    zone = zone_of(tz)
    return Context(instant(now, zone), zone)


def _choices(nodes: Nodes | None) -> list[list[Path]]:
    """The paths of a pattern: for each field or condition those that stand between its ``or``."""
    return [[value.path for value in part.values] for part in fields_in(nodes or ())]


def _nowhere(records: list[Any], groups: list[list[Path]]) -> Iterator[Path]:
    for paths in groups:
        if not any(found(record, path) for path in paths for record in records):
            yield from paths


def _full(value: Any) -> str:
    """An id unchanged if it is a text, else as one; "" if there is none."""
    return value if isinstance(value, str) else as_text(value)


def _meta(value: Any, count: int) -> dict[str, Any]:
    """The place of the page by ``meta`` of ``value``; as if it were all there is without one."""
    place = {"total": count, "limit": max(DEFAULT_LIMIT, count), "offset": 0, "has_more": False}
    said = value.get("meta") if isinstance(value, dict) else None
    said = said if isinstance(said, dict) else {}
    return {
        name: said[name] if type(said.get(name)) is type(usual) else usual
        for name, usual in place.items()
    }
