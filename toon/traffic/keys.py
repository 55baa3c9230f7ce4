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
def fold(name: str) -> str:
    """Return a key in lower case, without ``_``, ``-``, ``.`` and blanks, for comparison.

    A key of more than 60 characters is returned as it is.
    """
    if len(name) > LONGEST:
        return name
    return name.lower().replace("_", "").replace("-", "").replace(".", "").replace(" ", "")


def fold_keys(value: dict[str, Any]) -> dict[str, str]:
    """Map each key of a JSON object, in the spelling of :func:`plain`, to the key itself.

    Of two keys spelled alike the first counts. In an object of over 1,000 keys only exact spellings
    count; over 10,000 give an empty map.
    """
    count = len(value)
    if count <= _KEYS:
        return _fold_all(tuple(value))
    if count <= _MANY:
        return {fold(key): key for key in reversed(value)}
    return {key: key for key in value if len(key) <= LONGEST} if count <= MOST_KEYS else {}


@lru_cache(1 << 12)
def _fold_all(keys: tuple[str, ...]) -> dict[str, str]:
    return {fold(key): key for key in reversed(keys)}


def pick_keys(value: dict[str, Any], words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a JSON object's keys that are among ``words``, compared without case, ``_`` and ``-``.

    They come in the order of ``words``.
    """
    if len(value) <= _KEYS:
        return _pick_keys(tuple(value), words)
    keys = fold_keys(value)
    return tuple(keys[word] for word in words if word in keys)


def pick_paths(value: dict[str, Any], paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths whose first step is a key of a JSON object; all for a large object."""
    return _pick_paths(tuple(value), paths) if len(value) <= _KEYS else paths


@lru_cache(1 << 13)
def _pick_paths(names: tuple[str, ...], paths: tuple[Path, ...]) -> tuple[Path, ...]:
    keys = _fold_all(names)
    return tuple(path for path in paths if path[0] in keys)


@lru_cache(1 << 13)
def _pick_keys(names: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    keys = _fold_all(names)
    return tuple(keys[word] for word in words if word in keys)


def dig(value: Any, path: str) -> Any:
    """Return a JSON value's member at a path ``a.b`` of plain keys, or None.

    Keys are compared without case, ``_`` and ``-``.
    """
    for step in _split_path(path):
        if not isinstance(value, dict):
            return None
        value = value[step] if step in value else value.get(fold_keys(value).get(step, step))
    return value


@lru_cache(1 << 10)
def _split_path(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def split_words(text: str) -> Table[str]:
    return Table(text.split())


def split_paths(text: str) -> Table[Path]:
    """Split a text such as ``a.b c`` into paths, each a tuple of its steps."""
    return Table(tuple(path.split(".")) for path in text.split())


@lru_cache(256)
def matcher(*patterns: str) -> Callable[[Any], bool]:
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
        members = (member for path in paths for member in _find_all(value, path))
        return any(not values or (isinstance(m, str) and fold(m) in values) for m in members)

    return lambda value: any(all(holds(value, *word) for word in words) for words in compiled)


def _find_all(value: Any, path: Sequence[str]) -> Any:
    if not path:
        yield value
    elif isinstance(value, list):
        for item in value[:ITEMS]:
            yield from _find_all(item, path)
    elif isinstance(value, dict):
        key = path[0] if path[0] in value else fold_keys(value).get(path[0])
        if key is not None:
            yield from _find_all(value[key], path[1:])
