"""Paths: which field of a value is meant, written in one grammar. And walks over values.

    orders[].customer.email   that field of every order
    items[0].name             of the first item; [-1] is the last
    choices.0.message         the same by a number between dots, or the key "0" of an object
    ["a.b"].x                 a key that would be misread, quoted as in JSON
    *.etag                    at any depth: in field filters alone, elsewhere a key named *
    $                         the whole value

Every reader uses this grammar, each in the :class:`Form` that fits where its paths stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple, TypeAlias

from toon.codec.text import MAX_DEPTH
from toon.errors import TextError
from toon.text import QUOTED, surrogate_in

#: A key, an index into an array (from its end if negative), or None for every item of an array.
Step: TypeAlias = str | int | None

#: A path that names a kind of field: keys, and None for any item of an array.
Path: TypeAlias = tuple[str | None, ...]


class Star(str):
    """A ``*`` that was not quoted: any depth to a field filter, a key to every other reader."""

    __slots__ = ()


STAR: Final = Star("*")


class Form(NamedTuple):
    """How an unquoted key is written where a path stands, and whether an index may follow it."""

    key: re.Pattern[str]
    indices: bool = True


#: A pattern by itself, as the advisor takes it: no blanks in unquoted keys, no index.
PATTERN: Final = Form(re.compile(r'(?:\\[.\[\\]|[^.\[\]"\s])++'), indices=False)
#: A path within a template, whose own characters end it.
IN_TEMPLATE: Final = Form(re.compile(r'[^.\[\]{}|<>\\"\s]++'))
#: A path alone in an option or a text field: whatever is no other step is part of a key.
TYPED: Final = Form(
    re.compile(rf"(?:\\[.\[\\]|(?!\[(?:(?:-?[0-9]{{1,6}})?|{QUOTED})\])[^.])++", re.DOTALL)
)

_ESCAPE: Final = re.compile(r"\\([.\[\\])")
_INDEX: Final = re.compile(r"\[(-?[0-9]{1,6})\]")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\[^\n])*+"')
_HINT: Final = 'a path looks like customer.email, items[].name, items[0].name or ["a key"].name'


class PathError(ValueError):
    """A text that is no path: what is wrong at ``at``, in the step that starts at ``step_at``."""

    def __init__(self, message: str, at: int, hint: str = _HINT) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.step_at = at
        self.hint = hint


def pattern_text(path: Sequence[Step]) -> str:
    """``path`` as text that :func:`read_path` reads back in every form that allows its steps."""
    parts: list[str] = []
    for step in path:
        if step is None or isinstance(step, int):
            parts.append("[]" if step is None else f"[{step}]")
        elif isinstance(step, Star) or (step not in ("$", "*") and IN_TEMPLATE.key.fullmatch(step)):
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f"[{json.dumps(step, ensure_ascii=False)}]")
    return "".join(parts) or "$"


def read_path(
    text: str, form: Form, at: int = 0, end: int | None = None
) -> tuple[tuple[Step, ...], int]:
    """The steps of the path that starts at ``at``, and the offset after it.

    Raises:
        PathError: there is no path, or a step is not complete.
    """
    end = len(text) if end is None else end
    path: list[Step] = []
    first = form.key.match(text, at, end)
    if first is None and not text.startswith("[", at, end):
        raise _expected("a field", text, at, end)
    if first:
        at = first.end()
        if first[0] != "$":
            path.append(_key(first[0]))
    while at < end and text[at] in ".[":
        try:
            step, after = _read_step(text, form, at, end)
        except PathError as error:
            error.step_at = at
            raise
        path.append(step)
        at = after
    return tuple(path), at


def _read_step(text: str, form: Form, at: int, end: int) -> tuple[Step, int]:
    if text[at] == ".":
        found = form.key.match(text, at + 1, end)
        if found is None:
            raise _expected("a key", text, at + 1, end)
        return _key(found[0]), found.end()
    if text.startswith("[]", at, end):
        return None, at + 2
    index = _INDEX.match(text, at, end) if form.indices else None
    if index:
        return int(index[1]), index.end()
    if not text.startswith('"', at + 1, end):
        raise _expected("], a number or a quoted key", text, at + 1, end)
    key, at = read_string(text, at + 1, end)
    if not text.startswith("]", at, end):
        raise _expected("]", text, at, end)
    return key, at + 1


def _key(text: str) -> str:
    return STAR if text == "*" else _ESCAPE.sub(r"\1", text)


def read_string(text: str, at: int, end: int) -> tuple[str, int]:
    """The JSON string that starts at ``at``, and the offset after it.

    Raises:
        PathError: it is not closed on its line, or has an escape that JSON does not.
    """
    found = _STRING.match(text, at, end)
    if found is None:
        raise PathError("text is not closed", at, 'add the closing "')
    try:
        value = str(json.loads(found[0], strict=False))
    except json.JSONDecodeError as error:
        hint = 'write \\\\ for a backslash and \\" for a quote'
        raise PathError("unknown escape", at + error.pos, hint) from None
    if surrogate_in(value) is not None:
        raise PathError("a surrogate is not a character", at, "write the character itself")
    return value, found.end()


def _expected(what: str, text: str, at: int, end: int) -> PathError:
    found = "the end" if at >= end or text[at] == "\n" else repr(text[at])
    return PathError(f"expected {what}, found {found}", at)


def _read_whole(text: str, form: Form) -> tuple[Step, ...]:
    path, at = read_path(text, form)
    if at < len(text):
        raise _expected(". or [", text, at, len(text))
    return path


def parse_pattern(text: str) -> Path:
    """The path of a pattern such as ``orders[].customer.email``.

    Raises:
        TextError: the text is no pattern; it names the column.
    """
    try:
        path = _read_whole(text, PATTERN)
    except PathError as error:
        raise TextError(
            'expected a field name, [] or ["name"]',
            line=1,
            column=error.step_at + 1,
            source=text,
            hint="a pattern looks like orders[].customer.email",
        ) from None
    return tuple(step for step in path if not isinstance(step, int))


def parse_typed(text: str) -> tuple[Step, ...]:
    r"""The path that someone typed by itself; ``\.``, ``\[`` and ``\\`` stand in keys.

    >>> parse_typed(r"$.a\.b.0")
    ('a.b', '0')

    Raises:
        PathError: a key is empty, or something else than a step follows a bracket.
    """
    return _read_whole(text, TYPED)


def member(value: Any, step: Step) -> str | int:
    """The key or index at which ``step`` leads into ``value``.

    A step of digits is an index where ``value`` is a list.

    Raises:
        LookupError: it leads nowhere.
    """
    if isinstance(value, dict) and isinstance(step, str) and step in value:
        return step
    if isinstance(value, list):
        if isinstance(step, str) and step.isascii() and step.isdigit() and len(step) < 10:
            step = int(step)
        if isinstance(step, int) and -len(value) <= step < len(value):
            return step % len(value)
    raise LookupError(step)


def check_depth(value: Any) -> None:
    """Refuses values that the formats refuse too, so that the walks below need no such check.

    Raises:
        ValueError: nested deeper than MAX_DEPTH levels, or a value that contains itself.
    """
    levels = [iter((value,))]
    while levels:
        for item in levels[-1]:
            if isinstance(item, dict | list):
                if len(levels) > MAX_DEPTH:
                    raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
                levels.append(iter(item.values() if isinstance(item, dict) else item))
                break
        else:
            levels.pop()


def leaves(value: Any) -> Iterator[tuple[Path, Any]]:
    """Yields every scalar and every empty object or array with its path, in order."""
    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, dict) and item:
            stack += [((*path, key), member) for key, member in reversed(item.items())]
        elif isinstance(item, list) and item:
            below = (*path, None)
            stack += [(below, member) for member in reversed(item)]
        else:
            yield path, item


def scalars(value: Any) -> Iterator[tuple[Path, Any]]:
    """Every scalar with its path, in order."""
    return ((path, item) for path, item in leaves(value) if not isinstance(item, dict | list))


def mapped(value: Any, change: Callable[[Path, Any], Any], path: Path = ()) -> Any:
    """A copy in which every scalar is replaced by what ``change`` returns for its path and it.

    It uses loops since comprehensions take two frames a level.
    """
    if isinstance(value, dict):
        members = {}
        for key, item in value.items():
            members[key] = mapped(item, change, (*path, key))
        return members
    if isinstance(value, list):
        items, below = [], (*path, None)
        for item in value:
            items.append(mapped(item, change, below))
        return items
    return change(path, value)


def keys_of(value: Any) -> set[str]:
    """The keys of all objects in ``value``."""
    found: set[str] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            found.update(item)
            stack += item.values()
        elif isinstance(item, list):
            stack += item
    return found


def is_number(value: Any) -> bool:
    """True for a JSON number; booleans, which Python counts as integers, are none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
