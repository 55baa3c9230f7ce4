"""``encode`` and ``decode``: options checked once, then the encoder or the decoder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from toon.codec.decoder import Decoder
from toon.codec.encoder import Encoder, NotPlain, TooDeep
from toon.codec.plain import plain
from toon.codec.problems import phrase
from toon.codec.text import DELIMITERS, MAX_DEPTH, parse_finite
from toon.errors import EncodeError, ToonDecodeError

SPEC_VERSION: Final = "4.4"


def encode(
    value: Any,
    *,
    delimiter: str = ",",
    indent_size: int = 2,
    spec: str = SPEC_VERSION,
    default: Callable[[Any], Any] | None = None,
) -> str:
    """``value`` as a TOON document, without a trailing newline.

    Args:
        value: ``dict`` with string keys, ``list``, ``tuple``, ``str``, ``int`` of any size,
            ``float``, ``Decimal``, ``bool``, ``None``, nested at most 256 levels deep.
        delimiter: ``","``, ``"\\t"`` or ``"|"`` (SPEC 4.4 §11).
        indent_size: spaces a level, 1 or more.
        spec: the version of the specification to write.
        default: called with every other value; returns one that can be encoded.

    Raises:
        EncodeError: (a ValueError) a value has no TOON form; its ``path`` says which.
        ValueError: an option is not one of the above.

    NaN and the infinities become ``null`` (§3); a float is written with the shortest digits that
    read back as the same number (§2).
    """
    _check(indent_size, spec)
    if delimiter not in DELIMITERS:
        raise ValueError(f"delimiter must be ',', '\\t' or '|', not {delimiter!r}")
    try:
        text = Encoder(delimiter, indent_size).document(value)
    except (NotPlain, TooDeep, RecursionError):
        text = _encode_plain(plain(value, default), delimiter, indent_size)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            plain(value, default)  # names the path of the lone surrogate
            raise
    return text


def _encode_plain(value: Any, delimiter: str, indent_size: int) -> str:
    try:
        return Encoder(delimiter, indent_size).document(value)
    except TooDeep:
        raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", "$") from None


def decode(
    text: str | bytes | bytearray,
    *,
    indent_size: int = 2,
    strict: bool = True,
    spec: str = SPEC_VERSION,
    parse_float: Callable[[str], Any] | None = None,
) -> Any:
    """The value a TOON document stands for.

    Args:
        text: the document; bytes are read as UTF-8.
        indent_size: spaces a level, 1 or more.
        strict: check everything of SPEC 4.4 §14. False applies the five recoveries of §14.4:
            wrong counts, duplicate keys (the last wins), uneven or tabbed indentation, blank
            lines inside blocks, blocks that start too deep.
        spec: the version of the specification to read.
        parse_float: called with the text of every number that has a fraction or an exponent;
            ``decimal.Decimal`` reads them exactly. Integers are always exact, of any size.

    Raises:
        ToonDecodeError: (a ValueError) with message, line, column, source line and hint.
        ValueError: an option is not one of the above.

    A number beyond the largest 64-bit float is refused unless ``parse_float`` takes it; nesting
    deeper than 256 levels is refused.
    """
    _check(indent_size, spec)
    if isinstance(text, bytes | bytearray):
        text = _utf8(text)
    return Decoder(text, indent_size, strict, parse_float or parse_finite).document()


def _check(indent_size: int, spec: str) -> None:
    if isinstance(indent_size, bool) or not isinstance(indent_size, int) or indent_size < 1:
        raise ValueError(f"indent_size must be an int of 1 or more, not {indent_size!r}")
    if spec != SPEC_VERSION:
        raise ValueError(f"spec must be {SPEC_VERSION!r}, not {spec!r}")


def _utf8(data: bytes | bytearray) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = bytes(data[: error.start]).decode()
        found = f"{error.reason} at byte {error.start}"
        message, hint = phrase("utf-8", {"found": found})
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        raise ToonDecodeError(message, line=line, column=column, hint=hint) from None
