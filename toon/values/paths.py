"""Paths: one grammar that says which field of a value is meant.

    orders[].customer.email   that field of every order
    items[0].name             the name of the first item; [-1] is the last
    choices.0.message         a number between dots: an index of an array, or a key of an object
    ["a.b"].x                 a key that would be misread, quoted as in JSON
    *.etag                    in field filters, etag at any depth; elsewhere * is a key
    $                         the whole value

Every reader uses this grammar, with the :class:`Form` of unquoted keys that fits its texts.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from toon.errors import TextError
from toon.text import QUOTED, find_surrogate

#: A key, an index into an array (from its end if negative), or None for every item of an array.
Step: TypeAlias = str | int | None

#: A path that names a kind of field: keys, and None for any item of an array.
Path: TypeAlias = tuple[str | None, ...]


class Star(str):
    """An unquoted ``*`` in a path: any depth in a field filter, the key ``*`` everywhere else."""

    __slots__ = ()


STAR: Final = Star("*")


class Form(NamedTuple):
    """The grammar of field paths in one kind of text: its unquoted keys, and if it has indices."""

    key: re.Pattern[str]
    indices: bool = True


#: A pattern of the advisor: no blanks in unquoted keys, no indices.
PATTERN: Final = Form(re.compile(r'(?:\\[.\[\\]|[^.\[\]"\s])++'), indices=False)
#: A path within a template, where the template's own characters end it.
IN_TEMPLATE: Final = Form(re.compile(r'[^.\[\]{}|<>\\"\s]++'))
#: A path in an option or a text field: everything else than the other steps is part of a key.
TYPED: Final = Form(
    re.compile(rf"(?:\\[.\[\\]|(?!\[(?:(?:-?[0-9]{{1,6}})?|{QUOTED})\])[^.])++", re.DOTALL)
)

_ESCAPE: Final = re.compile(r"\\([.\[\\])")
_INDEX: Final = re.compile(r"\[(-?[0-9]{1,6})\]")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\[^\n])*+"')
_HINT: Final = 'a path looks like customer.email, items[].name, items[0].name or ["a key"].name'


class PathError(ValueError):
    """Raised for a path to a field that cannot be read: at ``at``, in the step at ``step_at``."""

    def __init__(self, message: str, at: int, hint: str = _HINT) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.step_at = at
        self.hint = hint


def pattern_text(path: Sequence[Step]) -> str:
    """Write the path to a field as text, such as ``orders[].id``; ``$`` for the whole value."""
    return "".join(step_text(step, not index) for index, step in enumerate(path)) or "$"


def step_text(step: Step, is_first: bool) -> str:
    """Write one step of the path to a field as text, with its dot or brackets."""
    if step is None or isinstance(step, int):
        return "[]" if step is None else f"[{step}]"
    if isinstance(step, Star) or (step not in ("$", "*") and IN_TEMPLATE.key.fullmatch(step)):
        return step if is_first else f".{step}"
    return f"[{json.dumps(step, ensure_ascii=False)}]"


def read_path(
    text: str, form: Form, at: int = 0, end: int | None = None
) -> tuple[tuple[Step, ...], int]:
    """Read the path to a field at offset ``at`` of a text; return its steps and the offset after.

    Raises:
        PathError: There is no path, or a step is incomplete.
    """
    end = len(text) if end is None else end
    path: list[Step] = []
    first = form.key.match(text, at, end)
    if first is None and not text.startswith("[", at, end):
        raise _error("a field", text, at, end)
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
        match = form.key.match(text, at + 1, end)
        if match is None:
            raise _error("a key", text, at + 1, end)
        return _key(match[0]), match.end()
    if text.startswith("[]", at, end):
        return None, at + 2
    index = _INDEX.match(text, at, end) if form.indices else None
    if index:
        return int(index[1]), index.end()
    if not text.startswith('"', at + 1, end):
        raise _error("], a number or a quoted key", text, at + 1, end)
    key, at = read_string(text, at + 1, end)
    if not text.startswith("]", at, end):
        raise _error("]", text, at, end)
    return key, at + 1


def _key(text: str) -> str:
    return STAR if text == "*" else _ESCAPE.sub(r"\1", text)


def read_string(text: str, at: int, end: int) -> tuple[str, int]:
    """Read the quoted key or text at offset ``at`` of a path; return it and the offset after it.

    Raises:
        PathError: It is not closed on its line, or has an escape that JSON does not.
    """
    match = _STRING.match(text, at, end)
    if match is None:
        raise PathError("text is not closed", at, 'add the closing "')
    try:
        value = str(json.loads(match[0], strict=False))
    except json.JSONDecodeError as error:
        hint = 'write \\\\ for a backslash and \\" for a quote'
        raise PathError("unknown escape", at + error.pos, hint) from None
    if find_surrogate(value) is not None:
        raise PathError("a surrogate is not a character", at, "write the character itself")
    return value, match.end()


def _error(token: str, text: str, at: int, end: int) -> PathError:
    next_text = "the end" if at >= end or text[at] == "\n" else repr(text[at])
    return PathError(f"expected {token}, found {next_text}", at)


def parse_pattern(text: str) -> Path:
    """Read the pattern of a field, such as ``orders[].id``, to a tuple: keys, and None for ``[]``.

    Raises:
        TextError: The text is not a pattern; the error has the column.
    """
    try:
        path = parse_typed(text, PATTERN)
    except PathError as error:
        raise TextError(
            'expected a field name, [] or ["name"]',
            line=1,
            column=error.step_at + 1,
            source=text,
            hint="a pattern looks like orders[].customer.email",
        ) from None
    return tuple(step for step in path if not isinstance(step, int))


def parse_typed(text: str, form: Form = TYPED) -> tuple[Step, ...]:
    r"""Read a path to a field as people type it; ``\.``, ``\[`` and ``\\`` are characters of a key.

    >>> parse_typed(r"$.a\.b.0")
    ('a.b', '0')

    Raises:
        PathError: A key is empty, or a bracket is not followed by a step.
    """
    path, at = read_path(text, form)
    if at < len(text):
        raise _error(". or [", text, at, len(text))
    return path


def member(value: Any, step: Step) -> str | int:
    """Return the key of an object or the index of an array to which a step of a path leads.

    A step of digits is an index where ``value`` is a list.

    Raises:
        LookupError: It leads nowhere.
    """
    if isinstance(value, dict) and isinstance(step, str) and step in value:
        return step
    if isinstance(value, list):
        if isinstance(step, str) and step.isascii() and step.isdigit() and len(step) < 10:
            step = int(step)
        if isinstance(step, int) and -len(value) <= step < len(value):
            return step % len(value)
    raise LookupError(step)
