"""The public functions that read TOON: they check their options, then call the decoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypedDict, Unpack

from toon.codec.decoder import Decoder
from toon.codec.legacy import ExpandingDecoder, LegacyDecoder
from toon.codec.parts import Document, array_elements
from toon.codec.problems import describe
from toon.codec.text import MAX_DEPTH, SPEC_VERSION, parse_finite
from toon.codec.writing import check_options
from toon.errors import ToonDecodeError
from toon.text import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toon.codec.text import Version


class SupportsRead(Protocol):
    def read(self) -> str | bytes: ...


class DecodeOptions(TypedDict, total=False):
    """The keyword arguments of :func:`toon.decode`, for functions that pass them on."""

    indent_size: int
    strict: bool
    spec: Version
    parse_float: Callable[[str], Any] | None
    expand_paths: bool


def decode(
    text: str | bytes | bytearray,
    *,
    indent_size: int = 2,
    strict: bool = True,
    spec: Version = SPEC_VERSION,
    parse_float: Callable[[str], Any] | None = None,
    expand_paths: bool = False,
) -> Any:
    """Read the value of a TOON document.

    Args:
        text: the document; bytes are read as UTF-8.
        indent_size: spaces a level, 1 or more.
        strict: check everything of SPEC 4.4 §14. False applies the five recoveries of §14.4:
            wrong counts, duplicate keys (the last wins), uneven or tabbed indentation, blank
            lines inside blocks, blocks that start too deep.
        spec: the version of the specification to read: ``"4.4"`` or ``"3.3"``.
        parse_float: called with the text of every number that has a fraction or an exponent;
            ``decimal.Decimal`` reads them exactly. Integers are always exact, of any size (past
            4,300 digits as a Decimal).
        expand_paths: (3.3 only) read unquoted dotted keys as nested objects.

    Raises:
        ToonDecodeError: (a ValueError) with message, line, column, source line and hint.
        ValueError: An option has none of the values above.

    A number beyond the largest 64-bit float is refused unless ``parse_float`` takes it; nesting
    deeper than 256 levels is refused.
    """
    check_options(indent_size, spec, expand_paths)
    if isinstance(text, bytes | bytearray):
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode()
            reason = f"{error.reason} at byte {error.start}"
            message, hint = describe("utf-8", {"found": reason})
            line, column = Source(before).place(len(before))
            raise ToonDecodeError(message, line=line, column=column, hint=hint) from None
    parse_float = parse_float or parse_finite
    try:
        kind = Decoder
        if spec != SPEC_VERSION:
            kind = ExpandingDecoder if expand_paths else LegacyDecoder
        return kind(text, indent_size, strict, parse_float).document()
    except RecursionError:  # the caller's stack left room for fewer than 256 levels
        message, hint = describe("too-deep", {"expected": MAX_DEPTH})
        raise ToonDecodeError(message, hint=hint) from None


def load(file: SupportsRead, **options: Unpack[DecodeOptions]) -> Any:
    """Read TOON from an open file, text or bytes; arguments and errors as for :func:`decode`."""
    return decode(file.read(), **options)


def decode_lines(
    lines: Iterable[str],
    *,
    indent_size: int = 2,
    strict: bool = True,
    parse_float: Callable[[str], Any] | None = None,
) -> Iterator[Any]:
    """Return an iterator over the elements of a TOON document whose root is an array.

    For documents too large for memory: ``lines``, with or without their line ends, are read 4,096
    at a time, and more where an element has more. An error is raised when the iteration reaches its
    line, a wrong count at the end. Other arguments and errors are those of :func:`decode`.
    """
    document = open_lines(lines, indent_size, strict, parse_float)
    return array_elements(document.parts(), document.refuse_root)


def open_lines(
    lines: Iterable[str],
    indent_size: int,
    strict: bool = True,
    parse_float: Callable[[str], Any] | None = None,
) -> Document:
    """Return a reader of the TOON document in ``lines`` by parts; arguments as for decode_lines."""
    check_options(indent_size, SPEC_VERSION, False)

    def new_decoder(text: str) -> Decoder:
        return Decoder(text, indent_size, strict, parse_float or parse_finite)

    return Document(lines, new_decoder)
