"""TRON: JSON with classes, which name the keys of a shape of objects once. Lossless.

A shape of two or more keys that occurs twice or more is a class, as @tron-format/tron writes it:
``class A: id,name``, a blank line, then ``[A(1,"x"),A(2,"y")]``. Objects of the same keys in
another order are of one class. All else stands as in compact JSON.

Two shapes are one here only if they have the same keys. To the reference, ``{"a,b":1,"c":2}`` and
``{"a":1,"b,c":2}`` are one, and it loses the second; and it writes keys such as ``class`` and
``null`` without quotes, which it cannot read.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from toon.codec.text import write_scalar
from toon.formats import tron_reader
from toon.formats.base import Format, first_lines
from toon.formats.json import JSON_COMPACT
from toon.formats.stock import describe_changes, find_odd_numbers
from toon.layout.spans import Layout
from toon.layout.tron import tron_layout
from toon.values.json_writing import JsonWriter, ecmascript
from toon.values.walks import HOLDERS, objects
from toon.wording import plural

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_RESERVED: Final = "|".join(tron_reader.RESERVED)
_BARE_KEY: Final = re.compile(rf"(?!(?:{_RESERVED})\Z)[A-Za-z_][A-Za-z0-9_]*+\Z")
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
    """TRON as a format, written as its reference for JavaScript does, without blanks."""

    name = "tron"
    label = "TRON"
    lossless = True
    public = True
    dialect = True
    beginning = tron_reader.FIRST_CLASS
    about = "Token Reduced Object Notation: JSON with classes, each the keys of a shape of objects."
    explanation = (
        "The data is TRON: JSON with classes. `class A: id,qty` names the keys of `A(7,2)`, "
        'which is {"id":7,"qty":2}.'
    )
    stock_reader = "@tron-format/tron"  # the reference, for JavaScript

    def uses(self, text: str) -> frozenset[str]:
        return frozenset({"classes"} if tron_reader.FIRST_CLASS.match(text) else ())

    def explain(self, uses: frozenset[str]) -> str:
        return self.explanation if uses else JSON_COMPACT.explanation

    def dumps(self, value: Any) -> str:
        classes = _classes(value)
        if not classes:
            return JSON_COMPACT.dumps(value)
        header = ""
        for name, keys in {cls.name: cls.keys for cls in classes.values()}.items():
            written = [key if _BARE_KEY.match(key) else JSON_COMPACT.dumps(key) for key in keys]
            header += f"class {name}: {','.join(written)}\n"
        arrays = _arrays(value, classes)
        try:
            data = ecmascript(orjson.dumps(arrays))
        except TypeError:  # a Decimal, an integer past 64 bits, or deep nesting
            data = _ESCAPED.dumps(arrays).encode(errors="surrogateescape")
        data = data.replace(b"[" + _OPENS, b"").replace(_OPENED + b",", b"(")
        return f"{header}\n{data.replace(b',' + _CLOSES + b']', b')').decode()}"

    def loads(self, text: str) -> Any:
        return tron_reader.read(text)

    def layout(self, text: str) -> Layout:
        return tron_layout(text)

    def recognises(self, text: str) -> bool:
        """Return whether a text, which defines a class first, has a line that starts like data."""
        return any(map(_DATA.match, first_lines(text)))

    def stock_changes(self, value: Any, text: str) -> str | None:
        if _PROTOTYPE in text:
            lost = sum(_PROTOTYPE in item for item in objects(value))
            if lost:
                return f"{self.stock_reader} loses {plural(lost, 'key')} {_PROTOTYPE}"
        numbers = map(write_scalar, find_odd_numbers(value))
        return describe_changes(self.stock_reader, numbers, in_javascript=True)


class _Class(NamedTuple):
    """A TRON class for objects: its keys, and whether the objects have them in another order."""

    name: str
    keys: _Keys
    opening: orjson.Fragment
    reordered: bool


def _classes(value: Any) -> dict[_Keys, _Class]:
    """Return TRON's class for the objects in a JSON value, by their keys in order.

    Keys that only one object has are of none. Classes of outer objects stand before inner ones.
    """
    shapes = Counter(map(tuple, objects(value)))
    times: Counter[frozenset[str]] = Counter()
    for keys, count in shapes.items():
        times[frozenset(keys)] += count
    first: dict[frozenset[str], _Class] = {}
    for keys in shapes:
        shape = frozenset(keys)
        if len(keys) > 1 and times[shape] > 1 and shape not in first:
            cycle, place = divmod(len(first), len(_LETTERS))  # A to Z, then A1 to Z1 and so on
            name = f"{_LETTERS[place]}{cycle or ''}"
            opening = orjson.Fragment(_OPENS + name.encode() + _OPENED)
            first[shape] = _Class(name, keys, opening, reordered=False)
    pairs = ((keys, first.get(frozenset(keys))) for keys in shapes)
    return {keys: cls._replace(reordered=cls.keys != keys) for keys, cls in pairs if cls}


def _arrays(value: Any, classes: Mapping[_Keys, _Class]) -> Any:
    """Copy a JSON value with a marked array for each object of a class, for orjson to write."""
    cells = value
    if isinstance(value, dict):
        cls = classes.get(tuple(value))
        if cls is None:
            return {
                key: _arrays(item, classes) if isinstance(item, HOLDERS) else item
                for key, item in value.items()
            }
        cells = map(value.__getitem__, cls.keys) if cls.reordered else value.values()
        cells = [cls.opening, *cells, _CLOSING]
    elif not isinstance(value, list):
        return value
    return [_arrays(item, classes) if isinstance(item, HOLDERS) else item for item in cells]


TRON: Final = TronFormat()
FORMATS: Final = (TRON,)
