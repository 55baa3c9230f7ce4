"""Reads TOON/1: strictly what the encoder writes, or also what people and models write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from toon.codec.text import parse_int
from toon.dialects.ticket.generic import read_generic
from toon.dialects.ticket.scanner import IN_OBJECT, IN_TEXTS, TEXT_BLANKS, Scanner
from toon.dialects.ticket.tables import (
    BUCKET_ORDER,
    COMMENT,
    ENUMS,
    ERROR,
    LINK,
    TICKET,
    Envelope,
    Field,
    enum_code,
)
from toon.dialects.ticket.text import WHEN, read_when
from toon.text import Parsed, surrogate_in
from toon.wording import quoted

_MARKER: Final = re.compile(r"TOON/([^\s{\[]*+)")
_RECORD: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)[ \t\r\n]*+\{")
_TICKET_LIST: Final = re.compile(r"\[[ \t\r\n]*+T[ \t\r\n]*+\{")
#: Texts that are read without their marker: only those that cannot be another format.
_UNMARKED: Final = re.compile(
    rf"(?:T|BOARD|ERR)[ \r\n]*+\{{|{_TICKET_LIST.pattern}"
    r"|\{[ \r\n]*+ok[ \r\n]*+:[ \r\n]*+true[ \r\n]*+\}[ \r\n]*+\Z"
)
_INTEGER: Final = re.compile(r"-?[0-9]++")


def decode(text: str, *, strict: bool = True) -> Any:
    """Reads TOON/1: the value of :func:`read`, without its notices."""
    return read(text, strict=strict).value


def read(text: str, *, strict: bool = True) -> Parsed:
    """Reads one payload of TOON/1 and reports what is odd about the text.

    Args:
        text: one payload.
        strict: False accepts more than :func:`~toon.dialects.ticket.encode` writes. Without a
            notice: blanks, any order of fields and buckets, texts with spaces, colons and brackets
            but without quotes, needless quotes, and empty lists. With a notice: a missing marker,
            unknown codes and fields, and full names instead of codes and aliases.

    Raises:
        DialectError: the text is not TOON/1; with line, column, source line and often a hint.
    """
    decoder = _Decoder(Scanner(text, strict))
    value = decoder.document()
    return Parsed(value, tuple(decoder.scanner.notices))


@dataclass(slots=True)
class _Decoder:
    scanner: Scanner

    def document(self) -> Any:
        scanner = self.scanner
        at = surrogate_in(scanner.text)
        if at is not None:
            scanner.fail(f"lone surrogate U+{ord(scanner.text[at]):04X}", at)
        self.marker()
        value = self.payload()
        scanner.blanks()
        if scanner.at < len(scanner.text):
            scanner.fail(f"text after the end of the payload: {scanner.next_text()}")
        return value

    def marker(self) -> None:
        scanner = self.scanner
        if scanner.text.startswith("\ufeff"):
            scanner.tolerate("byte-order mark at the start", 0, "ignored")
            scanner.at = 1
        scanner.blanks()
        match = _MARKER.match(scanner.text, scanner.at)
        if match is None:
            if not _UNMARKED.match(scanner.text, scanner.at):
                empty = scanner.at == len(scanner.text)
                message = "the text is empty" if empty else "no TOON/1 at the start"
                scanner.fail(message, hint="every TOON/1 text starts with TOON/1 and a space")
            scanner.tolerate("no TOON/1 at the start", scanner.at, "read as TOON/1 anyway")
        elif match[1] != "1":
            scanner.fail(f"version {quoted(match[1])} of TOON/ is not known, only 1")
        else:
            scanner.at = match.end()
            if not scanner.strict:
                scanner.blanks()
            elif scanner.peek() != " ":
                scanner.expected("a space after TOON/1")
            else:
                scanner.at += 1

    def payload(self) -> Any:
        scanner = self.scanner
        if _TICKET_LIST.match(scanner.text, scanner.at):
            return self.records(TICKET)
        match = _RECORD.match(scanner.text, scanner.at)
        if match is None:
            return read_generic(scanner)
        match match[1]:
            case "T":
                return self.record(TICKET)
            case "BOARD":
                return {"board": self.board()}
            case "ERR":
                return {"error": self.record(ERROR)}
            case "C" | "L":
                scanner.fail(f"{match[1]}{{ belongs inside a ticket, in cmt or lnk")
            case unknown:
                known = "T, BOARD and ERR, lists in [ ] and the generic { }"
                scanner.fail(f"unknown envelope {unknown}", hint=f"there are {known}")

    def board(self) -> dict[str, Any]:
        scanner = self.scanner
        self.open("BOARD")
        buckets: dict[str, Any] = {}
        last = -1
        more = not scanner.take("}")
        while more:
            scanner.blanks()
            start = scanner.at
            name = scanner.name()
            bucket = self.code("status", name, start)
            if bucket in buckets:
                scanner.fail(f"bucket {name} appears twice", start)
            place = BUCKET_ORDER.index(name) if name in BUCKET_ORDER else last
            if place < last:
                scanner.forbid(f"bucket {name} out of order", start)
            last = place
            scanner.blanks()
            start = scanner.at
            buckets[bucket] = self.records(TICKET)
            if not buckets[bucket]:
                scanner.forbid("an empty bucket: it is left out", start)
            self.check_bucket(bucket, buckets[bucket], start)
            more = scanner.next_of("}")
        return buckets

    def check_bucket(self, bucket: str, tickets: list[Any], at: int) -> None:
        for ticket in tickets:
            status = ticket.get("status", bucket)
            if status != bucket:
                what = f"ticket {quoted(ticket['id'])} in bucket {bucket} has status {status}"
                self.scanner.note(f"{what}: its own status counts", at)

    # -- records ---------------------------------------------------------------------------------

    def open(self, name: str) -> None:
        scanner = self.scanner
        if not (scanner.take(name) and scanner.take("{")):
            scanner.expected(f"{name}{{")

    def record(self, envelope: Envelope) -> dict[str, Any]:
        scanner = self.scanner
        start = scanner.at
        self.open(envelope.name)
        record: dict[str, Any] = {}
        last = -1
        more = not scanner.take("}")
        while more:
            scanner.blanks()
            at = scanner.at
            alias = scanner.name()
            place = self.slot(envelope, alias, at)
            key = alias if place is None else envelope.fields[place].key
            if key in record:
                scanner.fail(f"{alias} appears twice in one {envelope.name}", at)
            if place is None:
                record[key] = read_generic(scanner)
            else:
                if place < last:
                    scanner.forbid(f"{alias} out of order", at)
                last = place
                record[key] = self.field(envelope.fields[place])
            more = scanner.next_of("}")
        for slot in envelope.fields:
            if slot.key in envelope.required and slot.key not in record:
                scanner.fail(f"{envelope.name} without {slot.alias} ({slot.key})", start)
        return record

    def slot(self, envelope: Envelope, alias: str, at: int) -> int | None:
        """The place of a field in its envelope, by alias or full name; None if unknown."""
        for place, slot in enumerate(envelope.fields):
            if slot.alias == alias:
                return place
        for place, slot in enumerate(envelope.fields):
            if slot.key == alias:
                self.scanner.tolerate(f"{alias} in full", at, f"its alias is {slot.alias}")
                return place
        self.scanner.tolerate(f"unknown field {alias} of {envelope.name}", at, "kept unchanged")
        return None

    def field(self, slot: Field) -> Any:
        scanner = self.scanner
        match slot.kind:
            case "text":
                return scanner.value(IN_OBJECT)
            case "texts":
                return self.texts()
            case "comments" | "links":
                records = self.records(COMMENT if slot.kind == "comments" else LINK)
                if not records:
                    scanner.forbid(
                        f"{slot.alias} is empty: an empty list is left out", scanner.at - 2
                    )
                return records
            case "int":
                return self.whole(slot)
            case "date" | "minute" | "etag":
                return self.when(slot)
            case domain:
                scanner.blanks()
                at = scanner.at
                return self.code(domain, scanner.value(IN_OBJECT), at)

    def texts(self) -> list[str]:
        scanner = self.scanner
        if not scanner.take("["):
            scanner.expected("[")
        scanner.blanks(TEXT_BLANKS)
        start = scanner.at
        if self.texts_end():
            scanner.forbid("an empty list: it is left out", start)
            return []
        texts = [scanner.value(IN_TEXTS)]
        while scanner.next_of("]"):
            texts.append(scanner.value(IN_TEXTS))
        return texts

    def texts_end(self) -> bool:
        """Reads the bracket that ends an empty list; False if it belongs to the first text."""
        scanner = self.scanner
        if scanner.peek() != "]":
            return False
        match = IN_TEXTS.match(scanner.text, scanner.at)
        return match is not None and not match[0] and scanner.take("]")

    def records(self, envelope: Envelope) -> list[Any]:
        scanner = self.scanner
        if not scanner.take("["):
            scanner.expected("[")
        if scanner.take("]"):
            return []
        scanner.blanks()
        records = [self.record(envelope)]
        while scanner.next_of("]"):
            scanner.blanks()
            records.append(self.record(envelope))
        return records

    def whole(self, slot: Field) -> Any:
        scanner = self.scanner
        scanner.blanks()
        at = scanner.at
        text = scanner.value(IN_OBJECT)
        if _INTEGER.fullmatch(text):
            return parse_int(text)
        scanner.tolerate(
            f"{slot.alias} is {quoted(text)}, not a whole number", at, "kept unchanged"
        )
        return text

    def when(self, slot: Field) -> str:
        scanner = self.scanner
        scanner.blanks()
        at = scanner.at
        match = WHEN.match(scanner.text, at) if scanner.strict else None
        if match:
            scanner.at = match.end()
            return read_when(match[0], slot.kind)
        text = scanner.value(IN_OBJECT)
        if not WHEN.fullmatch(text):
            scanner.tolerate(f"{slot.alias} is {quoted(text)}, not a time", at, "kept unchanged")
        return read_when(text, slot.kind)

    def code(self, domain: str, text: str, at: int) -> str:
        """The word of a code."""
        code = enum_code(domain, text)
        if code is None:
            self.scanner.tolerate(f"unknown {domain} {quoted(text)}", at, "kept unchanged")
            return text
        if text not in ENUMS[domain]:
            self.scanner.tolerate(f"{domain} {quoted(text)}", at, f"its code is {code}")
        return ENUMS[domain][code]
