"""Pipe tables as a format: lossless, read strictly."""

from __future__ import annotations

import itertools
import re
from typing import Any, Final

from toon.dialects import pipe
from toon.formats.base import Format, first_lines
from toon.layout.spans import Layout
from toon.text import QUOTED, Parsed

_ROW: Final = re.compile(r"[ \t]*\|[ \t].*[ \t]\|[ \t\r]*\Z")
# The line above a block of pipe tables: a key without a colon, or the hyphen of an item.
_CONTAINER: Final = re.compile(rf"(?:{QUOTED}|[A-Za-z_][A-Za-z0-9_.]*+|-)[ \t\r]*\Z")
_FIELD: Final = re.compile(rf"(?:{QUOTED}|[A-Za-z_][A-Za-z0-9_.]*+): ")
#: A first line with a counted header is TOON or VibeMCP.
_HEADER: Final = re.compile(r"\[\d+\]\{.*\}\s*\Z")


class PipeFormat(Format):
    """The pipe tables of Temporal Cortex's article."""

    name = "pipe"
    label = "Pipe tables"
    lossless = True
    dialect = True
    explanation = (
        "The data is nested by indentation. A key alone on a line opens a block, `key: value` "
        "is a field, lines in pipes are a table below the names of its columns. An empty cell is "
        "an absent key. Quoted text is a string."
    )

    def dumps(self, value: Any) -> str:
        return pipe.encode(value)

    def layout(self, text: str) -> Layout:
        return pipe.layout(text)

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        return pipe.read(text, strict=strict)

    def recognises(self, text: str) -> bool:
        """A table at the start, or a container's line with a table or a block below it."""
        lines = first_lines(text)
        if len(lines) < 2 or _HEADER.search(lines[0]):
            return False
        if _ROW.match(lines[0]):
            return True
        if _CONTAINER.match(lines[0]) and (lines[1].startswith("  ") or _FIELD.match(lines[1])):
            return True
        return any(
            _ROW.match(below) and _CONTAINER.match(line.lstrip(" ")) and _may_hold(line, below)
            for line, below in itertools.pairwise(lines)
        )


def _may_hold(line: str, below: str) -> bool:
    """Whether the line below is deeper, or neither is indented. TOON rows are neither."""
    width, deeper = (len(text) - len(text.lstrip(" ")) for text in (line, below))
    return deeper > width or deeper == width == 0


PIPE: Final = PipeFormat()
