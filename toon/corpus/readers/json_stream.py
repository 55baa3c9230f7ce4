"""A JSON text read value by value from chunks: only one value is held at a time.

Each value comes as the exact text it was written in. A value that cannot be read is reported,
passed over by its brackets, and the next is read.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from toon.corpus.readers.slices import NotJson, skip_blank, value_end
from toon.corpus.readers.streams import MAX_RECORD, Damaged, too_long
from toon.errors import JsonDecodeError, TextError
from toon.values.json_text import parse_json

#: A failure this close to the end of what is read so far may only be for want of the rest.
_MARGIN: Final = 16

_OUTSIDE: Final = re.compile(r'["\[\]{},]')
_INSIDE: Final = re.compile(r'["\\]')


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was written, and its place, from 1; of line-based files the line."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Flaw:
    """A place where a record should be and none can be read.

    ``reason`` may quote a character of the record; ``general`` quotes nothing.
    """

    number: int
    reason: str
    general: str = "damaged JSON"


class JsonStream:
    """The text of ``chunks`` (UTF-8) and how far it has been read."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        # What is no UTF-8 becomes surrogates, which the record they lie in will be refused for.
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._text = ""
        self._at = 0
        self._line = 1  # of the first character of the text held
        self._before = ""  # what follows the last item
        self._at_end = False
        self._damage: Damaged | None = None

    # -- documents ---------------------------------------------------------------------------

    def values(self) -> Iterator[Record | Flaw]:
        """The values of the text, one after the other; nothing is read after a damaged one."""
        number = 1
        while self._peek():
            try:
                text = self._value()
            except TextError as error:
                self._raise_damage()
                yield _flaw(number, error)
                return
            yield Record(number, text)
            number += 1
        self._raise_damage()

    def items(self) -> Iterator[Record | Flaw]:
        """The items of the array that comes next; Damaged, if need be, after the last of them."""
        self._at += 1
        number, record = 0, None
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
            yield record
            self._before = self._peek()
            if self._before == ",":
                self._at += 1
        self._at += 1

    def finish(self) -> str:
        """Reads to the end; the first character after what was read, or "".

        Raises:
            Damaged: the stream breaks off.
        """
        rest = self._peek()
        while not self._at_end:
            self._at = len(self._text)
            self._more()
        self._raise_damage()
        return rest

    def enter(self, path: Sequence[str]) -> bool:
        """Steps through objects to the value at ``path``; False where a key is not there.

        Raises:
            TextError: the text is damaged before it.
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

    # -- pieces ------------------------------------------------------------------------------

    def _item(self, number: int) -> Record | Flaw:
        try:
            if number > 1 and self._before != ",":
                raise TextError("no comma before the item")
            return Record(number, self._value())
        except TextError as error:
            self._skip("]")
            return _flaw(number, error)

    def _raise_damage(self) -> None:
        if self._damage:
            raise self._damage

    def _peek(self) -> str:
        """The next character that is no whitespace, where the reading now stands, or ""."""
        while True:
            self._at = skip_blank(self._text, self._at)
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def _key(self) -> str | None:
        """The key that comes next and its colon; None at the end of the object."""
        head = self._peek()
        if head == "}":
            return None
        text = self._value() if head == '"' else ""
        if not text or self._peek() != ":":
            raise TextError("damaged JSON")
        self._at += 1
        return str(json.loads(text))

    def _value(self) -> str:
        """The text of the value that comes next.

        Raises:
            TextError: what stands there is no JSON, or longer than the limit; nothing is read.
        """
        while True:
            try:
                end = value_end(self._text, self._at)
            except RecursionError:
                raise TextError("nested too deeply") from None
            except NotJson as failure:
                if self._at_end or failure.at is None or failure.at < len(self._text) - _MARGIN:
                    raise self._error() from None
                if len(self._text) - self._at > MAX_RECORD:
                    raise too_long() from None
                self._more()
                continue
            if end < len(self._text) or self._at_end:
                break
            self._more()  # a number may go on
        if end - self._at > MAX_RECORD:
            raise too_long()
        text = self._text[self._at : end]
        self._at = end
        return text

    def _skip(self, closing: str) -> None:
        """Moves to the comma or the ``closing`` bracket after the value that comes next."""
        depth, in_string = 0, False
        while True:
            match = (_INSIDE if in_string else _OUTSIDE).search(self._text, self._at)
            if match is None:
                self._at = len(self._text)
                if not self._more():
                    return
                continue
            mark = match[0]
            if not in_string and depth == 0 and mark in ("," + closing):
                self._at = match.start()
                return
            self._at = match.end()
            if mark == "\\":
                if self._at < len(self._text) or self._more():
                    self._at += 1
            elif mark == '"':
                in_string = not in_string
            else:
                depth = max(0, depth + (mark in "[{") - (mark in "]}"))

    def _more(self) -> bool:
        """Reads on: as much again as is held, so that long values cost linear time."""
        if self._at_end:
            return False
        self._line += self._text.count("\n", 0, self._at)
        parts = [self._text[self._at :]]
        wanted = max(1, len(parts[0]))
        self._at = 0
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

    def _error(self) -> TextError:
        """Why no value can be read here, with its line."""
        message = "damaged JSON"
        line = self._line + self._text.count("\n", 0, self._at)
        try:
            parse_json(self._text[self._at :])
        except JsonDecodeError as error:
            message = error.message
            line += (error.line or 1) - 1
        return TextError(message, line=line, column=1)


def _flaw(number: int, error: TextError) -> Flaw:
    if error.line is None:
        return Flaw(number, error.message, error.message)
    return Flaw(number, f"line {error.line}: {error.message}")
