"""JSON text to value, with notices of everything that most readers silently change or drop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from toon.codec.numbers import ALWAYS_FITS, SAFE_INTEGER, NumberRangeError, exact_number, warning
from toon.codec.text import MAX_DEPTH, parse_int
from toon.errors import JsonDecodeError
from toon.text import QUOTED, Notice, Notices, Parsed, Source, compile_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

#: Every token of JSON text, blanks left out.
TOKEN: Final = compile_later(rf"{QUOTED}|-?[0-9][0-9.eE+-]*+|[{{}}\[\]:,]|[A-Za-z_]\w*+", re.S)
#: Numbers that are no plain ones have one of these in them once their characters are translated.
_ALIKE: Final = bytes.maketrans(b"123456789.E+", b"0000000000e-")
_LONG: Final = b"0" * (ALWAYS_FITS + 1)
_MINUS_ZERO: Final = compile_later(r"-0(?:\.0*+)?+(?![0-9])")
_CONSTANT: Final = compile_later(rf"{QUOTED}|-?Infinity|NaN", re.S)
_SURROGATE: Final = compile_later(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2}|[\ud800-\udfff])"
)


#: The notice of a text that starts with the mark.
MARK_IGNORED: Final = Notice("byte-order mark at the start: ignored", 1, 1)


class Constant(Exception):
    """Raised for NaN or an infinity in a JSON text."""


class Reader:
    """A reader of one JSON text, based on Python's, that keeps every digit of its numbers.

    The function ``pairs`` makes an object from a list of keys and values. Numbers are looked at one
    by one only if the text may have one that Python would change.

    Attributes:
        decoder: a JSONDecoder; it raises its own errors, Constant and NumberRangeError.
        may_have_halves: whether ``refuse_lone_surrogates`` may find one in the text.
        found_odd: whether a notice is due: of a duplicate key or of a number.
    """

    def __init__(
        self, text: str, pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]] = dict
    ) -> None:
        data = text.encode(errors="replace").translate(_ALIKE)
        odd = _LONG in data or b"0e0" in data or b"0e-0" in data or _MINUS_ZERO.search(text)
        self.may_have_halves = "\\u" in text or not text.isascii()
        self.found_odd = False
        self._pairs = pairs
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._integer if odd else None,
            parse_float=self._number if odd else None,
            parse_constant=_refuse,
        )

    def _object(self, items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = self._pairs(items)
        if len(result) != len(items):
            self.found_odd = True
        return result

    def _integer(self, token: str) -> Any:
        value = parse_int(token)
        if not -SAFE_INTEGER <= value <= SAFE_INTEGER or token == "-0":
            self.found_odd = True
        return value

    def _number(self, token: str) -> Any:
        value = exact_number(token)
        if type(value) is not float or (value == 0 and token[0] == "-"):
            self.found_odd = True
        return value


def _refuse(name: str) -> NoReturn:
    raise Constant(name)


def parse_json(text: str) -> Parsed:
    """Read a JSON text (RFC 8259) with every digit.

    Integers keep all their digits; a number that a 64-bit float would change becomes a Decimal. Of
    duplicate keys the last counts, as in most readers. There is a notice for each duplicate key and
    for each number that other readers would change.

    Raises:
        JsonDecodeError: With line, column, source line and, where one is likely, a hint.
    """
    body = text.removeprefix("\ufeff")
    if not body.strip(" \t\r\n"):
        raise JsonDecodeError("no JSON here: the text is empty")
    reader = Reader(body)
    try:
        value = reader.decoder.decode(body)
    except Constant as error:
        offset = next((m.start() for m in _CONSTANT.finditer(body) if m[0] == str(error)), 0)
        hint = "JSON has no such number: write null or a string"
        raise _error(body, offset, f"{error} is not JSON", hint) from None
    except json.JSONDecodeError as error:
        _fail(body, error)
    except RecursionError:
        fail_deep(body)
    except NumberRangeError as error:
        raise _error(body, body.find(error.token), str(error), None) from None
    if reader.may_have_halves:
        refuse_lone_surrogates(body)
    notices = tuple(_find_notices(body)) if reader.found_odd else ()
    if body != text:
        notices = (MARK_IGNORED, *notices)
    return Parsed(value, notices)


def repeats_keys(text: str) -> bool:
    """Return whether any object in a JSON text has the same key more than once."""
    is_found = False

    def look(members: list[tuple[str, Any]]) -> None:
        nonlocal is_found
        is_found = is_found or len({key for key, _ in members}) < len(members)

    json.loads(text.removeprefix("\ufeff"), object_pairs_hook=look, parse_int=str)
    return is_found


# -- notices ---------------------------------------------------------------------------------


def _find_notices(text: str) -> Notices:
    """Return notices of the duplicate keys and doubtful numbers of valid JSON, in their order."""
    source, notices = Source(text), Notices()
    seen: list[set[str] | None] = []  # the keys of each open object
    previous, start = "", 0
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "{":
            seen.append(set())
        elif token == "[":
            seen.append(None)
        elif token in "}]":
            seen.pop()
        elif token == ":":
            keys, key = seen[-1], json.loads(previous)
            assert keys is not None
            if key in keys:
                message = f"key {previous} appears again in one object: the last value counts"
                notices.add(message, *source.place(start))
            keys.add(key)
        elif token[0] in "-0123456789" and (message := warning(token) or ""):
            notices.add(message, *source.place(match.start()))
        if notices.is_full:
            break
        previous, start = token, match.start()
    return notices


# -- errors ----------------------------------------------------------------------------------

LAST_COMMA: Final = "comma after the last item"
_MESSAGES: Final = {
    "Expecting value": "expected a value, found {found}",
    "Expecting property name enclosed in double quotes": 'expected a "name", found {found}',
    "Expecting ':' delimiter": "expected : after the name, found {found}",
    "Expecting ',' delimiter": "expected , or a closing bracket, found {found}",
    "Unterminated string starting at": "string is not closed",
    "Invalid control character at": "line break or control character inside a string",
    "Invalid \\escape": "unknown escape",
    "Invalid \\uXXXX escape": "\\u needs four hex digits",
    "Extra data": "text after the end of the JSON value: {found}",
}


def _error(text: str, offset: int, message: str, hint: str | None) -> JsonDecodeError:
    return Source(text).error(JsonDecodeError, message, offset, hint)


def _fail(text: str, error: json.JSONDecodeError) -> NoReturn:
    offset = error.pos
    if (comma := find_last_comma(text, offset)) is not None:
        raise _error(text, comma, LAST_COMMA, "remove it") from None
    raise _error(text, offset, message_of(error), _hint(text, offset, error)) from None


def find_last_comma(text: str, at: int, closing: str = "}]") -> int | None:
    """Return the offset of a comma before a closing bracket, if that stopped Python's JSON reader.

    It stopped at offset ``at``: at the comma since Python 3.13, or at the bracket. Otherwise return
    None.
    """
    comma = at if text[at : at + 1] == "," else len(text[:at].rstrip()) - 1
    bracket = text[comma + 1 :].lstrip()[:1]
    return comma if text[comma : comma + 1] == "," and bracket and bracket in closing else None


def message_of(error: json.JSONDecodeError) -> str:
    """Return the message for an error of Python's JSON reader, in the words of this product."""
    rest = error.doc[error.pos :]
    words = next((ours for start, ours in _MESSAGES.items() if error.msg.startswith(start)), "")
    return (words or error.msg).format(
        found=repr(rest[0]) if rest.strip() else "the end of the text"
    )


def _hint(text: str, offset: int, error: json.JSONDecodeError) -> str | None:
    rest = text[offset : offset + 20]
    if rest.startswith(("//", "/*", "#")):
        return "JSON has no comments: remove it"
    if re.search(r"(?<![0-9.eE])-?0\Z", text[:offset]) and rest[:1].isdigit():
        return "a number does not start with 0"
    if error.msg.startswith("Extra data"):
        return "several values, one a line (JSON Lines)? Put them in [ ] with commas between"
    if error.msg.startswith("Unterminated"):
        return "the text may be cut off"
    if error.msg.startswith("Invalid control"):
        return "write \\n for a line break and \\t for a tab"
    if error.msg.startswith("Invalid \\"):
        return 'write \\\\ for a backslash; escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'
    if not rest.strip():
        return _open_brackets(text)
    if rest[0] in "'‘’“”`":
        return 'strings and names stand in double quotes: "…"'
    word = re.match(r"[A-Za-z_$][\w$]*", rest)
    if word is None:
        return None
    literals = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
    if word[0] in literals:
        return f"write {literals[word[0]]}"
    kind = "a name" if "property name" in error.msg else "text"
    return f'{kind} stands in double quotes: "{word[0]}"'


def _open_brackets(text: str) -> str:
    """Return the hint for a JSON text that ends too early: what would close its open brackets."""
    closing: list[str] = []
    for match in TOKEN.finditer(text):
        if match[0] in "{[":
            closing.append("}" if match[0] == "{" else "]")
        elif match[0] in "}]" and closing:
            closing.pop()
    if not closing:
        return "the text may be cut off"
    missing = "".join(reversed(closing))
    excerpt = missing if len(missing) <= 20 else f"{missing[:20]}…"
    return f"the text may be cut off: {excerpt} would close what is open"


def fail_deep(text: str) -> NoReturn:
    """Raise the JsonDecodeError of a JSON text that is nested too deeply, with its place."""
    depth = 0
    for match in TOKEN.finditer(text):
        depth += (match[0] in "{[") - (match[0] in "}]")
        if depth > MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels"
            raise _error(text, match.start(), message, None) from None
    raise JsonDecodeError(f"nested deeper than {MAX_DEPTH} levels") from None


def refuse_lone_surrogates(text: str) -> None:
    """Raise JsonDecodeError if valid JSON has half of a surrogate pair, escaped or not."""
    for match in _SURROGATE.finditer(text):
        if match["lone"]:
            character = match[0] if match[0].isascii() else f"U+{ord(match[0]):04X}"
            message = f"lone surrogate {character}: UTF-8 cannot carry it"
            hint = "a character beyond U+FFFF needs both halves of its pair"
            raise _error(text, match.start(), message, hint)
