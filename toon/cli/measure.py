"""``python -m toon measure``: a corpus measured into a run, and its summary.

Exit status: 0 everything was measured, 1 some records could not be (standard error names them; the
run holds the others), 2 the command itself was wrong, 130 stopped and resumable.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.agents import Corpus, add_agents, check_agents, sessions_of
from toon.cli.around import in_folder, new_run, until_ctrl_c
from toon.cli.options import Commands, add_counting, add_explaining, add_names, explaining_of
from toon.cli.output import INTERRUPTED, end_progress, say, say_failure, show_progress
from toon.cli.service import (
    add_sample,
    add_service,
    choices_with_service,
    counted_here,
    counts_of_sample,
    service_endpoint,
)
from toon.cli.summary import (
    report_lines,
    skipped_words,
    summary_json,
    summary_lines,
)
from toon.errors import WriteError
from toon.text import clean
from toon.wording import plural

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.measuring.pace import Pace
    from toon.measuring.run import Progress, Summary
    from toon.services.comparing import Counts
    from toon.traffic.account import Account
    from toon.traffic.folders import InputFile
    from toon.traffic.payload import Record
    from toon.traffic.wrapped import WrappedError

#: The most records without figures that are listed.
SHOWN: Final = 10

_SNIFFED_AT_MOST: Final = 200

_EPILOG: Final = """\
PATH is a file, a folder, a glob in quotes or, with fsspec, a URL: HAR, JSON Lines, JSON, CSV,
Parquet, zip, and the sessions, traces and exports that toon/traffic/README.md lists, packed by gzip
or zstd or not. --payload and --group are dotted paths into a record, as
in response.body or tools.0.name, or names of CSV columns. Without --payload it is the record
itself, or what stands under "payload" where the records also name their tool or endpoint.

A file is read as what its first records show, and every run says what each file was read as.
Records that wrap their payloads in a way that is not known are refused, with the paths that would
read them. In a path [] is every item of an array and * any depth, and JSON held as text is opened.

A record that cannot be read is a bad record, named and counted. One that is as it should be but
not JSON, such as a script in a HAR or a tool's plain text, is skipped and counted apart.

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
  %(prog)s traffic.har -o run.parquet
  %(prog)s 'logs/*.jsonl.gz' -o run.parquet --payload response.body --group tool
  %(prog)s logs -o run.parquet --model gpt-5,claude-haiku-4.5 --format toon,csv
  %(prog)s logs -o run.parquet --report savings.html --report savings.csv
  %(prog)s --agents --since 7d --report agents.html
"""


def add_measure(commands: Commands) -> None:
    parser = commands.add_parser(
        "measure",
        help="what a corpus costs: logs, HAR, folders; into a Parquet file",
        description="Measures every payload of a corpus in every format that may be "
        "recommended, on all cores.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what to measure")
    add_agents(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=new_run,
        metavar="FILE",
        help="the run to write, a Parquet file; --report writes others",
    )
    parser.add_argument(
        "--payload", metavar="KEYS", help="where a record holds its payload; not for HAR"
    )
    parser.add_argument("--group", metavar="KEYS", help="where a record names its endpoint or tool")
    add_counting(parser, "; the first model or tokenizer decides what is best")
    about = "besides json-compact and json-pretty; default: all that may be recommended"
    add_names(parser, "--format", about)
    add_explaining(parser)
    add_service(parser, "sends a sample of the payloads")
    add_sample(parser)
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
    parser.add_argument(
        "--against",
        type=Path,
        metavar="RUN",
        help="an earlier run: says what each tool took a call then and now, in the reports too",
    )
    parser.add_argument("--json", action="store_true", help="the summary as JSON, without words")
    parser.set_defaults(run=run_measure)


def _report(text: str) -> Path:
    """Return the path of a report; refuse one that cannot be written, before measuring starts."""
    from toon.reports.files import FORMS

    path = Path(text)
    if path.suffix.lower() not in FORMS:
        raise argparse.ArgumentTypeError(f"{text} ends in none of {', '.join(FORMS)}")
    return in_folder(path)


def run_measure(options: argparse.Namespace) -> int:
    try:
        check_agents(options)
        return _run(options)
    except OSError as error:
        if error.errno and error.filename is None:
            raise  # an error of standard output, which every command may have
        if isinstance(error, WriteError) and error.filename not in map(str, options.report):
            error.filename = str(options.output)  # or one of its checkpoints
        return say_failure(options.output, error)
    except RuntimeError as error:
        return say_failure(options.output, error)
    except ValueError as error:  # from the options
        say(str(error))
        return 2
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from what is kept")
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    """Measure, write the reports and print the summary; return the exit status."""
    from toon.measuring.table import open_run
    from toon.reports.files import check_earlier, write_report
    from toon.traffic.account import Account

    corpus = sessions_of(options) if options.agents else _files(options)
    if isinstance(corpus, int):
        return corpus
    choices = choices_with_service(options)
    if not options.model and not options.tokenizer:
        choices = _choices_of_log(corpus.model()) or choices
    endpoint, asked_for = service_endpoint(options, choices), choices[0]
    choices = counted_here(options, choices) or choices
    if options.against:
        check_earlier(open_run(options.against), choices[0].tokenizer)
    account = Account()
    summary = _measured(options, choices, corpus, account)
    try:  # reports go first: the reader of the summary may leave
        for target in options.report if summary.complete else ():
            write_report(summary.output, target, choices[0].model, options.against)
    finally:
        asked = endpoint if summary.complete and summary.totals.payloads else None
        counts = counts_of_sample(asked, options, asked_for) if asked else None
        status = _report_summary(summary, choices, account, counts, options)
    return status or int(asked is not None and counts is None)


def _files(options: argparse.Namespace) -> Corpus | int:
    """Return the files of the paths as a corpus; the exit status if none can be measured."""
    from toon.measuring.logged import find_logged_model
    from toon.traffic import read, read_paths
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
    if options.payload is None and (refused := list(_refused(files))):
        for file, error in refused:
            _say_refused(file, error, options)
        return 2
    paths = {"payload_path": options.payload, "group_path": options.group}
    local = [file for file in files if not file.remote]

    def find_model() -> str | None:
        return find_logged_model(
            (read(file.path, file.name, **paths) for file in local), len(local)
        )

    def read_all(account: Account) -> Iterable[Record]:
        return read_paths(options.paths, **paths, account=account)

    try:
        size = sum(os.path.getsize(file.path) for file in files)
    except OSError:  # a file that is remote
        size = None
    return Corpus(read_all, find_model, size)


def _choices_of_log(name: str | None) -> list[Choice]:
    """Print the model that a log names and return its choice; [] if it cannot be counted."""
    from toon.costs.models import Choice
    from toon.costs.named import nearest_model

    model = nearest_model(name) if name else None
    if model is None:
        return []
    say(f"model from your log: {name}; --model chooses another")
    return [Choice(model.tokenizer, model)]


def _refused(files: Sequence[InputFile]) -> Iterator[tuple[InputFile, WrappedError]]:
    """Yield those of the first files that wrap their payloads in an unknown way, with the error."""
    from toon.traffic import sniff
    from toon.traffic.wrapped import WrappedError

    for file in files[:_SNIFFED_AT_MOST]:
        try:
            sniff(file.remote or file.path, file.name)
        except WrappedError as error:
            yield file, error
        except ValueError:  # measuring will report the reason
            continue


def _say_refused(file: InputFile, error: WrappedError, options: argparse.Namespace) -> None:
    """Print the commands that would read a refused file, one for each path."""
    say(f"{file.name}: {error}")
    for found in error.candidates:
        seen = plural(found.count, "time")
        print(f"  {found.path}, seen {seen}, for instance {found.example}", file=sys.stderr)
        group = ["--group", options.group] if options.group else []
        rest = [file.path, "-o", str(options.output), *group, "--payload", found.path]
        print(f"    {options.parser.prog} {shlex.join(rest)}", file=sys.stderr)


def _measured(
    options: argparse.Namespace, choices: Sequence[Choice], corpus: Corpus, account: Account
) -> Summary:
    """Measure the corpus, with a progress line; return the run's summary."""
    from toon.costs.models import tokenizers_of
    from toon.measuring.measure import DEFAULT_FORMATS
    from toon.measuring.pace import Pace
    from toon.measuring.run import Progress, measure

    pace = None if corpus.bytes is None else Pace(corpus.bytes)

    def show(progress: Progress) -> None:
        show_progress(progress_line(progress, pace))

    show(Progress())
    with until_ctrl_c() as stopped:
        return measure(
            corpus.read(account),
            options.output,
            tokenizers=tokenizers_of(choices),
            formats=options.format or DEFAULT_FORMATS,
            workers=options.workers,
            scheduler=options.scheduler,
            keep_payloads=options.keep_payloads,
            explaining=explaining_of(options, choices[0].model),
            resume=not options.no_resume,
            progress=show,
            cancelled=stopped.is_set,
            account=account,
        )


def progress_line(progress: Progress, pace: Pace | None) -> str:
    """Return a line on how much is measured, how fast, and the time left."""
    if pace:
        pace.see(progress)
    size = f"{progress.bytes / 1e6:,.1f} MB"
    words = [pace.words] if pace else []
    words += [plural(progress.records, "record"), size]
    if progress.seconds and progress.new_bytes:
        words.append(f"{progress.new_bytes / progress.seconds / 1e6:,.1f} MB/s")
        words.append(f"{progress.new_records / progress.seconds:,.0f} records/s")
    if progress.bad:
        words.append(f"{progress.bad:,} bad")
    return ", ".join(words)


def _report_summary(
    summary: Summary,
    choices: Sequence[Choice],
    account: Account,
    counts: Counts | None,
    options: argparse.Namespace,
) -> int:
    """Print the summary and the records without figures; return the exit status."""
    from toon.measuring.table import open_run
    from toon.reports.files import report_of
    from toon.reports.read_as import read_as_lines
    from toon.reports.tools import compared_facts
    from toon.traffic.payload import CUT, SKIPPED

    end_progress()
    totals = summary.totals
    rows = list(account.rows.values())
    if options.json:
        asked = {"service": counts.sample_json(totals.payloads)} if counts else {}
        then = {}
        if options.against:
            then["against"] = compared_facts(
                report_of(summary.output, choices[0].model, options.against)
            )
        print(json.dumps(summary_json(summary, rows) | then | asked))
    else:
        asked_lines = ["", *counts.sample_lines(totals.payloads)] if counts else []
        spent, advice = map(
            partial(map, clean), report_lines(summary, choices[0].model, options.against)
        )
        lines = [*read_as_lines(rows, quoting=True), *spent, *summary_lines(summary, choices)]
        print("\n".join([*lines, *advice, *asked_lines]))
    if totals.errors:
        print(
            f"not measured: {totals.errors:,} of {plural(totals.records, 'record')}",
            file=sys.stderr,
        )
        found = open_run(summary.output).errors()
        _say_bad(each for each in found if not each[2].startswith(SKIPPED))
    if totals.skipped:
        print(f"skipped, no JSON payload: {skipped_words(summary)}", file=sys.stderr)
        cut = sum(reason.startswith(CUT) for *_, reason in open_run(summary.output).errors())
        if cut:
            said = f"cut off by the log: {plural(cut, 'result')}; figures are of whole ones alone"
            print(said, file=sys.stderr)
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
