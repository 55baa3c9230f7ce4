"""Fills the Jinja templates of the report, which lie in this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from toon.formats import label, versus
from toon.reports import billed, caveats, facts, figures
from toon.reports.facts import Report
from toon.reports.noted import sections
from toon.wording import count, signed_count, signed_percent

_FILTERS: Final = (label, versus, count, signed_count, signed_percent, figures.worth_from)
#: What is said of a report, by the names of its templates.
_SAID: Final = (
    billed.spent,
    facts.headline,
    facts.advised,
    facts.assumed,
    facts.chosen_from,
    facts.facts,
    caveats.caveats,
    figures.named_ways,
    figures.flips,
    figures.untested,
    facts.monthly,
    sections,
)


def render(
    name: str,
    report: Report,
    *,
    autoescape: bool = False,
    finalize: Callable[[Any], Any] | None = None,
    **more: object,
) -> str:
    """The template ``name``, filled with the report's facts and tables and with ``more``.

    Text from files must be escaped: by ``autoescape`` for HTML, or by ``finalize``, which gets the
    value of every expression in the template.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=autoescape,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {function.__name__: function for function in _FILTERS}
    said = {function.__name__: function(report) for function in _SAID}
    totals = figures.totals(report)
    return environment.get_template(name).render(
        report=report,
        nothing=report.analysis.nothing,
        totals=[(name, total) for name, total, reason in totals if not reason],
        apart=[entry for entry in totals if entry[2]],
        **said,
        **more,
    )
