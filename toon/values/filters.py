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
from collections import Counter
from collections.abc import Iterable, Sequence
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
    """The patterns of a preset, a key of ``PRESETS``.

    Raises:
        ValueError: There is no such preset; the message lists all.
    """
    if name not in PRESETS:
        available = ", ".join(sorted(PRESETS))
        raise ValueError(f"Unknown filter preset: {name!r}. Available presets: {available}")
    return PRESETS[name]


def parse(text: str) -> tuple[str, ...]:
    """Patterns separated by commas; blanks around them and empty patterns are ignored."""
    return tuple(pattern for part in _PATTERN.findall(text) if (pattern := part.strip()))


def apply(value: Any, patterns: Iterable[str]) -> Any:
    """A copy of ``value`` without the fields that any pattern names.

    Parts that no pattern can reach are shared with ``value``. An object stays, empty, if all its
    keys are dropped.
    """
    return _filtered(value, tuple(patterns))[0]


def count_dropped(value: Any, patterns: Iterable[str]) -> dict[str, int]:
    """How many fields each pattern drops from ``value``, by pattern.

    A field counts for the first pattern that names it; fields inside it are not counted.
    """
    patterns = tuple(patterns)
    counts = _filtered(value, patterns)[1]
    return {pattern: counts[pattern] for pattern in patterns}


# -- patterns as steps -----------------------------------------------------------------------

_ANY: Final = None  # exactly one level, whatever its key
_DEEP: Final = ...  # any number of levels

_Step: TypeAlias = str | EllipsisType | None  # a key, _DEEP or _ANY
_State: TypeAlias = tuple[int, int]  # the number of a pattern, and of its next step
_Move: TypeAlias = tuple[int | None, "frozenset[_State]"]


def _steps(pattern: str) -> list[_Step]:
    """The steps of a pattern; none if it names no field."""
    try:
        path = [step for step in parse_typed(pattern) if step is not None]
    except PathError:
        return []
    steps: list[_Step] = []
    for number, key in enumerate(path, 1):
        if isinstance(key, int):
            return []
        after_deep = bool(steps) and steps[-1] is _DEEP
        is_last = number == len(path)
        if key is not STAR or (is_last and after_deep):
            steps.append(key)
        else:
            steps.append(_ANY if is_last or after_deep else _DEEP)
    return steps


class _Matcher:
    """Matches all patterns at once: a state machine over keys that remembers its moves.

    The work at a key therefore does not grow with the number of ways a pattern can match.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self.steps = [_steps(pattern) for pattern in patterns]
        self.start = self._rest({(number, 0) for number, steps in enumerate(self.steps) if steps})
        self._moves: dict[frozenset[_State], dict[str, _Move]] = {}

    def moves(self, states: frozenset[_State]) -> dict[str, _Move]:
        """The moves already known from ``states``, by key; look here before :meth:`move`."""
        return self._moves.setdefault(states, {})

    def move(self, states: frozenset[_State], key: str) -> _Move:
        """The number of the first pattern that drops ``key``, or None; and the states below it."""
        following: set[_State] = set()
        drops: int | None = None
        for number, place in states:
            steps = self.steps[number]
            step = steps[place]
            if step is _DEEP:
                following.add((number, place))
            elif step is _ANY or step == key:
                if place + 1 < len(steps):
                    following.add((number, place + 1))
                elif drops is None or number < drops:
                    drops = number
        return drops, self._rest(following)

    def _rest(self, states: set[_State]) -> frozenset[_State]:
        """``states``, and those after a step that may match no level."""
        after = {(n, place + 1) for n, place in states if self.steps[n][place] is _DEEP}
        return frozenset(states | after)


def _filtered(value: Any, patterns: tuple[str, ...]) -> tuple[Any, Counter[str]]:
    """The filtered value, and how many fields each pattern dropped."""
    matcher = _Matcher(patterns)
    counts: Counter[str] = Counter()
    result: list[Any] = []
    # Containers still to be copied: source, copy, states. A list, since values may be deep.
    todo: list[tuple[Any, Any, frozenset[_State]]] = [([value], result, matcher.start)]
    while todo:
        source, target, states = todo.pop()
        if type(source) is list:
            for item in source:
                target.append(_copy(item, states, todo))
            continue
        moves = matcher.moves(states)
        for key, item in source.items():
            move = moves.get(key)
            if move is None:
                move = moves[key] = matcher.move(states, key)
            drops, below = move
            if drops is None:
                target[key] = _copy(item, below, todo)
            else:
                counts[patterns[drops]] += 1
    return result[0], counts


def _copy(
    item: Any, states: frozenset[_State], todo: list[tuple[Any, Any, frozenset[_State]]]
) -> Any:
    """``item`` itself if nothing can be dropped from it; else a new container, put on ``todo``."""
    if not states or not isinstance(item, dict | list):
        return item
    target: Any = {} if isinstance(item, dict) else []
    todo.append((item, target, states))
    return target
