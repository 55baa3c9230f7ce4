"""Reading of a JSON text value by value from chunks; only one value is in memory at a time.

Each value keeps its exact text. A value that cannot be read is reported and skipped by its
brackets, and reading goes on with the next.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from toon.errors import JsonDecodeError, TextError
from toon.traffic.slices import NotJson, find_end, skip_blank
from toon.traffic.streams import MAX_RECORD, NOT_UTF8, TOO_LONG, Damaged
from toon.values.json_text import parse_json
from toon.wording import plural

#: A JSON error that is fewer characters before the end of what was read may vanish with more.
_MARGIN: Final = 16
#: Open brackets in a damaged item beyond which its end is not looked for.
_DEEPEST: Final = 1_000_000
#: The fewest characters of a JSON text that are read to find a value's end.
_WIDTH: Final = 1_000

_OUTSIDE: Final = re.compile(r'["\[\]{},]')
_INSIDE: Final = re.compile(r'["\\]')


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record of a log: its exact text, and its number from 1, or its line in files of lines."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Flaw:
    """A record of a log that cannot be read: its number and the reason.

    ``reason`` may quote a character of the record; ``general`` quotes none.
    """

    number: int
    reason: str
    general: str = "damaged JSON"

    def plus(self, note: str) -> Flaw:
        """Return a copy of an unreadable record's flaw with a note appended to both reasons."""
        return Flaw(self.number, self.reason + note, self.general + note)


class JsonStream:
    """A reader of JSON in chunks of UTF-8 that keeps only the value being read in memory."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        # Invalid UTF-8 becomes surrogates, for which the record will be refused.
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._text = ""
        self._at = 0
        self._line, self._byte = 1, 0  # of the character at self._counted
        self._counted = 0
        self._width = _WIDTH  # the number of characters in which the next value is looked for
        self._before = ""  # the character after the last item
        self._at_end = False
        self._damage: Damaged | None = None

    def values(self) -> Iterator[RawRecord | Flaw]:
        """Yield the text of each of several JSON values in a row; end with a Flaw at damage."""
        number = 1
        while self._peek():
            try:
                text = self._value()
            except TextError as error:
                self._raise_damage()
                yield _flaw(number, error)
                return
            yield RawRecord(number, text)
            number += 1
        self._raise_damage()

    def items(self, number: int = 0) -> Iterator[RawRecord | Flaw]:
        """Yield the exact text of each item of the JSON array at the reader's position.

        The items are numbered from ``number`` + 1, and a damaged one is a Flaw. Raise Damaged if
        the stream breaks off.
        """
        self._at += 1
        record, self._before = None, ","
        while (head := self._peek()) != "]":
            number += 1
            if not head:
                self._raise_damage()
                if not isinstance(record, Flaw):
                    yield Flaw(number, "the text is cut off: the array is not closed", "cut off")
                return
            record = self._item(number)
            if isinstance(record, Flaw) and not self._peek():
                self._raise_damage()
                record = record.plus(": the rest is not read")
            yield record
            self._before = self._peek()
            if self._before == ",":
                self._at += 1
        self._at += 1

    def nested(
        self, path: Sequence[Collection[str]], number: int = 0
    ) -> Iterator[RawRecord | Flaw]:
        """Yield the exact text of each item of JSON arrays that lie in items of other arrays.

        Each step of ``path`` is the set of keys that lead to the next array. Items are numbered
        from ``number`` + 1, and a damaged one is a Flaw.

        Raises:
            TextError: The text is damaged outside of the items.
            Damaged: The stream breaks off, after the last good item.
        """
        if self._peek() != "{":
            raise TextError("damaged JSON")
        self._at += 1
        while (key := self._key()) is not None:
            if key not in path[0] or self._peek() != "[":
                self._skip("}")
            else:
                for item in self._inner(path[1:], number) if path[1:] else self.items(number):
                    number = item.number
                    yield item
            if self._peek() == ",":
                self._at += 1
        self._at += 1

    def _inner(self, path: Sequence[Collection[str]], number: int) -> Iterator[RawRecord | Flaw]:
        """Yield the items at ``path`` in each object of the JSON array at the reader's position."""
        self._at += 1
        while (head := self._peek()) != "]":
            if head == ",":
                self._at += 1
                continue
            for item in self.nested(path, number):
                number = item.number
                yield item
        self._at += 1

    def has_more(self) -> bool:
        """Return whether anything but blanks is left in the JSON stream."""
        return self._peek() != ""

    def finish(self) -> str:
        """Read a JSON stream to its end; return its next character that is no blank, or "".

        Raises:
            Damaged: The stream breaks off.
        """
        rest = self._peek()
        while not self._at_end:
            self._at = len(self._text)
            self._more()
        self._raise_damage()
        return rest

    def ends_member(self) -> bool:
        """Return whether a JSON object ends at the reader's place or goes on: a comma and a key."""
        if self._peek() == ",":
            self._at += 1
            return self._peek() == '"'
        return self._peek() in ("}", "")

    def enter(self, path: Sequence[str]) -> bool:
        """Move to the JSON array that the keys of ``path`` lead to; return False without one.

        Raises:
            TextError: The text is damaged before the array.
        """
        for name in path:
            if self._peek() != "{":
                return False
            self._at += 1
            while (key := self._key()) != name:
                if key is None:
                    return False
                self._skip("}")
                if self._peek() == ",":
                    self._at += 1
        return self._peek() == "["

    def _item(self, number: int) -> RawRecord | Flaw:
        try:
            if self._before != ",":
                raise TextError("no comma before the item")
            return RawRecord(number, self._value())
        except TextError as error:
            self._count()
            line, byte = self._line, self._byte
            self._skip("]")
            self._count()
            size = plural(self._byte - byte, "byte")
            return _flaw(number, error).plus(f" (skipped: {size} from line {line} on)")

    def _raise_damage(self) -> None:
        if self._damage:
            raise self._damage

    def _peek(self) -> str:
        """Skip the whitespace of a JSON text and return the next character; "" at the end."""
        while True:
            self._at = skip_blank(self._text, self._at)
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def _key(self) -> str | None:
        """Read the next key of a JSON object and its colon; return None at the object's end."""
        head = self._peek()
        if head == "}":
            return None
        text = self._value() if head == '"' else ""
        if not text or self._peek() != ":":
            raise TextError("damaged JSON")
        self._at += 1
        return str(json.loads(text))

    def _value(self) -> str:
        """Read the next JSON value and return its text.

        A failure costs time for all text that was examined. So the value is looked for in a part of
        the text, about as long as earlier values; the part grows where it is too short.

        Raises:
            TextError: The value is no JSON or is too long. The position does not change.
        """
        while True:
            part = self._text[self._at : self._at + self._width]
            is_all = len(self._text) - self._at <= self._width
            is_end = is_all and self._at_end
            try:
                end = find_end(part, 0)
            except RecursionError:
                raise TextError("nested too deeply") from None
            except NotJson as failure:
                if is_end or failure.at is None or failure.at < len(part) - _MARGIN:
                    raise self._error(part) from None
            else:
                if end < len(part) or is_end:  # a number at the end of a part may continue
                    break
            if is_all and len(part) > MAX_RECORD:
                raise TextError(TOO_LONG)
            if is_all:
                self._more()
            self._width *= 2
        self._width = max(_WIDTH, 2 * end, self._width // 2)
        if end > MAX_RECORD:
            raise TextError(TOO_LONG)
        self._at += end
        return part[:end]

    def _skip(self, closing: str) -> None:
        """Skip a damaged JSON value: move to the comma or the ``closing`` bracket that follows it.

        A bracket that closes an outer value closes those left open inside it, and no object goes on
        with a comma and a bracket: so one missing bracket costs its own item alone.
        """
        in_string, opened = False, bytearray()
        counts = {b"[": 0, b"{": 0}

        def drop(start: int) -> None:
            for opening in counts:
                counts[opening] -= opened.count(opening, start)
            del opened[start:]

        self._width = _WIDTH
        while len(opened) <= _DEEPEST:
            match = (_INSIDE if in_string else _OUTSIDE).search(self._text, self._at)
            if match is None:
                self._at = len(self._text)
                if not self._more():
                    return
                continue
            mark, self._at = match[0], match.end()
            if mark == "\\":
                if self._at < len(self._text) or self._more():
                    self._at += 1
            elif mark == '"':
                in_string = not in_string
            elif mark in "[{":
                opened += mark.encode()
                counts[mark.encode()] += 1
            elif mark == ",":
                self._at -= 1
                if self._behind() in ("[", "{"):  # the objects in the innermost array have ended
                    drop(opened.rfind(b"[") + 1)
                if not opened:
                    return
                self._at += 1
            elif opened:
                opening = b"[" if mark == "]" else b"{"
                if counts[opening]:  # or each one would be looked for in all that is open
                    drop(opened.rfind(opening))
            elif mark == closing:
                self._at -= 1
                return
        self.finish()

    def _behind(self) -> str:
        """Return the first character after a comma that is no whitespace; "" if none is near."""
        at = skip_blank(self._text, self._at + 1)
        while at == len(self._text) and at - self._at <= MAX_RECORD and self._more():
            at = skip_blank(self._text, 1)
        return self._text[at : at + 1]

    def _more(self) -> bool:
        """Read as much more of a JSON stream as is unread, so that a long value takes linear time.

        Return False at the end.
        """
        if self._at_end:
            return False
        self._count()
        parts = [self._text[self._at :]]
        wanted = max(1, len(parts[0]))
        self._at = self._counted = 0
        while wanted > 0:
            try:
                chunk = next(self._chunks, None)
            except Damaged as damage:
                self._damage, chunk = damage, None
            if chunk is None:
                self._at_end, chunk = True, b""
            parts.append(self._decode(chunk, self._at_end))
            wanted = 0 if self._at_end else wanted - len(parts[-1])
        self._text = "".join(parts)
        return len(self._text) > len(parts[0])

    def _count(self) -> None:
        passed = self._text[self._counted : self._at]
        self._line += passed.count("\n")
        self._byte += len(passed.encode(errors="surrogateescape"))
        self._counted = self._at

    def _error(self, part: str) -> TextError:
        """Return the error of the damaged JSON value that begins ``part``, with its line."""
        self._count()
        message, line = "damaged JSON", self._line
        try:
            parse_json(part)
        except JsonDecodeError as error:
            message = error.message
            line += (error.line or 1) - 1
        return TextError(message, line=line, column=1)


def _flaw(number: int, error: TextError) -> Flaw:
    if error.line is None:
        return Flaw(number, error.message, error.message)
    is_byte = "\\udc" in error.message  # it quotes the surrogate of an invalid byte
    return Flaw(number, f"line {error.line}: {NOT_UTF8 if is_byte else error.message}")
