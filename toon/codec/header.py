"""Array and keyed headers (SPEC 4.4 §6)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from toon.codec.text import DELIMITER_NAMES, MAX_DEPTH, TokenError, read_key
from toon.text import QUOTED_OR_OPEN

# The most common form: a bare key, a length of up to nine digits, and fields without quotes.
_COMMON: Final = re.compile(
    r"([A-Za-z_][A-Za-z0-9_.]*+)?\[(0|[1-9][0-9]{0,8})([\t|]?)\](\{[^\"]*?\})?:(?![^ ])"
)
_BRACKET: Final = re.compile(r"\[(0|[1-9][0-9]*)(:?)([\t|]?)\]")
# Up to the first unquoted character of a set.
_TO_COLON: Final = re.compile(rf'(?:[^":]|{QUOTED_OR_OPEN})*+', re.DOTALL)
_TO_BRACKET: Final = re.compile(rf'(?:[^"\[]|{QUOTED_OR_OPEN})*+', re.DOTALL)
_NAME: Final = re.compile(rf'(?:[^",\t|{{}}]|{QUOTED_OR_OPEN})*+', re.DOTALL)


class Field(NamedTuple):
    """A field entry: a name, and its nested field group if it has one (§9.3)."""

    name: str
    fields: tuple[Field, ...] | None = None


class Header(NamedTuple):
    """The facts that a header declares; ``end`` is the offset after its colon."""

    key: str | None
    length: int
    keyed: bool
    delimiter: str
    fields: tuple[Field, ...] | None
    width: int  # cells of a row
    names: tuple[str, ...] | None  # of the cells; None if a field has a group
    end: int


def leaves(fields: tuple[Field, ...]) -> int:
    """Return the number of cells of a row."""
    return sum(leaves(field.fields) if field.fields else 1 for field in fields)


def find_colon(content: str) -> int:
    """Return the offset of the first unquoted colon, or -1."""
    return _find(_TO_COLON, content, ":")


def find_bracket(content: str) -> int:
    """Return the offset of the first unquoted ``[``, or -1."""
    return _find(_TO_BRACKET, content, "[")


def _find(pattern: re.Pattern[str], content: str, character: str) -> int:
    if '"' not in content:
        return content.find(character)
    match = pattern.match(content)
    assert match is not None
    return match.end() if match.end() < len(content) else -1


def is_header(content: str) -> bool:
    """Return whether a line is an array header (§5.2): ``[`` stands before an unquoted colon."""
    if '"' not in content:
        return -1 < content.find("[") < content.find(":")
    return -1 < find_bracket(content) < find_colon(content)


class Rules(NamedTuple):
    """The forms that a header may have; the defaults are SPEC 4.4, the others read 3.3."""

    strict: bool
    nested: bool = True  # field groups and keyed headers, new in 4.0
    mark_quoted: bool = False  # see QuotedKey


def parse_header(content: str, rules: Rules) -> Header:
    """Read the header at the start of ``content``, a line for which :func:`is_header` is true.

    Raises:
        TokenError: With the offset of the first character that breaks the grammar.
    """
    return _common_header(content, rules) or _any_header(content, rules)


def _common_header(content: str, rules: Rules) -> Header | None:
    """Read a header of the common form with one pattern; return None for any other."""
    match = _COMMON.match(content)
    if match is None:
        return None
    key, digits, symbol, text = match.groups()
    delimiter = symbol or ","
    if text is None:
        return Header(key, int(digits), False, delimiter, None, 0, None, match.end())
    fields, width, names, size = _fields(text, match.start(4), delimiter, rules)
    if size < len(text):
        return None
    return Header(key, int(digits), False, delimiter, fields, width, names, match.end())


def _any_header(content: str, rules: Rules) -> Header:
    bracket = find_bracket(content)
    prefix = content[:bracket]
    if prefix.endswith((" ", "\t")):
        raise TokenError("space-before-bracket", bracket - 1)
    match = _BRACKET.match(content, bracket)
    if match is None or (match[2] and not rules.nested):
        problem = "bracket-marker" if content.startswith("[#", bracket) else "bracket"
        end = content.find("]", bracket) + 1 or bracket + 12
        raise TokenError(problem, bracket, found=content[bracket:end])
    key = read_key(prefix, rules.mark_quoted) if prefix else None
    keyed, delimiter = bool(match[2]), match[3] or ","
    fields: tuple[Field, ...] | None = None
    names: tuple[str, ...] | None = None
    width, end = 0, match.end()
    if content.startswith("{", end):
        fields, width, names, size = _fields(content[end:], end, delimiter, rules)
        end += size
    elif not content.startswith(":", end):
        raise TokenError("after-bracket", end, found=_character(content, end))
    if not content.startswith(":", end):
        raise TokenError("header-colon", end, found=_character(content, end))
    if keyed and fields is None:
        raise TokenError("keyed-fields", end)
    # Python does not convert more than 4,300 digits; no document has that many lines (§6).
    length = int(match[1]) if len(match[1]) < 4000 else 10**4000
    return Header(key, length, keyed, delimiter, fields, width, names, end + 1)


FieldList: TypeAlias = tuple[tuple[Field, ...], int, tuple[str, ...] | None, int]


def _fields(text: str, offset: int, delimiter: str, rules: Rules) -> FieldList:
    """Read the field list at the start of ``text``: fields, width, names, length in characters."""
    try:
        return _cached_fields(text, delimiter, rules)
    except TokenError as error:
        error.offset += offset
        raise


@lru_cache(maxsize=256)  # many small tables often have the same field list
def _cached_fields(text: str, delimiter: str, rules: Rules) -> FieldList:
    fields, end = _field_list(text, 0, delimiter, rules, 1)
    flat = not any(field.fields for field in fields)
    names = tuple(field.name for field in fields) if flat else None
    return fields, leaves(fields), names, end


def _field_list(
    content: str, start: int, delimiter: str, rules: Rules, level: int
) -> tuple[tuple[Field, ...], int]:
    """Read the field list that opens at ``start``; return its entries and the offset after it."""
    if level > MAX_DEPTH:
        raise TokenError("too-deep", start, expected=MAX_DEPTH)
    fields: list[Field] = []
    names: set[str] = set()
    at = start + 1
    while True:
        field, at = _field(content, at, delimiter, rules, level)
        if rules.strict and field.name in names:
            raise TokenError("field-twice", at - 1, found=repr(field.name))
        fields.append(field)
        names.add(field.name)
        mark = content[at : at + 1]
        if mark == "}":
            return tuple(fields), at + 1
        if mark != delimiter:
            _bad_separator(content, start, at, delimiter)
        at += 1


def _field(content: str, at: int, delimiter: str, rules: Rules, level: int) -> tuple[Field, int]:
    match = _NAME.match(content, at)
    assert match is not None
    token, end = match[0], match.end()
    name = token.strip(" ")
    if not name:
        raise TokenError("field-empty", at)
    offset = at + len(token) - len(token.lstrip(" "))
    try:
        key = read_key(name, rules.mark_quoted)
    except TokenError as error:
        error.offset += offset
        raise
    if not content.startswith("{", end):
        return Field(key), end
    if token.endswith((" ", "\t")) or not rules.nested:
        raise TokenError("field-space" if rules.nested else "field-group", end - 1)
    group, end = _field_list(content, end, delimiter, rules, level + 1)
    after = len(content) - len(content[end:].lstrip(" "))
    return Field(key, group), after


def _bad_separator(content: str, start: int, at: int, delimiter: str) -> None:
    mark = content[at : at + 1]
    if mark in DELIMITER_NAMES:
        names = {"found": DELIMITER_NAMES[mark], "expected": DELIMITER_NAMES[delimiter]}
        raise TokenError("field-delimiter", at, **names)
    raise TokenError("fields-open", at if mark else start)


def _character(content: str, at: int) -> str:
    return repr(content[at]) if at < len(content) else "the end of the line"
