"""A parsed template: the parts of its patterns, the lines they write, the fields they use."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Any, Final, TypeAlias

from toon.compact.context import DEFAULT_LIMIT, Context, Envelope, Place
from toon.compact.inline import as_text, one_line
from toon.compact.relative import instant
from toon.compact.templates import formatters
from toon.limits import TEMPLATE_CHARACTERS
from toon.values.paths import Step, pattern_text

#: Steps: a key, a place in a list (negative from its end), or None for every place.
Path: TypeAlias = tuple[Step, ...]


def values_at(record: Any, path: Path) -> list[Any]:
    """Return all values at a template's path in a record, nulls too; [] if it leads nowhere."""
    values = [record]
    for step in path:
        if step is None:
            values = [item for value in values if isinstance(value, list) for item in value]
        elif isinstance(step, str):
            values = [v[step] for v in values if isinstance(v, dict) and step in v]
        else:
            lists = (value for value in values if isinstance(value, list))
            values = [items[step] for items in lists if -len(items) <= step < len(items)]
    return values


def value_at(record: Any, path: Path) -> Any:
    """Return the value at a path in a record, or None; where it has ``[]``, all values there."""
    if len(path) == 1 and isinstance(path[0], str):  # most paths
        return record.get(path[0]) if isinstance(record, dict) else None
    values = values_at(record, path)
    if None in path:
        return [value for value in values if value is not None] or None
    return values[0] if values else None


@dataclass(frozen=True, slots=True)
class Value:
    """A path of a template, and the formatters for the value there, each with its arguments."""

    path: Path
    calls: tuple[tuple[formatters.Formatter, formatters.Args], ...]

    def read(self, record: Any, context: Context) -> Any:
        value = value_at(record, self.path)
        for formatter, args in self.calls:
            if value is None:
                break
            value = formatter.apply(value, args, context)
        return value


@dataclass(frozen=True, slots=True)
class Field:
    """A field ``{a or b}`` of a template: the first value that has a text, else ``otherwise``."""

    values: tuple[Value, ...]
    otherwise: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a template: with ``{?a or b}`` one of the values is true, with ``!`` none."""

    values: tuple[Value, ...]
    expected: bool


#: Nodes in nodes are a part ``<…>``, which is left out if a field or condition in it fails.
Node: TypeAlias = "str | Field | Condition | Nodes"
Nodes: TypeAlias = tuple[Node, ...]


def write_node(node: Node, record: Any, context: Context) -> str | None:
    """Write a template's text, field, condition or part for a record; None if a condition fails."""
    if isinstance(node, str):
        return node
    if isinstance(node, Field):
        texts = (formatters.text_of(value.read(record, context)) for value in node.values)
        return next(filter(None, texts), node.otherwise)
    if isinstance(node, Condition):
        holds = any(_is_true(value.read(record, context)) for value in node.values)
        return "" if holds == node.expected else None
    written, size, shows = [], 0, False
    for inner in node:
        text = write_node(inner, record, context)
        if text is None or (text == "" and isinstance(inner, Field)):
            return ""
        shows |= not isinstance(inner, str) and (text != "" or isinstance(inner, Condition))
        written.append(text)
        size += len(text)
        formatters.check_size(size)
    return "".join(written) if shows else ""


def fields_in(nodes: Nodes) -> Iterator[Field | Condition]:
    """Yield all fields and conditions of a template's pattern, in the order they are written."""
    for node in nodes:
        if isinstance(node, tuple):
            yield from fields_in(node)
        elif not isinstance(node, str):
            yield node


def values_in(nodes: Nodes) -> Iterator[Value]:
    """Return an iterator over the paths, with formatters, in a template's pattern, in order."""
    return (value for part in fields_in(nodes) for value in part.values)


def _is_true(value: Any) -> bool:
    if isinstance(value, str):
        return one_line(value) != ""
    return isinstance(value, bool | int | float | Decimal | list | dict) and bool(value)


_COUNT: Final[Path] = ("count",)
_SUMMARY: Final[Nodes] = (
    Field((Value(_COUNT, ()),), ""),
    " ",
    Field((Value(_COUNT, ((formatters.FORMATTERS["plural"], ("record", "records")),)),), ""),
)


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template of the lines in which the records of a payload are written.

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

    def lines(self, value: Any, now: datetime) -> Envelope | None:
        """Write a payload, any JSON value with a list of records, as compact lines with a summary.

        Ages are counted to ``now``, which without an offset is in UTC. Return None if there is no
        list of records where the template looks for it.

        Raises:
            QueryError: Lines and summary together have more than ``TEMPLATE_CHARACTERS``.
        """
        records = self.records(value)
        if records is None:
            return None
        context = self.context(records, now, None)
        head = (value if isinstance(value, dict) else {}) | {"count": len(records)}
        bare = Context(context.now, context.zone)  # no line varies with what the summary shows
        (summary,) = _write_all(self.summary or _SUMMARY, [head], bare, TEMPLATE_CHARACTERS)
        return self.page(records, context, summary, _place(value, len(records)))

    def page(self, records: list[Any], context: Context, summary: str, place: Place) -> Envelope:
        """Return a page of records as compact lines in an Envelope; errors as for :meth:`lines`."""
        ids = [value_at(record, self._id) for record in records]
        return {
            "format": "compact",
            "summary": summary,
            "lines": self.write(records, context, TEMPLATE_CHARACTERS - len(summary)),
            "ids": [value if isinstance(value, str) else as_text(value) for value in ids],
            "meta": place,
        }

    def context(self, records: Iterable[Any], now: datetime, zone: tzinfo | None) -> Context:
        """Return the context for the lines of some records: time, zone, whether dates differ."""
        context = Context(instant(now, zone), zone)
        formatter = formatters.FORMATTERS["varying"]
        varying = tuple(
            node
            for node in self.pattern
            if any(formatter in dict(value.calls) for value in values_in((node,)))
        )
        for _ in _write_all(varying, records if varying else [], context, TEMPLATE_CHARACTERS):
            if len(context.seen) > 1:
                break
        return context

    def write(
        self, records: list[Any], context: Context, most: int = TEMPLATE_CHARACTERS
    ) -> list[str]:
        """Return the compact lines of records; raise QueryError for over ``most`` characters."""
        return list(_write_all(self.pattern, records, context, most))

    def records(self, value: Any) -> list[Any] | None:
        """Return the list of records that the template finds in a payload, or None."""
        path = self._find_rows(value)
        records = None if path is None else value_at(value, path)
        return records if isinstance(records, list) else None

    def patterns(self, value: Any) -> list[str]:
        """Return the fields of a payload that its lines and summary show, as patterns of paths.

        With them, :func:`toon.values.projection.project` gives JSON of the same fields.
        """
        path = self._find_rows(value)
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
        groups = [*_choices(self.pattern), *([[self.id]] if self.id else [])]
        missing = _find_missing(records, groups) if records else []
        heads = [paths for paths in _choices(self.summary) if _COUNT not in paths]
        return list(dict.fromkeys(map(_pattern, [*missing, *_find_missing([value], heads)])))

    @property
    def _id(self) -> Path:
        return ("id",) if self.id is None else self.id

    def _find_rows(self, value: Any) -> Path | None:
        if self.rows is not None or isinstance(value, list):
            return self.rows or ()
        if not isinstance(value, dict):
            return None
        lists = [key for key, item in value.items() if isinstance(item, list)]
        return (lists[0],) if len(lists) == 1 else None


def _write_all(nodes: Nodes, records: Iterable[Any], context: Context, most: int) -> Iterator[str]:
    """Yield what a template's pattern writes for each record, on one line whatever that holds.

    Raise QueryError if the lines together have more than ``most`` characters.
    """
    for record in records:
        context.record = record
        texts = (write_node(node, record, context) or "" for node in nodes)
        text = one_line(formatters.join_texts(texts, most=most))
        most -= len(text)
        yield text


def _choices(nodes: Nodes | None) -> Iterator[list[Path]]:
    """Yield for each field of a template's pattern its paths, with ``or`` between them.

    A field that a formatter names stands alone.
    """
    for part in fields_in(nodes or ()):
        yield [value.path for value in part.values]
        calls = (call for value in part.values for call in value.calls)
        for formatter, args in calls:
            if formatter.names_field:
                yield [(str(args[0]),)]


def _pattern(path: Path) -> str:
    """Write a template's path as a pattern of field paths, with ``[]`` for any place in a list."""
    return pattern_text([step if isinstance(step, str) else None for step in path])


def _find_missing(records: list[Any], groups: list[list[Path]]) -> Iterator[Path]:
    """Yield a template's paths in those groups of which no path has a value in any record."""
    for paths in groups:
        if not any(values_at(record, path) for path in paths for record in records):
            yield from paths


def _place(value: Any, count: int) -> Place:
    """Return a page's Place (total, limit, offset, has_more), each fact from the payload's
    ``meta``, or else as if the page's ``count`` records were all there are.
    """
    meta = value.get("meta") if isinstance(value, dict) else None

    def read_fact(name: str, default: Any) -> Any:
        value = meta.get(name) if isinstance(meta, dict) else None
        return value if type(value) is type(default) else default

    return {
        "total": read_fact("total", count),
        "limit": read_fact("limit", max(DEFAULT_LIMIT, count)),
        "offset": read_fact("offset", 0),
        "has_more": read_fact("has_more", False),
    }
