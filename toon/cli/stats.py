"""``python -m toon stats``: the tokens of payloads in each format."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from toon.cli.options import (
    Commands,
    add_counting,
    add_explaining,
    add_filter_options,
    add_names,
    apply_filters,
    read_explaining,
)
from toon.cli.output import align, end_progress, read_file, say_failure, say_notices, show_progress
from toon.cli.service import add_service, ask_counts, find_counters, read_service_choices
from toon.values.json_text import parse_json
from toon.wording import BADGES, JSON_HEADS, UNKNOWN, count, signed_count, signed_percent

if TYPE_CHECKING:
    from toon.costs.compare import MeasuredRow, Row
    from toon.costs.explanation import Explaining
    from toon.costs.models import Choice
    from toon.costs.verdict import Verdict
    from toon.services.comparing import Counts, Text

_AGAINST = [f"vs {JSON_HEADS[name]}" for name in ("json-compact", "json-pretty", "json-python")]
_HEAD = ["format", "tokens", "note", *_AGAINST, "bytes", "round trip"]


class FileStats(NamedTuple):
    """The figures of ``toon stats`` for a file: a row per format, and what to send by each model.

    If a service counts too, ``texts`` are those that it counts, and ``counts`` its results.
    """

    rows: list[Row]
    answers: list[ModelAnswer]
    texts: list[Text]
    counts: Counts | None = None


class ModelAnswer(NamedTuple):
    """Which format to send a payload in by one model: the verdict, with the model's title, and how
    notes that explain formats are counted at its prices.
    """

    title: str
    verdict: Verdict
    explaining: Explaining


def add_stats(commands: Commands) -> None:
    parser = commands.add_parser(
        "stats",
        help="what a payload costs in each format",
        description="Counts the tokens of JSON payloads as typed and in each format. Differences "
        "are signed: negative is fewer tokens than that JSON.",
    )
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE", help="JSON; - is stdin")
    add_counting(parser)
    add_names(parser, "--format", "default: those that may be recommended")
    parser.add_argument(
        "--all",
        action="store_true",
        help="every format, also with its losses; long texts too are proven in each",
    )
    add_explaining(parser)
    add_service(parser, "sends the payload as typed, minified, as TOON and as recommended")
    parser.add_argument("--json", action="store_true", help="rows as JSON instead of a table")
    add_filter_options(parser)
    parser.set_defaults(run=run_stats)


def run_stats(options: argparse.Namespace) -> int:
    explaining = read_explaining(options)
    payloads: dict[str, FileStats] = {}
    failed = 0
    try:
        choices, endpoint, counter = find_counters(options, read_service_choices(options))
    except RuntimeError as error:
        return say_failure("", error)
    for number, file in enumerate(options.files, 1):
        show_progress(f"counting {file} ({number} of {len(options.files)})")
        try:
            figures = payloads[file] = _measure(file, options, choices, explaining, counter)
            if endpoint:
                counts = ask_counts(endpoint, figures.texts, counter)
                payloads[file] = figures._replace(counts=counts)
        except (OSError, ValueError, RuntimeError) as error:
            failed = say_failure(file, error)
    end_progress()
    if options.json:
        print(json.dumps(_as_json(payloads)))
    else:
        for file, payload in payloads.items():
            print(_tables(file, payload))
    return failed


def _measure(
    file: str,
    options: argparse.Namespace,
    choices: list[Choice],
    explaining: Explaining,
    counter: str | None,
) -> FileStats:
    """Return a JSON file's figures by format and model; with filters, not those as typed."""
    from toon.costs.compare import compare
    from toon.costs.document import Document, Typed
    from toon.costs.models import tokenizers_of, verdict_for
    from toon.costs.prices import use_prices
    from toon.formats import FORMATS, add_baselines
    from toon.limits import PAGE_CHARACTERS
    from toon.services.comparing import list_texts

    formats = add_baselines(FORMATS if options.all else options.format or ())
    text = read_file(file)
    source = parse_json(text)
    parsed = apply_filters(options, source)
    document = Document(parsed.value, Typed(text) if parsed is source else None)
    say_notices(file, parsed.notices)
    answers = []
    for choice in choices:
        priced = use_prices(choice.model, explaining)
        title = f"{choice.title}; {priced.assumption}"
        answers.append(ModelAnswer(title, verdict_for(choice, document, priced, formats), priced))
    full = bool(options.all or options.format) or len(text) <= PAGE_CHARACTERS
    rows = compare(document, formats, tokenizers_of(choices), full=full)
    best = answers[0].verdict["format"] if answers else None
    texts = list_texts(document, counter, best) if options.service else []
    return FileStats(rows, answers, texts)


def _as_json(payloads: dict[str, FileStats]) -> dict[str, Any]:
    """Return the output of ``stats --json`` as a dict: rows, verdicts and a service's counts.

    The verdict is for the first model, or by the first tokenizer.
    """
    rows = [{"file": file, **row} for file, stats in payloads.items() for row in stats.rows]
    verdicts = {file: stats.answers[0].verdict for file, stats in payloads.items() if stats.answers}
    counts = {file: stats.counts.as_json() for file, stats in payloads.items() if stats.counts}
    service = {"service": _by_file(counts, payloads)} if counts else {}
    return {"rows": rows, "verdict": _by_file(verdicts, payloads), **service}


def _by_file(by_file: Mapping[str, Any], payloads: Mapping[str, FileStats]) -> Any:
    """Return the entry of the only file, None if it has none; of more ``{"files": by_file}``."""
    return by_file.get(*payloads) if len(payloads) == 1 else {"files": by_file}


def _tables(file: str, payload: FileStats) -> str:
    """Return the text that ``stats`` prints of a file: for each model a table of formats, a line on
    the savings step by step, and the verdict's sentence.
    """
    from toon.costs.verdict import ladder_line

    lines = []
    for title, verdict, explaining in payload.answers:
        lines.append(f"{file}  ({title})")
        if not verdict["nothing"]:
            mine = [row for row in payload.rows if row["tokenizer"] == verdict["tokenizer"]]
            lines += _table(mine, explaining)
            lines.append(ladder_line(verdict["ladder"]))
        lines += [verdict["sentence"], ""]
    if counts := payload.counts:
        lines += [f"{file}  ({counts.basis})", *align(counts.table()), ""]
    return "\n".join(lines)


def _table(rows: list[Row], explaining: Explaining) -> list[str]:
    """Return the lines of the table of formats in ``stats``; those not recommended are last."""
    from toon.costs.compare import cost, measured_rows, objection

    costs = {row["format"]: cost(row, explaining) for row in measured_rows(rows)}
    ranked = [row for row in measured_rows(rows) if not objection(row)]
    excluded = [
        [row["format"], count(row["tokens"]), reason] for row in rows if (reason := objection(row))
    ]
    lines = align([_HEAD, *(_cells(row, explaining, costs) for row in ranked)])
    return [*lines, BADGES["not-recommended"], *align(excluded)] if excluded else lines


def _cells(row: MeasuredRow, explaining: Explaining, costs: Mapping[str, float]) -> list[str]:
    """Return the cells of a format's row in the table of ``stats``: tokens, the note's tokens, per
    cent against each JSON (note included), bytes, and whether it comes back.
    """
    from toon.costs.compare import note_tokens, proof_words
    from toon.values.fractions import fraction

    signed = [
        UNKNOWN
        if name == row["format"]
        else signed_percent(fraction(costs[row["format"]], costs[name]))
        for name in ("json-compact", "json-pretty", "json-python")
    ]
    note = 0 if explaining.together is None else note_tokens(row, explaining)
    extra = signed_count(note) if note else ""
    tokens, size = count(row["tokens"]), count(row["bytes"])
    return [row["format"], tokens, extra, *signed, size, proof_words(row)]
