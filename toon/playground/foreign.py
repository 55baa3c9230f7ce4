"""Texts that are no JSON but hold a JSON value, converted to it.

JSON Lines, literals of Python and of JavaScript, and the body of a pasted curl command. Nothing in
a text is ever run or fetched.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypedDict

import pyjson5

from toon.codec.text import MAX_DEPTH
from toon.errors import FormatError, JsonDecodeError, TextError
from toon.playground.curl import body_of, is_curl
from toon.playground.rewrite import indented
from toon.values.json_text import parse_json

#: Longer texts are not converted: the readers would hold up the server.
MOST_CHARACTERS: Final = 1_000_000
#: Python's own reader needs about a kilobyte for a value.
MOST_COMMAS: Final = 100_000

# Where JSON ends to be readable, a literal of one of the languages has something of its own. A text
# that stops there for another reason, such as a missing comma, need not be read again.
_NAMED: Final = r"(?:(?:export +)?(?:const|let|var) +)?[A-Za-z_$][\w$.]* *= *"
_ASSIGNED: Final = re.compile(rf"\A\s*(?:{_NAMED}|export +default +)(?=[\[{{(])")
_PYTHON: Final = re.compile(rf"[bBrRuU]{{0,2}}'|True|False|None|nan|inf|[#(]|\d[\d.]*\s*:|{_NAMED}")
_JAVASCRIPT: Final = re.compile(r"(?!NaN|Infinity|undefined)[\w\s$'/,+.]")
_PLACE: Final = re.compile(r"near ([0-9]+)")

_LINE: Final = json.JSONDecoder(parse_int=str, parse_float=str)

_LITERALS: Final = "literal"  # the name under which Python's reader warns
warnings.filterwarnings("ignore", module=_LITERALS)  # of escapes in it, which users typed


class Obstacle(FormatError):
    """The text is of a kind, but holds what JSON cannot."""


class Offer(TypedDict):
    """A conversion that succeeds: its name in ``KINDS`` and the words on its button."""

    name: str
    label: str


class Advice(TypedDict):
    """What can be done with a text that is no JSON; ``hint`` says more than JSON's, or is None."""

    offers: list[Offer]
    hint: str | None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of text. ``may_be(text, rest)`` is quick; ``rest`` begins where it is no JSON."""

    title: str
    label: str
    may_be: Callable[[str, str], object]
    convert: Callable[[str], str]


def advise(text: str, error: TextError) -> Advice:
    """The conversions of ``text`` that succeed, the likeliest first. It never raises.

    Args:
        error: Why the text is no JSON.
    """
    rest = (error.source or "")[(error.column or 1) - 1 :]
    found: dict[str, Offer] = {}
    hint = None
    for name, kind in KINDS.items():
        if len(text) > MOST_CHARACTERS or not kind.may_be(text, rest):
            continue
        try:
            found.setdefault(as_json(name, text), {"name": name, "label": kind.label})
        except Obstacle as reason:
            hint = hint or reason.message
        except FormatError:
            continue
    offers = list(found.values())
    if offers:  # where the text does not even begin as JSON, how to mend JSON is no help
        kind = KINDS[offers[0]["name"]]
        hint = f"this looks like {kind.title}" if rest and text.startswith(rest) else None
    return {"offers": offers, "hint": hint}


def as_json(name: str, text: str) -> str:
    """The JSON of a text of the kind ``name``, a key of ``KINDS``.

    Raises:
        FormatError: the text is not of that kind, is longer than ``MOST_CHARACTERS``, or holds what
            JSON cannot.
    """
    kind = KINDS[name]
    if len(text) > MOST_CHARACTERS:
        raise FormatError(f"longer than {MOST_CHARACTERS:,} characters: too long to convert")
    try:
        return kind.convert(text)
    except (Obstacle, JsonDecodeError) as reason:  # the latter of what was written, such as NaN
        hint = f"; {reason.hint}" if reason.hint else ""
        what = f"this looks like {kind.title}, but {reason.message}{hint}"
        raise Obstacle(what) from None
    except FormatError:
        raise
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise FormatError(f"this is not {kind.title}") from None


def _array_of_lines(text: str) -> str:
    """The lines of a text as an array; each stays as typed."""
    lines = [line.strip(" \t\r") for line in text.removeprefix("\ufeff").split("\n")]
    items = [line for line in lines if line]
    if len(items) < 2:
        raise ValueError("one line is no list")
    for item in items:
        _LINE.decode(item)
    array = "[\n" + ",\n".join(items) + "\n]"
    parse_json(array)
    return array


def _body(text: str) -> str:
    """The body of a curl command; of several lines, an array of them."""
    if not is_curl(text):
        raise FormatError("this is not a curl command")
    try:
        body = body_of(text).strip(" \t\r\n")
    except ValueError as error:
        raise Obstacle(str(error)) from None
    try:
        parse_json(body)
    except JsonDecodeError:
        try:
            return _array_of_lines(body)
        except ValueError:
            raise Obstacle("its body is not JSON") from None
    return body


def _from_python(text: str) -> str:
    if text.count(",") > MOST_COMMAS:
        raise FormatError(f"more than {MOST_COMMAS:,} commas: too many values to convert")
    tree = ast.parse(_value_in(text), _LITERALS, "eval")
    try:
        value = ast.literal_eval(tree)
    except ValueError:
        _refuse_names(tree)
        raise
    return _written(value)


def _refuse_names(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            raise Obstacle(
                f"{node.id[:80]} (line {node.lineno}) has no JSON form: write text or null"
            )


def _from_javascript(text: str) -> str:
    text = _value_in(text)
    try:
        return _written(pyjson5.decode(text, maxdepth=MAX_DEPTH))
    except pyjson5.Json5DecoderException as error:
        place = _PLACE.search(str(error))
        if place and text.startswith("undefined", int(place[1]) - 1):
            raise Obstacle("undefined has no JSON form: write null") from None
        raise ValueError("not JSON5") from None


def _value_in(text: str) -> str:
    """The text without the assignment it was copied with."""
    return _ASSIGNED.sub("", text.removeprefix("\ufeff"), count=1).strip().removesuffix(";")


def _written(value: Any) -> str:
    """The JSON of a value as Python's json writes it, indented."""
    return indented(json.dumps(value, ensure_ascii=False, default=_refuse))


def _refuse(value: object) -> NoReturn:
    raise Obstacle(f"a value of type {type(value).__name__} has no JSON form")


#: The likeliest first: of two conversions with the same result, one is offered.
KINDS: Final = {
    "curl": Kind(
        "a curl command",
        "Take the body of this curl command",
        lambda text, _: is_curl(text),
        _body,
    ),
    "lines": Kind(
        "JSON Lines",
        "Convert JSON Lines to an array",
        lambda text, _: "\n" in text,
        _array_of_lines,
    ),
    "python": Kind(
        "a Python literal",
        "Convert Python literal",
        lambda _, rest: _PYTHON.match(rest),
        _from_python,
    ),
    "javascript": Kind(
        "a JavaScript literal",
        "Convert JavaScript literal",
        lambda _, rest: _JAVASCRIPT.match(rest),
        _from_javascript,
    ),
}
