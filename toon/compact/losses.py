"""Phrases for what lines leave out of their records."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from toon.compact.context import Context, JsonObject, Place
from toon.compact.domains import Domain, lasts_all_day
from toon.compact.inline import as_text, one_line, preview, size
from toon.compact.relative import read_time
from toon.compact.templates.formatters import address_of, extension_of

#: Dropped fields are named one by one up to this many; more are counted, with examples.
_NAMED: Final = 4


def losses(records: list[JsonObject], kind: Domain, now: datetime) -> list[str]:
    """Return phrases for the fields of records that compact lines drop, then for those cut short.

    ``date of 3 events`` is one. A field that is null in all records is not a loss.
    """
    filled = Counter(name for r in records for name, value in r.items() if value is not None)
    dropped = [name for name in filled if name not in ("id", *kind.shows)]
    context = kind.template.context(records, now, None)
    partial = Counter(loss for r in records for loss in _partial_losses(r, kind, context))
    counts, many = [*partial.items()], []
    if len(dropped) > _NAMED:
        examples = ", ".join(dropped[:_NAMED])
        many = [f"{len(dropped)} of {len(filled)} fields with a value: {examples}, …"]
    else:
        counts = [*((name, filled[name]) for name in dropped), *counts]
    return many + [f"{loss} of {count:,} {kind.noun(count)}" for loss, count in counts]


def _partial_losses(record: JsonObject, kind: Domain, context: Context) -> Iterator[str]:
    """Yield what the compact line of a record shows only in part, as in ``end of the content``."""
    unused = [
        name
        for name, first in kind.fallbacks
        if record.get(name) is not None and as_text(record.get(first))
    ]
    yield from unused
    for name, length in kind.previews:
        text = as_text(record.get(name))
        if name not in unused and preview(text, length) != text:
            yield f"end of the {name}"
    for name in kind.ages:
        if name not in unused and context.age(record.get(name)):
            yield f"exact {name}"
    start, entries = read_time(record.get("start_at")), record.get("emails")
    if kind.name == "events":
        if start is not None and len(context.seen) < 2:
            yield "date"
        if start is not None and not lasts_all_day(record) and start.tzinfo is not None:
            yield "time offset"
        if lasts_all_day(record) and record.get("end_at") is not None:
            yield "end"
        if record.get("recurrence") not in (None, True, "", {}, []):
            yield "recurrence rule"
    elif kind.name == "contacts" and isinstance(entries, list):
        if len(entries) > bool(address_of(entries)):
            yield "other emails"
        elif any(isinstance(entry, dict) and len(entry) > 1 for entry in entries):
            yield "kind of email"
    elif kind.name == "files":
        shown = size(record.get("size_bytes")) or size(record.get("size"))
        if shown and not shown[:-1].isdigit():
            yield "exact size"
        called = as_text(record.get("filename")) or record.get("name")
        if extension_of(called) and as_text(record.get("mime_type")):
            yield "mime_type"
    texts = (record.get(name) for name in kind.shows if name not in unused)
    if any(isinstance(text, str) and one_line(text) != text for text in texts):
        yield "line breaks or extra blanks"


def outer_losses(value: Any, key: str | None) -> list[str]:
    """Return phrases for the members of a payload that compact lines lose, beside its records.

    The facts of the records' page are not lost. ``key`` is that of the records; None if the payload
    is the list itself.
    """
    names = [] if key is None else [name for name in value if name != key]
    meta = value["meta"] if "meta" in names else None
    if isinstance(meta, dict):
        names.remove("meta")
        names += [f"meta.{name}" for name in meta if name not in Place.__annotations__]
    return [f"{name} beside the records" for name in names]
