"""``python -m toon encode`` and ``decode``: JSON to TOON and back."""

from __future__ import annotations

import argparse

from toon.cli.options import (
    Commands,
    add_files,
    add_filter_options,
    add_toon_options,
    apply_filters,
)
from toon.cli.output import read_file, say_failure, say_notices, show_progress, write_result
from toon.codec.api import LEGACY_VERSION, decode, encode
from toon.codec.numbers import exact_number
from toon.codec.text import NAMED_DELIMITERS
from toon.text import Parsed
from toon.values.json_text import parse_json


def add_encode(commands: Commands) -> None:
    parser = commands.add_parser("encode", help="JSON to TOON", description="Writes JSON as TOON.")
    add_files(parser, "JSON")
    parser.add_argument(
        "--delimiter",
        choices=NAMED_DELIMITERS,
        default="comma",
        help="between values (default: comma)",
    )
    add_toon_options(parser)
    parser.add_argument(
        "--fold-keys", action="store_true", help="with --spec 3.3: a.b: 1 for nested single keys"
    )
    add_filter_options(parser)
    parser.set_defaults(run=run_encode)


def add_decode(commands: Commands) -> None:
    parser = commands.add_parser(
        "decode",
        help="TOON to JSON",
        description="Writes TOON as JSON. A dialect is recognised and named on standard error.",
    )
    add_files(parser, "TOON")
    add_toon_options(parser)
    parser.add_argument(
        "--lenient", action="store_true", help="read what SPEC 4.4 §14.4 lets a reader mend"
    )
    parser.add_argument(
        "--expand-paths", action="store_true", help="with --spec 3.3: a.b: 1 as nested objects"
    )
    parser.add_argument("--compact", action="store_true", help="JSON without whitespace")
    parser.set_defaults(run=run_decode)


def run_encode(options: argparse.Namespace) -> int:
    try:
        parsed = apply_filters(options, parse_json(read_file(options.file)))
        show_progress(f"encoding {options.file}"[:100])
        text = encode(
            parsed.value,
            delimiter=NAMED_DELIMITERS[options.delimiter],
            indent_size=options.indent,
            spec=options.spec,
            key_folding=options.fold_keys,
        )
    except (OSError, ValueError) as error:
        return say_failure(options.file, error)
    say_notices(options.file, parsed.notices)
    return write_result(text, options.output)


def run_decode(options: argparse.Namespace) -> int:
    from toon.formats.json import JSON_COMPACT, JSON_PRETTY

    try:
        text = read_file(options.file)
        show_progress(f"decoding {options.file}"[:100])
        parsed = _read(text, options)
    except (OSError, ValueError) as error:
        return say_failure(options.file, error)
    say_notices(options.file, parsed.notices)
    written = (JSON_COMPACT if options.compact else JSON_PRETTY).dumps(parsed.value)
    return write_result(written, options.output)


def _read(text: str, options: argparse.Namespace) -> Parsed:
    if options.spec == LEGACY_VERSION or options.expand_paths:
        value = decode(
            text,
            indent_size=options.indent,
            strict=not options.lenient,
            parse_float=exact_number,
            spec=options.spec,
            expand_paths=options.expand_paths,
        )
        return Parsed(value)
    from toon.formats.toon import ToonFormat
    from toon.playground.detection import read_toon

    toon = ToonFormat("toon", "TOON", ",", options.indent)
    return read_toon(text, toon, strict=not options.lenient)
