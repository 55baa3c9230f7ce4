"""YAML as PyYAML writes it: block style, keys in their order, lines never folded. Lossless.

The text is that of ``yaml.dump(value, sort_keys=False, allow_unicode=True, width=inf)`` without
its last line break, but for four things: nothing is ever an alias, numbers keep all of their
digits, Unicode's line breaks are escaped, and a string that a reader of YAML 1.2 takes for a
number (``1e5``, ``0o7``) is quoted, as PyYAML quotes what a reader of 1.1 takes for something
else (``yes``, ``2026-01-02``).
"""

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from toon.codec.numbers import exact_number, shorten
from toon.codec.text import MAX_DEPTH, NUMBER, parse_int, write_int
from toon.errors import FormatError
from toon.formats.base import Format, plain_text
from toon.formats.stock import describe_changes, find_odd_numbers
from toon.formats.yaml_lines import read_lines
from toon.layout.spans import Layout, UnusualText
from toon.layout.yaml import yaml_layout
from toon.text import Source
from toon.values.walks import HOLDERS
from toon.wording import excerpt

# libyaml is about fifteen times as fast; not every build of PyYAML has it.
_DUMPER: Final[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WIDTH: Final = 2**31 - 1  # libyaml takes no infinity

_STRING: Final = "tag:yaml.org,2002:str"
# Readers of YAML 1.2 (§10.3.2) take these for numbers; PyYAML reads 1.1 and takes them for text.
_NUMBER_1_2: Final = re.compile(
    r"[-+]?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)(?:[eE][-+]?[0-9]++)?\Z|0o[0-7]++\Z"
)
# Unicode line breaks survive only as escapes: YAML 1.1 folds them and PyYAML loses them.
_ODD_BREAK: Final = re.compile("[\x85\u2028\u2029]")
# PyYAML puts a question mark before keys like these. libyaml counts bytes, takes "\r" for a break,
# and has an empty key without one.
_LONG_KEY: Final = re.compile("\\Z|.*[\n\x85\u2028\u2029]|.{128}", re.DOTALL)
# A plain string of at most ``_SHORT`` characters is its own text, as a key too, unless readers take
# it for something else; they can do that only where its first character is doubtful.
_SHORT: Final = 127
_PLAIN: Final = re.compile(r"[0-9A-Za-z_/(+](?:[!-9;-~]++|:(?=[!-~])|\ (?=[!\"$-~]))*+\Z")
_DOUBTFUL: Final = frozenset(Resolver.yaml_implicit_resolvers)
# What follows each key in a mapping of zeros. Lines inside a key are empty or start with a space.
_ZERO: Final = re.compile(r"\n?: 0\n(?![ \n])")
_TOO_DEEP: Final = f"nested deeper than {MAX_DEPTH} levels"
# Characters of a number that JSON would write otherwise, in base 60 or 16 or with underscores: what
# it is takes the square of the time to find.
_LONGEST_NUMBER: Final = 1_000
_RESOLVER: Final[Any] = Resolver()
_CONSTRUCTOR: Final[Any] = SafeConstructor()


class YamlFormat(Format):
    """YAML in block style as a format, as PyYAML writes it."""

    name = "yaml"
    label = "YAML"
    about = "JSON's values by indentation, most of them without quotes."
    lossless = True
    public = True
    tested = True
    media_type = "application/yaml"
    explanation = "The data is YAML."
    stock_reader = "PyYAML"

    def dumps(self, value: Any) -> str:
        return _Writer(value).text()

    def loads(self, text: str) -> Any:
        """Read a YAML text into JSON types only: dates stay strings, and keys are strings.

        Raises:
            FormatError: The text is not YAML, is empty or several documents, or holds what JSON
                cannot: NaN, infinities, keys that are lists or objects, tags, aliases.
        """
        try:
            return read_lines(text, _read_scalar)
        except UnusualText:
            pass
        try:
            events = yaml.parse(text, Loader=_LOADER)
            next(events)  # the start of the stream
            if isinstance(next(events), yaml.StreamEndEvent):
                message = "no YAML here: the text is empty"
                if text.strip():  # comments
                    raise Source(text).error(FormatError, message, len(text))
                raise FormatError(message)
            value = _read(next(events), events, 1)
            next(events)  # the end of the document
            if not isinstance(event := next(events), yaml.StreamEndEvent):
                raise _UnfitError("more than one YAML document", event)
        except yaml.MarkedYAMLError as error:
            # libyaml from 6.0.4 on stops by itself, at its own limit, before it gives the events.
            too_deep = error.problem == "exceeded maximum nesting depth"
            is_own = isinstance(error, _UnfitError)
            message = str(error.problem) if is_own else f"not YAML: {error.problem}"
            mark = error.problem_mark
            line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
            raise Source(text).error_on(
                FormatError, _TOO_DEEP if too_deep else message, line, column
            ) from None
        except yaml.YAMLError as error:  # a character that YAML has not
            raise Source(text).error_on(FormatError, f"not YAML: {error}", 1, 1) from None
        except RecursionError:  # the caller's stack left room for fewer levels
            raise Source(text).error_on(FormatError, "nested too deeply", 1, 1) from None
        return value

    def layout(self, text: str) -> Layout:
        return yaml_layout(text)

    def stock_changes(self, value: Any, text: str) -> str | None:
        return describe_changes(self.stock_reader, map(_scalar_text, find_odd_numbers(value)))

    def matches_pyyaml(self, value: Any) -> bool:
        """Return whether PyYAML itself writes every string in a JSON value as YamlFormat does."""
        return not any(
            _ODD_BREAK.search(text) or (_NUMBER_1_2.match(text) and _resolve_tag(text) == _STRING)
            for text in _list_strings(value)
        )


# -- writing ---------------------------------------------------------------------------------


class _Writer:
    """A writer of one JSON value as YAML; it asks PyYAML only for strings that are not plain.

    That is two to five times as fast as PyYAML for everything, and gives the same text.
    """

    def __init__(self, value: Any) -> None:
        self.value = value
        self.parts: list[str] = []
        self.texts: dict[str, str] = {}  # of the strings that are not their own text
        self.long_keys: set[str] = set()  # those that need a question mark

    def text(self) -> str:
        odd = []
        for text in _list_strings(self.value):
            if len(text) > _SHORT or not _PLAIN.match(text):
                odd.append(text)
            elif text[0] in _DOUBTFUL and not _stays_text(text):
                self.texts[text] = f"'{text}'"
        if odd:
            self.emit(odd)
        if self.value and isinstance(self.value, HOLDERS):
            self.add(self.value, "", "\n")
            return "".join(self.parts)
        return self.inline(self.value, "\n  ")

    def emit(self, strings: list[str]) -> None:
        """Have PyYAML write strings as the keys of one mapping; keep their YAML in ``texts``, and
        in ``long_keys`` the strings that need a question mark as keys.
        """
        # libyaml escapes every character beyond U+FFFF; PyYAML itself does not.
        astral = any(not text.isascii() and max(text) > "\uffff" for text in strings)
        dumper = yaml.SafeDumper if astral else _DUMPER
        zero = yaml.ScalarEvent(None, None, (True, False), "0")
        events: list[yaml.Event] = [yaml.StreamStartEvent(), yaml.DocumentStartEvent()]
        events.append(yaml.MappingStartEvent(None, None, True, flow_style=False))
        for text in strings:
            style = '"' if _ODD_BREAK.search(text) else None
            plain = _stays_text(text)
            events += (yaml.ScalarEvent(None, None, (plain, True), text, style=style), zero)
        events += [yaml.MappingEndEvent(), yaml.DocumentEndEvent(), yaml.StreamEndEvent()]
        emitted = yaml.emit(events, Dumper=dumper, allow_unicode=True, width=_WIDTH)
        for text, written in zip(strings, _ZERO.split(emitted), strict=False):
            self.texts[text] = written.removeprefix("? ")
            if _LONG_KEY.match(text):
                self.long_keys.add(text)

    def add(self, value: Any, start: str, line: str) -> None:
        """Append the YAML of a non-empty object or array to ``parts``.

        ``start`` is put before the first line; ``line``, a break and indentation, before the rest.
        """
        add, inner = self.parts.append, line + "  "
        items = value.items() if isinstance(value, dict) else ((None, item) for item in value)
        for key, item in items:
            is_short = False
            if key is None:
                head = "-"
            elif key in self.long_keys:
                head = f"? {self.inline(key, inner)}{line}:"
            else:
                head, is_short = f"{self.texts.get(key, key)}:", True
            if not item or not isinstance(item, HOLDERS):
                add(f"{start}{head} {self.inline(item, inner)}")
            elif is_short:
                add(f"{start}{head}")
                below = line if isinstance(item, list) else inner
                self.add(item, below, below)
            else:
                add(f"{start}{head} ")
                self.add(item, "", inner)
            start = line

    def inline(self, value: Any, line: str) -> str:
        """Return the YAML of a scalar or an empty container; ``line``, a line break and
        indentation, is put before its later lines.
        """
        if isinstance(value, str):
            text = self.texts.get(value, value)
            return text.replace("\n  ", line) if "\n" in text else text
        if isinstance(value, HOLDERS):
            return "{}" if isinstance(value, dict) else "[]"
        return _scalar_text(value)


def _list_strings(value: Any) -> set[str]:
    strings, stack = set[str](), [value]
    for item in stack:
        if isinstance(item, str):
            strings.add(item)
        elif isinstance(item, dict):
            strings.update(item)
            stack += item.values()
        elif isinstance(item, list):
            stack += item
    return strings


def _stays_text(text: str) -> bool:
    """Return whether readers of YAML 1.1 and 1.2 take a text without quotes for a string."""
    return _resolve_tag(text) == _STRING and not _NUMBER_1_2.match(text)


def _scalar_text(value: Any) -> str:
    """Write null, a boolean or a number as PyYAML does, with a point before every exponent."""
    if type(value) is int:
        return write_int(value)
    text = plain_text(value)
    if isinstance(value, (float, Decimal)) and "." not in text:
        return text.lower().replace("e", ".0e")
    return text


def _resolve_tag(text: str) -> str:
    """Return the tag that YAML 1.1 gives an unquoted scalar, such as ``tag:yaml.org,2002:int``."""
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)))


# -- reading ---------------------------------------------------------------------------------


class _UnfitError(yaml.MarkedYAMLError):
    """The error for a YAML construct that JSON cannot hold, at the place of a parser's event."""

    def __init__(self, message: str, event: Any) -> None:
        super().__init__(problem=message, problem_mark=event.start_mark)


def _read(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Any:
    """Build a JSON value from a YAML parser's events: ``event`` is its first, ``events`` gives the
    rest. Raise _UnfitError for what JSON cannot hold.
    """
    if getattr(event, "tag", None) is not None:
        raise _UnfitError("a YAML tag has no JSON form", event)
    if isinstance(event, yaml.ScalarEvent):
        try:
            return _read_scalar(event.value) if event.implicit[0] else event.value
        except ValueError as error:
            raise _UnfitError(str(error), event) from None
    if isinstance(event, yaml.AliasEvent):
        raise _UnfitError("a YAML alias has no JSON form", event)
    if depth > MAX_DEPTH:  # a parser takes time for every level around each bracket
        raise _UnfitError(_TOO_DEEP, event)
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_read(event, events, depth + 1))
        return items
    mapping = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise _UnfitError("a key that is not text has no JSON form", event)
        if event.value in mapping:
            raise _UnfitError(f"key {excerpt(event.value, 40)} appears again", event)
        mapping[event.value] = _read(next(events), events, depth + 1)
    return mapping


def _read_scalar(text: str) -> Any:
    """Convert an unquoted YAML scalar to a number with every digit, a boolean, None or a string.

    Raises:
        ValueError: A number that JSON cannot hold.
    """
    if text[:1] not in _DOUBTFUL:
        return text
    number = NUMBER.match(text)
    if number is not None:
        return exact_number(text) if number.lastindex else parse_int(text)
    kind = _resolve_tag(text).rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool":
        return SafeConstructor.bool_values[text.lower()]
    if kind not in ("int", "float"):
        return text
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(f"{shorten(text)} is too long for a number of YAML 1.1")
    node = yaml.ScalarNode(_resolve_tag(text), text)
    if kind == "int":
        return _CONSTRUCTOR.construct_yaml_int(node)
    try:
        value = _CONSTRUCTOR.construct_yaml_float(node)
    except OverflowError:  # in base 60
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(f"{shorten(text)} has no JSON form")
    return value


YAML: Final = YamlFormat()
FORMATS: Final = (YAML,)
