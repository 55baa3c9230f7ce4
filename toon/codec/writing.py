"""The public functions that write TOON: they check their options, then call the encoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice

from toon.codec.encoder import Encoder
from toon.codec.normalise import SCALARS, NotNormalised, TooDeep, check_types, normalise
from toon.codec.text import DELIMITERS, LEGACY_VERSION, MAX_DEPTH, SPEC_VERSION, write_int
from toon.errors import EncodeError
from toon.text import find_surrogate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Protocol, TypedDict, Unpack

    from toon.codec.text import Delimiter, Version

    class SupportsWrite(Protocol):
        def write(self, text: str, /) -> object: ...

    class EncodeOptions(TypedDict, total=False):
        """The keyword arguments of :func:`toon.encode`, for functions that pass them on."""

        delimiter: Delimiter
        indent_size: int
        spec: Version
        default: Callable[[Any], Any] | None
        key_folding: bool
        flatten_depth: int | None


BLOCK: Final = 1024  # elements that are written at once

#: Errors of the first try at a value; Python raises ValueError for an integer of many digits.
_UNUSUAL: Final = (NotNormalised, TooDeep, RecursionError, ValueError)


def encode(
    value: Any,
    *,
    delimiter: Delimiter = ",",
    indent_size: int = 2,
    spec: Version = SPEC_VERSION,
    default: Callable[[Any], Any] | None = None,
    key_folding: bool = False,
    flatten_depth: int | None = None,
) -> str:
    """Write ``value`` as a TOON document, without a trailing newline.

    Args:
        value: a value that ``json.dumps`` takes, also with ``Decimal`` and other mappings, nested
            at most 256 levels deep. Keys that are not strings become what ``json`` writes.
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
    check_options(indent_size, spec, key_folding or flatten_depth is not None, delimiter)
    new_encoder: Callable[[], Encoder] = partial(Encoder, delimiter, indent_size)
    if spec == LEGACY_VERSION:
        from toon.codec.legacy import LegacyEncoder

        most = math.inf if flatten_depth is None else flatten_depth
        new_encoder = partial(LegacyEncoder, delimiter, indent_size, most if key_folding else 0)
    (text,) = _write(lambda encoder, value: (encoder.document(value),), new_encoder, value, default)
    return text


def dump(value: Any, file: SupportsWrite, **options: Unpack[EncodeOptions]) -> None:
    """Write ``value`` as TOON to an open text file; arguments and errors as for :func:`encode`."""
    file.write(encode(value, **options))


def encode_lines(
    value: Any,
    *,
    delimiter: Delimiter = ",",
    indent_size: int = 2,
    default: Callable[[Any], Any] | None = None,
) -> Iterator[str]:
    """Return an iterator over the lines of a value's TOON document, without line ends.

    It suits values whose text would not fit in memory beside them: of an array at the root or right
    below it, the text of only 1,024 elements is held at a time. An error is raised when the
    iteration reaches its line. Other arguments and errors are those of :func:`encode`. A value that
    holds tuples or subclasses is copied once the iteration reaches one of them.
    """
    blocks = encode_blocks(value, delimiter, indent_size, default)
    return chain.from_iterable(block.split("\n") for block in blocks)


def encode_blocks(
    value: Any, delimiter: str, indent_size: int, default: Callable[[Any], Any] | None = None
) -> Iterator[str]:
    """Return an iterator over the TOON of a value in blocks of lines, without their last line ends.

    Arguments and errors are those of :func:`encode_lines`.
    """
    check_options(indent_size, SPEC_VERSION, False, delimiter)
    new_encoder = partial(Encoder, delimiter, indent_size)
    return filter(None, _write(_write_blocks, new_encoder, value, default))


def _write(
    write: Callable[[Encoder, Any], Iterable[str]],
    new_encoder: Callable[[], Encoder],
    value: Any,
    default: Callable[[Any], Any] | None,
) -> Iterator[str]:
    """Yield the TOON texts that ``write(encoder, value)`` makes; normalise the value if needed."""
    sent = 0
    try:
        for text in write(new_encoder(), value):
            if not text.isascii() and find_surrogate(text) is not None:
                raise NotNormalised  # normalise() names its path
            yield text
            sent += 1
        return
    except _UNUSUAL:
        pass  # an error of the second try has no first one as its context
    encoder = new_encoder()
    encoder.texts[int] = write_int  # of any length
    try:
        plain = normalise(value, default)
        yield from islice(write(encoder, plain), sent, None)
    except (TooDeep, RecursionError):
        raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", "$") from None


def check_options(indent_size: int, spec: str, legacy_option: bool, delimiter: str = ",") -> None:
    """Raise ValueError if an option of ``toon.encode`` or ``toon.decode`` has no allowed value."""
    if isinstance(indent_size, bool) or not isinstance(indent_size, int) or indent_size < 1:
        raise ValueError(f"indent_size must be an int of 1 or more, not {indent_size!r}")
    if spec not in (SPEC_VERSION, LEGACY_VERSION):
        raise ValueError(f"spec must be {SPEC_VERSION!r} or {LEGACY_VERSION!r}, not {spec!r}")
    if legacy_option and spec != LEGACY_VERSION:
        raise ValueError(f"key folding and path expansion are of {LEGACY_VERSION}: pass spec")
    if delimiter not in DELIMITERS:
        raise ValueError(f"delimiter must be ',', '\\t' or '|', not {delimiter!r}")


def _write_blocks(encoder: Encoder, value: Any) -> Iterator[str]:
    """Yield the TOON of a value in blocks of lines.

    A large array at the root or right below it is a block for each 1,024 of its elements. A value
    that is not normalised raises NotNormalised before the first block that normalising changes.
    """
    if type(value) is list and value:
        yield from _write_array(encoder, "", value)
    elif type(value) is not dict:
        yield encoder.document(value)
    elif encoder.table("", value, ""):
        yield encoder.take()
    else:
        for key, item in value.items():
            if type(item) is list and len(item) > BLOCK:
                yield from _write_array(encoder, encoder.key(key), item)
            else:
                encoder.fields({key: item}, "", "")
                yield encoder.take()


def _write_array(encoder: Encoder, name: str, value: list[Any]) -> Iterator[str]:
    kinds = set(map(type, value))
    check_types(kinds)
    if kinds <= SCALARS:
        encoder.array(name, value, "")
        yield encoder.take()
        return
    starts = range(0, len(value), BLOCK)

    def columns(start: int, read: Callable[[list[Any], set[type]], Any]) -> Any:
        # The first row of all is added because it has the order of the fields.
        return encoder.columns([value[0], *value[start : start + BLOCK]], read)

    fields = ""
    if kinds == {dict} and all(columns(start, lambda *_: None) for start in starts):
        fields = f"{{{columns(0, lambda *_: None)[0]}}}"
    encoder.lines.append(f"{name}[{len(value)}{encoder.symbol}]{fields}:")
    yield encoder.take()
    for start in starts:
        if fields:
            _, table = columns(start, encoder.cells)
            encoder.rows([cells[1:] for cells in table], "")
        else:
            encoder.items(value[start : start + BLOCK], encoder.unit)
        yield encoder.take()
