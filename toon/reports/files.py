"""The writing of a whole run's report to a file: HTML, Markdown or CSV, by the file's ending."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toon.analysis import Analysis, Comparison, Rows, analyse, load
from toon.costs.models import Model
from toon.costs.worth import COMPACT
from toon.files import write_file
from toon.formats import AS_TYPED
from toon.measuring.table import MeasuredRun, open_run
from toon.reports.csv import as_csv
from toon.reports.facts import Report
from toon.reports.html import as_html
from toon.reports.markdown import as_markdown

#: Writes a report, by the ending of its file.
FORMS: Final[dict[str, Callable[[Report], str]]] = {
    ".html": as_html,
    ".md": as_markdown,
    ".csv": as_csv,
}


def write_report(
    run: Path, target: Path, model: Model | None = None, before: Path | None = None
) -> None:
    """Write the report of the run at ``run`` to ``target``: HTML, Markdown or CSV by its ending.

    It uses the run's first tokenizer and its explanations, compares TOON (if it was measured) with
    JSON as typed, and has the prices of ``model``, which must be of that tokenizer. ``before`` is
    an earlier run to compare with.

    Raises:
        OSError: The run cannot be read, or the report cannot be written.
        RunError: The file is not a run.
        KeyError: The ending is not in ``FORMS``.
        ValueError: Another tokenizer is the model's.
    """
    write = FORMS[target.suffix.lower()]
    write_file(target, write(make_report(run, model, before)).encode(errors="replace"))


def make_report(run: Path, model: Model | None = None, before: Path | None = None) -> Report:
    """Analyse the run at ``run`` and return its report, as :func:`write_report` writes it.

    Raises:
        ValueError: The earlier run was not counted by the tokenizer of this one.
    """
    rows = load(open_run(run))
    tokenizer, made = rows.tokenizers[0], datetime.now(UTC)
    earlier = None
    if before:
        past = open_run(before)
        check_earlier(past, tokenizer)
        earlier = Report(before.name, _analyse(load(past), tokenizer), made)
    return Report(run.name, _analyse(rows, tokenizer, model), made, earlier)


def check_earlier(run: MeasuredRun, tokenizer: str) -> None:
    """Check that an earlier run was counted by a tokenizer, so that it can be compared.

    Raises:
        ValueError: The tokenizer did not count it.
    """
    if tokenizer not in run.about["tokenizers"]:
        raise ValueError(
            f"{run.path} is not counted by {tokenizer}: measure both runs with one of them"
        )


def _analyse(rows: Rows, tokenizer: str, model: Model | None = None) -> Analysis:
    format = "toon" if "toon" in rows.formats else COMPACT
    return analyse(rows, Comparison(tokenizer, AS_TYPED, format, model=model))
