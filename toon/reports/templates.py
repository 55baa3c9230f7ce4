"""Fills a report's Jinja templates, which lie in this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from toon.formats import label, versus
from toon.reports.facts import (
    Report,
    advised,
    assumed,
    caveats,
    facts,
    headline,
    monthly,
    worth_from,
)
from toon.reports.ways import sent_ways, totals, totals_apart
from toon.values.fractions import fraction
from toon.wording import count, signed_count, signed_percent

_FILTERS = (label, versus, fraction, count, signed_count, signed_percent, worth_from)


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
    return environment.get_template(name).render(
        report=report,
        headline=headline(report),
        nothing=report.analysis.nothing,
        advised=advised(report),
        assumed=assumed(report),
        facts=facts(report),
        caveats=caveats(report),
        ways=sent_ways(report),
        monthly=monthly(report),
        totals=totals(report),
        apart=totals_apart(report),
        policy=report.analysis.policy,
        **more,
    )
