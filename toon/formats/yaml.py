"""YAML as PyYAML writes it: block style, keys in their order, lines never folded. Lossless.

The text is that of ``yaml.dump(value, sort_keys=False, allow_unicode=True, width=inf)`` without
its last line break, but for four things: nothing is ever an alias, numbers keep all of their
digits, Unicode's line breaks are escaped, and a string that a reader of YAML 1.2 takes for a
number (``1e5``, ``0o7``) is quoted, as PyYAML quotes what a reader of 1.1 takes for something
else (``yes``, ``2026-01-02``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

import yaml
from yaml.constructor import SafeConstructor
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from yaml.resolver import Resolver

from toon.codec.numbers import exact_number
from toon.codec.text import NUMBER, parse_int
from toon.errors import FormatError
from toon.formats.base import Format, plain_text
from toon.formats.stock import number_changes, odd_numbers
from toon.layout.spans import Layout
from toon.layout.yaml import yaml_layout
from toon.text import Source

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
_RESOLVER: Final[Any] = Resolver()
_CONSTRUCTOR: Final[Any] = SafeConstructor()


class YamlFormat(Format):
    """YAML, block style."""

    name = "yaml"
    label = "YAML"
    lossless = True
    public = True
    media_type = "application/yaml"
    explanation = "The data is YAML."
    stock_reader = "PyYAML"

    def dumps(self, value: Any) -> str:
        events: list[Event] = [StreamStartEvent(), DocumentStartEvent()]
        writer = _Writer(events)
        writer.add(value)
        events += [DocumentEndEvent(), StreamEndEvent()]
        # libyaml escapes every character beyond U+FFFF; PyYAML itself does not.
        dumper = yaml.SafeDumper if writer.astral else _DUMPER
        text = yaml.emit(events, Dumper=dumper, allow_unicode=True, width=_WIDTH)
        assert isinstance(text, str)
        return text.removesuffix("\n").removesuffix("\n...")

    def loads(self, text: str) -> Any:
        """The value of ``text`` in JSON types only, so dates are strings and keys are text.

        Raises:
            FormatError: ``text`` is not YAML, is empty or several documents, or holds what JSON
                cannot: NaN, infinities, keys that are lists or objects, tags, aliases.
        """
        try:
            events = iter(list(yaml.parse(text, Loader=_LOADER)))
            next(events)  # the start of the stream
            if isinstance(next(events), StreamEndEvent):
                message = "no YAML here: the text is empty"
                if text.strip():  # comments
                    raise Source(text).error(FormatError, message, len(text))
                raise FormatError(message)
            value = _read(next(events), events)
            next(events)  # the end of the document
            if not isinstance(event := next(events), StreamEndEvent):
                raise _UnfitError("more than one YAML document", event.start_mark)
        except _UnfitError as error:
            raise _at(text, error.message, error.mark) from None
        except yaml.MarkedYAMLError as error:
            raise _at(text, f"not YAML: {error.problem}", error.problem_mark) from None
        except yaml.YAMLError as error:  # a character that YAML has not
            raise Source(text).error_on(FormatError, f"not YAML: {error}", 1, 1) from None
        except RecursionError:
            raise Source(text).error_on(FormatError, "nested too deeply", 1, 1) from None
        return value

    def layout(self, text: str) -> Layout:
        return yaml_layout(text)

    def stock_changes(self, value: Any, text: str) -> str | None:
        return number_changes(self.stock_reader, map(_scalar_text, odd_numbers(value)))


# -- writing ---------------------------------------------------------------------------------


class _Writer:
    """Turns a value into the events that an emitter writes."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.strings: dict[str, ScalarEvent] = {}  # most strings are keys, and come again
        self.astral = False

    def add(self, value: Any) -> None:
        if isinstance(value, str):
            self.events.append(self.strings.get(value) or self.string(value))
        elif isinstance(value, dict):
            self.events.append(MappingStartEvent(None, None, True, flow_style=False))
            for key, item in value.items():
                self.add(key)
                self.add(item)
            self.events.append(MappingEndEvent())
        elif isinstance(value, list):
            self.events.append(SequenceStartEvent(None, None, True, flow_style=False))
            for item in value:
                self.add(item)
            self.events.append(SequenceEndEvent())
        else:
            self.events.append(ScalarEvent(None, None, (True, False), _scalar_text(value)))

    def string(self, text: str) -> ScalarEvent:
        plain = _resolved(text) == _STRING and not _NUMBER_1_2.match(text)
        self.astral |= not text.isascii() and max(text) > "\uffff"
        style = '"' if _ODD_BREAK.search(text) else None
        event = self.strings[text] = ScalarEvent(None, None, (plain, True), text, style=style)
        return event


def _scalar_text(value: Any) -> str:
    """A literal or a number as PyYAML writes it, with a point before every exponent."""
    text = plain_text(value)
    if isinstance(value, float | Decimal) and "." not in text:
        return text.lower().replace("e", ".0e")
    return text


def _resolved(text: str) -> str:
    """The tag that a reader of YAML 1.1 gives a plain scalar."""
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)))


# -- reading ---------------------------------------------------------------------------------


class _UnfitError(Exception):
    """Something in the YAML that JSON cannot hold, with its place."""

    def __init__(self, message: str, mark: Any) -> None:
        super().__init__(message)
        self.message = message
        self.mark = mark


def _at(text: str, message: str, mark: Any) -> FormatError:
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    return Source(text).error_on(FormatError, message, line, column)


def _read(event: Event, events: Iterator[Event]) -> Any:
    """The value that starts with ``event`` and goes on in ``events``."""
    if getattr(event, "tag", None) is not None:
        raise _UnfitError("a YAML tag has no JSON form", event.start_mark)
    if isinstance(event, ScalarEvent):
        try:
            return _scalar(event.value) if event.implicit[0] else event.value
        except ValueError as error:
            raise _UnfitError(str(error), event.start_mark) from None
    if isinstance(event, SequenceStartEvent):
        items = []
        while not isinstance(event := next(events), SequenceEndEvent):
            items.append(_read(event, events))
        return items
    if not isinstance(event, MappingStartEvent):
        raise _UnfitError("a YAML alias has no JSON form", event.start_mark)
    mapping = {}
    while not isinstance(event := next(events), MappingEndEvent):
        if not isinstance(event, ScalarEvent):
            raise _UnfitError("a key that is not text has no JSON form", event.start_mark)
        mapping[event.value] = _read(next(events), events)
    return mapping


def _scalar(text: str) -> Any:
    """The value of a plain scalar: a number with all of its digits, a literal, or a string."""
    number = NUMBER.match(text)
    if number is not None:
        return exact_number(text) if number.lastindex else parse_int(text)
    kind = _resolved(text).rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool":
        return SafeConstructor.bool_values[text.lower()]
    if kind not in ("int", "float"):
        return text
    node = yaml.ScalarNode(_resolved(text), text)
    if kind == "int":
        return _CONSTRUCTOR.construct_yaml_int(node)
    value = _CONSTRUCTOR.construct_yaml_float(node)
    if not math.isfinite(value):
        raise ValueError(f"{text} has no JSON form")
    return value


YAML: Final = YamlFormat()
