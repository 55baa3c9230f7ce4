"""``python -m toon measure``: a corpus measured into a run, and its summary.

Exit status: 0 everything was measured, 1 some records could not be (standard error names them; the
run holds the others), 2 the command itself was wrong, 130 stopped and resumable.
"""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.corpus import Corpus, add_agents, check_agents, find_sessions, list_files
from toon.cli.options import (
    Commands,
    add_counting,
    add_explaining,
    add_names,
    read_count,
    read_explaining,
)
from toon.cli.output import INTERRUPTED, say, say_failure, show_progress
from toon.cli.service import add_service, ask_sample, find_counters, read_service_choices
from toon.cli.summary import report_summary
from toon.errors import WriteError
from toon.wording import plural

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.measuring.run import Pace, Progress, Summary
    from toon.traffic.account import Account

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
        type=_check_run_file,
        metavar="FILE",
        help="the run to write, a Parquet file; --report writes others",
    )
    parser.add_argument(
        "--payload", metavar="KEYS", help="where a record holds its payload; not for HAR"
    )
    parser.add_argument("--group", metavar="KEYS", help="where a record names its endpoint or tool")
    add_counting(parser, "; the first model or tokenizer decides what is best")
    text = "besides json-compact and json-pretty; default: all that may be recommended"
    add_names(parser, "--format", text)
    add_explaining(parser)
    add_service(parser, "sends a sample of the payloads")
    text = "payloads that the service counts, drawn at random, the same in every run (30)"
    parser.add_argument("--service-sample", type=read_count, default=30, metavar="N", help=text)
    crew = parser.add_mutually_exclusive_group()
    crew.add_argument("--workers", type=int, metavar="N", help="processes; default: all cores")
    crew.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://host:port")
    parser.add_argument(
        "--keep-payloads", action="store_true", help="write the payloads' texts into the run too"
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        type=_check_report,
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


def _check_run_file(text: str) -> Path:
    """Check the argument ``-o``: return the path of a Parquet file to write; refuse others."""
    path = Path(text)
    if path.suffix[1:].isalpha() and path.suffix.lower() != ".parquet":
        named = path.with_suffix(".parquet")
        raise argparse.ArgumentTypeError(f"a run is a Parquet file, not {text}: write {named}")
    return _check_folder(path)


def _check_folder(path: Path) -> Path:
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"no file {path} can be written: no such folder")
    return path


def _check_report(text: str) -> Path:
    """Check the argument ``--report``: return the path of an HTML, Markdown or CSV file."""
    from toon.reports.files import FORMS

    path = Path(text)
    if path.suffix.lower() not in FORMS:
        raise argparse.ArgumentTypeError(f"{text} ends in none of {', '.join(FORMS)}")
    return _check_folder(path)


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
    """Measure a corpus into a run, write the reports, print the summary; return the exit status."""
    from toon.costs.models import Choice
    from toon.costs.named import nearest_model
    from toon.measuring.table import open_run
    from toon.reports.files import check_earlier, write_report
    from toon.traffic.account import Account

    corpus = find_sessions(options) if options.agents else list_files(options)
    if isinstance(corpus, int):
        return corpus
    choices = read_service_choices(options)
    if not options.model and not options.tokenizer:
        name = corpus.model()
        if model := nearest_model(name) if name else None:
            say(f"model from your log: {name}; --model chooses another")
            choices = [Choice(model.tokenizer, model)]
    counted, endpoint, counter = find_counters(options, choices)
    choices = counted or choices
    if options.against:
        check_earlier(open_run(options.against), choices[0].tokenizer)
    account = Account()
    summary = _measure(options, choices, corpus, account)
    try:  # reports go first: the reader of the summary may leave
        for target in options.report if summary.complete else ():
            write_report(summary.output, target, choices[0].model, options.against)
    finally:
        service = endpoint if summary.complete and summary.totals.payloads else None
        counts = ask_sample(service, options, counter) if service else None
        status = report_summary(summary, choices, account, counts, options)
    return status or int(service is not None and counts is None)


def _measure(
    options: argparse.Namespace, choices: Sequence[Choice], corpus: Corpus, account: Account
) -> Summary:
    """Measure a corpus into a run, with a progress line; return its summary. The first Ctrl-C stops
    after what is under way, the second at once.
    """
    from toon.costs.models import tokenizers_of
    from toon.measuring.measure import DEFAULT_FORMATS
    from toon.measuring.run import Pace, Progress, measure

    pace = None if corpus.bytes is None else Pace(corpus.bytes)

    def show(progress: Progress) -> None:
        show_progress(progress_line(progress, pace))

    show(Progress())
    stopped = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, before)  # the second Ctrl-C interrupts as usual

    signal.signal(signal.SIGINT, stop)
    try:
        return measure(
            corpus.read(account),
            options.output,
            tokenizers=tokenizers_of(choices),
            formats=options.format or DEFAULT_FORMATS,
            workers=options.workers,
            scheduler=options.scheduler,
            keep_payloads=options.keep_payloads,
            explaining=read_explaining(options, choices[0].model),
            progress=show,
            cancelled=stopped.is_set,
            account=account,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def progress_line(progress: Progress, pace: Pace | None) -> str:
    """Return a line of text on the records and MB measured so far, their speed, and the time left.

    ``pace`` is updated and estimates the time; None where the size of the corpus is not known.
    """
    if pace:
        pace.update(progress)
    size = f"{progress.bytes / 1e6:,.1f} MB"
    words = [pace.words] if pace else []
    words += [plural(progress.records, "record"), size]
    if progress.seconds and progress.new_bytes:
        words.append(f"{progress.new_bytes / progress.seconds / 1e6:,.1f} MB/s")
        words.append(f"{progress.new_records / progress.seconds:,.0f} records/s")
    if progress.bad:
        words.append(f"{progress.bad:,} bad")
    return ", ".join(words)
