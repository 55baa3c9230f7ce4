"""The public functions that write TOON: they check their options, then call the encoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from operator import itemgetter

from toon.codec.encoder import Encoder
from toon.codec.normalise import SCALARS, NotNormalised, TooDeep, check_types, normalise
from toon.codec.text import DELIMITERS, LEGACY_VERSION, MAX_DEPTH, SPEC_VERSION, write_int
from toon.errors import EncodeError
from toon.text import surrogate_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Protocol, TypedDict, Unpack

    from toon.codec.text import Delimiter, Version

    class SupportsWrite(Protocol):
        def write(self, text: str, /) -> object: ...

    class EncodeOptions(TypedDict, total=False):
        """The options of :func:`encode`."""

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
    text: str | None
    try:
        text = new_encoder().document(value)
    except _UNUSUAL:
        text = None  # an error of the second try has no first one as its context
    if text is None:
        try:
            text = _patient(new_encoder()).document(normalise(value, default))
        except (TooDeep, RecursionError):
            raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", "$") from None
    if not text.isascii() and surrogate_in(text) is not None:
        normalise(value, default)  # raises with the path of the lone surrogate
    return text


def dump(value: Any, file: SupportsWrite, **options: Unpack[EncodeOptions]) -> None:
    """Write ``value`` into an open text file; options and errors are those of :func:`encode`."""
    file.write(encode(value, **options))


def encode_lines(
    value: Any,
    *,
    delimiter: Delimiter = ",",
    indent_size: int = 2,
    default: Callable[[Any], Any] | None = None,
) -> Iterator[str]:
    """Return an iterator over the lines of :func:`encode`, without line ends.

    It suits values whose text would not fit in memory beside them: of an array at the root or right
    below it, the text of only 1,024 elements is held at a time. An error is raised when the
    iteration reaches its line. Other arguments and errors are those of :func:`encode`. A value that
    holds tuples or subclasses is copied once the iteration reaches one of them.
    """
    return chain.from_iterable(_checked_blocks(value, delimiter, indent_size, default))


def encode_blocks(value: Any, delimiter: str, indent_size: int) -> Iterator[str]:
    """Yield the text of :func:`encode` in blocks, as :func:`encode_lines` makes it."""
    between = ""
    for lines in filter(None, _checked_blocks(value, delimiter, indent_size, None)):
        yield between + "\n".join(lines)
        between = "\n"


def _checked_blocks(
    value: Any, delimiter: str, indent_size: int, default: Callable[[Any], Any] | None
) -> Iterator[list[str]]:
    check_options(indent_size, SPEC_VERSION, False, delimiter)
    return _blocks(partial(Encoder, delimiter, indent_size), value, default)


def _blocks(
    new_encoder: Callable[[], Encoder], value: Any, default: Callable[[Any], Any] | None
) -> Iterator[list[str]]:
    """Yield the lines of the TOON of a value in groups."""
    sent = 0
    try:
        for lines in _written(new_encoder(), value):
            yield lines
            sent += len(lines)
        return
    except _UNUSUAL:
        pass
    value = normalise(value, default)
    try:
        for lines in _written(_patient(new_encoder()), value):
            yield lines[sent:]
            sent = max(0, sent - len(lines))
    except (TooDeep, RecursionError):
        raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", "$") from None


def _patient(encoder: Encoder) -> Encoder:
    """Let an encoder write integers of any length, and return it."""
    encoder.texts[int] = write_int
    return encoder


def check_options(indent_size: int, spec: str, legacy_option: bool, delimiter: str = ",") -> None:
    """Raise ValueError if an option of encode or decode has a value that it does not allow."""
    if isinstance(indent_size, bool) or not isinstance(indent_size, int) or indent_size < 1:
        raise ValueError(f"indent_size must be an int of 1 or more, not {indent_size!r}")
    if spec not in (SPEC_VERSION, LEGACY_VERSION):
        raise ValueError(f"spec must be {SPEC_VERSION!r} or {LEGACY_VERSION!r}, not {spec!r}")
    if legacy_option and spec != LEGACY_VERSION:
        raise ValueError(f"key folding and path expansion are of {LEGACY_VERSION}: pass spec")
    if delimiter not in DELIMITERS:
        raise ValueError(f"delimiter must be ',', '\\t' or '|', not {delimiter!r}")


# -- a value in blocks -----------------------------------------------------------------------


def _written(encoder: Encoder, value: Any) -> Iterator[list[str]]:
    """Yield the lines of the TOON of a value in groups.

    A large array at the root or right below it is a group for each block of its elements. A value
    that is not normalised raises NotNormalised before the first group that normalising could
    change.
    """
    if type(value) is list and value:
        yield from _array(encoder, "", value)
    elif type(value) is dict and not encoder.table("", value, ""):
        for key, item in value.items():
            if type(item) is list and len(item) > BLOCK:
                yield from _array(encoder, encoder.key(key), item)
            else:
                encoder.fields({key: item}, "", "")
                yield from _flushed(encoder)
    elif type(value) is not dict:
        encoder.document(value)
    yield from _flushed(encoder)


def _flushed(encoder: Encoder) -> Iterator[list[str]]:
    """Yield the lines that an encoder has written since the last time, if any."""
    if encoder.lines:
        text = "\n".join(encoder.lines)
        encoder.lines.clear()
        if not text.isascii() and surrogate_in(text) is not None:
            raise NotNormalised  # normalise() names the path of the surrogate
        yield text.split("\n")


def _array(encoder: Encoder, name: str, value: list[Any]) -> Iterator[list[str]]:
    kinds = set(map(type, value))
    if kinds <= SCALARS:
        encoder.array(name, value, "")
        yield from _flushed(encoder)
        return
    check_types(kinds)
    table = _table(encoder, value) if kinds == {dict} else None
    fields = "" if table is None else f"{{{table[0]}}}"
    encoder.lines.append(f"{name}[{len(value)}{encoder.symbol}]{fields}:")
    yield from _flushed(encoder)
    for start in range(0, len(value), BLOCK):
        block = value[start : start + BLOCK]
        if table is None:
            encoder.items(block, encoder.unit)
        else:
            cells = _cells(encoder, block, value[0], iter(table[1]))
            encoder.rows(cells, "")
        yield from _flushed(encoder)


def _table(encoder: Encoder, value: list[Any]) -> tuple[str, list[set[type]]] | None:
    """Return the field list of a long table and the types in each column; None if it is none."""
    head = ""
    types: list[set[type]] = []
    for start in range(0, len(value), BLOCK):
        block = value[start : start + BLOCK]
        rows = [value[0], *block] if start else block  # the first one has the fields' order
        columns = encoder.columns(rows, lambda _, kinds: kinds)
        if columns is None:
            return None
        head = columns[0]
        types = list(map(set.union, types or columns[1], columns[1]))
    return head, types


def _cells(
    encoder: Encoder, rows: list[Any], first: dict[str, Any], types: Iterator[set[type]]
) -> list[list[str]]:
    """Return the columns of cells of some rows of a table; ``first`` has its order of fields."""
    cells: list[list[str]] = []
    for name, item in first.items():
        column = list(map(itemgetter(name), rows))
        if type(item) is dict:
            cells += _cells(encoder, column, item, types)
        else:
            cells.append(encoder.cells(column, next(types)))
    return cells
