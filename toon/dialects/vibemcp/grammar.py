"""What the writers, the reader and the layout of VibeMCP's output share: first lines and tokens."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, Literal

from toon.codec.numbers import exact_number
from toon.codec.text import TokenError, primitive
from toon.errors import EncodeError
from toon.text import QUOTED

Profile = Literal["vibemcp", "vibemcp-lossless"]
LOSSY: Final = "vibemcp"
LOSSLESS: Final = "vibemcp-lossless"

#: The labels of a list and of an object that have no name of their own.
LIST_LABEL: Final = "items"
DETAIL_LABEL: Final = "item"

Form = Literal["list", "detail", "damaged", "scalar"]

#: What the lossless profile writes without quotes as a label, a column or a key.
BARE_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*+\Z")

_BARE_LABEL: Final = r'[^\s\[\]{}:"\ufeff]++'
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
# A bracket right behind the first word: a header, though perhaps a damaged one; or JSON.
_HEADER_LIKE: Final = re.compile(rf'(?:{QUOTED}|[^\s\[\]{{}}:"]*+)[\[{{]')


class Unfit(EncodeError):
    """A value that this dialect has no form for; the message says why."""


def classify(line: str, profile: Profile) -> tuple[Form, re.Match[str] | None]:
    """What a text with this first line is; the match of a list's or a detail's names its parts."""
    header = _HEADERS[profile].match(line)
    if header:
        return "list", header
    detail = _DETAILS[profile].match(line)
    if detail:
        return "detail", detail
    return ("damaged" if _HEADER_LIKE.match(line) else "scalar"), None


def is_label(text: str) -> bool:
    """True if ``text`` can stand as a label without quotes."""
    return re.fullmatch(_BARE_LABEL, text) is not None


@lru_cache(maxsize=8)
def _cell_pattern(delimiter: str) -> re.Pattern[str]:
    d = re.escape(delimiter)
    return re.compile(rf'("(?:[^"\\]|\\.)*+(?:"[^{d}]*+|\\?\Z)|[^{d}]*+)(?:{d}|\Z)', re.DOTALL)


def split_cells(line: str, delimiter: str) -> list[str]:
    """The tokens of a row: split at the delimiters outside the cells that start with a quote.

    The tokens and one delimiter between each two are the line.
    """
    if '"' not in line:
        return line.split(delimiter)
    tokens = []
    for match in _cell_pattern(delimiter).finditer(line):
        tokens.append(match[1])
        if match.end(1) == match.end():  # no delimiter after it: the last token
            break
    return tokens


def raw_value(token: str) -> Any:
    """What a token that is never quoted reads as: a number, true, false, null, or its own text."""
    if token.startswith('"'):
        return token
    try:
        return primitive(token, exact_number)
    except TokenError:  # digits with an exponent that nothing can hold
        return token
