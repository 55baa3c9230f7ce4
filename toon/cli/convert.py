"""``python -m toon encode`` and ``decode``: JSON to TOON, or to another format, and back."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Iterator
from itertools import chain

from toon.cli.options import (
    Commands,
    Help,
    add_files,
    add_filter_options,
    add_toon_options,
    apply_filters,
    check_argument,
)
from toon.cli.output import read_blocks, read_file, say_notices, show_progress, write_result
from toon.codec.text import DEFAULT_DELIMITER, LEGACY_VERSION, NAMED_DELIMITERS, SPEC_VERSION
from toon.errors import ToonDecodeError
from toon.installed import has, require
from toon.text import Notice, Notices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

    from toon.codec.parts import Part


def add_encode(commands: Commands) -> None:
    parser = commands.add_parser(
        "encode",
        help="JSON to TOON, or to another format",
        formatter_class=Help,
        description="Writes JSON as TOON; JSON Lines as the array of their values.",
    )
    add_files(parser, "JSON")
    add_format(parser, "to write")
    parser.add_argument(
        "--delimiter",
        choices=NAMED_DELIMITERS,
        default=DEFAULT_DELIMITER,
        help="between values (default: comma)",
    )
    add_toon_options(parser)
    parser.add_argument(
        "--fold-keys", action="store_true", help="with --spec 3.3: a.b: 1 for nested single keys"
    )
    add_filter_options(parser)
    parser.set_defaults(run=lambda options: _write_document(options, _toon_blocks(options)))


def add_decode(commands: Commands) -> None:
    parser = commands.add_parser(
        "decode",
        help="TOON, or another format, to JSON",
        formatter_class=Help,
        description="Writes TOON as JSON. A dialect is recognised and named on standard error. "
        "Where a long document turns out to be wrong, standard output has what came before. With "
        "the codec alone, no dialect is recognised, and no number named that others change.",
    )
    add_files(parser, "TOON")
    add_format(parser, "to read")
    add_toon_options(parser)
    parser.add_argument(
        "--lenient", action="store_true", help="read what SPEC 4.4 §14.4 lets a reader mend"
    )
    parser.add_argument(
        "--expand-paths", action="store_true", help="with --spec 3.3: a.b: 1 as nested objects"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--compact", action="store_true", help="JSON without whitespace")
    form.add_argument(
        "--lines", action="store_true", help="JSON Lines: the elements of an array, one a line"
    )
    parser.set_defaults(run=run_decode)


def run_decode(options: argparse.Namespace) -> int:
    notices = Notices()
    status = _write_document(options, _json_blocks(options, notices))
    if not status:
        say_notices(options.file, notices)
    return status


def _write_document(options: argparse.Namespace, texts: Iterator[str]) -> int:
    """Write a document's texts with the garbage collector off; return the command's exit status.

    A document has no cycles of objects, and looking for them takes half of the time. An option of
    TOON beside another format ends the command with status 2.
    """
    values = vars(options)
    for name in _TOONS if options.format else ():
        if name in values and values[name] != options.parser.get_default(name):
            option = f"--{name.replace('_', '-')}"
            options.parser.error(f"argument {option}: is for TOON, not for {options.format}")
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return write_result(options.file, texts, options.output)
    finally:
        if was_enabled:
            gc.enable()


def _toon_blocks(options: argparse.Namespace) -> Iterator[str]:
    """Yield a JSON or JSON Lines file as TOON, or in the format of ``--format``, in blocks of text.

    Raises:
        ValueError, EncodeError: The format cannot carry the value.
    """
    from toon.codec.writing import encode, encode_blocks
    from toon.values.json_lines import parse_json_or_lines

    parsed = apply_filters(options, parse_json_or_lines(read_file(options.file)))
    say_notices(options.file, parsed.notices)
    show_progress(f"encoding {options.file}")
    if options.format:
        from toon.costs.document import all_losses
        from toon.formats import FORMATS
        from toon.formats.base import NotApplicable

        format = FORMATS[options.format]
        try:
            text = format.dumps(parsed.value)
        except NotApplicable as reason:
            raise ValueError(f"{options.file}: {reason}") from None
        say_notices(options.file, [Notice(loss) for loss in all_losses(format, parsed.value, text)])
        yield text
        return
    delimiter = NAMED_DELIMITERS[options.delimiter]
    if options.spec == SPEC_VERSION and not options.fold_keys:
        between = ""
        for block in encode_blocks(parsed.value, delimiter, options.indent):
            yield between + block
            between = "\n"
        return
    yield encode(
        parsed.value,
        delimiter=delimiter,
        indent_size=options.indent,
        spec=options.spec,
        key_folding=options.fold_keys,
    )


def _json_blocks(options: argparse.Namespace, notices: Notices) -> Iterator[str]:
    """Return the JSON of a file in TOON or another format as blocks of text; fill ``notices``."""
    from toon.codec.parts import array_elements
    from toon.values.json_writing import COMPACT, PRETTY

    parts = _read_parts(options, notices)
    if not options.lines:
        return (COMPACT if options.compact else PRETTY).write(parts)

    def refuse() -> NoReturn:
        raise ToonDecodeError("the root is not an array: JSON Lines are the elements of one")

    return (f"{COMPACT.dumps(element)}\n" for element in array_elements(parts, refuse))


def _read_parts(options: argparse.Namespace, notices: Notices) -> Iterator[Part]:
    """Read a file in TOON or another format; yield the parts of its value, and fill ``notices``.

    A short document is read as a whole. So is a document that may have to be read again, leniently
    or as another format, and any document where only the codec is installed.

    Raises:
        ValueError: The text is of another format, or the format cannot be read back.
    """
    from toon.codec.numbers import exact_number
    from toon.codec.parts import Whole
    from toon.codec.reading import decode

    blocks = read_blocks(options.file)
    if options.format:
        from toon.formats import FORMATS
        from toon.formats.base import OneWay

        try:
            parsed = FORMATS[options.format].read("".join(blocks), strict=not options.lenient)
        except OneWay as reason:
            raise ValueError(f"{options.file}: {reason}") from None
        notices += parsed.notices
        yield Whole(parsed.value)
        return
    if not has("tokens"):
        yield Whole(
            decode(
                "".join(blocks),
                indent_size=options.indent,
                strict=not options.lenient,
                parse_float=exact_number,
                spec=options.spec,
                expand_paths=options.expand_paths,
            )
        )
        return
    from toon.formats.toon import ToonFormat
    from toon.playground.detection import guess_dialect, read_toon

    toon = ToonFormat(
        "toon", "TOON", ",", options.indent, options.spec, expands_paths=options.expand_paths
    )
    if options.spec == LEGACY_VERSION or options.expand_paths:
        parsed = toon.read("".join(blocks), strict=not options.lenient)
        notices += parsed.notices
        yield Whole(parsed.value)
        return
    first, second = next(blocks, ""), next(blocks, "")
    show_progress(f"decoding {options.file}")
    if not second or options.lenient or guess_dialect(first) != toon.name:
        text = first + second + "".join(blocks)
        parsed = read_toon(text, toon, strict=not options.lenient)
        notices += parsed.notices
        yield Whole(parsed.value)
    else:
        yield from toon.parts(_cut_lines(chain([first, second], blocks)), notices)


def _cut_lines(blocks: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    for block in blocks:
        start, *lines = block.split("\n")
        held.append(start)
        if lines:
            yield "".join(held)
            held = [lines.pop()]
            yield from lines
    yield "".join(held)


# -- other formats than TOON -----------------------------------------------------------------

#: Options of TOON alone, by their names among the parsed options.
_TOONS: Final = ("delimiter", "indent", "spec", "fold_keys", "expand_paths")


def add_format(parser: argparse.ArgumentParser, use: str) -> None:
    """Add ``--format`` to a parser; its default None is TOON, without the table of formats."""
    text = f"{use}: toon (default), json-columns, tron or another that the command stats lists"
    parser.add_argument("--format", type=_check_format, metavar="NAME", help=text)


def _check_format(name: str) -> str | None:
    """Check the name in ``--format`` and return it; None for TOON.

    Raises:
        InstallationError: The extra that formats need is not installed.
    """
    if name == "toon":
        return None
    require("tokens", f"--format {name}")
    from toon import formats

    return check_argument(formats.get, name).name
