"""TRON: JSON with classes, which name the keys of a shape of objects once. Lossless.

A shape of two or more keys that occurs twice or more is a class, as @tron-format/tron writes it:
``class A: id,name``, a blank line, then ``[A(1,"x"),A(2,"y")]``. Objects of the same keys in
another order are of one class. All else stands as in compact JSON. A text is read with blanks and
with any names of classes, but without what the reference never writes: comments, semicolons,
arguments with names, classes that extend others, trailing commas, definitions of several lines.

Two shapes are one here only if they have the same keys. To the reference, ``{"a,b":1,"c":2}`` and
``{"a":1,"b,c":2}`` are one, and it loses the second; and it writes keys such as ``class`` and
``null`` without quotes, which it cannot read.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from string import ascii_letters, ascii_uppercase, digits
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import orjson

from toon.codec.numbers import NumberRangeError
from toon.codec.text import LITERALS, MAX_DEPTH, write_scalar
from toon.errors import FormatError
from toon.formats.base import Format, first_lines
from toon.formats.json import JSON_COMPACT
from toon.formats.stock import describe_changes, find_odd_numbers
from toon.layout.spans import Layout, mask_strings
from toon.layout.tron import tron_layout
from toon.text import QUOTED, Source
from toon.values.json_text import (
    LAST_COMMA,
    TOKEN,
    Constant,
    Reader,
    find_last_comma,
    message_of,
    refuse_lone_surrogates,
)
from toon.values.json_writing import JsonWriter, ecmascript
from toon.values.walks import HOLDERS, objects
from toon.wording import excerpt, plural

#: Words that are neither the name of a class nor a key without quotes.
RESERVED: Final = ("class", *LITERALS)

_NAME: Final = rf"(?!(?:{'|'.join(RESERVED)})\b)[A-Za-z_][A-Za-z0-9_]*+"
_BARE_KEY: Final = re.compile(rf"{_NAME}\Z")
_KEY: Final = re.compile(rf"{_NAME}|{QUOTED}", re.S)
_CLASS_NAME: Final = re.compile(rf"class[ \t]++({_NAME})[ \t]*+:")
_CLASS: Final = re.compile(
    rf"{_CLASS_NAME.pattern}[ \t]*+((?:{_KEY.pattern})(?:[ \t]*+,[ \t]*+(?:{_KEY.pattern}))*+)"
    r"[ \t\r]*+(?:\n\s*+|\Z)",
    re.S,
)
#: The start of a line of data that holds an instance.
_DATA: Final = re.compile(r"[\[{]|[A-Za-z_][A-Za-z0-9_]*\(")
#: JavaScript takes this key for an object's prototype.
_PROTOTYPE: Final = "__proto__"

# orjson writes an instance as an array, whose brackets then give way. These bytes mark them, which
# are in no UTF-8.
_OPENS, _OPENED, _CLOSES = b"\xfd", b"\xfe", b"\xff"
_CLOSING: Final = orjson.Fragment(_CLOSES)
#: Writes what orjson does not; in its text, halves of surrogate pairs stand for these bytes.
_ESCAPED: Final = JsonWriter(
    (",", ":"), None, lambda value: ecmascript(orjson.dumps(value)).decode(errors="surrogateescape")
)

#: The keys of an object in their order.
_Keys: TypeAlias = tuple[str, ...]


class TronFormat(Format):
    """TRON, JSON with classes that name the keys of objects once, as a format. It is written
    without blanks, as the reference for JavaScript does.
    """

    name = "tron"
    label = "TRON"
    lossless = True
    public = True
    dialect = True
    beginning = _CLASS_NAME
    about = "Token Reduced Object Notation: JSON with classes, each the keys of a shape of objects."
    explanation = (
        "The data is TRON: JSON with classes. `class A: id,qty` names the keys of `A(7,2)`, "
        'which is {"id":7,"qty":2}.'
    )
    stock_reader = "@tron-format/tron"  # the reference, for JavaScript

    def uses(self, text: str) -> frozenset[str]:
        return frozenset({"classes"} if _CLASS_NAME.match(text) else ())

    def explain(self, uses: frozenset[str]) -> str:
        return self.explanation if uses else JSON_COMPACT.explanation

    def dumps(self, value: Any) -> str:
        classes = _choose_classes(value)
        if not classes:
            return JSON_COMPACT.dumps(value)
        header = ""
        for name, keys in {cls.name: cls.keys for cls in classes.values()}.items():
            written = [key if _BARE_KEY.match(key) else JSON_COMPACT.dumps(key) for key in keys]
            header += f"class {name}: {','.join(written)}\n"
        arrays = _mark_instances(value, classes)
        try:
            data = ecmascript(orjson.dumps(arrays))
        except TypeError:  # a Decimal, an integer past 64 bits, or deep nesting
            data = _ESCAPED.dumps(arrays).encode(errors="surrogateescape")
        data = data.replace(b"[" + _OPENS, b"").replace(_OPENED + b",", b"(")
        return f"{header}\n{data.replace(b',' + _CLOSES + b']', b')').decode()}"

    def loads(self, text: str) -> Any:
        """Read a TRON text into a JSON value; numbers keep every digit.

        Raises:
            FormatError: The text is not TRON; with line and column.
            JsonDecodeError: The text holds half of a surrogate pair.
        """
        return _read(text.removeprefix("\ufeff"))

    def layout(self, text: str) -> Layout:
        return tron_layout(text)

    def recognises(self, text: str) -> bool:
        """Return whether a text that begins with a TRON class also has a line like TRON's data."""
        return any(map(_DATA.match, first_lines(text)))

    def stock_changes(self, value: Any, text: str) -> str | None:
        if _PROTOTYPE in text:
            lost = sum(_PROTOTYPE in item for item in objects(value))
            if lost:
                return f"{self.stock_reader} loses {plural(lost, 'key')} {_PROTOTYPE}"
        numbers = map(write_scalar, find_odd_numbers(value))
        return describe_changes(self.stock_reader, numbers, in_javascript=True)


# -- writing ---------------------------------------------------------------------------------


class _Class(NamedTuple):
    """A class of a TRON text that is being written: its name, its keys, the marker that begins its
    instances, and whether the objects at hand have the keys in another order.
    """

    name: str
    keys: _Keys
    opening: orjson.Fragment
    reordered: bool


def _choose_classes(value: Any) -> dict[_Keys, _Class]:
    """Choose TRON classes for the objects in a JSON value, as a dict from each order of keys.

    Two or more keys that two or more objects have get a class, whatever their order in each.
    Classes of outer objects come first.
    """
    shapes = Counter(map(tuple, objects(value)))
    times: Counter[frozenset[str]] = Counter()
    for keys, count in shapes.items():
        times[frozenset(keys)] += count
    first: dict[frozenset[str], _Class] = {}
    for keys in shapes:
        shape = frozenset(keys)
        if len(keys) > 1 and times[shape] > 1 and shape not in first:
            # A to Z, then A1 to Z1 and so on
            cycle, place = divmod(len(first), len(ascii_uppercase))
            name = f"{ascii_uppercase[place]}{cycle or ''}"
            opening = orjson.Fragment(_OPENS + name.encode() + _OPENED)
            first[shape] = _Class(name, keys, opening, reordered=False)
    pairs = ((keys, first.get(frozenset(keys))) for keys in shapes)
    return {keys: cls._replace(reordered=cls.keys != keys) for keys, cls in pairs if cls}


def _mark_instances(value: Any, classes: Mapping[_Keys, _Class]) -> Any:
    """Copy a JSON value for orjson, with a marked array for each object that has a TRON class."""
    cells = value
    if isinstance(value, dict):
        cls = classes.get(tuple(value))
        if cls is None:
            return {
                key: _mark_instances(item, classes) if isinstance(item, HOLDERS) else item
                for key, item in value.items()
            }
        cells = map(value.__getitem__, cls.keys) if cls.reordered else value.values()
        cells = [cls.opening, *cells, _CLOSING]
    elif not isinstance(value, list):
        return value
    return [_mark_instances(item, classes) if isinstance(item, HOLDERS) else item for item in cells]


# -- reading ---------------------------------------------------------------------------------

_NAME_BYTES: Final = f"{ascii_letters}{digits}_".encode()
_PARENTHESES: Final = bytes(byte in b"()" for byte in range(256))
_TO_MASKS: Final = bytes.maketrans(b"()", _OPENED + _CLOSES)
_FROM_MASKS: Final = bytes.maketrans(_OPENED + _CLOSES, b"()")
#: Starts the keys that stand for an instance: half of a surrogate pair, which is in no TRON text.
_MARK: Final = _OPENS.decode(errors="surrogateescape")
#: What stands in JSON for the start of an instance, with the name of its class, and for its end.
_INSERTED: Final = re.compile(rf'\{{"{_MARK}(\w++)":\[|\],"{_MARK}":0\}}')


class _Unfit(ValueError):
    """The error for TRON data with a key twice in one object, or an instance that fits no class."""


def _read(text: str) -> Any:
    """Read a TRON text into a JSON value: rewrite the instances of classes as JSON, and let Python
    read it. Raise FormatError with the place in the TRON text.
    """
    if "\\u" in text or not text.isascii():
        refuse_lone_surrogates(text)
    source = Source(text)
    classes, start = _read_classes(source)
    data = _as_json(text[start:])
    instances = 0

    def make(items: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal instances
        instances += 1
        result = dict(items)
        if items and items[0][0][:1] == _MARK:
            name, values = items[0][0][1:], items[0][1]
            if _MARK not in result:
                raise _Unfit(f"class {name} is not closed by )")
            if len(items) != 2:
                raise _Unfit(f"expected , or ) in an instance of class {name}")
            if name not in classes:
                raise _Unfit(f"no class is named {excerpt(name)}")
            keys = classes[name]
            if len(keys) != len(values):
                have = f"has {plural(len(keys), 'key')}, this instance"
                raise _Unfit(f"class {name} {have} {plural(len(values), 'value')}")
            return dict(zip(keys, values, strict=True))
        if _MARK in result:
            raise _Unfit("expected ] in place of )")
        if len(result) != len(items):
            again = Counter(key for key, _ in items).most_common(1)[0][0]
            raise _Unfit(f"key {excerpt(again)} appears again in one object")
        return result

    at, token, number = 0, "}", 0
    try:
        return Reader(data, make).decoder.decode(data)
    except json.JSONDecodeError as error:
        at, token = start + _map_offset(data, error.pos), ""
        message = message_of(json.JSONDecodeError(error.msg, text, at))
        if (comma := find_last_comma(text, at, ")}]")) is not None:
            at, message = comma, LAST_COMMA
    except RecursionError:
        token, message, depth = "", "nested too deeply", 0
        for match in TOKEN.finditer(data):
            depth += (match[0] in "[{") - (match[0] in "]}")
            if depth > MAX_DEPTH:
                at = start + _map_offset(data, match.start())
                break
    except Constant as error:
        token, message = str(error).lstrip("-"), f"{error} is not JSON"
    except NumberRangeError as error:
        token, message = error.token, str(error)
    except _Unfit as error:
        number, message = instances - 1, str(error)
    if token:  # Python told no place
        places = (match.start() for match in TOKEN.finditer(data) if match[0] == token)
        at = start + _map_offset(data, next(islice(places, number, None), 0))
    raise source.error(FormatError, message, at)


def _read_classes(source: Source) -> tuple[dict[str, list[str]], int]:
    """Read the class definitions at the start of a TRON text. Return a dict from the name of each
    class to its keys, and the offset where the data starts.

    Raises:
        FormatError: A definition is malformed, or a class or one of its keys stands twice.
    """
    text, at = source.text, len(source.text) - len(source.text.lstrip())
    classes: dict[str, list[str]] = {}
    while re.match(r"class\b", text[at : at + 6]):
        match = _CLASS.match(text, at)
        keys: list[str] = []
        if match:
            written = _KEY.findall(match[2])
            with suppress(json.JSONDecodeError):
                keys = [json.loads(key) if key[0] == '"' else key for key in written]
        if match is None or not keys:
            message = "expected a line such as class A: id,name"
            raise source.error(FormatError, message, at)
        if match[1] in classes:
            raise source.error(FormatError, f"class {match[1]} is defined twice", at)
        if len(set(keys)) < len(keys):
            raise source.error(FormatError, f"class {match[1]} has a key twice", at)
        classes[match[1]], at = keys, match.end()
    return classes, at


def _as_json(body: str) -> str:
    """Rewrite TRON data as JSON: instances such as ``A(1)`` become objects of two marked keys."""
    data = body.encode()
    in_strings = np.frombuffer(data.translate(_PARENTHESES), np.bool_) & mask_strings(data)
    has_quoted = bool(in_strings.any())
    if has_quoted:
        raw = np.frombuffer(data, np.uint8)
        masked = np.frombuffer(data.translate(_TO_MASKS), np.uint8)
        data = np.where(in_strings, masked, raw).tobytes()
    *before, last = data.split(b"(")
    for number, piece in enumerate(before):
        stem = piece.rstrip(_NAME_BYTES)
        name = piece[len(stem) :]
        before[number] = stem + b'{"' + _OPENS + name + b'":[' if name else piece + b"("
    data = b"".join([*before, last])
    data = data.replace(b")", b'],"' + _OPENS + b'":0}')
    data = data.translate(_FROM_MASKS) if has_quoted else data
    return data.decode(errors="surrogateescape")


def _map_offset(data: str, at: int) -> int:
    """Convert an offset in the JSON that stands for TRON data to the offset in that TRON data."""
    longer = 0
    for match in _INSERTED.finditer(data):
        if at < match.end():
            return min(at, match.start()) - longer
        longer += len(match[0]) - (len(match[1]) + 1 if match[1] else 1)
    return at - longer


TRON: Final = TronFormat()
FORMATS: Final = (TRON,)
