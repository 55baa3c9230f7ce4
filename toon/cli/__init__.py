"""The command line: ``python -m toon encode|decode|stats|measure``.

Reads files or standard input, writes to standard output or ``-o``. Exit status: 0 done, 1 an
input was wrong (said on standard error, with the place), 2 the command itself was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from toon.cli.measure import measure_parser
from toon.codec.api import LEGACY_VERSION, SPEC_VERSION, decode, encode
from toon.codec.numbers import exact_number
from toon.codec.text import NAMED_DELIMITERS
from toon.errors import EncodeError, TextError, render
from toon.text import Notice, Parsed
from toon.values.json_text import parse_json

_EPILOG: Final = """\
examples:
  python -m toon encode orders.json -o orders.toon
  curl -s https://example.com/api/orders | python -m toon encode --delimiter tab
  python -m toon decode orders.toon
  python -m toon stats orders.json --tokenizer o200k_base cl100k_base
  python -m toon measure logs/*.jsonl.gz -o run.parquet --payload response.body --group tool
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has left; that is its right
        return 0
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m toon",
        description="JSON to TOON and back, and what both cost in tokens. Each command has its "
        "own --help.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _encode_parser(commands)
    _decode_parser(commands)
    _stats_parser(commands)
    measure_parser(commands)
    return parser


def _encode_parser(commands: Any) -> None:
    parser = commands.add_parser("encode", help="JSON to TOON", description="Writes JSON as TOON.")
    _files(parser, "JSON")
    parser.add_argument(
        "--delimiter",
        choices=NAMED_DELIMITERS,
        default="comma",
        help="between values (default: comma)",
    )
    _toon_options(parser)
    parser.add_argument(
        "--fold-keys", action="store_true", help="with --spec 3.3: a.b: 1 for nested single keys"
    )
    _filter_options(parser)
    parser.set_defaults(run=_encode)


def _decode_parser(commands: Any) -> None:
    parser = commands.add_parser("decode", help="TOON to JSON", description="Writes TOON as JSON.")
    _files(parser, "TOON")
    _toon_options(parser)
    parser.add_argument(
        "--lenient", action="store_true", help="read what SPEC 4.4 §14.4 lets a reader mend"
    )
    parser.add_argument(
        "--expand-paths", action="store_true", help="with --spec 3.3: a.b: 1 as nested objects"
    )
    parser.add_argument("--compact", action="store_true", help="JSON without whitespace")
    parser.set_defaults(run=_decode)


def _stats_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "stats",
        help="what a payload costs in every format",
        description="Counts the tokens of JSON payloads in every format. Differences are signed: "
        "negative is fewer tokens than that JSON.",
    )
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE", help="JSON; - is stdin")
    parser.add_argument(
        "--tokenizer", nargs="+", action="extend", metavar="NAME", help="default: o200k_base"
    )
    parser.add_argument(
        "--format", nargs="+", action="extend", metavar="NAME", help="default: all of them"
    )
    parser.add_argument("--json", action="store_true", help="rows as JSON instead of a table")
    _filter_options(parser)
    parser.set_defaults(run=_stats)


def _files(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help=f"{what}; - is stdin")
    parser.add_argument("-o", "--output", metavar="FILE", help="instead of standard output")


def _toon_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--indent", type=int, default=2, metavar="N", help="spaces a level (2)")
    parser.add_argument(
        "--spec",
        choices=(SPEC_VERSION, LEGACY_VERSION),
        default=SPEC_VERSION,
        help=f"version of TOON ({SPEC_VERSION}); {LEGACY_VERSION} is what older libraries use",
    )


def _filter_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--filter",
        metavar="PATTERNS",
        default="",
        help="fields to drop first, as in etag,*.kind,items.at.*.rs: * is any number of levels",
    )
    parser.add_argument(
        "--filter-preset", metavar="NAME", help="fields that a service's answers can do without"
    )


# -- commands --------------------------------------------------------------------------------


def _encode(options: argparse.Namespace) -> int:
    try:
        parsed = _filtered(options, parse_json(_read(options.file)))
        _progress(f"encoding {options.file}")
        text = encode(
            parsed.value,
            delimiter=NAMED_DELIMITERS[options.delimiter],
            indent_size=options.indent,
            spec=options.spec,
            key_folding=options.fold_keys,
        )
    except (OSError, ValueError) as error:
        return _failed(options.file, error)
    _say_notices(options.file, parsed)
    return _write(text, options.output)


def _decode(options: argparse.Namespace) -> int:
    from toon.formats import FORMATS

    try:
        text = _read(options.file)
        _progress(f"decoding {options.file}")
        value = decode(
            text,
            indent_size=options.indent,
            strict=not options.lenient,
            parse_float=exact_number,
            spec=options.spec,
            expand_paths=options.expand_paths,
        )
    except (OSError, ValueError) as error:
        return _failed(options.file, error)
    name = "json-compact" if options.compact else "json-pretty"
    return _write(FORMATS[name].dumps(value), options.output)


def _stats(options: argparse.Namespace) -> int:
    from toon.costs.compare import compare
    from toon.formats import BASELINES, FORMATS

    names = options.tokenizer or ["o200k_base"]
    wanted = {*BASELINES, *(options.format or FORMATS)}
    formats = [*(name for name in FORMATS if name in wanted), *sorted(wanted - FORMATS.keys())]
    measured: dict[str, tuple[Any, list[dict[str, Any]]]] = {}
    failed = 0
    for number, file in enumerate(options.files, 1):
        _progress(f"counting {file} ({number} of {len(options.files)})")
        try:
            parsed = _filtered(options, parse_json(_read(file)))
            rows = compare(parsed.value, formats=formats, tokenizers=names)
            measured[file] = parsed.value, rows
            _say_notices(file, parsed)
        except (OSError, ValueError, RuntimeError) as error:
            failed = _failed(file, error)
    _progress("")
    if options.json:
        print(json.dumps(_stats_json(measured, names)))
    else:
        for file, (value, rows) in measured.items():
            print(_table(file, value, rows, names))
    return failed


def _filtered(options: argparse.Namespace, parsed: Parsed) -> Parsed:
    """What is left of a value after the filters, and a notice of how much they dropped."""
    from toon.values import filters

    patterns = filters.parse(options.filter)
    if options.filter_preset is not None:
        patterns += filters.preset(options.filter_preset)
    if not patterns:
        return parsed
    dropped = sum(filters.removed(parsed.value, patterns).values())
    notice = Notice(f"{dropped:,} fields dropped by filters")
    return Parsed(filters.apply(parsed.value, patterns), (*parsed.notices, notice))


def _stats_json(
    measured: dict[str, tuple[Any, list[dict[str, Any]]]], names: list[str]
) -> dict[str, Any]:
    """One file: its rows and verdict. Several: rows name their file, verdicts go by file."""
    from toon.costs.choice import verdict

    rows = [{"file": file, **row} for file, (_, rows) in measured.items() for row in rows]
    verdicts = {file: verdict(*both, names[0]) for file, both in measured.items()}
    one = next(iter(verdicts.values())) if len(verdicts) == 1 else {"files": verdicts}
    return {"rows": rows, "verdict": one}


def _table(file: str, value: Any, rows: list[dict[str, Any]], names: list[str]) -> str:
    from toon.costs.choice import verdict

    lines = []
    for name in names:
        mine = [row for row in rows if row["tokenizer"] == name]
        estimate = "" if mine[0]["exact"] else ", an estimate"
        lines.append(f"{file}  ({name}{estimate})")
        head = ["format", "tokens", "vs compact", "vs pretty", "vs python", "bytes", "round trip"]
        lines += _aligned([head, *map(_cells, mine)])
        lines += [str(verdict(value, rows, name)["sentence"]), ""]
    return "\n".join(lines)


def _cells(row: dict[str, Any]) -> list[str]:
    from toon.costs.compare import loss_of

    if row["tokens"] is None:
        return [row["format"], "–", "–", "–", "–", "–", row["reason"]]
    baselines = ("json-compact", "json-pretty", "json-python")
    signed = ["–" if name == row["format"] else _signed(row["vs"][name]) for name in baselines]
    proof = "proven" if row["round_trips"] else f"loses {loss_of(row)}"
    return [row["format"], f"{row['tokens']:,}", *signed, f"{row['bytes']:,}", proof]


def _signed(fraction: float | None) -> str:
    return "–" if fraction is None else f"{fraction:+.1%}"


def _aligned(table: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            cell.ljust(width) if index in (0, last) else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    ]


# -- files and messages ----------------------------------------------------------------------


def _progress(step: str) -> None:
    """What is being done, on a terminal alone, over what was said before; "" wipes it."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{step[:100]}", end="", file=sys.stderr, flush=True)


def _read(file: str) -> str:
    _progress(f"reading {file}")
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return data.decode()


def _write(text: str, output: str | None) -> int:
    _progress("")
    if output:
        try:
            Path(output).write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            return _failed(output, error)
        return 0
    # The document has no line end of its own (SPEC 4.4 §12); a terminal wants one.
    sys.stdout.buffer.write(text.encode() + (b"\n" if sys.stdout.isatty() else b""))
    sys.stdout.buffer.flush()
    return 0


def _say_notices(file: str, parsed: Parsed) -> None:
    for notice in parsed.notices:
        place = "" if notice.line is None else f"line {notice.line}, column {notice.column}: "
        _say(f"{file}: {place}{notice.message}")


def _failed(file: str, error: Exception) -> int:
    if isinstance(error, TextError):
        _say(f"{file}: {render(error)}")
    elif isinstance(error, UnicodeDecodeError):
        _say(f"{file}: not UTF-8: {error.reason} at byte {error.start}")
    elif isinstance(error, EncodeError):
        _say(f"{file}: {error}")
    else:
        _say(str(error))
    return 1


def _say(message: str) -> None:
    _progress("")
    print(message, file=sys.stderr)
