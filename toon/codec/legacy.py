"""TOON 3.3, which most deployed libraries still write, as differences from 4.4.

It has no nested field groups, keyed tables or comments. Strings that start with ``#`` or look like
a number with a plus sign need no quotes. Read leniently, a malformed bracket segment is part of the
key. Two options, both off by default: key folding writes a chain of single-key objects as one
dotted key, path expansion reads it back.
"""

import re
from typing import Any, Final

from toon.codec.decoder import Decoder
from toon.codec.encoder import Encoder
from toon.codec.header import Header, parse_header
from toon.codec.normalise import NotNormalised
from toon.codec.text import MAX_DEPTH, QuotedKey, TokenError

_SEGMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_MALFORMED: Final = frozenset(
    {"bracket", "bracket-marker", "after-bracket", "header-colon", "space-before-bracket"}
)


class LegacyEncoder(Encoder):
    """An encoder of TOON 3.3; a folded key such as ``a.b`` has 2 to ``flatten_depth`` segments."""

    groups, heads, signs = False, "-", "-"

    def __init__(self, delimiter: str, indent_size: int, flatten_depth: float) -> None:
        super().__init__(delimiter, indent_size)
        self.flatten_depth = flatten_depth
        self.folds = flatten_depth >= 2
        self.literal: set[str] = set()  # the dotted keys of the root: no folded key may equal one
        # By the id of an object below a folded key: its path, and how many segments may follow.
        self.below: dict[int, tuple[str, float]] = {}

    def document(self, value: Any) -> str:
        if isinstance(value, dict):
            self.literal = {key for key in value if isinstance(key, str) and "." in key}
        return super().document(value)

    def fields(self, value: dict[str, Any], lead: str, indent: str) -> None:
        super().fields(self.fold(value) if self.folds else value, lead, indent)

    def fold(self, value: dict[str, Any]) -> dict[str, Any]:
        """Copy a dict; each chain of dicts with one key in it becomes one dotted key: ``a.b.c``."""
        prefix, depth = self.below.pop(id(value), ("", self.flatten_depth))
        result = {}
        for key, item in value.items():
            segments, end = self.chain(key, item, depth)
            dotted = ".".join(segments)
            if len(segments) < 2 or dotted in value or prefix + dotted in self.literal:
                segments, dotted, end = [], key, item
            result[dotted] = end
            if type(end) is dict:
                result[dotted] = end = dict(end)  # the same object may appear in several places
                self.below[id(end)] = f"{prefix}{dotted}.", depth - len(segments)
        return result

    def chain(self, key: str, value: Any, depth: float) -> tuple[list[str], Any]:
        """Return the keys to fold into one dotted key, from ``key`` on, and the value below."""
        if type(key) is not str:
            raise NotNormalised
        segments = [key]
        depth = min(depth, MAX_DEPTH)
        while isinstance(value, dict) and len(value) == 1 and len(segments) < depth:
            (key,) = value
            segments.append(key)
            value = value[key]
        if not all(isinstance(segment, str) and _SEGMENT.match(segment) for segment in segments):
            return segments[:1], value
        return segments, value


class LegacyDecoder(Decoder):
    """A decoder of TOON 3.3, which has no comments, field groups or keyed tables."""

    has_comments = nested = False

    def header(self, content: str) -> Header | None:
        try:
            return parse_header(content, self.rules)
        except TokenError as error:
            if not self.strict and error.problem in _MALFORMED:
                return None
            self.fail_token(error, self.pos)


class ExpandingDecoder(LegacyDecoder):
    """A decoder of TOON 3.3 that turns unquoted dotted keys such as ``a.b`` into nested objects."""

    mark_quoted = True

    def document(self) -> Any:
        return self.expand(super().document())

    def expand(self, value: Any) -> Any:
        """Copy a decoded value; each unquoted key ``a.b`` becomes an object ``b`` in ``a``."""
        if isinstance(value, list):
            return [self.expand(item) for item in value]
        if not isinstance(value, dict):
            return value
        result: dict[str, Any] = {}
        for key, item in value.items():
            segments = key.split(".")
            if len(segments) > MAX_DEPTH:
                self.fail("too-deep", 0, expected=MAX_DEPTH)
            dotted = not isinstance(key, QuotedKey) and all(map(_SEGMENT.match, segments))
            self.merge(result, segments if dotted else [str(key)], self.expand(item), key)
        return result

    def merge(self, target: dict[str, Any], path: list[str], value: Any, key: str) -> None:
        """Put a value into the dict ``target`` at a path of keys; merge it with a dict there."""
        first, *rest = path
        present = target.get(first)
        if rest:
            if not isinstance(present, dict):
                self.refuse_conflict(first in target, key)
                present = target[first] = {}
            self.merge(present, rest, value, key)
        elif isinstance(present, dict) and isinstance(value, dict):
            for name, item in value.items():
                self.merge(present, [name], item, key)
        else:
            self.refuse_conflict(first in target, key)
            target[first] = value

    def refuse_conflict(self, is_taken: bool, key: str) -> None:
        """Fail in strict mode if an expanded dotted key is taken; leniently, the later key wins."""
        if is_taken and self.strict:
            lines = enumerate(self.contents)
            opens = f"{key}:", f"{key}["
            at = next((i for i, content in lines if content.startswith(opens)), 0)
            self.fail("path-conflict", at, found=repr(str(key)))
