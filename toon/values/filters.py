"""Field filters: fields dropped from a value before it is written in any format.

A pattern is a path (:mod:`toon.values.paths`) that starts at the top. Arrays take no part in it: a
step into an array is a step into each of its items. ``*`` stands for any number of levels, zero
included, so ``*.etag`` drops ``etag`` at any depth; as the last step it drops every key. Right
after another ``*`` it is exactly one level, and as the last step after another ``*`` it is only a
key named ``*``: so ``*.*`` drops nothing from real data. These are the semantics of Temporal
Cortex's own filters. A pattern that is no path, or that holds an index, names no field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from types import EllipsisType
from typing import Any, Final, TypeAlias

from toon.text import QUOTED
from toon.values.paths import STAR, PathError, parse_typed

_PATTERN: Final = re.compile(rf"(?:\[{QUOTED}|[^,])++", re.DOTALL)

#: Patterns by the service whose answers they shorten; the last three match only at the top.
PRESETS: Final[dict[str, tuple[str, ...]]] = {
    "google": (
        "*.etag",
        "*.kind",
        "*.htmlLink",
        "*.iCalUID",
        "*.sequence",
        "reminders.useDefault",
        "creator.self",
        "organizer.self",
    )
}


def preset(name: str) -> tuple[str, ...]:
    """Return the patterns of a preset of field filters, a key of ``PRESETS``.

    Raises:
        ValueError: There is no such preset; the message lists all.
    """
    if name not in PRESETS:
        available = ", ".join(sorted(PRESETS))
        raise ValueError(f"Unknown filter preset: {name!r}. Available presets: {available}")
    return PRESETS[name]


def parse(text: str) -> tuple[str, ...]:
    """Split a text of field filters at its commas; drop empty filters and blanks around others."""
    return tuple(pattern for part in _PATTERN.findall(text) if (pattern := part.strip()))


def apply(value: Any, patterns: Iterable[str]) -> tuple[Any, int]:
    """Copy a JSON value without the fields that any pattern names, and count the dropped fields.

    Fields inside a dropped one are not counted. Parts that no pattern can reach are shared with
    the value. An object stays, empty, if all its keys are dropped.
    """
    dropped = 0
    # Containers still to be copied: source, copy, state. A list, since values may be deep.
    todo: list[tuple[Any, Any, _State]] = []

    def copy(item: Any, state: _State | None) -> Any:
        if state is None or not isinstance(item, dict | list):
            return item
        target: Any = {} if isinstance(item, dict) else []
        todo.append((item, target, state))
        return target

    result = copy(value, _state_of(set(filter(None, map(_parse_steps, patterns))), {}))
    while todo:
        source, target, state = todo.pop()
        if isinstance(source, list):
            target += [copy(item, state) for item in source]
            continue
        for key, item in source.items():
            following = state[key]
            if following is _DROPPED:
                dropped += 1
            else:
                target[key] = copy(item, following)
    return result, dropped


# -- patterns as steps -----------------------------------------------------------------------

_ANY: Final = None  # exactly one level, whatever its key
_DEEP: Final = ...  # any number of levels; neither last nor before another

_Step: TypeAlias = str | EllipsisType | None  # a key, _DEEP or _ANY
_Steps: TypeAlias = tuple[_Step, ...]


def _parse_steps(pattern: str) -> _Steps:
    """Return the steps of a field filter such as ``*.etag``; none if it names no field."""
    try:
        path = [step for step in parse_typed(pattern) if step is not None]
    except PathError:
        return ()
    steps: list[_Step] = []
    for number, key in enumerate(path, 1):
        if isinstance(key, int):
            return ()
        after_deep = bool(steps) and steps[-1] is _DEEP
        is_last = number == len(path)
        if key is not STAR or (is_last and after_deep):
            steps.append(key)
        else:
            steps.append(_ANY if is_last or after_deep else _DEEP)
    return tuple(steps)


class _State(dict[str, "_State | None"]):
    """The steps of field filters that are left to match at one place in a JSON value.

    By key it holds the state below the key, None where nothing can be dropped there, or
    ``_DROPPED``. Each is made when its key is met first, and only the steps that name the key are
    looked at, so that work grows neither with the ways in which a pattern can match nor with
    patterns that the key has nothing to do with.
    """

    def __init__(self, pending: Iterable[_Steps], states: dict[frozenset[_Steps], _State]) -> None:
        super().__init__()
        self._states = states
        self._after: dict[_Step, list[_Steps]] = {}  # what follows each first step
        for first, *rest in pending:
            self._after.setdefault(first, []).append(tuple(rest))

    def __missing__(self, key: str) -> _State | None:
        branches = self._after.get(key)
        self[key] = following = self._move(branches) if branches else self._other
        return following

    @cached_property
    def _other(self) -> _State | None:
        """The state of field filters below a key that none of them names; None if none matches."""
        return self._move([])

    def _move(self, branches: list[_Steps]) -> _State | None:
        pending = {*branches, *self._after.get(_ANY, ())}
        if () in pending:
            return _DROPPED
        return _state_of(
            pending | {(_DEEP, *rest) for rest in self._after.get(_DEEP, ())}, self._states
        )


_DROPPED: Final = _State((), {})


def _state_of(pending: set[_Steps], states: dict[frozenset[_Steps], _State]) -> _State | None:
    """Return the state of filters whose steps ``pending`` are still to match; None for no step.

    A state that is not in ``states`` is added.
    """
    closed = frozenset(pending | {steps[1:] for steps in pending if steps[0] is _DEEP})
    if closed and closed not in states:
        states[closed] = _State(closed, states)
    return states.get(closed)
