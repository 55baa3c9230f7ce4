"""Pipe tables as a format: lossless, read strictly."""

import re
from itertools import pairwise
from typing import Any, Final

from toon.dialects import pipe
from toon.formats.base import Format, first_lines
from toon.layout.spans import Layout
from toon.text import QUOTED, Parsed

_ROW: Final = re.compile(r"\|[ \t].*[ \t]\|\Z")
#: The rule below the header of a Markdown table; in a pipe table such cells would be quoted.
_RULE: Final = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*[|+])+\Z")
_NAME: Final = rf"(?:{QUOTED}|[A-Za-z_][A-Za-z0-9_.]*+)"
#: A line above a block: the key of a container, which has no colon, or an item's hyphen alone.
_OPENS: Final = re.compile(rf"(?:{_NAME}|-)\Z")
_ABOVE: Final = re.compile(rf"{_OPENS.pattern}|{_NAME}: |- ")


class PipeFormat(Format):
    """The pipe tables of Temporal Cortex's article, with blocks by indentation, as a format."""

    name = "pipe"
    label = "Pipe tables"
    lossless = True
    dialect = True
    beginning = re.compile("")  # lines decide
    about = "Temporal Cortex's article: blocks by indentation, and tables between pipes."
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
        """Return whether a text begins like pipe tables: a header and a row between pipes, and
        above them only keys, fields and list items.

        Markdown tables and block texts of YAML do not.
        """
        lines = [(len(x) - len(x.lstrip(" ")), x.strip(" \r")) for x in first_lines(text)]
        place = next((at for at, (_, line) in enumerate(lines) if _ROW.match(line)), len(lines))
        above, table = [line for _, line in lines[:place]], lines[place : place + 2]
        if len(table) < 2 or not all(map(_ABOVE.match, above)):
            return False
        if above and not _OPENS.match(above[-1]):
            return False
        for (width, line), (below, _) in pairwise(lines[: place + 1]):
            if below > width and not _OPENS.match(line):
                return False
        (width, _), (below, row) = table
        return width == below and bool(_ROW.match(row)) and not _RULE.match(row)


PIPE: Final = PipeFormat()
FORMATS: Final = (PIPE,)
