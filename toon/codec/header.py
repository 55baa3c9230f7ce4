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
    """A field of a table header of TOON: its name, and the fields nested in it, if any (§9.3)."""

    name: str
    fields: tuple[Field, ...] | None = None


class Header(NamedTuple):
    """The parts of a TOON array header such as ``a[2]{x,y}:``; ``end`` is the offset after it."""

    key: str | None
    length: int
    keyed: bool
    delimiter: str
    fields: tuple[Field, ...] | None
    width: int  # cells of a row
    names: tuple[str, ...] | None  # of the cells; None if a field has a group
    end: int


def find_colon(content: str) -> int:
    """Return the offset of the first colon outside quotes in a line of TOON, or -1."""
    return _find(_TO_COLON, content, ":")


def find_bracket(content: str) -> int:
    """Return the offset of the first ``[`` outside quotes in a line of TOON, or -1."""
    return _find(_TO_BRACKET, content, "[")


def _find(pattern: re.Pattern[str], content: str, character: str) -> int:
    if '"' not in content:
        return content.find(character)
    match = pattern.match(content)
    assert match is not None
    return match.end() if match.end() < len(content) else -1


def is_header(content: str) -> bool:
    """Return whether a TOON line is an array header (§5.2): ``[`` before an unquoted colon."""
    if '"' not in content:
        return -1 < content.find("[") < content.find(":")
    return -1 < find_bracket(content) < find_colon(content)


class Rules(NamedTuple):
    """The options for parsing TOON array headers: strictness, and what 4.4 has but 3.3 lacks."""

    strict: bool
    nested: bool = True  # field groups and keyed headers, new in 4.0
    mark_quoted: bool = False  # see QuotedKey


def parse_header(content: str, rules: Rules) -> Header:
    """Parse the array header, such as ``a[2]{x,y}:``, at the start of a line of TOON.

    Raises:
        TokenError: With the offset of the first character that breaks the grammar.
    """
    match = _COMMON.match(content)
    if match is not None:
        key, digits, symbol, text = match.groups()
        delimiter = symbol or ","
        if text is None:
            return Header(key, int(digits), False, delimiter, None, 0, None, match.end())
        fields, width, names, size = _parse_fields(text, match.start(4), delimiter, rules)
        if size == len(text):
            return Header(key, int(digits), False, delimiter, fields, width, names, match.end())
    return _parse_any(content, rules)


def _parse_any(content: str, rules: Rules) -> Header:
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
        fields, width, names, size = _parse_fields(content[end:], end, delimiter, rules)
        end += size
    elif not content.startswith(":", end):
        raise TokenError("after-bracket", end, found=_name_character(content, end))
    if not content.startswith(":", end):
        raise TokenError("header-colon", end, found=_name_character(content, end))
    if keyed and fields is None:
        raise TokenError("keyed-fields", end)
    # Python does not convert more than 4,300 digits; no document has that many lines (§6).
    length = int(match[1]) if len(match[1]) < 4000 else 10**4000
    return Header(key, length, keyed, delimiter, fields, width, names, end + 1)


FieldList: TypeAlias = tuple[tuple[Field, ...], int, tuple[str, ...] | None, int]


def _parse_fields(text: str, offset: int, delimiter: str, rules: Rules) -> FieldList:
    """Parse and cache a TOON table header's ``{fields}``, from ``offset`` of its line on."""
    try:
        return _parse_cached(text, 0, delimiter, rules, 1)
    except TokenError as error:
        error.offset += offset
        raise


def _parse_list(text: str, start: int, delimiter: str, rules: Rules, level: int) -> FieldList:
    """Parse the ``{fields}`` of a TOON table header from the brace at ``start`` of a text.

    Return its fields, the number of cells of a row, their names (None if a field has a group), and
    the offset after the list.
    """
    if level > MAX_DEPTH:
        raise TokenError("too-deep", start, expected=MAX_DEPTH)
    fields: list[Field] = []
    names: set[str] = set()
    width, at, mark = 0, start, delimiter
    while mark == delimiter:
        at += 1
        match = _NAME.match(text, at)
        assert match is not None  # it matches nothing, too
        token, end = match[0], match.end()
        bare = token.strip(" ")
        if not bare:
            raise TokenError("field-empty", at)
        try:
            name = read_key(bare, rules.mark_quoted)
        except TokenError as error:
            error.offset += at + len(token) - len(token.lstrip(" "))
            raise
        group, cells = None, 1
        if text.startswith("{", end):
            if token.endswith((" ", "\t")) or not rules.nested:
                raise TokenError("field-space" if rules.nested else "field-group", end - 1)
            group, cells, _, end = _parse_list(text, end, delimiter, rules, level + 1)
            end = len(text) - len(text[end:].lstrip(" "))
        at, width = end, width + cells
        if rules.strict and name in names:
            raise TokenError("field-twice", at - 1, found=repr(name))
        names.add(name)
        fields.append(Field(name, group))
        mark = text[at : at + 1]
    if mark in DELIMITER_NAMES:
        facts = {"found": DELIMITER_NAMES[mark], "expected": DELIMITER_NAMES[delimiter]}
        raise TokenError("field-delimiter", at, **facts)
    if mark != "}":
        raise TokenError("fields-open", at if mark else start)
    is_flat = not any(field.fields for field in fields)
    return tuple(fields), width, tuple([f.name for f in fields]) if is_flat else None, at + 1


_parse_cached: Final = lru_cache(maxsize=256)(_parse_list)  # many tables have the same fields


def _name_character(content: str, at: int) -> str:
    return repr(content[at]) if at < len(content) else "the end of the line"
