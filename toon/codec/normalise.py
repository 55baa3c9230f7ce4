"""Python values to JSON values: the normalisation of SPEC 4.4 §3, and which values it refuses.

A normalised value is made of ``str``, ``int``, ``float``, ``bool``, ``None``, ``Decimal``, ``dict``
with string keys and ``list``, none of them a subclass. What ``json.dumps`` takes is converted as it
does: subclasses such as ``StrEnum`` and ``IntEnum``, ``tuple``, keys that are numbers, booleans or
``None``; other mappings too. Every other value goes to the caller's ``default`` or is refused with
its path; none is silently turned into a string or null.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal

from toon.codec.text import BARE_KEY, MAX_DEPTH
from toon.errors import EncodeError
from toon.text import find_surrogate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

SCALARS: Final = frozenset({str, int, float, bool, type(None), Decimal})
_TYPES: Final = SCALARS | {dict, list}


class NotNormalised(Exception):
    """Raised by the encoder for a value of a type that JSON values do not have."""


def check_types(kinds: set[type]) -> None:
    """Raise NotNormalised unless all of some types are those that a normalised value is made of."""
    if not kinds <= _TYPES:
        raise NotNormalised


class TooDeep(Exception):
    """Raised for a value nested deeper than MAX_DEPTH, a reference cycle included."""


def normalise(
    value: Any,
    default: Callable[[Any], Any] | None = None,
    path: str = "$",
    above: tuple[int, ...] = (),
) -> Any:
    """Copy a Python value to plain JSON types.

    Args:
        value: any value.
        default: called with every value of another type; returns one that JSON has.
        path: where the value stands, for the errors.
        above: the ids of the containers that it lies in.

    Raises:
        EncodeError: A value or key has no JSON form, nesting is deeper than MAX_DEPTH levels, or
            a value contains itself.
    """
    if value is None or type(value) in (bool, float, Decimal, int):
        return value
    if isinstance(value, Mapping):
        above = _enter(value, path, above)
        result: dict[str, Any] = {}
        for key, item in value.items():
            name = _key_text(key, path)
            if name in result:
                raise EncodeError(f"two keys are written {name!r}", path)
            result[name] = normalise(item, default, step(path, name), above)
        return result
    if isinstance(value, list | tuple):
        above = _enter(value, path, above)
        items = []
        for index, item in enumerate(value):
            items.append(normalise(item, default, f"{path}[{index}]", above))
        return items
    if isinstance(value, str):
        if find_surrogate(value) is not None:
            raise EncodeError(f"lone surrogate in {value!r}: UTF-8 cannot carry it", path)
        return str.__str__(value)
    for kind in (int, float, Decimal):
        if isinstance(value, kind):
            return kind(value)
    if default is None:
        raise EncodeError(f"{type(value).__name__} is not a JSON value", path)
    return normalise(default(value), default, path, _enter(value, path, above))


def _key_text(key: Any, path: str) -> str:
    """Return a dict key as the text that ``json.dumps`` writes; raise EncodeError if it refuses."""
    if isinstance(key, str):
        if find_surrogate(key) is not None:
            raise EncodeError(f"lone surrogate in key {key!r}: UTF-8 cannot carry it", path)
        return str.__str__(key)
    if key is None or isinstance(key, int | float):
        return json.dumps(key)
    raise EncodeError(f"key {key!r} is not a string", path)


def _enter(value: Any, path: str, above: tuple[int, ...]) -> tuple[int, ...]:
    """Return a container's id after those around it; raise EncodeError for a cycle or too many."""
    if id(value) in above:
        raise EncodeError("contains itself", path)
    if len(above) >= MAX_DEPTH:
        abridged = path if len(path) <= 80 else f"{path[:40]}…{path[-30:]}"
        raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", abridged)
    return (*above, id(value))


def step(path: str, key: str) -> str:
    """Extend the path of a JSON value by one key: ``$.a``, then ``$.a['b c']``."""
    if BARE_KEY.match(key) and "." not in key:
        return f"{path}.{key}"
    return f"{path}[{key!a}]"
