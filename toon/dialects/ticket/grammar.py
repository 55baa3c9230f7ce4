"""The fields and codes of TOON/1 in the order they are written, and its rules for texts and times.

The envelope decides what an alias means: ``t`` is a title in T, a text in C and a ticket in L.
Codes are read only in the five fields of ``ENUMS``: a label ``ip`` stays a label.
"""

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

from toon.dialects.base import quote

#: domain -> code -> word; the name of a domain is the key of its field
ENUMS: Final[dict[str, dict[str, str]]] = {
    "status": {"bk": "backlog", "td": "todo", "ip": "in_progress", "dn": "done", "bl": "blocked",
               "cl": "cancelled"},
    "priority": {"cr": "critical", "h": "high", "m": "medium", "l": "low"},
    "type": {"bug": "bug", "ft": "feature", "tsk": "task", "ep": "epic", "chr": "chore"},
    "exec_mode": {"par": "parallel", "seq": "sequential"},
    "link_type": {"blk": "blocks", "rel": "relates", "dup": "duplicates"},
}  # fmt: skip

BUCKET_ORDER: Final = ("bk", "td", "ip", "bl", "cl", "dn")

_SPELLINGS: Final = {
    domain: {word: code for code, word in codes.items()} | {code: code for code in codes}
    for domain, codes in ENUMS.items()
}
_SPELLINGS["status"] |= {"canceled": "cl", "inprogress": "ip"}
_SPELLINGS["priority"] |= {"med": "m"}


def enum_code(domain: str, text: str) -> str | None:
    """Return the code of TOON/1 for a word such as ``In Progress``, or for a code in any case.

    None if the field ``domain`` (a key of ``ENUMS``) has no such word and code.
    """
    return _SPELLINGS[domain].get(text.lower().replace("-", "_").replace(" ", "_"))


class Field(NamedTuple):
    """A field of a TOON/1 envelope: its alias there, its key in JSON, and the kind of its value.

    A kind is a domain of ``ENUMS``, or one of ``text``, ``texts``, ``int``, ``comments``,
    ``links``, and for times ``date``, ``minute`` and ``etag``. An etag is never changed.
    """

    alias: str
    key: str
    kind: str


class Envelope(NamedTuple):
    """A type of TOON/1 record: its name, its required JSON keys, its fields in written order."""

    name: str
    required: tuple[str, ...]
    fields: tuple[Field, ...]


TICKET: Final = Envelope("T", ("id", "title"), (
    Field("id", "id", "text"), Field("t", "title", "text"), Field("s", "status", "status"),
    Field("p", "priority", "priority"), Field("typ", "type", "type"),
    Field("em", "exec_mode", "exec_mode"), Field("ord", "exec_order", "int"),
    Field("lbl", "labels", "texts"), Field("par", "parent_id", "text"),
    Field("ch", "children", "texts"), Field("d", "description", "text"),
    Field("as", "assignee", "text"), Field("cmt", "comments", "comments"),
    Field("lnk", "links", "links"), Field("ca", "created_at", "date"),
    Field("ua", "updated_at", "etag"),
))  # fmt: skip
COMMENT: Final = Envelope("C", ("author", "body", "created_at"), (
    Field("a", "author", "text"), Field("t", "body", "text"), Field("ts", "created_at", "minute"),
))  # fmt: skip
LINK: Final = Envelope("L", ("from_id", "to_id", "link_type"), (
    Field("f", "from_id", "text"), Field("t", "to_id", "text"),
    Field("k", "link_type", "link_type"),
))  # fmt: skip
ERROR: Final = Envelope("ERR", ("code",), (
    Field("code", "code", "text"), Field("msg", "message", "text"),
))  # fmt: skip

#: envelope -> its fields, by their full names and by their aliases, which count first
SLOTS: Final = {
    envelope.name: {slot.key: slot for slot in envelope.fields}
    | {slot.alias: slot for slot in envelope.fields}
    for envelope in (TICKET, COMMENT, LINK, ERROR)
}

#: The fields that tickets in lists and boards lack.
DETAIL_KEYS: Final = frozenset({"description", "assignee", "comments", "links"})

_BARE: Final = re.compile(r'[^\s\x00-\x1f\x7f"\\,:{}\[\]]++')
SPECIAL: Final = re.compile(r'["\\\x00-\x1f\x7f]')
IDENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
#: A date, then optionally a time of day. Seconds, their fraction and a zone are optional too.
WHEN: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
_MINUTE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")


def write_string(text: str) -> str:
    """Return a string as TOON/1 writes it: in quotes if it is empty or holds blanks or marks."""
    return text if _BARE.fullmatch(text) else quote(text, SPECIAL)


def read_when(when: str, kind: str) -> str:
    """Complete a time as TOON/1 writes it, if its field is of the kind ``minute``.

    ``2024-01-15T10:10`` becomes ``2024-01-15T10:10:00Z``; other times are returned unchanged.
    """
    return f"{when}:00Z" if kind == "minute" and _MINUTE.fullmatch(when) else when


def to_utc(when: str, kind: str) -> str | None:
    """Convert an ISO 8601 time to its date in UTC or, for the kind ``minute``, to its minute there.

    A time without a zone is in UTC. None if there is no such time.

    >>> to_utc("2024-01-15T23:30:00-05:00", "date")
    '2024-01-16'
    """
    match = WHEN.fullmatch(when)
    if match is None or int(match[4] or 0) > 60 or (match[6] or "")[4:] > "59":
        return None  # a second 60 is a leap second
    day, hour, minute, zone = match.group(1, 2, 3, 6)
    try:  # zones are whole minutes, so seconds cannot change the minute
        moment = datetime.fromisoformat(f"{day}T{hour or '00'}:{minute or '00'}{zone or 'Z'}")
        return moment.astimezone(UTC).isoformat()[: 16 if kind == "minute" else 10]
    except (ValueError, OverflowError):
        return None
