"""TRON text to value: all of the format, as tron-format.github.io specifies it.

A text that the writer did not make is read token by token; so is a wrong one, whose error then has
its place. Where the specification leaves a text open, what could mean two things is an error: a
class or a key that stands twice, keys without a comma between them, data on the line of a class.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import Any, Final, NamedTuple, NoReturn

from toon.codec.numbers import NumberRangeError, exact_number
from toon.codec.text import LITERALS, MAX_DEPTH, NUMBER, parse_int
from toon.errors import FormatError
from toon.formats.tron_canonical import RESERVED, WORD, read_canonical
from toon.layout.spans import UnusualText
from toon.text import QUOTED, Source
from toon.values.json_text import Constant, refuse_lone_surrogates
from toon.wording import plural, quoted

_FIRST_CLASS: Final = re.compile(rf"class[ \t]++{WORD}[ \t]*+[:(]")


def has_classes(text: str) -> bool:
    """Return whether a text starts with the definition of a class."""
    return _FIRST_CLASS.match(text) is not None


def read(text: str) -> Any:
    """Read a TRON text, with every digit.

    Raises:
        FormatError: The text is not TRON, with its place.
        JsonDecodeError: It has half of a surrogate pair.
    """
    body = text.removeprefix("\ufeff")
    try:
        value = read_canonical(body)
    except (UnusualText, Constant, NumberRangeError, json.JSONDecodeError, RecursionError):
        value = _Parser(body).document()
    if "\\u" in body or not body.isascii():
        refuse_lone_surrogates(body)
    return value


_BLANKS: Final = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_TOKEN: Final = re.compile(
    rf"(?P<string>{QUOTED})|(?P<number>-?[0-9][0-9.eE+-]*+)|(?P<word>{WORD})"
    r"|(?P<sign>[\[\](){},:;=])",
    re.S,
)
_EQUALS: Final = re.compile(rf"{_BLANKS.pattern}=")
_PARENTHESIS: Final = re.compile(r"[ \t\r]*+\(")
_END: Final = "the end of the text"


class _Definition(NamedTuple):
    """A class: its name's place, the class that it extends, its own keys."""

    start: int
    parent: str | None
    keys: list[str]


class _Parser:
    """A reader of a text, token by token.

    Attributes:
        definitions: of all classes so far.
        classes: all keys of the classes with instances. An instance has a value for each of them,
            so there are no more of them than values, however many classes extend a large one.
        start, token, kind: the token at hand; "" and None at the end of the text.
        stop: where it ends.
        on_new_line: whether a line break stands before it.
    """

    def __init__(self, text: str) -> None:
        self.text, self.source = text, Source(text)
        self.definitions: dict[str, _Definition] = {}
        self.classes: dict[str, list[str]] = {}
        self.stop = 0
        self.kind: str | None = None
        self.advance()

    def advance(self) -> None:
        blanks = _BLANKS.match(self.text, self.stop)
        assert blanks is not None
        self.on_new_line = "\n" in blanks[0]
        self.start = self.stop = blanks.end()
        self.token, self.kind = "", None
        match = _TOKEN.match(self.text, self.start)
        if match:
            self.token, self.kind, self.stop = match[0], match.lastgroup, match.end()
        elif self.text[self.start : self.start + 1] == '"':
            self.fail("string is not closed", hint="the text may be cut off")
        elif self.start < len(self.text):
            character = self.text[self.start]
            self.fail(f"{character!r} starts no value", hint="text stands in double quotes")

    # -- errors ------------------------------------------------------------------------------

    def fail(self, message: str, start: int | None = None, hint: str | None = None) -> NoReturn:
        raise self.source.error(
            FormatError, message, self.start if start is None else start, hint
        ) from None

    def expected(self, what: str, hint: str | None = None) -> NoReturn:
        shown = repr(self.token[:40]) if self.token else _END
        self.fail(f"expected {what}, found {shown}", hint=hint)

    # -- classes -----------------------------------------------------------------------------

    def document(self) -> Any:
        self.separators()
        while self.token == "class":
            self.definition()
        if not self.token:
            self.fail("no data here" if self.definitions else "no TRON here: the text is empty")
        value = self.value(1)
        self.separators()
        if self.token:
            self.expected(_END)
        return value

    def separators(self) -> None:
        while self.token == ";":
            self.advance()

    def definition(self) -> None:
        self.advance()
        name, start, parent = self.token, self.start, None
        if self.kind != "word" or name in RESERVED:
            self.expected("the name of a class")
        if name in self.definitions:
            self.fail(f"class {name} is defined twice")
        self.advance()
        if self.token == "(":
            self.advance()
            parent = self.known_class()
            self.advance()
            if self.token != ")":
                self.expected(")")
            self.advance()
        if self.token != ":":
            self.expected(":")
        keys = self.keys()
        if not keys:
            self.fail(f"class {name} has no keys", start)
        self.definitions[name] = _Definition(start, parent, keys)

    def keys(self) -> list[str]:
        """Read the keys after a colon, and what separates them from what follows."""
        names: dict[str, None] = {}
        separated = True
        self.advance()
        while self.token == "," or self.is_key():
            if self.token == ",":
                separated = True
            else:
                if not (separated or self.on_new_line):
                    self.expected(", or a line break")
                key = self.string() if self.kind == "string" else self.token
                if key in names:
                    self.fail(f"the class has the key {quoted(key)} twice")
                names[key], separated = None, False
            self.advance()
        if self.token == ";":
            self.separators()
        elif self.kind is not None and not self.on_new_line:
            if self.token in RESERVED:
                self.fail(f"the key {quoted(self.token)} needs quotes")
            self.expected("a line break or ; after the keys")
        return list(names)

    def is_key(self) -> bool:
        """Return whether the token is a key of a class; a word before a parenthesis is the data."""
        if self.kind == "word":
            return self.token not in RESERVED and not _PARENTHESIS.match(self.text, self.stop)
        return self.kind == "string"

    def known_class(self) -> str:
        if self.token not in self.definitions:
            self.fail(f"no class is named {quoted(self.token)}" if self.token else "no class here")
        return self.token

    def keys_of(self, name: str) -> list[str]:
        """Return all keys of a class, first those of the classes that it extends."""
        if name not in self.classes:
            above: list[list[str]] = []
            at: str | None = name
            while at is not None:
                above.append(self.definitions[at].keys)
                at = self.definitions[at].parent
            keys = list(chain.from_iterable(reversed(above)))
            if len(set(keys)) != len(keys):
                self.fail(f"class {name} has a key twice", self.definitions[name].start)
            self.classes[name] = keys
        return self.classes[name]

    # -- data --------------------------------------------------------------------------------

    def value(self, depth: int) -> Any:
        """Read the value that starts with the token at hand; stop at the token behind it."""
        if self.token in ("[", "{") or (self.kind == "word" and self.token not in LITERALS):
            if depth > MAX_DEPTH:
                self.fail(f"nested deeper than {MAX_DEPTH} levels")
            if self.token == "[":
                return self.array(depth)
            return self.object(depth) if self.token == "{" else self.instance(depth)
        if self.kind == "string":
            value: Any = self.string()
        elif self.kind == "number":
            value = self.number()
        elif self.kind == "word":
            value = LITERALS[self.token]
        else:
            self.expected("a value")
        self.advance()
        return value

    def array(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self.advance()
        while self.token != "]":
            items.append(self.value(depth + 1))
            self.comma("]")
        self.advance()
        return items

    def object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self.advance()
        while self.token != "}":
            if self.kind != "string":
                self.expected('a "name"')
            key = self.string()
            if key in members:
                self.fail(f"key {quoted(key)} appears again in one object")
            self.advance()
            if self.token != ":":
                self.expected(": after the name")
            self.advance()
            members[key] = self.value(depth + 1)
            self.comma("}")
        self.advance()
        return members

    def instance(self, depth: int) -> dict[str, Any]:
        name, start = self.known_class(), self.start
        keys = self.keys_of(name)
        self.advance()
        if self.token != "(":
            self.expected(f"( after the class {name}")
        self.advance()
        members: dict[str, Any] = {}
        named = False
        while self.token != ")":
            place = self.start
            is_named = self.is_named()
            if named and not is_named:
                self.fail("a value without a name cannot follow one with a name")
            if not is_named and len(members) == len(keys):
                self.fail(f"class {name} has {plural(len(keys), 'key')}, here are more values")
            key = self.argument() if is_named else keys[len(members)]
            named = is_named
            if key in members:
                self.fail(f"the key {quoted(key)} has a value already", place)
            members[key] = self.value(depth + 1)
            self.comma(")")
        if not named and len(members) == len(keys):
            self.advance()
            return members
        return self.completed(name, keys, members, start)

    def completed(
        self, name: str, keys: list[str], members: dict[str, Any], start: int
    ) -> dict[str, Any]:
        """Return the object of an instance with named values, in the order of the class."""
        missing = next((key for key in keys if key not in members), None)
        if missing is not None:
            self.fail(f"class {name} misses a value for {quoted(missing)}", start)
        if len(members) > len(keys):
            known = set(keys)
            other = next(key for key in members if key not in known)
            self.fail(f"class {name} has no key {quoted(other)}", start)
        self.advance()
        return {key: members[key] for key in keys}

    def is_named(self) -> bool:
        return self.kind in ("word", "string") and bool(_EQUALS.match(self.text, self.stop))

    def argument(self) -> str:
        """Read the key before an equals sign; stop at the value behind it."""
        key = self.string() if self.kind == "string" else self.token
        self.advance()
        self.advance()
        return key

    def comma(self, closing: str) -> None:
        if self.token == ",":
            self.advance()
        elif self.token != closing:
            self.expected(f", or {closing}")

    def string(self) -> str:
        try:
            return str(json.loads(self.token))
        except json.JSONDecodeError as error:
            if error.msg.startswith("Invalid control"):
                message = "line break or control character inside a string"
            else:
                message = "unknown escape"
            self.fail(message, self.start + error.pos)

    def number(self) -> Any:
        match = NUMBER.match(self.token)
        if match is None:
            self.fail(f"{self.token[:40]!r} is not a number")
        try:
            return exact_number(self.token) if match.lastindex else parse_int(self.token)
        except NumberRangeError as error:
            self.fail(str(error))
