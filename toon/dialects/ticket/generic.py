"""Reads the generic form of TOON/1: ``{k:v}`` and ``[v]``, for JSON other than tickets."""

from __future__ import annotations

import re
from typing import Any, Final

from toon.codec.numbers import exact_number
from toon.codec.text import MAX_DEPTH, TokenError, primitive
from toon.dialects.ticket.scanner import IN_ARRAY, IN_OBJECT, Scanner
from toon.dialects.ticket.text import is_bare, is_typed
from toon.wording import quoted

_KEY: Final = re.compile(r'[^,:{}\[\]"\\\n]*+')


def read_generic(scanner: Scanner) -> Any:
    """Reads the generic value that starts at the scanner's place.

    Open objects and arrays are kept on a list, not on Python's call stack. Nesting deeper than 256
    levels is an error, as in TOON.
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
        scanner.fail(f"key {quoted(key)} appears twice in one object", start)
    if not scanner.take(":"):
        scanner.expected(f": after the key {quoted(key)}")
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
        scanner.fail(f"number {quoted(token)} is out of range", start)
