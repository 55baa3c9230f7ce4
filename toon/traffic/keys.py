"""Comparison of keys without case, ``_`` and ``-``, and lookup of plain keys in objects.

The spelling of an object's keys is cached: a log has few kinds of objects.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

Path: TypeAlias = tuple[str, ...]
Item = TypeVar("Item")


class Table(tuple[Item, ...]):
    """A tuple hashed by identity, so that a cache finds a long one without reading its items."""

    __slots__ = ()
    __hash__ = object.__hash__


LONGEST: Final = 60
#: The most keys of an object whose spelling is cached.
_KEYS: Final = 64
#: An object of more keys is a map by ids: its keys are no words, or plain words.
_MANY: Final = 1_000
#: An object of more keys is no record of a log.
MOST_KEYS: Final = 10_000
#: Items of a list that a path looks into.
ITEMS: Final = 20


@lru_cache(1 << 14)
def plain(name: str) -> str:
    """Return a key in lower case, without ``_``, ``-``, ``.`` and blanks, for comparison.

    A key of more than 60 characters is returned as it is.
    """
    if len(name) > LONGEST:
        return name
    return name.lower().replace("_", "").replace("-", "").replace(".", "").replace(" ", "")


def keys_of(value: dict[str, Any]) -> dict[str, str]:
    """Map each key of a JSON object, in the spelling of :func:`plain`, to the key itself.

    Of two keys spelled alike the first counts. In an object of over 1,000 keys only exact spellings
    count; over 10,000 give an empty map.
    """
    count = len(value)
    if count <= _KEYS:
        return _spelled(tuple(value))
    if count <= _MANY:
        return {plain(key): key for key in reversed(value)}
    return {key: key for key in value if len(key) <= LONGEST} if count <= MOST_KEYS else {}


@lru_cache(1 << 12)
def _spelled(keys: tuple[str, ...]) -> dict[str, str]:
    return {plain(key): key for key in reversed(keys)}


def chosen(value: dict[str, Any], words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a JSON object's keys that are among ``words``, compared without case, ``_`` and ``-``.

    They come in the order of ``words``.
    """
    if len(value) <= _KEYS:
        return _chosen(tuple(value), words)
    keys = keys_of(value)
    return tuple(keys[word] for word in words if word in keys)


def beginning(value: dict[str, Any], paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths whose first step is a key of a JSON object; all for a large object."""
    return _beginning(tuple(value), paths) if len(value) <= _KEYS else paths


@lru_cache(1 << 13)
def _beginning(names: tuple[str, ...], paths: tuple[Path, ...]) -> tuple[Path, ...]:
    keys = _spelled(names)
    return tuple(path for path in paths if path[0] in keys)


@lru_cache(1 << 13)
def _chosen(names: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    keys = _spelled(names)
    return tuple(keys[word] for word in words if word in keys)


def at(value: Any, path: str) -> Any:
    """Return a JSON value's member at a path ``a.b`` of plain keys, or None.

    Keys are compared without case, ``_`` and ``-``.
    """
    for step in _steps(path):
        if not isinstance(value, dict):
            return None
        value = value[step] if step in value else value.get(keys_of(value).get(step, step))
    return value


@lru_cache(1 << 10)
def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def words_of(text: str) -> Table[str]:
    return Table(text.split())


def paths_of(text: str) -> Table[Path]:
    """Split a text such as ``a.b c`` into paths, each a tuple of its steps."""
    return Table(tuple(path.split(".")) for path in text.split())


@lru_cache(256)
def told(*patterns: str) -> Callable[[Any], bool]:
    """Make a function that returns whether a JSON value fits one of the patterns.

    A pattern such as ``a.b|c d=x|y`` is words that all must hold: one of the paths ``a.b`` and
    ``c`` exists, and ``d`` is x or y. A path leads through the items of lists.
    """
    compiled: list[list[tuple[list[list[str]], frozenset[str]]]] = []
    for pattern in patterns:
        words = (word.partition("=") for word in pattern.split())
        compiled.append([
            ([path.split(".") for path in names.split("|")], frozenset(values.split("|")) - {""})
            for names, _, values in words
        ])  # fmt: skip

    def holds(value: Any, paths: list[list[str]], values: frozenset[str]) -> bool:
        found = (each for path in paths for each in _all(value, path))
        return any(not values or (isinstance(e, str) and plain(e) in values) for e in found)

    return lambda value: any(all(holds(value, *word) for word in words) for words in compiled)


def _all(value: Any, path: Sequence[str]) -> Any:
    if not path:
        yield value
    elif isinstance(value, list):
        for each in value[:ITEMS]:
            yield from _all(each, path)
    elif isinstance(value, dict):
        key = path[0] if path[0] in value else keys_of(value).get(path[0])
        if key is not None:
            yield from _all(value[key], path[1:])
