"""A run's report as a file: HTML, Markdown or CSV by its ending, of the whole run, unfiltered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toon.corpus.analysis import Choice, analyse, load
from toon.corpus.report.csv import as_csv
from toon.corpus.report.facts import Report
from toon.corpus.report.html import as_html
from toon.corpus.report.markdown import as_markdown
from toon.corpus.table import open_run
from toon.costs.choice import COMPACT

FORMS: Final[dict[str, Callable[[Report], str]]] = {
    ".html": as_html,
    ".md": as_markdown,
    ".csv": as_csv,
}


def write_report(run: Path, target: Path) -> None:
    """Writes the report of the run to ``target``, replacing what is there.

    By the run's first tokenizer, against compact JSON, with TOON looked at where it was measured;
    without money.

    Raises:
        OSError: The run cannot be read, or the report not written.
        RunError: It is not a run.
        KeyError: No form of a report has that ending.
    """
    form = FORMS[target.suffix.lower()]
    rows = load(open_run(run))
    looked_at = "toon" if "toon" in rows.formats else COMPACT
    analysis = analyse(rows, Choice(rows.tokenizers[0], COMPACT, looked_at))
    report = Report(run.name, rows, analysis, datetime.now(UTC))
    target.write_bytes(form(report).encode(errors="replace"))
