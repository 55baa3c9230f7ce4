"""Reads the parts of one line: keys, scalars, lists on one line and the cells of a row."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple, NoReturn

from toon.codec.numbers import exact_number
from toon.codec.text import BARE_KEY, TokenError, primitive
from toon.dialects.pipe.lines import Lines
from toon.text import QUOTED
from toon.wording import plural

_QUOTED: Final = re.compile(QUOTED, re.DOTALL)
_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*+")
_ITEM: Final = re.compile(r"[^,\]]*+")
_BLANKS: Final = re.compile(r"[ \t]*+")
_ODD_HEADS: Final = frozenset("-|[]{}\\")
_NEVER_FIRST: Final = _ODD_HEADS | {" ", "\t"}


class Token(NamedTuple):
    """A part of line ``at``: its text without blanks around it, and its offset in the line."""

    text: str
    at: int
    offset: int


def read_scalar(lines: Lines, token: Token) -> Any:
    """The value of a token that is not a container."""
    text = token.text
    try:
        value = primitive(text, exact_number)
    except TokenError as error:
        lines.fail_token(error, token.at, token.offset)
    if lines.strict and text[0] in _ODD_HEADS and isinstance(value, str):
        message = f"text that starts with {text[0]} must be quoted"
        lines.fail(message, token.at, token.offset, _quotes(text))
    return value


def _quotes(text: str) -> str | None:
    """The hint to put quotes around ``text``; None where it would need escapes, too."""
    return None if '"' in text or "\\" in text else f'write "{text}"'


def read_key(lines: Lines, at: int) -> tuple[str, Token | None]:
    """The key of line ``at``, and the token of its value; None on the line of a container."""
    content = lines.contents[at]
    key, end = _key(lines, at)
    rest = content[end:]
    if rest.startswith(":"):
        if rest == ":":
            if lines.strict:
                hint = 'a container\'s key has no colon; for an empty text write ""'
                lines.fail("no value after the colon", at, end + 1, hint)
            lines.note("colon after a container's key: ignored", at, end)
            return key, None
        if rest[1] == " ":
            return key, read_trimmed(lines, at, end + 2, len(content))
        lines.fail("no space after the colon", at, end + 1, "write key: value")
    if not rest:
        return key, None
    lines.fail("expected key: value", at, end, 'a key of other characters is quoted: "a key": 1')


def has_value(lines: Lines, at: int) -> bool:
    """Whether line ``at`` is a field rather than the key of a container."""
    _, end = _key(lines, at)
    return lines.contents[at].startswith(": ", end)


def _key(lines: Lines, at: int) -> tuple[str, int]:
    """The key at the start of line ``at``, and where it ends."""
    content = lines.contents[at]
    if content[0] == '"':
        token = _quoted(lines, at, 0, len(content))
        return read_scalar(lines, token), len(token.text)
    match = _KEY.match(content)
    return (match[0], match.end()) if match else ("", 0)


def read_trimmed(lines: Lines, at: int, start: int, end: int) -> Token:
    """The token between two offsets of a line; blanks around it are not canonical."""
    content = lines.contents[at]
    first = _skip_blanks(content, start, end)
    text = content[first:end].rstrip(" \t")
    if len(text) != end - start:
        wrong = start if first > start else first + len(text)
        lines.tolerate("blanks around a value", at, wrong)
    return Token(text, at, first)


def _skip_blanks(content: str, start: int, end: int) -> int:
    """The offset after the blanks at ``start``."""
    match = _BLANKS.match(content, start, end)
    assert match is not None  # the pattern matches nothing, too
    return match.end()


def _quoted(lines: Lines, at: int, start: int, end: int) -> Token:
    """The token in quotes that starts at an offset."""
    content = lines.contents[at]
    match = _QUOTED.match(content, start, end)
    if match is None:
        lines.fail("string is not closed", at, start, 'add the closing "')
    return Token(match[0], at, start)


def _plain_values(texts: list[str]) -> list[Any] | None:
    """The values of texts without quotes, "" for an empty one; None if one is not canonical."""
    values = []
    for text in texts:
        try:
            value = primitive(text, exact_number)
        except TokenError:
            return None
        if text and isinstance(value, str) and (text[0] in _NEVER_FIRST or text[-1] in " \t"):
            return None
        values.append(value)
    return values


# -- lists on one line -----------------------------------------------------------------------


def read_flow(lines: Lines, token: Token) -> list[Any]:
    """The items of a list on one line, ``[a, "b,c", 1]``."""
    at, content = token.at, lines.contents[token.at]
    place, end = token.offset + 1, token.offset + len(token.text)
    if token.text == "[]":
        return []
    plain = _plain_flow(token.text)
    if plain is not None:
        return plain
    items: list[Any] = []
    while True:
        item = _flow_item(lines, at, place, end)
        items.append(read_scalar(lines, item))
        place = _skip_blanks(content, item.offset + len(item.text), end)
        if place == end:
            lines.fail("list is not closed", at, end, "add the closing ]")
        if content[place] == "]":
            break
        if content[place] != ",":
            lines.fail(*_after_quote(at, place))
        place += 1
        if content.startswith(" ", place, end):
            place += 1
        elif place < end and lines.strict:
            lines.fail("no space after the comma", at, place, "write [a, b]")
    if place + 1 < end:
        lines.fail("text after the end of the list", at, place + 1, "quote a text that starts so")
    return items


def _plain_flow(text: str) -> list[Any] | None:
    """The items of a list without quotes that the encoder could have written; None for others.

    Such lists are common, and this reads all of their items at once.
    """
    texts = text[1:-1].split(", ")
    if '"' in text or text[-1] != "]" or text.count("]") > 1 or text.count(",") != len(texts) - 1:
        return None
    return _plain_values(texts) if all(texts) else None


def _flow_item(lines: Lines, at: int, start: int, end: int) -> Token:
    """The item that starts at an offset, up to the comma or bracket that ends it."""
    content = lines.contents[at]
    first = _skip_blanks(content, start, end)
    if content.startswith('"', first, end):
        if first > start:
            lines.tolerate("blanks around a value", at, start)
        return _quoted(lines, at, first, end)
    if content.startswith("[", first, end):
        hint = "a list of lists has a line with a hyphen for each of them"
        lines.fail("a list inside a list on one line", at, first, hint)
    unquoted = _ITEM.match(content, first, end)
    assert unquoted is not None
    stop = unquoted.end()
    if stop == first:
        if stop == end:
            lines.fail("list is not closed", at, end, "add the closing ]")
        lines.fail("no value here", at, first, 'an empty text is written ""')
    return read_trimmed(lines, at, start, stop)


def _after_quote(at: int, place: int) -> tuple[str, int, int, str]:
    hint = 'quote the whole value, and write \\" for a quote inside it'
    return "text after the closing quote", at, place, hint


# -- rows ------------------------------------------------------------------------------------


def read_header(lines: Lines, at: int) -> list[str]:
    """The names of the columns, from the header on line ``at``."""
    names: dict[str, None] = {}
    for cell in read_cells(lines, at):
        text = cell.text
        if not text:
            lines.fail("column without a name", at, cell.offset, 'write "" for an empty key')
        if text[0] == '"':
            name = read_scalar(lines, cell)
        elif BARE_KEY.match(text):
            name = text
        else:
            lines.fail("a key of such characters must be quoted", at, cell.offset, _quotes(text))
        if name in names:
            lines.fail(f"column {text} appears twice", at, cell.offset)
        names[name] = None
    return list(names)


def read_row(lines: Lines, at: int, names: list[str]) -> dict[str, Any]:
    """The object of the row on line ``at``; an empty cell means that the key is absent."""
    plain = _plain_row(lines.contents[at], names)
    if plain is not None:
        return plain
    row = read_cells(lines, at)
    if len(row) != len(names):
        hint = "every column needs a cell, even an empty one; a cell that holds | is quoted"
        offset = row[len(names)].offset if len(row) > len(names) else len(lines.contents[at])
        message = f"row has {plural(len(row), 'cell')}, the header has {len(names)}"
        lines.fail(message, at, offset, hint)
    return {
        name: read_scalar(lines, cell) for name, cell in zip(names, row, strict=True) if cell.text
    }


def _plain_row(content: str, names: list[str]) -> dict[str, Any] | None:
    """The object of a row without quotes that the encoder could have written; None for others."""
    texts = content[2:-2].split(" | ")
    if '"' in content or len(texts) != len(names) or content.count("|") != len(names) + 1:
        return None
    if len(content) < 4 or content[1] != " " or content[-2:] != " |":
        return None
    values = _plain_values(texts)
    if values is None:
        return None
    return {name: value for name, value, text in zip(names, values, texts, strict=True) if text}


def read_cells(lines: Lines, at: int) -> list[Token]:
    """The cells of the row on line ``at``, empty ones included."""
    content = lines.contents[at]
    row: list[Token] = []
    place = 1
    while place < len(content):
        first = _skip_blanks(content, place, len(content))
        if content.startswith('"', first):
            stop = first + len(_quoted(lines, at, first, len(content)).text)
            stop = _skip_blanks(content, stop, len(content))
            if stop < len(content) and content[stop] != "|":
                lines.fail(*_after_quote(at, stop))
        else:
            stop = content.find("|", first)
        if not first <= stop < len(content):
            _fail_open_row(lines, at)
        row.append(_cell(lines, at, place, stop))
        place = stop + 1
    if not row:
        _fail_open_row(lines, at)
    return row


def _cell(lines: Lines, at: int, start: int, end: int) -> Token:
    """The cell between two pipes; single spaces around it are canonical."""
    content = lines.contents[at]
    if end - start < 2 or content[start] != " " or content[end - 1] != " ":
        if lines.strict:
            hint = "put single spaces around a cell, and quotes if it holds |"
            lines.fail("no space between a pipe and its cell", at, start, hint)
        text = content[start:end]
        return Token(text.strip(" \t"), at, start + len(text) - len(text.lstrip(" \t")))
    return read_trimmed(lines, at, start + 1, end - 1)


def _fail_open_row(lines: Lines, at: int) -> NoReturn:
    lines.fail("row is not closed", at, len(lines.contents[at]), "every row ends with |")


def is_quoted(text: str) -> bool:
    """Whether ``text`` is a single token in quotes."""
    return _QUOTED.fullmatch(text) is not None
