"""The summary of a run that ``python -m toon measure`` prints at its end, in words or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toon.cli.output import INTERRUPTED, align, end_progress
from toon.errors import RunError
from toon.text import clean
from toon.wording import (
    BADGES,
    JSON_HEADS,
    ROUND_TRIPS,
    UNKNOWN,
    count,
    count_tested,
    percent,
    plural,
    signed_count,
    signed_percent,
)

if TYPE_CHECKING:
    from toon.costs.models import Choice, Model
    from toon.measuring.run import Summary
    from toon.measuring.totals import Total
    from toon.reports.facts import Section
    from toon.services.comparing import Counts
    from toon.traffic.account import Account, ReadAs

_AGAINST: Final = [f"vs {JSON_HEADS[name]}" for name in ("json-compact", "json-pretty")]
_HEAD: Final = ["format", "payloads", "tokens", "note", *_AGAINST, "round trip"]
#: The most tools, and the most records without figures, that the terminal lists.
_SHOWN: Final = 10


def report_summary(
    summary: Summary,
    choices: Sequence[Choice],
    account: Account,
    counts: Counts | None,
    options: argparse.Namespace,
) -> int:
    """Print the summary of a measured run and the records without figures; return exit status."""
    from toon.measuring.table import open_run
    from toon.reports.files import make_report
    from toon.reports.read_as import read_as_lines
    from toon.reports.tools import comparison_facts
    from toon.traffic.payload import CUT, SKIPPED

    end_progress()
    totals = summary.totals
    rows = list(account.rows.values())
    if options.json:
        service = {"service": counts.sample_json(totals.payloads)} if counts else {}
        then = {}
        if options.against:
            report = make_report(summary.output, choices[0].model, options.against)
            then["against"] = comparison_facts(report.before, report) if report.before else []
        print(json.dumps(_summary_json(summary, rows) | then | service))
    else:
        asked_lines = ["", *counts.sample_lines(totals.payloads)] if counts else []
        spent, advice = _report_lines(summary, choices[0].model, options.against)
        lines = [*read_as_lines(rows, quoting=True), *map(clean, spent)]
        lines += [*summary_lines(summary, choices), *map(clean, advice), *asked_lines]
        print("\n".join(lines))
    if totals.errors:
        number = plural(totals.records, "record")
        print(f"not measured: {totals.errors:,} of {number}", file=sys.stderr)
        bad = open_run(summary.output).errors()
        say_bad(record for record in bad if not record[2].startswith(SKIPPED))
    if totals.skipped:
        print(f"skipped, no JSON payload: {_skipped_words(summary)}", file=sys.stderr)
        cut = sum(reason.startswith(CUT) for *_, reason in open_run(summary.output).errors())
        if cut:
            words = f"cut off by the log: {plural(cut, 'result')}; figures are of whole ones alone"
            print(words, file=sys.stderr)
    if summary.complete:
        return 1 if totals.errors else 0
    records = plural(totals.records, "record is", "records are")
    print(f"stopped; {records} kept in {summary.output}", file=sys.stderr)
    print("the same command goes on from there", file=sys.stderr)
    return INTERRUPTED


def say_bad(records: Iterable[tuple[str, int, str]]) -> None:
    rest = iter(records)
    for source, record, reason in islice(rest, _SHOWN):
        print(f"  {source}, record {record}: {reason}", file=sys.stderr)
    left = sum(1 for _ in rest)
    if left:
        print(f"  and {left:,} more, all in the run's column error", file=sys.stderr)


def _skipped_words(summary: Summary) -> str:
    """Say how many records of a run were skipped, and which part of all tokens they hold."""
    from toon.formats import AS_TYPED

    totals, formats = summary.totals, next(iter(summary.totals.formats.values()))
    words = plural(totals.skipped, "record")
    if totals.uncounted == totals.skipped:
        return f"{words}, whose tokens are not counted"
    share = totals.skipped_tokens / max(1, formats[AS_TYPED].tokens + totals.skipped_tokens)
    part = percent(share, 1) if share >= 0.001 else f"less than {percent(0.001, 1)}"
    words += f", {part} of the tokens"
    if totals.uncounted:
        words += f" without those of {totals.uncounted:,}, which are not counted"
    return words


def _summary_json(summary: Summary, rows: Sequence[ReadAs]) -> dict[str, Any]:
    """Return a run's summary as a dict for ``--json``; negative fractions are fewer tokens."""
    from toon.measuring.table import open_run
    from toon.reports.billed import conversation_facts

    totals, about = summary.totals, open_run(summary.output).about
    return {
        "output": str(summary.output),
        "complete": summary.complete,
        "records": totals.records,
        "payloads": totals.payloads,
        "bytes": totals.bytes,
        "not_measured": totals.errors,
        "skipped": {
            "records": totals.skipped,
            "tokens": totals.skipped_tokens,
            "uncounted": totals.uncounted,
        },
        "read_as": [asdict(row) for row in rows],
        "definitions": about["definitions"],
        "usages": about["usages"],
        "conversations": conversation_facts(about["shares"]),
        "nothing": totals.nothing,
        "explaining": totals.explaining.assumption,
        "tokenizers": {
            name: {format: _figures(total) for format, total in formats.items()}
            for name, formats in totals.formats.items()
        },
        "best_of_each": _figures(totals.mix),
        "chosen": totals.chosen,
    }


def _figures(total: Total) -> dict[str, Any]:
    return {
        "payloads": total.payloads,
        "tokens": total.tokens,
        "explaining": total.explanation,
        "not_proven": total.unproven,
        **{f"vs_{base}": total.change(base) for base in total.baselines},
    }


def _report_lines(
    summary: Summary, model: Model | None, before: Path | None
) -> tuple[list[str], list[str]]:
    """Return two lists of lines from a run's report: on the bill and the tools, and its advice.

    Advice is where another tokenizer changes the format, what untested formats would save, and what
    tools took a call in the run ``before``.
    """
    from toon.reports.billed import billed_cost
    from toon.reports.figures import flip_words, untested_words
    from toon.reports.files import make_report
    from toon.reports.noted import sections

    try:
        report = make_report(summary.output, model, before)
    except RunError:  # its rows would take too much memory
        return [], []
    parts, bill, lines = sections(report), billed_cost(report), list[str]()
    if bill:
        lines = [f"{bill[0]}. {bill[1]}", *_section_lines(parts.get("tools")), ""]
    advice = [] if summary.totals.nothing else [flip_words(report), untested_words(report)]
    return lines, [*filter(None, advice), *_section_lines(parts.get("compared"))]


def _section_lines(section: Section | None) -> list[str]:
    """Return a section of a report as lines: its sentences, and ten rows of each of its tables."""
    if section is None:
        return []
    lines = ["", *section.words]
    for _, table in section.tables:
        cells = [[*map(section.cell, line.values())] for line in table[:_SHOWN]]
        lines += align([list(table[0]), *cells])
    return lines


def summary_lines(summary: Summary, choices: Sequence[Choice]) -> list[str]:
    """Return the lines that sum up a measured run: its size, a table of formats for each tokenizer,
    and what the best formats save.

    A tokenizer is called as it was chosen: by its model, or by each of its models.
    """
    from toon.costs.verdict import ladder_line
    from toon.costs.worth import keep_tested

    totals = summary.totals
    sizes = f"{plural(totals.payloads, 'payload')}, {plural(totals.bytes, 'byte')}"
    lines = [f"{summary.output}: {sizes}"]
    if summary.resumed:
        lines[0] += f"; {plural(summary.resumed, 'record')} taken over"
    if totals.nothing:
        return [*lines, f"{totals.nothing}."]
    lines.append(f"Per cents: {totals.explaining.assumption}.")
    first = next(iter(totals.formats))
    for name, formats in totals.formats.items():
        title = "; ".join(choice.title for choice in choices if choice.tokenizer == name)
        table = _table(formats, totals.mix if name == first else None)
        lines += ["", title, *align(table)]
    chosen = sorted(totals.chosen.items(), key=lambda entry: -entry[1])
    shares = ", ".join(f"{format} {payloads:,}" for format, payloads in chosen)
    among = count_tested(len(keep_tested(totals.formats[first])))
    ladder = totals.ladder
    change = signed_percent(ladder[-1]["vs_today"])
    return [
        *lines,
        "",
        f"{ladder_line(ladder)}: {change} against {ladder[0]['label']}",
        f"Recommended for each payload alone, of {among}, by {first}: {shares}.",
    ]


def _table(formats: dict[str, Total], mix: Total | None) -> list[list[str]]:
    """Return the cells of a tokenizer's table of formats in ``toon measure``.

    Formats that are not recommended are last. ``mix`` is the row of each payload in its best
    format, if there is one.
    """
    from toon.costs.worth import COMPACT
    from toon.formats import AS_TYPED
    from toon.measuring.totals import AS_RECOMMENDED, exclusion

    def cells(name: str, total: Total, proof: str) -> list[str]:
        signed = [
            UNKNOWN if name == base else signed_percent(total.change(base))
            for base in ("json-compact", "json-pretty")
        ]
        extra = signed_count(total.explanation) if total.explanation else ""
        return [name, count(total.payloads), count(total.tokens), extra, *signed, proof]

    proven = ROUND_TRIPS["proven"]
    recommended, excluded = [_HEAD], list[list[str]]()
    for name, total in formats.items():
        if reason := exclusion(name, total):
            excluded.append(cells(name, total, reason))
        else:
            recommended.append(cells(name, total, "" if name == AS_TYPED else proven))
    if mix is not None:
        recommended.append(cells(AS_RECOMMENDED, mix, exclusion(COMPACT, mix) or proven))
    if excluded:
        blank = [""] * (len(_HEAD) - 1)
        excluded = [["", *blank], [BADGES["not-recommended"], *blank], *excluded]
    return recommended + excluded
