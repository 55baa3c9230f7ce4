"""``python -m toon stats``: what payloads cost in every format."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from toon.cli.options import Commands, add_filter_options, add_names, apply_filters
from toon.cli.output import align, read_file, say_failure, say_notices, show_progress
from toon.limits import DEFAULT_TOKENIZER
from toon.values.json_text import parse_json
from toon.wording import UNKNOWN, count, signed_percent

if TYPE_CHECKING:
    from toon.costs.compare import Row

_HEAD = ["format", "tokens", "vs compact", "vs pretty", "vs python", "bytes", "round trip"]


class Payload(NamedTuple):
    """A file's value and its rows."""

    value: Any
    rows: list[Row]


def add_stats(commands: Commands) -> None:
    parser = commands.add_parser(
        "stats",
        help="what a payload costs in every format",
        description="Counts the tokens of JSON payloads in every format. Differences are signed: "
        "negative is fewer tokens than that JSON.",
    )
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE", help="JSON; - is stdin")
    add_names(parser, "--tokenizer", f"default: {DEFAULT_TOKENIZER}")
    add_names(parser, "--format", "default: all of them")
    parser.add_argument("--json", action="store_true", help="rows as JSON instead of a table")
    add_filter_options(parser)
    parser.set_defaults(run=run_stats)


def run_stats(options: argparse.Namespace) -> int:
    from toon.costs.compare import compare
    from toon.formats import BASELINES, FORMATS

    names = list(dict.fromkeys(options.tokenizer or [DEFAULT_TOKENIZER]))
    wanted = {*BASELINES, *(options.format or FORMATS)}
    formats = [*(name for name in FORMATS if name in wanted), *sorted(wanted - FORMATS.keys())]
    payloads: dict[str, Payload] = {}
    failed = 0
    for number, file in enumerate(options.files, 1):
        show_progress(f"counting {file} ({number} of {len(options.files)})"[:100])
        try:
            parsed = apply_filters(options, parse_json(read_file(file)))
            rows = compare(parsed.value, formats=formats, tokenizers=names)
            payloads[file] = Payload(parsed.value, rows)
            say_notices(file, parsed.notices)
        except (OSError, ValueError, RuntimeError) as error:
            failed = say_failure(file, error)
    show_progress("")
    if options.json:
        print(json.dumps(_as_json(payloads, names[0])))
    else:
        for file, payload in payloads.items():
            print(_tables(file, payload, names))
    return failed


def _as_json(payloads: dict[str, Payload], tokenizer: str) -> dict[str, Any]:
    """One file: its rows and verdict. Several: rows name their file, verdicts go by file."""
    from toon.costs.choice import verdict

    rows = [{"file": file, **row} for file, payload in payloads.items() for row in payload.rows]
    verdicts = {file: verdict(*payload, tokenizer) for file, payload in payloads.items()}
    one = next(iter(verdicts.values())) if len(verdicts) == 1 else {"files": verdicts}
    return {"rows": rows, "verdict": one}


def _tables(file: str, payload: Payload, tokenizers: list[str]) -> str:
    """A table and a verdict for each tokenizer."""
    from toon.costs.choice import verdict

    lines = []
    for name in tokenizers:
        mine = [row for row in payload.rows if row["tokenizer"] == name]
        estimate = "" if mine[0]["exact"] else ", an estimate"
        lines.append(f"{file}  ({name}{estimate})")
        lines += align([_HEAD, *map(_cells, mine)])
        lines += [verdict(payload.value, payload.rows, name)["sentence"], ""]
    return "\n".join(lines)


def _cells(row: Row) -> list[str]:
    from toon.costs.compare import proof_words

    signed = [
        UNKNOWN if name == row["format"] else signed_percent(row["vs"][name])
        for name in ("json-compact", "json-pretty", "json-python")
    ]
    return [row["format"], count(row["tokens"]), *signed, count(row["bytes"]), proof_words(row)]
