"""The report as Markdown, for a repository or a chat."""

import re
from typing import Final

from toon.reports.facts import Report
from toon.reports.templates import render

#: Blanks and line breaks; the no-break spaces of figures stay.
_BLANK: Final = re.compile(r"[^\S\u00a0\u202f]")


def as_markdown(report: Report) -> str:
    """Write a report in GitHub Flavored Markdown, without charts; values are escaped."""
    return render("report.md.jinja", report, finalize=lambda value: escape_markdown(str(value)))


def escape_markdown(text: str) -> str:
    """Escape a text so that Markdown shows it as it is, on one line or in a table's cell."""
    return re.sub(r"([\\`*_{}\[\]<>|#&~])", r"\\\1", _BLANK.sub(" ", text))
