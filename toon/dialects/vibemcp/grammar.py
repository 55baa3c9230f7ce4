"""The rules for first lines and tokens that writers, reader and layout of VibeMCP share."""

import re
from typing import Any, Final, Literal

from toon.codec.numbers import exact_number
from toon.codec.text import TokenError, parse_token, split_outside_quotes
from toon.errors import EncodeError
from toon.text import QUOTED

Profile = Literal["vibemcp", "vibemcp-lossless"]
LOSSY: Final = "vibemcp"
LOSSLESS: Final = "vibemcp-lossless"

#: The labels of a list and of an object without a name.
LIST_LABEL: Final = "items"
DETAIL_LABEL: Final = "item"

Form = Literal["list", "detail", "damaged", "scalar"]

#: The labels, columns and keys that the lossless profile writes without quotes.
BARE_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*+\Z")

_BARE_LABEL: Final = r'[^\s\[\]{}:"\ufeff]++'
#: The names of a list or an object that need no quotes.
BARE_LABEL: Final = re.compile(_BARE_LABEL)
_LABELS: Final = {LOSSY: _BARE_LABEL, LOSSLESS: f"(?:{QUOTED}|{_BARE_LABEL})"}
_HEADERS: Final = {
    profile: re.compile(
        rf"(?P<label>{label})(?=[\[{{])(?:\[(?P<count>[0-9]++)\])?(?:\{{(?P<columns>.*)\}})?\Z"
    )
    for profile, label in _LABELS.items()
}
_DETAILS: Final = {
    profile: re.compile(rf"(?P<label>{label}):\Z") for profile, label in _LABELS.items()
}
#: The keys of a detail.
KEYS: Final[dict[Profile, str]] = {
    LOSSY: r"[^\n]*?",
    LOSSLESS: r'(?:"(?:[^"\\\n]|\\[^\n])*+"|[^"\n][^\n]*?)',
}
# A bracket right after the first word: a header, perhaps damaged, or JSON.
_HEADER_LIKE: Final = re.compile(rf'(?:{QUOTED}|[^\s\[\]{{}}:"]*+)[\[{{]')


class Unfit(EncodeError):
    """The error for a JSON value that has no form in VibeMCP's lossy text; the message says why."""


def classify(line: str, profile: Profile) -> tuple[Form, re.Match[str] | None]:
    """Tell by its first line if VibeMCP's output is a list, a detail (one object), a scalar or
    damaged; return that, and the match of the line's parts or None.
    """
    header = _HEADERS[profile].match(line)
    if header:
        return "list", header
    detail = _DETAILS[profile].match(line)
    if detail:
        return "detail", detail
    return ("damaged" if _HEADER_LIKE.match(line) else "scalar"), None


_CELL: Final = re.compile(r'("(?:[^"\\]|\\.)*+(?:"[^\t]*+|\\?\Z)|[^\t]*+)(?:\t|\Z)', re.DOTALL)


def split_columns(text: str, profile: Profile) -> list[str]:
    """Split the columns in a header of VibeMCP's output at commas; lossless ones may be quoted."""
    return split_outside_quotes(text, ",") if profile == LOSSLESS else text.split(",")


def split_cells(line: str) -> list[str]:
    """Split a row of VibeMCP's output at its tabs, except in cells that start with a quote."""
    if '"' not in line:
        return line.split("\t")
    tokens = []
    for match in _CELL.finditer(line):
        tokens.append(match[1])
        if match.end(1) == match.end():  # no tab after it: the last token
            break
    return tokens


def read_raw(token: str) -> Any:
    """Convert a cell of VibeMCP's output to a number, boolean or None, else return it as it is."""
    if token.startswith('"'):
        return token
    try:
        return parse_token(token, exact_number)
    except TokenError:  # digits with an exponent that nothing can hold
        return token
