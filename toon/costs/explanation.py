"""What it costs to explain a format to a model, and from how many rows that pays back.

Models read JSON, YAML, XML and CSV unexplained; one sentence names them. TOON is young, and its
dialects are known to few: until a model surely knows one, a few sentences belong into the prompt,
and into the bill.
"""

from __future__ import annotations

import math
from typing import Final

PRIMERS: Final[dict[str, str]] = {
    "json-pretty": "The data is JSON.",
    "json-python": "The data is JSON.",
    "json-compact": "The data is JSON.",
    "yaml": "The data is YAML.",
    "xml": "The data is XML.",
    "csv": "The data is CSV; the first line names the columns.",
    "ticket": "The data is TOON/1. T{...} is a ticket: id, t title, s status (bk backlog, td todo, "
    "ip in progress, bl blocked, dn done, cl cancelled), p priority (cr critical, h high, "
    "m medium, l low), typ type (ft feature, tsk task, ep epic, chr chore), lbl labels, par "
    "parent, ch children, d description, as assignee, ca created, ua updated.",
    "pipe": "The data is nested by indentation. A key alone on a line opens a block, `key: value` "
    "is a field, lines in pipes are a table below the names of its columns. An empty cell is an "
    "absent key. Quoted text is a string.",
    "vibemcp": "The data is a list: `rows[2]{id,name}` says how many lines follow and names their "
    "cells, which tabs separate.",
    "vibemcp-lossless": "The data is a list: `rows[2]{id,name}` says how many lines follow and "
    "names their cells, which tabs separate. An empty cell is an absent key, nested values are "
    "JSON, quoted text is a string.",
    "compact": "The data is lines, one a record; ids has their full ids in the same order.",
}

_TOON: Final = (
    "The data is TOON: JSON's values with less syntax. Indentation nests; `key: value` is a "
    "field. `name[3]: a,b,c` is an array of 3. `rows[2]{{id,qty}}:` is a table: each line below "
    "holds one object's values in that order, separated by {delimiter}. Quoted text is a string."
)
_DELIMITERS: Final = {"toon-tab": "tabs", "toon-pipe": "pipes"}


def primer(format: str) -> str:
    """The sentences that explain ``format``."""
    return PRIMERS.get(format) or _TOON.format(delimiter=_DELIMITERS.get(format, "commas"))


def pays_back_from(rows: int, saved: int, extra: int) -> int | None:
    """The rows from which a saving covers the primer's ``extra`` tokens; None if it never does.

    ``saved`` tokens were saved on ``rows`` rows; the saving is taken to grow in proportion.
    """
    if rows <= 0 or saved <= 0:
        return None
    return math.ceil(max(0, extra) * rows / saved)
