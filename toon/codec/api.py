"""The public functions of the codec: they check their options, then call encoder or decoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, Final, Protocol

from toon.codec.decoder import Decoder
from toon.codec.encoder import Encoder
from toon.codec.legacy import LegacyDecoder, LegacyEncoder
from toon.codec.normalise import NotNormalised, TooDeep, normalise
from toon.codec.parts import Document, elements
from toon.codec.problems import phrase
from toon.codec.stream import stream
from toon.codec.text import DELIMITERS, MAX_DEPTH, parse_finite
from toon.errors import EncodeError, ToonDecodeError
from toon.text import Source, surrogate_in

SPEC_VERSION: Final = "4.4"
LEGACY_VERSION: Final = "3.3"


class SupportsWrite(Protocol):
    def write(self, text: str, /) -> object: ...


class SupportsRead(Protocol):
    def read(self) -> str | bytes: ...


def encode(
    value: Any,
    *,
    delimiter: str = ",",
    indent_size: int = 2,
    spec: str = SPEC_VERSION,
    default: Callable[[Any], Any] | None = None,
    key_folding: bool = False,
    flatten_depth: int | None = None,
) -> str:
    """``value`` as a TOON document, without a trailing newline.

    Args:
        value: what ``json.dumps`` takes, with ``Decimal`` and other mappings, nested at most 256
            levels deep; integers of any size. Keys that are no strings become what ``json`` writes.
        delimiter: ``","``, ``"\\t"`` or ``"|"`` (SPEC 4.4 §11).
        indent_size: spaces a level, 1 or more.
        spec: the version of the specification to write: ``"4.4"``, or ``"3.3"`` for readers
            that know no nested field groups, keyed tables or comments.
        default: called with every value of another type; returns one that can be encoded.
            :func:`toon.default` is a ready one.
        key_folding: (3.3 only) write a chain of single-key objects as one dotted key.
        flatten_depth: (3.3 only) the most segments of a folded key; None means no limit.

    Raises:
        EncodeError: (a ValueError) a value has no TOON form; its ``path`` says which.
        ValueError: An option has none of the values above.

    NaN and the infinities become ``null`` (§3); a float is written with the shortest digits that
    read back as the same number (§2).
    """
    _check(indent_size, spec, key_folding or flatten_depth is not None, delimiter)
    new_encoder: Callable[[], Encoder] = partial(Encoder, delimiter, indent_size)
    if spec == LEGACY_VERSION:
        most = math.inf if flatten_depth is None else flatten_depth
        new_encoder = partial(LegacyEncoder, delimiter, indent_size, most if key_folding else 0)
    try:
        text = new_encoder().document(value)
    except (NotNormalised, TooDeep, RecursionError):
        try:
            text = new_encoder().document(normalise(value, default))
        except (TooDeep, RecursionError):
            raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", "$") from None
    if surrogate_in(text) is not None:
        normalise(value, default)  # raises with the path of the lone surrogate
    return text


def decode(
    text: str | bytes | bytearray,
    *,
    indent_size: int = 2,
    strict: bool = True,
    spec: str = SPEC_VERSION,
    parse_float: Callable[[str], Any] | None = None,
    expand_paths: bool = False,
) -> Any:
    """The value of a TOON document.

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
    _check(indent_size, spec, expand_paths)
    if isinstance(text, bytes | bytearray):
        text = _utf8(text)
    parse_float = parse_float or parse_finite
    try:
        if spec == SPEC_VERSION:
            return Decoder(text, indent_size, strict, parse_float).document()
        return LegacyDecoder(text, indent_size, strict, parse_float, expand_paths).document()
    except RecursionError:  # the caller's stack left room for fewer than 256 levels
        message, hint = phrase("too-deep", {"expected": MAX_DEPTH})
        raise ToonDecodeError(message, hint=hint) from None


def dump(value: Any, file: SupportsWrite, **options: Any) -> None:
    """Writes ``value`` into an open text file; options and errors are those of :func:`encode`."""
    file.write(encode(value, **options))


def load(file: SupportsRead, **options: Any) -> Any:
    """The value of an open file of text or bytes; options and errors as of :func:`decode`."""
    return decode(file.read(), **options)


def encode_lines(
    value: Any,
    *,
    delimiter: str = ",",
    indent_size: int = 2,
    default: Callable[[Any], Any] | None = None,
) -> Iterator[str]:
    """The lines of :func:`encode`, one by one, without line ends.

    For values whose text would not fit in memory beside them: of an array at the root or right
    below it, only the text of 1,024 elements is held at a time. An error is raised when the
    iteration reaches its line. Other arguments and errors are those of :func:`encode`. A value with
    tuples, subclasses or the like in it is copied once the iteration reaches one of them.
    """
    return chain.from_iterable(_checked_blocks(value, delimiter, indent_size, default))


def encode_blocks(value: Any, delimiter: str, indent_size: int) -> Iterator[str]:
    """The text of :func:`encode` in blocks, as :func:`encode_lines` makes it."""
    between = ""
    for lines in filter(None, _checked_blocks(value, delimiter, indent_size, None)):
        yield between + "\n".join(lines)
        between = "\n"


def _checked_blocks(
    value: Any, delimiter: str, indent_size: int, default: Callable[[Any], Any] | None
) -> Iterator[list[str]]:
    _check(indent_size, SPEC_VERSION, False, delimiter)
    return _blocks(partial(Encoder, delimiter, indent_size), value, default)


def _blocks(
    new_encoder: Callable[[], Encoder], value: Any, default: Callable[[Any], Any] | None
) -> Iterator[list[str]]:
    """The lines of a document, some at a time."""
    sent = 0
    try:
        for lines in _written(new_encoder(), value):
            yield lines
            sent += len(lines)
    except (NotNormalised, TooDeep, RecursionError):
        value = normalise(value, default)
        try:
            for lines in _written(new_encoder(), value):
                yield lines[sent:]
                sent = max(0, sent - len(lines))
        except (TooDeep, RecursionError):
            raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", "$") from None


def _written(encoder: Encoder, value: Any) -> Iterator[list[str]]:
    for text in stream(encoder, value):
        if surrogate_in(text) is not None:
            raise NotNormalised  # normalise() names the path of the surrogate
        yield text.split("\n")


def decode_lines(
    lines: Iterable[str],
    *,
    indent_size: int = 2,
    strict: bool = True,
    parse_float: Callable[[str], Any] | None = None,
) -> Iterator[Any]:
    """The elements of a document whose root is an array, one by one.

    For documents too large for memory: ``lines``, with or without their line ends, are read 4,096
    at a time, and more where an element has more. An error is raised when the iteration reaches its
    line, a wrong count at the end. Other arguments and errors are those of :func:`decode`.
    """
    return elements(open_lines(lines, indent_size, strict, parse_float))


def open_lines(
    lines: Iterable[str],
    indent_size: int,
    strict: bool = True,
    parse_float: Callable[[str], Any] | None = None,
) -> Document:
    """The document in ``lines``, to be read in parts; arguments as those of `decode_lines`."""
    _check(indent_size, SPEC_VERSION, False)

    def new_decoder(text: str) -> Decoder:
        return Decoder(text, indent_size, strict, parse_float or parse_finite)

    return Document(lines, new_decoder)


def _check(indent_size: int, spec: str, legacy_option: bool, delimiter: str = ",") -> None:
    if isinstance(indent_size, bool) or not isinstance(indent_size, int) or indent_size < 1:
        raise ValueError(f"indent_size must be an int of 1 or more, not {indent_size!r}")
    if spec not in (SPEC_VERSION, LEGACY_VERSION):
        raise ValueError(f"spec must be {SPEC_VERSION!r} or {LEGACY_VERSION!r}, not {spec!r}")
    if legacy_option and spec != LEGACY_VERSION:
        raise ValueError(f"key folding and path expansion are of {LEGACY_VERSION}: pass spec")
    if delimiter not in DELIMITERS:
        raise ValueError(f"delimiter must be ',', '\\t' or '|', not {delimiter!r}")


def _utf8(data: bytes | bytearray) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = bytes(data[: error.start]).decode()
        found = f"{error.reason} at byte {error.start}"
        message, hint = phrase("utf-8", {"found": found})
        line, column = Source(before).place(len(before))
        raise ToonDecodeError(message, line=line, column=column, hint=hint) from None
