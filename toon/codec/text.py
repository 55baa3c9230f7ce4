"""The lexical rules that encoder and decoder share: quoting, keys, numbers, primitive tokens.

SPEC 4.4 §2 (numbers), §4 (tokens), §7 (strings and keys).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring
from math import isinf

from toon.codec.numbers import NumberRangeError
from toon.text import QUOTED_OR_OPEN, compile_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Literal, TypeAlias

    Delimiter: TypeAlias = Literal[",", "\t", "|"]
    Version: TypeAlias = Literal["4.4", "3.3"]

#: The versions of the specification that are written and read.
SPEC_VERSION: Final = "4.4"
LEGACY_VERSION: Final = "3.3"

#: The delimiters by name, as options spell them and labels say them (§11).
NAMED_DELIMITERS: Final[dict[str, Delimiter]] = {"comma": ",", "tab": "\t", "pipe": "|"}

DELIMITERS: Final[tuple[str, ...]] = tuple(NAMED_DELIMITERS.values())
DELIMITER_NAMES: Final[dict[str, str]] = {sign: name for name, sign in NAMED_DELIMITERS.items()}
DEFAULT_DELIMITER: Final = next(iter(NAMED_DELIMITERS))

#: Encoder and decoder refuse deeper nesting (§15 allows a documented limit).
MAX_DEPTH: Final = 256

LITERALS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
LITERAL_TEXTS: Final[dict[bool | None, str]] = {value: text for text, value in LITERALS.items()}

_LITERAL_HEADS: Final = frozenset("tfn")

#: First characters of tokens that may be no bare string; ``[`` is for ``[]`` (§9.1), the space for
#: tokens not trimmed yet.
TYPED_HEADS: Final = frozenset('"[-0123456789tfn ')

# §4: the JSON number grammar, ASCII digits only; the group is a fraction or exponent.
NUMBER: Final = compile_later(
    r"-?(?:0|[1-9][0-9]*+)((?:\.[0-9]++)(?:[eE][+-]?[0-9]++)?|[eE][+-]?[0-9]++)?\Z"
)
# §7.2: wider than that grammar, so that "05" and "+1" are quoted and stay strings everywhere.
NUMERIC_LIKE: Final = compile_later(r"[+-]?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?\Z")
# §7.3
BARE_KEY: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_.]*+\Z")
# §7.4: a quoted token is complete only if its closing quote is its last character.
QUOTED: Final = compile_later(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"\Z', re.DOTALL)

_ESCAPE: Final = compile_later(r'[\\"\x00-\x1f]')
ESCAPES: Final = {chr(c): f"\\u{c:04x}" for c in range(32)} | {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}
_UNESCAPE: Final = compile_later(r'\\(?:([\\"nrt])|u([0-9A-Fa-f]{4}))|\\')
_UNESCAPES: Final = {"\\": "\\", '"': '"', "n": "\n", "r": "\r", "t": "\t"}


class TokenError(Exception):
    """An error in a TOON token: the problem's name, its offset in the token, and facts on it."""

    def __init__(self, problem: str, offset: int, **facts: object) -> None:
        super().__init__(problem)
        self.problem = problem
        self.offset = offset
        self.facts = facts


# -- strings and keys ------------------------------------------------------------------------


@lru_cache(maxsize=16)  # three delimiters, two versions, each for one string and for many
def compile_safe(
    delimiter: str, heads: str = "#-", signs: str = "+-", many: bool = False
) -> re.Pattern[str]:
    """Return a pattern that matches exactly the strings that need no quotes in TOON (§7.2).

    ``heads`` are characters that need quotes at the start, besides the special ones; ``signs`` are
    the characters that may start a number. With ``many``, it matches exactly the texts whose lines
    are all such strings.
    """
    special = re.escape(f':"\\[]{{}}{delimiter}')
    number = NUMERIC_LIKE.pattern[:-2].replace("[+-]", f"[{signs}]", 1)
    unsafe_first = rf"\x00-\x20{re.escape(heads)}{special}"
    safe = (
        rf"(?:[^{unsafe_first}tfn+\-0-9]|(?!(?:true|false|null|{number})(?:\n|\Z))[^{unsafe_first}])"
        rf"[^\x00-\x1f{special}]*+(?<!\ )"
    )
    return compile_later(rf"{safe}(?:\n{safe})*+\Z" if many else rf"{safe}\Z")


def quote(text: str) -> str:
    """Return a string in quotes, escaped as TOON asks (§7.1)."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    if "\b" in text or "\f" in text or not text.isascii():  # JSON's other escapes; a lone surrogate
        return f'"{_ESCAPE.sub(lambda m: ESCAPES[m[0]], text)}"'
    return encode_basestring(text)


@lru_cache(maxsize=1024)
def write_key(key: str) -> str:
    """Return a key as TOON writes it: in quotes unless it is a plain word (§7.3)."""
    return key if BARE_KEY.match(key) else quote(key)


def unquote(token: str) -> str:
    """Return the string that a TOON token in quotes spells (§7.1, §7.4), or raise TokenError."""
    if "\\" not in token and token.find('"', 1) == len(token) - 1 > 0:
        return token[1:-1]
    match = QUOTED.match(token)
    if match is None:
        closed = re.match(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', token, re.DOTALL)
        problem = "after-quote" if closed else "unterminated-string"
        raise TokenError(problem, closed.end() if closed else 0)
    inside = match[1]
    if "\\" not in inside:
        return inside
    return _UNESCAPE.sub(_unescape_one, inside)


class QuotedKey(str):
    """A key that was quoted in TOON, so that path expansion leaves its dots alone."""

    __slots__ = ()


def read_key(token: str, mark: bool = False) -> str:
    """Return the key that a TOON token spells (§7.4): unescaped if quoted, else the token itself.

    With ``mark``, the key of a quoted token is a QuotedKey.
    """
    if not token.startswith('"'):
        return token
    return QuotedKey(unquote(token)) if mark else unquote(token)


def _unescape_one(match: re.Match[str]) -> str:
    short, code = match[1], match[2]
    if short:
        return _UNESCAPES[short]
    if code and not 0xD800 <= int(code, 16) <= 0xDFFF:
        return chr(int(code, 16))
    escape = match.string[match.start() : match.start() + (6 if code else 2)]
    problem = "surrogate-escape" if code else "bad-escape"
    raise TokenError(problem, match.start() + 1, found=escape)


# -- delimited text --------------------------------------------------------------------------

_TOKENS: Final = {
    d: compile_later(
        rf'((?:[^"{re.escape(d)}]|{QUOTED_OR_OPEN})*+)(?:{re.escape(d)}|\Z)', re.DOTALL
    )
    for d in DELIMITERS
}


def split_outside_quotes(text: str, delimiter: str) -> list[str]:
    """Split a row of TOON into cells at the delimiters outside quotes (§11.2)."""
    tokens = []
    for match in _TOKENS[delimiter].finditer(text):
        tokens.append(match[1])
        if match.end(1) == match.end():  # no delimiter after it: the last token
            break
    return tokens


def find_token_end(text: str, delimiter: str) -> int:
    """Return the offset of the first delimiter outside quotes in a TOON row, or its length."""
    match = _TOKENS[delimiter].match(text)
    assert match is not None
    return match.end(1)


# -- numbers ---------------------------------------------------------------------------------


def write_int(value: int) -> str:
    """Return an int as text with all of its digits, also past the limit of Python."""
    try:
        return str(value)
    except ValueError:  # past sys.get_int_max_str_digits(); Decimal converts without that limit
        return format(Decimal(value), "f")


def write_float(value: float) -> str:
    """Write a float in the canonical form of TOON (§2), in the shortest digits that read back."""
    text = repr(value)
    if text.endswith(".0"):
        return "0" if text == "-0.0" else text[:-2]
    if "e" in text:
        if 1e16 <= abs(value) < 1e21:
            return str(int(value))  # readers take these digits for an int: all must be exact
        return write_decimal(Decimal(text))
    return "null" if "n" in text else text  # inf and nan (§3)


def write_decimal(value: Decimal) -> str:
    """Write a Decimal in the canonical form of TOON (§2), with all of its digits."""
    if not value.is_finite():
        return "null"
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    figures = "".join(map(str, digits)).lstrip("0")
    stripped = figures.rstrip("0")
    if not stripped:
        return "0"
    exponent += len(figures) - len(stripped)
    figures, minus = stripped, "-" if sign else ""
    magnitude = len(figures) + exponent - 1
    if not -6 <= magnitude < 21:
        fraction = "." + figures[1:] if len(figures) > 1 else ""
        return f"{minus}{figures[0]}{fraction}e{magnitude:+d}"
    if exponent >= 0:
        return minus + figures + "0" * exponent
    if magnitude < 0:
        return f"{minus}0.{'0' * (-magnitude - 1)}{figures}"
    return f"{minus}{figures[:exponent]}.{figures[exponent:]}"


def write_scalar(value: Any) -> str:
    """Write a number, boolean or null as TOON does.

    Numbers look as JavaScript prints them, but keep all of their digits. NaN and infinities become
    ``null``, as in JSON.stringify.
    """
    if value is None or isinstance(value, bool):
        return LITERAL_TEXTS[value]
    if isinstance(value, int):
        return write_int(value)
    return write_decimal(value) if isinstance(value, Decimal) else write_float(value)


def parse_int(token: str) -> int | Decimal:
    """Convert an integer's digits to an int, or to a Decimal if they are more than 4,300.

    Python does not convert longer tokens to int because that takes quadratic time.
    """
    try:
        return int(token)
    except ValueError:
        return Decimal(token)


def parse_finite(token: str) -> float:
    """Convert the text of a number in TOON to a float (§4).

    Raises:
        TokenError: The number is beyond the largest float. ``parse_float=Decimal`` reads it.
    """
    value = float(token)
    if isinf(value):
        raise TokenError("number-range", 0, found=token)
    return value or 0.0  # never -0.0


def parse_token(token: str, parse_float: Callable[[str], Any]) -> Any:
    """Convert a token of TOON without outer spaces to a string, number, boolean or None (§4)."""
    head = token[:1]
    if head == '"':
        return unquote(token)
    if head in _LITERAL_HEADS:
        return LITERALS.get(token, token)
    if token.isdigit() and token.isascii() and head != "0":
        return int(token) if len(token) < 4000 else parse_int(token)
    number = NUMBER.match(token)
    if number is None:
        return token
    if not number.lastindex:
        return parse_int(token)
    try:
        return parse_float(token)
    except (ArithmeticError, NumberRangeError):  # the exponent is too large for Decimal
        raise TokenError("number-range", 0, found=token) from None
