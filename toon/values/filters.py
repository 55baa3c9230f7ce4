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
from functools import cached_property
from types import EllipsisType
from typing import Any, Final, NamedTuple, TypeAlias

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
    """Return the patterns of a preset, a key of ``PRESETS``.

    Raises:
        ValueError: There is no such preset; the message lists all.
    """
    if name not in PRESETS:
        available = ", ".join(sorted(PRESETS))
        raise ValueError(f"Unknown filter preset: {name!r}. Available presets: {available}")
    return PRESETS[name]


def parse(text: str) -> tuple[str, ...]:
    """Split patterns at commas; ignore blanks around them and empty patterns."""
    return tuple(pattern for part in _PATTERN.findall(text) if (pattern := part.strip()))


def apply(value: Any, patterns: Iterable[str]) -> Any:
    """Copy ``value`` without the fields that any pattern names.

    Parts that no pattern can reach are shared with ``value``. An object stays, empty, if all its
    keys are dropped.
    """
    return _filtered(value, tuple(patterns))[0]


def count_dropped(value: Any, patterns: Iterable[str]) -> dict[str, int]:
    """Count the fields that each pattern drops from ``value``.

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


def _steps(pattern: str) -> list[_Step]:
    """Return the steps of a pattern; none if it names no field."""
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


class _Moves(dict[str, "_Move"]):
    """The moves from some states, by key; each is made when its key is met first.

    Only the steps that name a key are looked at for it, so that work does not grow with patterns
    that it has nothing to do with.
    """

    def __init__(self, matcher: _Matcher, states: frozenset[_State]) -> None:
        super().__init__()
        self._matcher = matcher
        self._at: dict[_Step, list[_State]] = {}
        for number, place in states:
            self._at.setdefault(matcher.patterns[number][place], []).append((number, place))

    def __missing__(self, key: str) -> _Move:
        named = self._at.get(key)
        move = self._move(named) if named else self._other
        self[key] = move
        return move

    @cached_property
    def _other(self) -> _Move:
        """The move by every key that no step names."""
        return self._move([])

    def _move(self, named: list[_State]) -> _Move:
        following, drops = list(self._at.get(_DEEP, ())), []
        for number, place in [*named, *self._at.get(_ANY, ())]:
            if place + 1 < len(self._matcher.patterns[number]):
                following.append((number, place + 1))
            else:
                drops.append(number)
        return _Move(min(drops, default=None), self._matcher.moves(following))


class _Move(NamedTuple):
    """The number of the first pattern that drops a key, and what may be dropped below the key."""

    drops: int | None
    below: _Moves | None


class _Matcher:
    """A state machine over keys that matches all patterns at once and remembers its moves.

    The work at a key therefore does not grow with the number of ways a pattern can match.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns = [_steps(pattern) for pattern in patterns]
        self._known: dict[frozenset[_State], _Moves] = {}
        self.start = self.moves([(n, 0) for n, steps in enumerate(self.patterns) if steps])

    def moves(self, states: Iterable[_State]) -> _Moves | None:
        """Return the moves from ``states``, and from those after a step that may match no level.

        They are the same object for the same states, since states take long to compare.
        """
        closed = frozenset(states)
        closed |= {(n, place + 1) for n, place in closed if self.patterns[n][place] is _DEEP}
        if closed and closed not in self._known:
            self._known[closed] = _Moves(self, closed)
        return self._known.get(closed)


def _filtered(value: Any, patterns: tuple[str, ...]) -> tuple[Any, Counter[str]]:
    """Return the filtered value, and how many fields each pattern dropped."""
    counts: Counter[str] = Counter()
    # Containers still to be copied: source, copy, moves. A list, since values may be deep.
    todo: list[tuple[Any, Any, _Moves]] = []
    result = _copy(value, _Matcher(patterns).start, todo)
    while todo:
        source, target, moves = todo.pop()
        if type(source) is list:
            for item in source:
                target.append(_copy(item, moves, todo))
            continue
        for key, item in source.items():
            drops, below = moves[key]
            if drops is None:
                target[key] = _copy(item, below, todo)
            else:
                counts[patterns[drops]] += 1
    return result, counts


def _copy(item: Any, moves: _Moves | None, todo: list[tuple[Any, Any, _Moves]]) -> Any:
    """Return ``item`` if nothing can be dropped from it; else a new container, put on ``todo``."""
    if moves is None or not isinstance(item, dict | list):
        return item
    target: Any = {} if isinstance(item, dict) else []
    todo.append((item, target, moves))
    return target
