"""The generic form of TOON/1: ``{k:v}`` and ``[v]`` for JSON that is no ticket. Types are kept."""

from __future__ import annotations

import re
from typing import Any, Final

from toon.codec.numbers import exact_number
from toon.codec.text import MAX_DEPTH, TokenError, primitive
from toon.dialects.ticket.scanner import IN_ARRAY, IN_OBJECT, Scanner
from toon.dialects.ticket.text import is_bare, is_typed, shown

_KEY: Final = re.compile(r'[^,:{}\[\]"\\\n]*+')


def read_generic(scanner: Scanner) -> Any:
    """The generic value that starts where the scanner stands.

    Open objects and arrays are kept on a stack of their own, so that no depth is too much for
    Python; deeper than 256 levels is an error all the same, as in TOON.
    """
    opened: list[dict[str, Any] | list[Any]] = []
    keys: list[str] = []
    while True:
        scanner.blanks()
        if scanner.peek() in ("{", "["):
            value = _open(scanner, len(opened))
            if not scanner.take("}" if isinstance(value, dict) else "]"):
                opened.append(value)
                keys.append(_key(scanner, value) if isinstance(value, dict) else "")
                continue
        else:
            value = _scalar(scanner, bool(opened) and isinstance(opened[-1], list))
        while opened:
            inner = opened[-1]
            if isinstance(inner, dict):
                inner[keys[-1]] = value
            else:
                inner.append(value)
            if scanner.next_of("}" if isinstance(inner, dict) else "]"):
                keys[-1] = _key(scanner, inner) if isinstance(inner, dict) else ""
                break
            value = opened.pop()
            keys.pop()
        else:
            return value


def _open(scanner: Scanner, depth: int) -> dict[str, Any] | list[Any]:
    if depth >= MAX_DEPTH:
        scanner.fail(f"nested deeper than {MAX_DEPTH} levels")
    scanner.at += 1
    return {} if scanner.text[scanner.at - 1] == "{" else []


def _key(scanner: Scanner, inner: dict[str, Any]) -> str:
    scanner.blanks()
    start = scanner.at
    key = scanner.value(_KEY)
    if key in inner:
        scanner.fail(f"key {shown(key)} appears twice in one object", start)
    if not scanner.take(":"):
        scanner.expected(f": after the key {shown(key)}")
    return key


def _scalar(scanner: Scanner, in_array: bool) -> Any:
    start = scanner.at
    if scanner.peek() == '"':
        text = scanner.quoted()
        if is_bare(text) and not is_typed(text):
            scanner.forbid("a text in quotes that needs none", start)
        return text
    token = scanner.bare(IN_ARRAY if in_array else IN_OBJECT)
    try:
        return primitive(token, exact_number)
    except TokenError:
        scanner.fail(f"number {shown(token)} is out of range", start)
