"""Readers of Python's and JavaScript's literals, as people copy them from code.

Nothing in a text is ever run.
"""

import ast
import json
import re
import warnings
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import pyjson5

from toon.codec.text import MAX_DEPTH
from toon.errors import FormatError
from toon.playground.rewrite import Conversion, Obstacle, indent
from toon.text import Notice
from toon.wording import plural

#: The most values and signs of a text: Python's own reader needs up to a kilobyte for each.
MOST_PIECES: Final = 200_000

# The start of something that only Python or JavaScript has, where JSON stops being readable. A text
# that stops there for another reason, such as a missing comma, need not be read again.
_TARGET: Final = r"(?:(?:export +)?(?:const|let|var) +)?[A-Za-z_$][\w$.]* *(?:: *[\w<>\[\]]+ *)?= *"
_COMMENTS: Final = r"(?:\s++|//[^\n]*+|\#[^\n]*+|/\*.*?\*/)*+"
_PREFIX: Final = re.compile(rf"\A{_COMMENTS}(?:{_TARGET}|export +default +)(?=[\[{{(])", re.DOTALL)
PYTHON: Final = re.compile(rf"[bBrRuU]{{0,2}}'|True|False|None|nan|inf|[#(]|\d[\d.]*\s*:|{_TARGET}")
JAVASCRIPT: Final = re.compile(r"(?!NaN|Infinity|undefined)[\w\s$'/,+.]")
_STRING: Final = r"""(?P<quote>(?>{}))(?:[^\\'"]++|\\.|(?!(?P=quote))['"])*+(?P=quote)"""
# No literal has an operator, an unclosed quote, or a quote after a word, as in f''.
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
_PLACE: Final = re.compile(r"near ([0-9]+)")

_LITERALS: Final = "literal"  # the name under which Python's reader warns
warnings.filterwarnings("ignore", module=_LITERALS)  # of escapes in it, which users typed


def convert_python(text: str) -> Conversion:
    text = _find_value(text)
    for count, piece in enumerate(_PIECE.finditer(text), 1):
        if piece["alien"]:
            raise ValueError("an operator, or a quote that opens no literal")
        if count > MOST_PIECES:
            raise FormatError(f"more than {MOST_PIECES:,} values and signs: too many to convert")
    tree = ast.parse(text, _LITERALS, "eval")
    try:
        value = ast.literal_eval(tree)
    except ValueError:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                raise Obstacle(
                    f"{node.id[:80]} (line {node.lineno}) has no JSON form: write text or null"
                ) from None
        raise
    _refuse_repeated(tree)
    return Conversion(_dump_value(value), tuple(_note_changes(tree)))


def _note_changes(tree: ast.AST) -> Iterator[Notice]:
    """Yield notices of what JSON changes in a Python literal: tuples to lists, keys to texts."""
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


def _refuse_repeated(tree: ast.AST) -> None:
    """Raise Obstacle if a literal's dict has keys equal in Python (1, True) or in JSON (1, '1')."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            seen = set[object]()
            for key in map(ast.literal_eval, filter(None, node.keys)):
                name = key if isinstance(key, str) else json.dumps(key)
                if key in seen or name in seen:
                    raise _repeated_key(name)
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
                    raise _repeated_key(key)
                objects[-1].add(key)
            case word if word[0] != "/":  # no comment
                last = word


def _repeated_key(key: str) -> Obstacle:
    return Obstacle(f"the key {key[:80]} stands twice")


def convert_javascript(text: str) -> Conversion:
    text = _find_value(text)
    try:
        value = pyjson5.decode(text, maxdepth=MAX_DEPTH)
        _refuse_repeated_in_json5(text)
    except pyjson5.Json5DecoderException as error:
        place = _PLACE.search(str(error))
        if place and text.startswith("undefined", int(place[1]) - 1):
            raise Obstacle("undefined has no JSON form: write null") from None
        raise ValueError("not JSON5") from None
    return Conversion(_dump_value(value))


def _find_value(text: str) -> str:
    """Return the literal in a line of code, without ``name =`` and comments before it."""
    return _PREFIX.sub("", text, count=1).strip().removesuffix(";")


def _dump_value(value: Any) -> str:
    """Return a Python value as indented JSON; raise Obstacle if JSON has no form for a part."""
    return indent(json.dumps(value, ensure_ascii=False, default=_refuse))


def _refuse(value: object) -> NoReturn:
    raise Obstacle(f"a value of type {type(value).__name__} has no JSON form")
