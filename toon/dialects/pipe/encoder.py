"""The writer of pipe tables, line by line."""

import re
from typing import Any, Final

from toon.codec.normalise import SCALARS, NotNormalised, normalise
from toon.codec.numbers import is_finite
from toon.codec.text import BARE_KEY, LITERAL_TEXTS, MAX_DEPTH, write_int
from toon.dialects.base import check_finite, quote
from toon.text import find_surrogate

#: Spaces per level.
INDENT: Final = 2

_CONTROL: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
# Wider than a JSON number on purpose, so that "007" and "+5" stay strings in every reader.
_NUMERIC_LIKE: Final = r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"


def _safe_pattern(delimiter: str) -> re.Pattern[str]:
    """Return a pattern for strings that need no quotes in pipe tables before ``delimiter``."""
    odd = rf'"\\\[\]{{}}{_CONTROL}{re.escape(delimiter)}'
    return re.compile(rf"(?!(?:true|false|null|{_NUMERIC_LIKE})\Z)[^\s\-|{odd}][^{odd}]*+(?<!\s)\Z")


#: The strings that need no quotes: as the value of a line, in a cell, in a list on one line.
_SAFE_LINE: Final = _safe_pattern("")
_SAFE_CELL: Final = _safe_pattern("|")
_SAFE_ITEM: Final = _safe_pattern(",")

#: Every character that could break a line, besides those of the quotes.
_SPECIAL: Final = re.compile(rf'["\\{_CONTROL}]')

_DEEPEST: Final = " " * (INDENT * MAX_DEPTH)


def encode(value: Any) -> str:
    """Write a JSON value as pipe tables, without a line break at the end.

    Raises:
        EncodeError: A value or key has no JSON or UTF-8 form, or is nested deeper than 256 levels;
            the error's ``path`` says where.
    """
    try:
        text = _document(value)
    except NotNormalised:
        plain = normalise(value)
        check_finite(plain)
        text = _document(plain)
    if find_surrogate(text) is not None:
        normalise(value)
    return text


def losses(value: Any) -> list[str]:
    """Return []: pipe tables lose nothing of a JSON value."""
    return []


def _document(value: Any) -> str:
    text = quote(value, _SPECIAL) if type(value) is str else _inline(value)
    if text is not None:
        return text
    lines: list[str] = []
    _write(lines, value, "")
    return "\n".join(lines)


def _write(lines: list[str], value: Any, indent: str) -> None:
    """Append the lines of a list or object that needs several, as pipe tables, to ``lines``."""
    if indent == _DEEPEST:
        raise NotNormalised
    if type(value) is list:
        names = _columns(value)
        if names is not None:
            lines.append(f"{indent}| {' | '.join(map(_key, names))} |")
            for row in value:
                cells = [_scalar(item, _SAFE_CELL) for item in row.values()]
                lines.append(f"{indent}| {' | '.join(cells)} |")
            return
        entries, between = [("-", item) for item in value], " "
    else:
        entries, between = [(_key(key), item) for key, item in value.items()], ": "
    for head, item in entries:
        text = _inline(item)
        if text is None:
            lines.append(indent + head)
            _write(lines, item, indent + " " * INDENT)
        else:
            lines.append(f"{indent}{head}{between}{text}")


def _columns(rows: list[Any]) -> list[str] | None:
    """Return the columns of a list of rows that pipe tables write as a table; None for others."""
    if type(rows[0]) is not dict or not rows[0]:
        return None
    names = list(rows[0])
    for row in rows:
        if type(row) is not dict or list(row) != names:
            return None
        if not all(type(item) in SCALARS for item in row.values()):
            return None
    return names


def _key(key: Any) -> str:
    if type(key) is not str:
        raise NotNormalised
    return key if BARE_KEY.match(key) else quote(key, _SPECIAL)


def _inline(value: Any) -> str | None:
    """Write a scalar, {} or a list of scalars on one line of pipe tables; None for other values."""
    kind = type(value)
    if kind in SCALARS:
        return _scalar(value, _SAFE_LINE)
    if kind is dict:
        return None if value else "{}"
    if kind is not list:
        raise NotNormalised
    if not all(type(item) in SCALARS for item in value):
        return None
    return f"[{', '.join([_scalar(item, _SAFE_ITEM) for item in value])}]"


def _scalar(value: Any, safe: re.Pattern[str]) -> str:
    if type(value) is str:
        return value if safe.match(value) else quote(value, _SPECIAL)
    if value is None or type(value) is bool:
        return LITERAL_TEXTS[value]
    if type(value) is int:
        return write_int(value)
    if not is_finite(value):
        raise NotNormalised
    return str(value)
