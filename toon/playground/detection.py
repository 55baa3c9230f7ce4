"""Detection of a text's dialect by its first lines: people paste dialects as TOON."""

import re
from typing import Final

from toon.codec.normalise import normalise
from toon.errors import DialectError, EncodeError, FormatError, JsonDecodeError
from toon.formats import FORMATS
from toon.formats.base import OneWay
from toon.formats.toon import TOON, ToonFormat
from toon.text import Notice, Parsed
from toon.values.json_text import parse_json

_BLANK: Final = " \t\r\n\ufeff"
_TOON_LIST: Final = re.compile(r"\[#?[0-9]+[\t|]?:?\](?:\{|:)")


def guess_dialect(text: str) -> str:
    """Guess from its first lines the format of a text that was pasted as TOON; return the name.

    The result is the first dialect of TOON that recognises the lines, or else ``toon``. Only the
    format's reader can confirm the guess.
    """
    start = text.lstrip(_BLANK)
    for name, format in FORMATS.items():
        if format.beginning and format.beginning.match(start) and format.recognises(start):
            return name
    return "toon"


def read_any(text: str, toon: ToonFormat = TOON) -> tuple[Parsed, str]:
    """Decode JSON, XML, TOON or a dialect by its look; return value, notices and format's name.

    Raises:
        TextError: The text is not of the format that it looks like.
    """
    start = text.lstrip(_BLANK)
    if start[:1] == "<":
        return FORMATS["xml"].read(text), "xml"
    try:
        return parse_json(text), "json"
    except JsonDecodeError:
        if not start or start[0] == "{" or (start[0] == "[" and not _TOON_LIST.match(start)):
            raise
    return read_toon(text, toon), guess_dialect(text)


def read_toon(text: str, toon: ToonFormat = TOON, *, strict: bool = True) -> Parsed:
    """Decode a TOON text, or one in the dialect of TOON that it looks like, to a value and notices.

    Args:
        toon: TOON with the indent to read by.
        strict: False accepts what readers can repair; each repair is a notice.

    Raises:
        ToonDecodeError: The text is not TOON.
        DialectError, FormatError: The text looks like a dialect, whose reader refuses it.
    """
    dialect = guess_dialect(text)
    if dialect == "toon":
        return toon.read(text, strict=strict)
    return read_dialect(dialect, text, strict=strict)


def read_dialect(name: str, text: str, *, strict: bool = True) -> Parsed:
    """Decode a text in TOON's dialect ``name`` to a value and notices; the first names the dialect.

    Raises:
        DialectError, FormatError: The text is not of that dialect, the dialect can be written but
            not read back, or the value is nested deeper than TOON can be.
    """
    format = FORMATS[name]
    try:
        parsed = format.read(text, strict=strict)
        normalise(parsed.value)
    except (DialectError, FormatError) as error:
        error.message = f"read as {format.label}: {error.message}"
        raise
    except OneWay as reason:
        hint = "paste it on the other side to see what it costs"
        raise DialectError(f"read as {format.label}: {reason}", hint=hint) from None
    except EncodeError as error:
        raise DialectError(str(error), hint="no format here goes deeper") from None
    notice = Notice(f"this is not TOON: it was recognised and read as {format.label}")
    return parsed._replace(notices=(notice, *parsed.notices))
