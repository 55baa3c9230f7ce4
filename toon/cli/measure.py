"""``python -m toon measure``: measures a corpus into a run and prints a summary.

Exit status: 0 everything was measured, 1 some records could not be (standard error names them; the
run holds the others), 2 the command itself was wrong, 130 stopped, and it can go on.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.options import (
    Commands,
    add_counting,
    add_explaining,
    add_names,
    choices_of,
    explaining_of,
)
from toon.cli.output import INTERRUPTED, align, ladder_line, say, show_progress, until_ctrl_c
from toon.errors import WriteError
from toon.wording import (
    BADGES,
    ROUND_TRIPS,
    UNKNOWN,
    count,
    marked,
    plural,
    signed_count,
    signed_percent,
)

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.measuring.run import Progress, Summary
    from toon.measuring.totals import Total
    from toon.traffic.folders import InputFile

#: How many records that could not be measured are listed.
SHOWN: Final = 10

_HEAD: Final = [
    "format", "payloads", "tokens", "explaining", "vs compact", "vs pretty", "round trip",
]  # fmt: skip

#: Kinds of files that hold little beside their payloads.
_ALL_PAYLOAD: Final = ("jsonl", "array", "json")
_SNIFFED_AT_MOST: Final = 200

_EPILOG: Final = """\
PATH is a file, a folder or a glob in quotes: HAR, JSON Lines, JSON, CSV, zip, transcripts of MCP
and chat-completion logs, gzipped or not. --payload and --group are dotted paths into a record, as
in response.body or tools.0.name, or names of CSV columns. Without --payload it is the record
itself, or what stands under "payload" where the records also name their tool or endpoint.

A record that cannot be read is a bad record, named and counted. One that is as it should be but
not JSON, such as a script in a HAR, is skipped and counted apart.

Ctrl-C keeps the records measured so far, and the same command continues from there. The run is a
Parquet file; its parts lie in OUTPUT.parts until it is complete.

--scheduler measures on a Dask cluster (pip install distributed). Its scheduler and workers must be
able to import toon with the libraries of its requirements.txt, in the versions installed here, for
instance from a checkout of the same commit:
  PYTHONPATH=. dask scheduler
  PYTHONPATH=. dask worker tcp://HOST:8786 --nthreads 1 --nworkers -1

exit status: 0 everything was measured, 1 some records could not be (the run holds the others),
2 the command itself was wrong, 130 stopped by Ctrl-C

examples:
  python -m toon measure traffic.har -o run.parquet
  python -m toon measure 'logs/*.jsonl.gz' -o run.parquet --payload response.body --group tool
  python -m toon measure logs -o run.parquet --model gpt-5,claude-haiku-4.5 --format toon,csv
  python -m toon measure logs -o run.parquet --report savings.html --report savings.csv
"""


def add_measure(commands: Commands) -> None:
    parser = commands.add_parser(
        "measure",
        help="what a corpus costs: logs, HAR, folders; into a Parquet file",
        description="Measures every payload of a corpus in every format, on all cores.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="what to measure")
    parser.add_argument("-o", "--output", required=True, help="the run to write, a Parquet file")
    parser.add_argument("--payload", metavar="KEYS", help="where a record holds its payload")
    parser.add_argument("--group", metavar="KEYS", help="where a record names its endpoint or tool")
    add_counting(parser, "; the first model or tokenizer decides what is best")
    about = "besides json-compact and json-pretty; default: all that may be recommended"
    add_names(parser, "--format", about)
    add_explaining(parser)
    crew = parser.add_mutually_exclusive_group()
    crew.add_argument("--workers", type=int, metavar="N", help="processes; default: all cores")
    crew.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://host:port")
    parser.add_argument(
        "--keep-payloads", action="store_true", help="write the payloads' texts into the run too"
    )
    parser.add_argument(
        "--no-resume", action="store_true", help="measure again what a stopped run has left"
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        type=_report,
        metavar="FILE",
        help="write a report of the complete run: .html, .md or .csv; may be given several times",
    )
    parser.set_defaults(run=run_measure)


def _report(text: str) -> Path:
    """The path of a report; refused before measuring starts if no report could be written there."""
    from toon.reports.files import FORMS

    path = Path(text)
    if path.suffix.lower() not in FORMS:
        raise argparse.ArgumentTypeError(f"{text} ends in none of {', '.join(FORMS)}")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"no file {text} can be written: no such folder")
    return path


def run_measure(options: argparse.Namespace) -> int:
    try:
        return _run(options)
    except OSError as error:
        if error.errno and error.filename is None:
            raise  # it is of the standard output, which every command has
        is_report = error.filename in map(str, options.report)
        of_run = isinstance(error, WriteError) and not is_report  # or of its parts
        say(f"{options.output} cannot be written: {error.strerror}" if of_run else str(error))
        return 1
    except RuntimeError as error:
        say(str(error))
        return 1
    except ValueError as error:  # of the options
        say(str(error))
        return 2
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from what is kept")
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    """Measures, writes the reports and prints the summary; returns the exit status."""
    from toon.reports.files import write_report
    from toon.traffic.folders import InputFile, find_files
    from toon.traffic.payload import BadRecord

    found = list(find_files(options.paths))
    files = [item for item in found if isinstance(item, InputFile)]
    if not files:
        bad = (item for item in found if isinstance(item, BadRecord))
        _say_bad((item.source, item.record, item.reason) for item in bad)
        return 1
    inputs = {os.path.realpath(file.path) for file in files}
    for path in (options.output, *options.report):
        if os.path.realpath(path) in inputs:
            raise ValueError(f"{path} is one of the files to measure: name another output")
    choices = choices_of(options)
    summary = _measured(options, choices, _total_bytes(files, options.payload))
    try:  # first the reports: whoever reads the summary may leave
        for target in options.report if summary.complete else ():
            write_report(summary.output, target, choices[0].model)
    finally:
        status = _report_summary(summary, choices)
    return status


def _measured(options: argparse.Namespace, choices: Sequence[Choice], total: int | None) -> Summary:
    """Measures, with a progress line; ``total`` bytes are to be measured, None if unknown."""
    from toon.costs.models import tokenizers_of
    from toon.measuring.measure import DEFAULT_FORMATS
    from toon.measuring.run import Progress, measure
    from toon.traffic import read_paths

    def show(progress: Progress) -> None:
        width = shutil.get_terminal_size().columns - 1
        show_progress(progress_line(progress, total)[:width])

    show(Progress())
    with until_ctrl_c() as stopped:
        return measure(
            read_paths(options.paths, payload_path=options.payload, group_path=options.group),
            Path(options.output),
            tokenizers=tokenizers_of(choices),
            formats=options.format or DEFAULT_FORMATS,
            workers=options.workers,
            scheduler=options.scheduler,
            keep_payloads=options.keep_payloads,
            explaining=explaining_of(options),
            resume=not options.no_resume,
            progress=show,
            cancelled=stopped.is_set,
        )


def progress_line(progress: Progress, total: int | None) -> str:
    """How much is measured, how fast, and the time left if about ``total`` bytes are known."""
    words = [plural(progress.records, "record"), f"{progress.bytes / 1e6:,.1f} MB"]
    if progress.seconds and progress.new_bytes:
        rate = progress.new_bytes / progress.seconds
        words.append(f"{rate / 1e6:,.1f} MB/s")
        words.append(f"{progress.new_records / progress.seconds:,.0f} records/s")
        if total is not None:
            words.append(f"about {_time(max(0, total - progress.bytes) / rate)} left")
    if progress.bad:
        words.append(f"{progress.bad:,} bad")
    return ", ".join(words)


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3600:.1f} h"


def _total_bytes(files: Sequence[InputFile], payload: str | None) -> int | None:
    """The size of the files in bytes; None if they hold much beside their payloads."""
    from toon.traffic import sniff

    if payload is not None or len(files) > _SNIFFED_AT_MOST:
        return None
    try:
        kinds = [sniff(file.path, file.name) for file in files]
        if any(kind.gzipped or kind.kind.name not in _ALL_PAYLOAD for kind in kinds):
            return None
        return sum(os.path.getsize(file.path) for file in files)
    except (OSError, ValueError):  # measuring will name the reason
        return None


def _report_summary(summary: Summary, choices: Sequence[Choice]) -> int:
    """Prints the summary and what could not be measured; returns the exit status."""
    from toon.measuring.table import open_run
    from toon.traffic.payload import SKIPPED

    show_progress("")
    totals = summary.totals
    print("\n".join(summary_lines(summary, choices)))
    if totals.errors:
        print(
            f"not measured: {totals.errors:,} of {plural(totals.records, 'record')}",
            file=sys.stderr,
        )
        found = open_run(summary.output).errors()
        _say_bad(each for each in found if not each[2].startswith(SKIPPED))
    if totals.skipped:
        print(f"skipped, not JSON: {plural(totals.skipped, 'record')}", file=sys.stderr)
    if summary.complete:
        return 1 if totals.errors else 0
    kept = plural(totals.records, "record is", "records are")
    print(f"stopped; {kept} kept in {summary.output}", file=sys.stderr)
    print("the same command goes on from there", file=sys.stderr)
    return INTERRUPTED


def _say_bad(found: Iterable[tuple[str, int, str]]) -> None:
    rest = iter(found)
    for source, record, reason in islice(rest, SHOWN):
        print(f"  {source}, record {record}: {reason}", file=sys.stderr)
    more = sum(1 for _ in rest)
    if more:
        print(f"  and {more:,} more, all in the run's column error", file=sys.stderr)


def summary_lines(summary: Summary, choices: Sequence[Choice]) -> list[str]:
    """The run in words, a table for each tokenizer, and what the best formats save.

    A tokenizer is called as it was chosen: by its model, or by each of its models.
    """
    from toon import tokenizers
    from toon.measuring.totals import left_out

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
        means = (total.tokens / max(1, total.payloads) for total in formats.values())
        counter = tokenizers.get(name).at(min(means))
        title = "; ".join(each.title(counter.band) for each in choices if each.tokenizer == name)
        unlike = left_out(totals.unlike.get(name, 0), totals.payloads)
        doubts = [f"{text}." for text in (counter.caveat, unlike) if text]
        table = _table(formats, totals.mix if name == first else None, counter.exact)
        lines += ["", title, *doubts, *align(table)]
    chosen = sorted(totals.chosen.items(), key=lambda entry: -entry[1])
    shares = ", ".join(f"{format} {payloads:,}" for format, payloads in chosen)
    exact = tokenizers.get(first).exact
    ladder = totals.ladder
    whole = marked(signed_percent(ladder[-1]["vs_today"]), exact=exact)
    return [
        *lines,
        "",
        f"{ladder_line(ladder, exact=exact)}: {whole} against {ladder[0]['label']}",
        f"If every payload could choose its format, by {first}: {shares}.",
    ]


def _table(formats: dict[str, Total], mix: Total | None, exact: bool) -> list[list[str]]:
    """The lines of a tokenizer's table; formats that are not recommended stand below all others."""
    from toon.costs.choice import COMPACT
    from toon.formats import AS_TYPED
    from toon.measuring.totals import BEST_OF_EACH, apart_reason

    def cells(name: str, total: Total, proof: str) -> list[str]:
        about = partial(marked, exact=exact)
        signed = [
            UNKNOWN if name == base else about(signed_percent(total.vs(base)))
            for base in ("json-compact", "json-pretty")
        ]
        extra = about(signed_count(total.explanation)) if total.explanation else ""
        return [name, count(total.payloads), about(count(total.tokens)), extra, *signed, proof]

    proven = ROUND_TRIPS["proven"]
    recommended, apart = [_HEAD], list[list[str]]()
    for name, total in formats.items():
        if reason := apart_reason(name, total):
            apart.append(cells(name, total, reason))
        else:
            recommended.append(cells(name, total, "" if name == AS_TYPED else proven))
    if mix is not None:
        recommended.append(cells(BEST_OF_EACH, mix, apart_reason(COMPACT, mix) or proven))
    if apart:
        blank = [""] * (len(_HEAD) - 1)
        apart = [["", *blank], [BADGES["not-recommended"], *blank], *apart]
    return recommended + apart
