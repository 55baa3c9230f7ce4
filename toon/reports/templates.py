"""The filling of the report's Jinja templates, which lie in this folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from toon.reports.billed import billed_cost
from toon.reports.facts import Report, advice, assumption, caveats, facts, headline
from toon.reports.noted import format_sections, sections
from toon.wording import count

#: The functions whose results templates use, by the functions' names.
_PARTS: Final = billed_cost, headline, advice, assumption, facts, caveats, sections, format_sections


def render(
    name: str,
    report: Report,
    *,
    autoescape: bool = False,
    finalize: Callable[[Any], Any] | None = None,
    **more: object,
) -> str:
    """Return the Jinja template ``name``, filled with a report's facts and sections, and ``more``.

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
    environment.filters["count"] = count
    results = {function.__name__: function(report) for function in _PARTS}
    template, nothing = environment.get_template(name), report.analysis.nothing
    return template.render(name=report.name, nothing=nothing, **results, **more)
