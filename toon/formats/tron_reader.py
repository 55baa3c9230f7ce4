"""TRON text to value: all of the format, as tron-format.github.io specifies it.

A text as our writer makes it becomes JSON, which Python reads. Another is read token by token; so
is a wrong one, whose error then has its place. Where the specification leaves a text open, what
could mean two things is an error: a class or a key that stands twice, keys without a comma between
them, data on the line of a class.
"""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np

from toon.codec.numbers import NumberRangeError, exact_number
from toon.codec.text import LITERALS, MAX_DEPTH, NUMBER, parse_int
from toon.errors import FormatError
from toon.layout.spans import UnusualText, inside_strings, require
from toon.text import QUOTED, Source, surrogate_in
from toon.values.json_text import Constant, Reader, refuse_lone_surrogates
from toon.wording import plural, quoted

#: Words that are neither the name of a class nor a key without quotes.
RESERVED: Final = ("class", *LITERALS)

_WORD: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
FIRST_CLASS: Final = re.compile(rf"class[ \t]++{_WORD}[ \t]*+[:(]")


def read(text: str) -> Any:
    """Read a TRON text, with every digit of its numbers.

    Raises:
        FormatError: The text is not TRON, with its place.
        JsonDecodeError: It has half of a surrogate pair.
    """
    body = text.removeprefix("\ufeff")
    try:
        value = _read_canonical(body)
    except (UnusualText, Constant, NumberRangeError, json.JSONDecodeError, RecursionError):
        value = _Parser(body).document()
    if "\\u" in body or not body.isascii():
        refuse_lone_surrogates(body)
    return value


# -- a text as our writer makes it -----------------------------------------------------------

_KEY: Final = rf"(?:{_WORD}|{QUOTED})"
_KEYS: Final = re.compile(_KEY, re.S)
_DEFINITION: Final = re.compile(rf"class ({_WORD}): ({_KEY}(?:,{_KEY})*+)", re.S)
_INSTANCE: Final = re.compile(rb"([A-Z][0-9]*+)\(")
_PARENTHESES: Final = bytes(byte in b"()" for byte in range(256))
_TO_MASKS: Final = bytes.maketrans(b"()", b"\xfe\xff")  # in no UTF-8
_FROM_MASKS: Final = bytes.maketrans(b"\xfe\xff", b"()")
#: Starts the keys that stand for an instance; a text that may hold it is read token by token.
_MARK: Final = "\uffff"
_ESCAPED_MARK: Final = re.compile(r"\\u[fF]{4}")


def _read_canonical(text: str) -> Any:
    """Read a TRON text as our writer makes it: no blanks, comments or named arguments in its data.

    Raises:
        UnusualText: The text has another form. Errors of Python's reader may mean the same.
    """
    require(_MARK not in text and surrogate_in(text) is None and not _ESCAPED_MARK.search(text))
    header, _, body = text.partition("\n\n") if text.startswith("class ") else ("", "", text)
    classes: dict[str, list[str]] = {}
    for line in header.split("\n") if header else ():
        match = _DEFINITION.fullmatch(line)
        require(match)
        assert match is not None
        written = _KEYS.findall(match[2])
        keys = [json.loads(key) if key[0] == '"' else key for key in written]
        require(_MARK + match[1] not in classes and len(set(keys)) == len(keys))
        require(not set(RESERVED).intersection([match[1], *written]))
        classes[_MARK + match[1]] = keys

    def make(items: list[tuple[str, Any]]) -> dict[str, Any]:
        """Make an object of its members, or of an instance, which has two marked keys."""
        result = dict(items)
        if items and (_MARK in result or items[0][0].startswith(_MARK)):
            name, values = items[0]
            keys = classes.get(name)
            require(keys and len(result) == 2 and _MARK in result and len(keys) == len(values))
            return dict(zip(keys or (), values, strict=True))
        require(len(result) == len(items))
        return result

    return Reader(body, make).decoder.decode(_as_json(body))


def _as_json(body: str) -> str:
    """Write each instance in the data of a TRON text as a JSON object of two marked keys."""
    data = body.encode()
    quoted_ones = np.frombuffer(data.translate(_PARENTHESES), np.bool_) & inside_strings(data)
    has_quoted = bool(quoted_ones.any())
    if has_quoted:
        raw = np.frombuffer(data, np.uint8)
        masked = np.frombuffer(data.translate(_TO_MASKS), np.uint8)
        data = np.where(quoted_ones, masked, raw).tobytes()
    mark = _MARK.encode()
    data = _INSTANCE.sub(b'{"' + mark + rb'\1":[', data).replace(b")", b'],"' + mark + b'":0}')
    return (data.translate(_FROM_MASKS) if has_quoted else data).decode()


# -- any other text --------------------------------------------------------------------------

_BLANKS: Final = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_TOKEN: Final = re.compile(
    rf"(?P<string>{QUOTED})|(?P<number>-?[0-9][0-9.eE+-]*+)|(?P<word>{_WORD})"
    r"|(?P<sign>[\[\](){},:;=])",
    re.S,
)
_EQUALS: Final = re.compile(rf"{_BLANKS.pattern}=")
_PARENTHESIS: Final = re.compile(r"[ \t\r]*+\(")
_END: Final = "the end of the text"


class _Definition(NamedTuple):
    """A class of TRON: the offset of its name, the class that it extends or None, its own keys."""

    start: int
    parent: str | None
    keys: list[str]


class _Parser:
    """A reader of a TRON text, token by token.

    Attributes:
        definitions: The classes that were defined so far, by name.
        classes: All keys of the classes with instances. An instance has a value for each of them,
            so there are no more of them than values, however many classes extend a large one.
        start, token, kind: The token at hand; "" and None at the end of the text.
        stop: The offset where the token ends.
        on_new_line: Whether a line break stands before the token.
    """

    def __init__(self, text: str) -> None:
        self.text, self.source = text, Source(text)
        self.definitions: dict[str, _Definition] = {}
        self.classes: dict[str, list[str]] = {}
        self.stop = 0
        self.kind: str | None = None
        self.advance()

    def advance(self) -> None:
        """Move to the next token of the TRON text."""
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

    def take(self, sign: str, what: str = "") -> None:
        """Move behind a sign that must stand here; ``what`` describes it in the error."""
        if self.token != sign:
            self.expected(what or sign)
        self.advance()

    def fail(self, message: str, start: int | None = None, hint: str | None = None) -> NoReturn:
        offset = self.start if start is None else start
        raise self.source.error(FormatError, message, offset, hint) from None

    def expected(self, what: str) -> NoReturn:
        self.fail(f"expected {what}, found {repr(self.token[:40]) if self.token else _END}")

    # -- classes -----------------------------------------------------------------------------

    def document(self) -> Any:
        """Read the whole TRON text: the definitions of classes, then the value."""
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
        """Read and keep the definition of a class of TRON; move behind what ends it."""
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
            self.take(")")
        self.take(":")
        keys = self.keys()
        if not keys:
            self.fail(f"class {name} has no keys", start)
        self.definitions[name] = _Definition(start, parent, keys)

    def keys(self) -> list[str]:
        """Return the keys in the definition of a class of TRON; move behind what ends them."""
        names: dict[str, None] = {}
        separated = True
        while self.token == "," or self.is_key():
            if self.token == ",":
                separated = True
            else:
                if not (separated or self.on_new_line):
                    self.expected(", or a line break")
                key = self.key()
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
        """Return whether the token is a key of a class; a word before ``(`` begins an instance."""
        if self.kind == "word":
            return self.token not in RESERVED and not _PARENTHESIS.match(self.text, self.stop)
        return self.kind == "string"

    def key(self) -> str:
        return self.string() if self.kind == "string" else self.token

    def known_class(self) -> str:
        if self.token not in self.definitions:
            self.fail(f"no class is named {quoted(self.token)}" if self.token else "no class here")
        return self.token

    def keys_of(self, name: str) -> list[str]:
        """Return all keys of a class of TRON, first those of the classes that it extends."""
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
        """Read the value that starts with the token at hand; move to the token behind it."""
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
        for _ in self.until("]"):
            items.append(self.value(depth + 1))
        return items

    def object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for _ in self.until("}"):
            if self.kind != "string":
                self.expected('a "name"')
            key = self.string()
            if key in members:
                self.fail(f"key {quoted(key)} appears again in one object")
            self.advance()
            self.take(":", ": after the name")
            members[key] = self.value(depth + 1)
        return members

    def instance(self, depth: int) -> dict[str, Any]:
        """Read an instance such as ``A(1,2)`` as an object, with keys in the order of its class."""
        name, start = self.known_class(), self.start
        keys = self.keys_of(name)
        self.advance()
        if self.token != "(":
            self.expected(f"( after the class {name}")
        members: dict[str, Any] = {}
        named = False
        for _ in self.until(")"):
            place, was_named = self.start, named
            named = self.kind in ("word", "string") and bool(_EQUALS.match(self.text, self.stop))
            if was_named and not named:
                self.fail("a value without a name cannot follow one with a name")
            if not named and len(members) == len(keys):
                self.fail(f"class {name} has {plural(len(keys), 'key')}, here are more values")
            key = self.key() if named else keys[len(members)]
            if named:
                self.advance()
                self.advance()
            if key in members:
                self.fail(f"the key {quoted(key)} has a value already", place)
            members[key] = self.value(depth + 1)
        missing = next((key for key in keys if key not in members), None)
        if missing is not None:
            self.fail(f"class {name} misses a value for {quoted(missing)}", start)
        if len(members) > len(keys):
            known = set(keys)
            other = next(key for key in members if key not in known)
            self.fail(f"class {name} has no key {quoted(other)}", start)
        return {key: members[key] for key in keys}

    def until(self, closing: str) -> Iterator[None]:
        """Move to each member of a container, and at last behind its closing bracket."""
        self.advance()
        while self.token != closing:
            yield
            if self.token == ",":
                self.advance()
            elif self.token != closing:
                self.expected(f", or {closing}")
        self.advance()

    def string(self) -> str:
        try:
            return str(json.loads(self.token))
        except json.JSONDecodeError as error:
            is_control = error.msg.startswith("Invalid control")
            control = "line break or control character inside a string"
            self.fail(control if is_control else "unknown escape", self.start + error.pos)

    def number(self) -> Any:
        match = NUMBER.match(self.token)
        if match is None:
            self.fail(f"{self.token[:40]!r} is not a number")
        try:
            return exact_number(self.token) if match.lastindex else parse_int(self.token)
        except NumberRangeError as error:
            self.fail(str(error))
