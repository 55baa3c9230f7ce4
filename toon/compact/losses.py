"""What lines leave out of the records they are made of, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from toon.compact.domains import Domain
from toon.compact.lines import (
    Context,
    Record,
    all_day,
    extension_of,
    main_address,
    size_of,
)
from toon.compact.relative import read_time
from toon.compact.text import as_text, one_line

#: Fields named one by one in a loss; more of them are counted, with the first as examples.
_NAMED: Final = 4


def losses(records: list[Record], kind: Domain, context: Context) -> list[str]:
    """The fields that no line shows, then what is shown in part, as ``date of 3 events``.

    A field that is null everywhere is no loss.
    """
    filled = Counter(name for r in records for name, value in r.items() if value is not None)
    dropped = [name for name in filled if name not in ("id", *kind.shows)]
    if len(dropped) > _NAMED:
        examples = ", ".join(dropped[:_NAMED])
        parts = [f"{len(dropped)} of {len(filled)} fields with a value: {examples}, …"]
    else:
        parts = [_of(name, filled[name], kind) for name in dropped]
    partly = Counter(what for r in records for what in _partly(r, kind, context))
    return parts + [_of(what, count, kind) for what, count in partly.items()]


def _of(what: str, count: int, kind: Domain) -> str:
    return f"{what} of {count:,} {kind.noun(count)}"


def _partly(record: Record, kind: Domain, context: Context) -> Iterator[str]:
    unused = kind.unused(record)
    yield from unused
    for name, length in kind.previews:
        text = as_text(record.get(name))
        if name not in unused and context.preview(text, length) != text:
            yield f"end of the {name}"
    for name in kind.ages:
        if name not in unused and context.age(record.get(name)):
            yield f"exact {name}"
    if kind.name in _PARTLY:
        yield from _PARTLY[kind.name](record, context)
    texts = (record.get(name) for name in kind.shows if name not in unused)
    if any(isinstance(text, str) and one_line(text) != text for text in texts):
        yield "line breaks or extra blanks"


def _event(record: Record, context: Context) -> Iterator[str]:
    start = read_time(record.get("start_at"))
    if start is not None and not context.dated:
        yield "date"
    if start is not None and not all_day(record) and start.tzinfo is not None:
        yield "time offset"
    if all_day(record) and record.get("end_at") is not None:
        yield "end"
    if record.get("recurrence") not in (None, True, "", {}, []):
        yield "recurrence rule"


def _contact(record: Record, context: Context) -> Iterator[str]:
    entries = record.get("emails")
    if isinstance(entries, list):
        if len(entries) > bool(main_address(record)):
            yield "other emails"
        elif any(isinstance(entry, dict) and len(entry) > 1 for entry in entries):
            yield "kind of email"


def _file(record: Record, context: Context) -> Iterator[str]:
    size = size_of(record)
    if size and not size[:-1].isdigit():
        yield "exact size"
    if extension_of(record) and as_text(record.get("mime_type")):
        yield "mime_type"


_PARTLY: Final[dict[str, Callable[[Record, Context], Iterator[str]]]] = {
    "events": _event,
    "contacts": _contact,
    "files": _file,
}


def beside(value: Any, key: str | None) -> list[str]:
    """What stands beside the records in the object that holds them, but for their page's place."""
    if key is None:
        return []
    meta = value.get("meta")
    places = ("total", "limit", "offset", "has_more")
    inside = [f"meta.{name}" for name in meta if name not in places] if _is_object(meta) else []
    known = (key, "meta") if _is_object(meta) else (key,)
    return [f"{name} beside the records" for name in (*value, *inside) if name not in known]


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
