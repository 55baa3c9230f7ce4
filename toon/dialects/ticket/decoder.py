"""The reader of TOON/1, as the encoder, people and models write it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

from toon.codec.text import MAX_DEPTH, parse_int
from toon.dialects.ticket.cursor import TEXT_BLANKS, Cursor
from toon.dialects.ticket.grammar import (
    COMMENT,
    ENUMS,
    ERROR,
    IDENT,
    LINK,
    SLOTS,
    TICKET,
    WHEN,
    Envelope,
    Field,
    enum_code,
    read_when,
)
from toon.text import Parsed
from toon.wording import quoted

Item = TypeVar("Item")

_MARKER: Final = re.compile(r"TOON/([^\s{\[]*+)")
_RECORD: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)[ \t\r\n]*+\{")
_TICKET_LIST: Final = re.compile(r"\[[ \t\r\n]*+T[ \t\r\n]*+\{")
#: Texts that are read without their marker: only those that cannot be another format.
_UNMARKED: Final = re.compile(
    rf"(?:T|BOARD|ERR)[ \r\n]*+\{{|{_TICKET_LIST.pattern}"
    r"|\{[ \r\n]*+ok[ \r\n]*+:[ \r\n]*+true[ \r\n]*+\}[ \r\n]*+\Z"
)
_INTEGER: Final = re.compile(r"-?[0-9]++")

#: Texts without quotes that a tolerant reader accepts: keys of the generic form, and values inside
#: ``{ }`` and inside ``[ ]``. In a list of texts, ``]`` belongs to the text unless ``}`` or the
#: next field follows.
_KEY: Final = re.compile(r'[^,:{}\[\]"\\\n]*+')
_IN_OBJECT: Final = re.compile(r'[^,{}"\\\n]*+')
_IN_ARRAY: Final = re.compile(r'[^,{}\]"\\\n]*+')
_LIST_END: Final = rf"[ \t\r\n]*+(?:\}}|,[ \t\r\n]*+{IDENT.pattern}[ \t\r\n]*+:)"
_IN_TEXTS: Final = re.compile(rf'(?:[^,{{}}\]"\\\n]++|\](?!{_LIST_END}))*+')


def read(text: str) -> Parsed:
    """Read one payload of TOON/1 and report what is odd about the text.

    It accepts more than :func:`~toon.dialects.ticket.encode` writes, as the dialect's own documents
    print. Without a notice: blanks, any order of fields and buckets, texts with spaces, colons and
    brackets but without quotes, needless quotes, and empty lists. With a notice: a missing marker,
    unknown codes and fields, and full names instead of codes and aliases.

    Raises:
        DialectError: The text is not TOON/1; with line, column, source line and often a hint.
    """
    return _Reader(text, strict=False).parsed()


class _Reader(Cursor):
    def document(self) -> Any:
        self.marker()
        value = self.payload()
        if self.blanks() < len(self.text):
            self.fail(f"text after the end of the payload: {self.next_text()}", self.at)
        return value

    def marker(self) -> None:
        if self.text.startswith("\ufeff"):
            self.note("byte-order mark at the start: ignored", 0)
            self.at = 1
        start = self.blanks()
        match = _MARKER.match(self.text, start)
        if match is None:
            if not _UNMARKED.match(self.text, start):
                empty = start == len(self.text)
                message = "the text is empty" if empty else "no TOON/1 at the start"
                self.fail(message, start, "every TOON/1 text starts with TOON/1 and a space")
            self.note("no TOON/1 at the start: read as TOON/1 anyway", start)
            return
        if match[1] != "1":
            self.fail(f"version {quoted(match[1])} of TOON/ is not known, only 1", start)
        self.at = match.end()
        self.blanks()

    def payload(self) -> Any:
        if _TICKET_LIST.match(self.text, self.at):
            return self.records(TICKET)
        match = _RECORD.match(self.text, self.at)
        if match is None:
            return self.generic()
        match match[1]:
            case "T":
                return self.record(TICKET)
            case "BOARD":
                return {"board": self.board()}
            case "ERR":
                return {"error": self.record(ERROR)}
            case "C" | "L":
                self.fail(f"{match[1]}{{ belongs inside a ticket, in cmt or lnk", self.at)
            case unknown:
                known = "T, BOARD and ERR, lists in [ ] and the generic { }"
                self.fail(f"unknown envelope {unknown}", self.at, f"there are {known}")

    def board(self) -> dict[str, Any]:
        self.open("BOARD")
        buckets: dict[str, Any] = {}
        more = not self.take("}")
        while more:
            start = self.blanks()
            name = self.name()
            bucket = self.code("status", name, start)
            if bucket in buckets:
                self.fail(f"bucket {name} appears twice", start)
            start = self.blanks()
            buckets[bucket] = self.records(TICKET)
            self.check_bucket(bucket, buckets[bucket], start)
            more = self.next_of("}")
        return buckets

    def check_bucket(self, bucket: str, tickets: list[Any], at: int) -> None:
        for ticket in tickets:
            status = ticket.get("status", bucket)
            if status != bucket:
                what = f"ticket {quoted(ticket['id'])} in bucket {bucket} has status {status}"
                self.note(f"{what}: its own status counts", at)

    # -- records ---------------------------------------------------------------------------------

    def open(self, name: str) -> None:
        if not (self.take(name) and self.take("{")):
            self.expected(f"{name}{{")

    def records(self, envelope: Envelope) -> list[Any]:
        if not self.take("["):
            self.expected("[")
        return [] if self.take("]") else self.rest(lambda: self.record(envelope))

    def rest(self, read: Callable[[], Item]) -> list[Item]:
        """Read the items of a list that is not empty."""
        self.blanks(TEXT_BLANKS)
        items = [read()]
        while self.next_of("]"):
            items.append(read())
        return items

    def record(self, envelope: Envelope) -> dict[str, Any]:
        start = self.blanks()
        self.open(envelope.name)
        record: dict[str, Any] = {}
        more = not self.take("}")
        while more:
            at = self.blanks()
            alias = self.name()
            slot = self.slot(envelope, alias, at)
            key = alias if slot is None else slot.key
            if key in record:
                self.fail(f"{alias} appears twice in one {envelope.name}", at)
            record[key] = self.generic() if slot is None else self.field(slot)
            more = self.next_of("}")
        for slot in envelope.fields:
            if slot.key in envelope.required and slot.key not in record:
                self.fail(f"{envelope.name} without {slot.alias} ({slot.key})", start)
        return record

    def slot(self, envelope: Envelope, name: str, at: int) -> Field | None:
        """Return the field of an envelope by its alias or full name; None if it is unknown."""
        slot = SLOTS[envelope.name].get(name)
        if slot is None:
            self.note(f"unknown field {name} of {envelope.name}: kept unchanged", at)
        elif slot.alias != name:
            self.note(f"{name} in full: its alias is {slot.alias}", at)
        return slot

    def field(self, slot: Field) -> Any:
        match slot.kind:
            case "text":
                return self.value(_IN_OBJECT)
            case "texts":
                return self.texts()
            case "comments" | "links":
                return self.records(COMMENT if slot.kind == "comments" else LINK)
            case "int":
                return self.whole(slot)
            case "date" | "minute" | "etag":
                return self.when(slot)
            case domain:
                at = self.blanks()
                return self.code(domain, self.value(_IN_OBJECT), at)

    def texts(self) -> list[str]:
        if not self.take("["):
            self.expected("[")
        start = self.blanks(TEXT_BLANKS)
        text = _IN_TEXTS.match(self.text, start)
        if self.peek() == "]" and text and not text[0]:  # else the bracket starts the first text
            self.at += 1
            return []
        return self.rest(lambda: self.value(_IN_TEXTS))

    def whole(self, slot: Field) -> Any:
        at = self.blanks()
        text = self.value(_IN_OBJECT)
        if _INTEGER.fullmatch(text):
            return parse_int(text)
        self.note(f"{slot.alias} is {quoted(text)}, not a whole number: kept unchanged", at)
        return text

    def when(self, slot: Field) -> str:
        at = self.blanks()
        text = self.value(_IN_OBJECT)
        if not WHEN.fullmatch(text):
            self.note(f"{slot.alias} is {quoted(text)}, not a time: kept unchanged", at)
        return read_when(text, slot.kind)

    def code(self, domain: str, text: str, at: int) -> str:
        """Return the word of a code, or ``text`` if it is no code."""
        code = enum_code(domain, text)
        if code is None:
            self.note(f"unknown {domain} {quoted(text)}: kept unchanged", at)
            return text
        if text not in ENUMS[domain]:
            self.note(f"{domain} {quoted(text)}: its code is {code}", at)
        return ENUMS[domain][code]

    # -- the generic form ------------------------------------------------------------------------

    def generic(self, depth: int = 0, in_array: bool = False) -> Any:
        """Read the value that starts here: ``{k:v}``, ``[v]`` or a scalar."""
        start = self.blanks()
        mark = self.peek()
        if mark not in ("{", "["):
            if mark == '"':
                return self.quoted()
            return self.scalar(self.bare(_IN_ARRAY if in_array else _IN_OBJECT), start)
        if depth >= MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH} levels", start)
        self.at += 1
        members: dict[str, Any] = {}
        items: list[Any] = []
        closing = "}" if mark == "{" else "]"
        more = not self.take(closing)
        while more:
            if mark == "{":
                key = self.generic_key(members)
                members[key] = self.generic(depth + 1)
            else:
                items.append(self.generic(depth + 1, in_array=True))
            more = self.next_of(closing)
        return members if mark == "{" else items

    def generic_key(self, members: dict[str, Any]) -> str:
        start = self.blanks()
        key = self.value(_KEY)
        if key in members:
            self.fail(f"key {quoted(key)} appears twice in one object", start)
        if not self.take(":"):
            self.expected(f": after the key {quoted(key)}")
        return key
