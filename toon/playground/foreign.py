"""Texts that are no JSON but hold a JSON value, converted to it.

JSON Lines, literals of Python and of JavaScript, the body of a pasted curl command, TOON and its
dialects, the JSON in lines of a log, and pages of HTML, which are one text. Nothing in a text is
ever run or fetched.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, NoReturn, TypedDict

import pyjson5

from toon.codec.text import MAX_DEPTH
from toon.errors import FormatError, JsonDecodeError, TextError
from toon.formats.json import JSON_COMPACT
from toon.playground.curl import body_of, is_curl
from toon.playground.detection import read_toon
from toon.playground.rewrite import indented
from toon.text import Notice
from toon.values.json_text import parse_json
from toon.wording import plural

#: Longer texts are not converted: the readers would hold up the server.
MOST_CHARACTERS: Final = 1_000_000
#: Python's own reader needs up to a kilobyte for each value, operator or bracket.
MOST_PIECES: Final = 200_000

# Where JSON ends to be readable, a literal of one of the languages has something of its own. A text
# that stops there for another reason, such as a missing comma, need not be read again.
_NAMED: Final = r"(?:(?:export +)?(?:const|let|var) +)?[A-Za-z_$][\w$.]* *= *"
_ASSIGNED: Final = re.compile(rf"\A\s*(?:{_NAMED}|export +default +)(?=[\[{{(])")
_PYTHON: Final = re.compile(rf"[bBrRuU]{{0,2}}'|True|False|None|nan|inf|[#(]|\d[\d.]*\s*:|{_NAMED}")
_JAVASCRIPT: Final = re.compile(r"(?!NaN|Infinity|undefined)[\w\s$'/,+.]")
_STRING: Final = r"""(?P<quote>(?>{}))(?:[^\\'"]++|\\.|(?!(?P=quote))['"])*+(?P=quote)"""
# No literal has an operator, nor a quote that none closes or that follows a word, as in f''.
_PIECE: Final = re.compile(
    "[bBrRuU]{0,2}"
    + _STRING.format("""\'\'\'|\"{3}|'|\"""")
    + r"""|(?P<alien>\w*+['"]|[<>!%^&|*/@~]|==)
    |\#[^\r\n]*|\w+(?:\.\d\w*)?|[^\s,:+-]""",
    re.S | re.X,
)
# In JSON5, a colon outside of strings and comments follows a key.
_JSON5_PIECE: Final = re.compile(
    _STRING.format("""'|\"""")
    + r"""|//[^\n\r\u2028\u2029]*|/\*.*?\*/
    |[{}:]|[^\s\ufeff{}\[\]:,'"/]+""",
    re.S | re.X,
)
# What stands before the JSON of a log's line is short, and begins as no JSON does.
_LOGGED: Final = re.compile(
    r"""(?=[^\s{"'])(?:\[[^\[\]{}\n]{0,60}\]|[^{\[\n]){1,300}?[^\w{\[\n](?P<json>[{\[].*[}\]])\s*$""",
    re.M,
)
_LOG: Final = re.compile(
    r"[\s\[(<]*(?:\d{4}-\d\d-\d\d\b|[A-Z][a-z]{2} +\d+ \d\d:|\d{1,3}(?:\.\d{1,3}){3} "
    r"|(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b)"
)
_HTML: Final = re.compile(r"\s*<(?:!doctype html|html|head|body)\b", re.I)
_TABLE: Final = r"\[#?\d+[\t|]?\](?:\{[^\n]*\})?"
_TOON: Final = re.compile(rf"\s*(?:[A-Za-z_][\w.]*(?:{_TABLE})?:(?:\s|$)|{_TABLE}:)", re.M)
_PLACE: Final = re.compile(r"near ([0-9]+)")

_LINE: Final = json.JSONDecoder(parse_int=str, parse_float=str)

_LITERALS: Final = "literal"  # the name under which Python's reader warns
warnings.filterwarnings("ignore", module=_LITERALS)  # of escapes in it, which users typed


class Obstacle(FormatError):
    """The text is of a kind, but holds what JSON cannot."""


class Converted(NamedTuple):
    """The JSON of a text, and what is said of it."""

    text: str
    notices: tuple[Notice, ...] = ()


class Offer(TypedDict):
    """A conversion that succeeds: its name in ``KINDS``, what the text is, and a button's words."""

    name: str
    title: str
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
    convert: Callable[[str], Converted]


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
            found.setdefault(
                as_json(name, text), {"name": name, "title": kind.title, "label": kind.label}
            )
        except Obstacle as reason:
            hint = hint or reason.message
        except FormatError:
            continue
    offers = list(found.values())
    if offers:  # where the text does not even begin as JSON, how to mend JSON is no help
        kind = KINDS[offers[0]["name"]]
        is_other = offers[0]["name"] in ("log", "html", "toon") or (rest and text.startswith(rest))
        hint = f"this looks like {kind.title}" if is_other else None
    return {"offers": offers, "hint": hint}


def as_json(name: str, text: str) -> str:
    """The JSON alone of :func:`read_pasted`, which says what it raises."""
    return read_pasted(name, text).text


def read_pasted(name: str, text: str) -> Converted:
    """The JSON of a text of the kind ``name``, a key of ``KINDS``, and what reading it changed.

    Raises:
        FormatError: The text is not of that kind, is longer than ``MOST_CHARACTERS``, or holds what
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


def _array_of_lines(text: str) -> Converted:
    """The lines of a text as an array; each stays as typed."""
    lines = [line.strip(" \t\r") for line in text.removeprefix("\ufeff").split("\n")]
    items = [line for line in lines if line]
    if len(items) < 2:
        raise ValueError("one line is no list")
    for item in items:
        _LINE.decode(item)
    array = "[\n" + ",\n".join(items) + "\n]"
    parse_json(array)
    return Converted(array)


def _in_lines_of_a_log(text: str) -> Converted:
    """The JSON that ends each line, else the lines as texts: one as it stands, else an array."""
    if not (_LOGGED.match(text) or _LOG.match(text)):
        raise FormatError("this is not a log")
    lines = [line for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    items = [match["json"] for match in map(_LOGGED.match, lines) if match]
    if len(items) < len(lines):
        items = [json.dumps(line.rstrip("\r"), ensure_ascii=False) for line in lines]
    if len(items) > 1:
        return _array_of_lines("\n".join(items))
    parse_json(items[0])
    return Converted(items[0])


def _page(text: str) -> Converted:
    """A page of HTML as a text: nothing in it is data."""
    if not _HTML.match(text):
        raise FormatError("this is not a page of HTML")
    return Converted(json.dumps(text.strip(), ensure_ascii=False))


def _from_toon(text: str) -> Converted:
    """A table or an object of TOON or of a dialect; a single text is nothing to recognise."""
    if not _TOON.match(text):
        raise FormatError("this is not TOON")
    value = read_toon(text).value
    if not isinstance(value, dict | list):
        raise ValueError("one text is no TOON to speak of")
    return Converted(indented(JSON_COMPACT.dumps(value)))


def _body(text: str) -> Converted:
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
    return Converted(body)


def _from_python(text: str) -> Converted:
    text = _value_in(text)
    _refuse_many_pieces(text)
    tree = ast.parse(text, _LITERALS, "eval")
    try:
        value = ast.literal_eval(tree)
    except ValueError:
        _refuse_names(tree)
        raise
    _refuse_repeated(tree)
    return Converted(_written(value), tuple(_changed(tree)))


def _changed(tree: ast.AST) -> Iterator[Notice]:
    """What JSON has no form for, and holds as something else."""
    nodes = list(ast.walk(tree))
    tuples = sum(isinstance(node, ast.Tuple) for node in nodes)
    keys = [key for node in nodes if isinstance(node, ast.Dict) for key in node.keys]
    others = sum(not isinstance(getattr(key, "value", None), str) for key in keys)
    if tuples:
        yield Notice(f"JSON has no tuples: {plural(tuples, 'tuple is a list', 'tuples are lists')}")
    if others:
        yield Notice(
            f"JSON has only texts as keys: {plural(others, 'key is a text', 'keys are texts')}"
        )


def _refuse_many_pieces(text: str) -> None:
    for count, piece in enumerate(_PIECE.finditer(text), 1):
        if piece["alien"]:
            raise ValueError("an operator, or a quote that opens no literal")
        if count > MOST_PIECES:
            raise FormatError(f"more than {MOST_PIECES:,} values and signs: too many to convert")


def _refuse_names(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            raise Obstacle(
                f"{node.id[:80]} (line {node.lineno}) has no JSON form: write text or null"
            )


def _refuse_repeated(tree: ast.AST) -> None:
    """Refuses keys that are one in Python, such as 1 and True, or in JSON, such as 1 and '1'."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            seen = set[object]()
            for key in map(ast.literal_eval, filter(None, node.keys)):
                name = key if isinstance(key, str) else json.dumps(key)
                if key in seen or name in seen:
                    raise _twice(name)
                seen |= {key, name}


def _refuse_repeated_in_json5(text: str) -> None:
    objects, last = list[set[str]](), ""
    for piece in _JSON5_PIECE.finditer(text):
        match piece[0]:
            case "{":
                objects.append(set())
            case "}":
                objects.pop()
            case ":":
                (key,) = pyjson5.decode(f"{{{last}:0}}")
                if key in objects[-1]:
                    raise _twice(key)
                objects[-1].add(key)
            case word if word[0] != "/":  # no comment
                last = word


def _twice(key: str) -> Obstacle:
    return Obstacle(f"the key {key[:80]} stands twice")


def _from_javascript(text: str) -> Converted:
    text = _value_in(text)
    try:
        value = pyjson5.decode(text, maxdepth=MAX_DEPTH)
        _refuse_repeated_in_json5(text)
    except pyjson5.Json5DecoderException as error:
        place = _PLACE.search(str(error))
        if place and text.startswith("undefined", int(place[1]) - 1):
            raise Obstacle("undefined has no JSON form: write null") from None
        raise ValueError("not JSON5") from None
    return Converted(_written(value))


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
    "log": Kind(
        "a log",
        "Take what is in these lines",
        lambda text, _: _LOGGED.match(text) or _LOG.match(text),
        _in_lines_of_a_log,
    ),
    "html": Kind(
        "a page of HTML",
        "Take this page as one text",
        lambda text, _: _HTML.match(text),
        _page,
    ),
    "toon": Kind(
        "TOON",
        "Convert TOON",
        lambda text, _: _TOON.match(text),
        _from_toon,
    ),
}
