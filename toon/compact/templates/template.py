"""A parsed template: writes lines, and knows the fields that it uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final

from toon.compact.context import Context
from toon.compact.envelope import DEFAULT_LIMIT, Envelope, Place
from toon.compact.inline import id_text
from toon.compact.relative import instant, zone_of
from toon.compact.templates.formatters import FORMATTERS
from toon.compact.templates.parts import (
    Field,
    Nodes,
    Path,
    Value,
    fields_in,
    value_at,
    values_at,
    values_in,
    write_nodes,
)
from toon.limits import TEMPLATE_CHARACTERS
from toon.values.paths import pattern_text

_COUNT: Final[Path] = ("count",)
_SUMMARY: Final[Nodes] = (
    Field((Value(_COUNT, ()),), ""),
    " ",
    Field((Value(_COUNT, ((FORMATTERS["plural"], ("record", "records")),)),), ""),
)


@dataclass(frozen=True, slots=True)
class Template:
    """A template that :func:`toon.compact.templates.parse` has read.

    Attributes:
        pattern: the pattern of a line.
        rows: the path to the list of records, or None if not set.
        id: the path to the id in a record, or None if not set.
        summary: the pattern of the summary, or None if not set.
    """

    pattern: Nodes
    rows: Path | None = None
    id: Path | None = None
    summary: Nodes | None = None

    def lines(self, value: Any, *, now: datetime, tz: str | None = None) -> Envelope | None:
        """Write the lines of a payload, in the envelope of :func:`toon.compact.compact`.

        Its ``meta`` is that of ``value``, if there is one.

        Args:
            value: the payload, any JSON value.
            now: the time that ages are counted to; without an offset it is in ``tz`` or UTC.
            tz: the IANA name of the zone in which times are shown; None shows them as written.

        Returns:
            None if there is no list of records where the template looks for it.

        Raises:
            QueryError: No zone has the name ``tz``, or the lines and the summary together have more
                than ``TEMPLATE_CHARACTERS``.
        """
        records = self.records(value)
        context = self.context(records or [], now, zone_of(tz))
        if records is None:
            return None
        head = (value if isinstance(value, dict) else {}) | {"count": len(records)}
        alone = Context(context.now, context.zone)  # no line varies with what the summary shows
        summary = write_nodes(self.summary or _SUMMARY, head, alone, TEMPLATE_CHARACTERS)
        return {
            "format": "compact",
            "summary": summary,
            "lines": self.write(records, context, TEMPLATE_CHARACTERS - len(summary)),
            "ids": [id_text(value_at(record, self._id)) for record in records],
            "meta": _place(value, len(records)),
        }

    def context(self, records: Iterable[Any], now: datetime, zone: tzinfo | None) -> Context:
        """Return what the lines of these records share; ``now`` as for :meth:`lines`.

        Raises:
            QueryError: As for :meth:`write`.
        """
        context = Context(instant(now, zone), zone)
        varying = tuple(
            node
            for node in self.pattern
            if any(FORMATTERS["varying"] in dict(value.calls) for value in values_in((node,)))
        )
        for _ in _written(varying, records if varying else [], context, TEMPLATE_CHARACTERS):
            if len(context.met) > 1:
                break
        return context

    def write(
        self, records: list[Any], context: Context, most: int = TEMPLATE_CHARACTERS
    ) -> list[str]:
        """Write the line of each record.

        Raises:
            QueryError: Together they have more than ``most`` characters.
        """
        return list(_written(self.pattern, records, context, most))

    def records(self, value: Any) -> list[Any] | None:
        """Return the records in a payload, or None if there is no list of them."""
        path = self._rows_in(value)
        records = None if path is None else value_at(value, path)
        return records if isinstance(records, list) else None

    def patterns(self, value: Any) -> list[str]:
        """Return the fields that the envelope of a payload is made of, as patterns of field paths.

        With them, :func:`toon.values.projection.project` gives JSON of the same fields.
        """
        path = self._rows_in(value)
        if path is None:
            return []
        record = path if None in path else (*path, None)
        below = [path for paths in _choices(self.pattern) for path in paths]
        inside = [(*record, *steps) for steps in (*below, self._id)]
        beside = [head for heads in _choices(self.summary) for head in heads if head != _COUNT]
        return list(dict.fromkeys(map(_pattern, [*inside, *beside])))

    def missing_paths(self, value: Any) -> list[str]:
        """Return the paths of the template that lead nowhere in a payload, as patterns.

        A path is missing if no record has it. Paths with ``or`` between them are listed only if
        all of them are missing. Without records only ``rows`` is listed, or ``$`` if it is not set.
        """
        records = self.records(value)
        if records is None:
            return [_pattern(self.rows or ())]
        named = [*_choices(self.pattern), *([[self.id]] if self.id else [])]
        lost = _nowhere(records, named) if records else []
        heads = [paths for paths in _choices(self.summary) if _COUNT not in paths]
        return list(dict.fromkeys(map(_pattern, [*lost, *_nowhere([value], heads)])))

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


def _written(nodes: Nodes, records: Iterable[Any], context: Context, most: int) -> Iterator[str]:
    """Yield the text of a pattern for each record, ``most`` characters at most in all."""
    for record in records:
        text = write_nodes(nodes, record, context, most)
        most -= len(text)
        yield text


def _choices(nodes: Nodes | None) -> Iterator[list[Path]]:
    """Yield groups of paths that stand in for each other: those with ``or`` between them.

    A field that a formatter names stands alone.
    """
    for part in fields_in(nodes or ()):
        yield [value.path for value in part.values]
        yield from ([path] for value in part.values for path in value.named)


def _pattern(path: Path) -> str:
    """Write a path as a pattern of field paths, which has ``[]`` for any place in a list."""
    return pattern_text([step if isinstance(step, str) else None for step in path])


def _nowhere(records: list[Any], groups: list[list[Path]]) -> Iterator[Path]:
    """Yield the paths of the groups in which no path has a value in any record."""
    for paths in groups:
        if not any(values_at(record, path) for path in paths for record in records):
            yield from paths


def _place(value: Any, count: int) -> Place:
    """Return the place of the page by the ``meta`` of ``value``, or else by defaults."""
    meta = value.get("meta") if isinstance(value, dict) else None
    meta = meta if isinstance(meta, dict) else {}
    total, limit, offset = (meta.get(name) for name in ("total", "limit", "offset"))
    has_more = meta.get("has_more")
    return {
        "total": total if type(total) is int else count,
        "limit": limit if type(limit) is int else max(DEFAULT_LIMIT, count),
        "offset": offset if type(offset) is int else 0,
        "has_more": has_more if isinstance(has_more, bool) else False,
    }
