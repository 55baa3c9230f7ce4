"""The fields and codes of TOON/1, in the order they are written.

The envelope decides what an alias means: ``t`` is a title in T, a text in C and a ticket in L.
Codes are read only in the five fields of ``ENUMS``: a label ``ip`` stays a label.
"""

from __future__ import annotations

from typing import Final, NamedTuple

#: domain -> code -> word; the name of a domain is the key of its field
ENUMS: Final[dict[str, dict[str, str]]] = {
    "status": {
        "bk": "backlog",
        "td": "todo",
        "ip": "in_progress",
        "dn": "done",
        "bl": "blocked",
        "cl": "cancelled",
    },
    "priority": {"cr": "critical", "h": "high", "m": "medium", "l": "low"},
    "type": {"bug": "bug", "ft": "feature", "tsk": "task", "ep": "epic", "chr": "chore"},
    "exec_mode": {"par": "parallel", "seq": "sequential"},
    "link_type": {"blk": "blocks", "rel": "relates", "dup": "duplicates"},
}

BUCKET_ORDER: Final = ("bk", "td", "ip", "bl", "cl", "dn")

_SPELLINGS: Final = {
    domain: {word: code for code, word in codes.items()} | {code: code for code in codes}
    for domain, codes in ENUMS.items()
}
_SPELLINGS["status"] |= {"canceled": "cl", "inprogress": "ip"}
_SPELLINGS["priority"] |= {"med": "m"}


def enum_code(domain: str, text: str) -> str | None:
    """The code of a code or word, whatever its case; ``-`` or a space may stand for ``_``."""
    return _SPELLINGS[domain].get(text.lower().replace("-", "_").replace(" ", "_"))


class Field(NamedTuple):
    """One field of an envelope; ``kind`` says how its value is written.

    A kind is a domain of ``ENUMS``, or one of ``text``, ``texts``, ``int``, ``comments``,
    ``links``, and for times ``date``, ``minute`` and ``etag``. An etag is never changed.
    """

    alias: str
    key: str
    kind: str


class Envelope(NamedTuple):
    """A named record: its fields in the order they are written, and its required keys."""

    name: str
    fields: tuple[Field, ...]
    required: tuple[str, ...]


TICKET: Final = Envelope(
    "T",
    (
        Field("id", "id", "text"),
        Field("t", "title", "text"),
        Field("s", "status", "status"),
        Field("p", "priority", "priority"),
        Field("typ", "type", "type"),
        Field("em", "exec_mode", "exec_mode"),
        Field("ord", "exec_order", "int"),
        Field("lbl", "labels", "texts"),
        Field("par", "parent_id", "text"),
        Field("ch", "children", "texts"),
        Field("d", "description", "text"),
        Field("as", "assignee", "text"),
        Field("cmt", "comments", "comments"),
        Field("lnk", "links", "links"),
        Field("ca", "created_at", "date"),
        Field("ua", "updated_at", "etag"),
    ),
    ("id", "title"),
)
COMMENT: Final = Envelope(
    "C",
    (
        Field("a", "author", "text"),
        Field("t", "body", "text"),
        Field("ts", "created_at", "minute"),
    ),
    ("author", "body", "created_at"),
)
LINK: Final = Envelope(
    "L",
    (
        Field("f", "from_id", "text"),
        Field("t", "to_id", "text"),
        Field("k", "link_type", "link_type"),
    ),
    ("from_id", "to_id", "link_type"),
)
ERROR: Final = Envelope(
    "ERR", (Field("code", "code", "text"), Field("msg", "message", "text")), ("code",)
)

#: The fields that tickets in lists and boards lack.
DETAIL_KEYS: Final = frozenset({"description", "assignee", "comments", "links"})
