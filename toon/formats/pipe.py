"""Pipe tables as a format: lossless, read strictly."""

import itertools
import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from toon.dialects import pipe
from toon.dialects.pipe.encoder import INDENT
from toon.formats.base import Format, first_lines
from toon.layout.spans import Layout
from toon.text import QUOTED, Parsed

_ROW: Final = re.compile(r"\|[ \t].*[ \t]\|\Z")
#: The rule below the header of a Markdown table; in a pipe table such cells would be quoted.
_RULE: Final = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*[|+])+\Z")
#: The key of a container has no colon.
_KEY: Final = re.compile(rf"(?:{QUOTED}|[A-Za-z_][A-Za-z0-9_.]*+)\Z")
_FIELD: Final = re.compile(rf"(?:{QUOTED}|[A-Za-z_][A-Za-z0-9_.]*+): ")
_ITEM: Final = re.compile(r"-(?: |\Z)")
#: The kinds of lines besides keys.
_KINDS: Final = (_FIELD, _ITEM, _ROW)
#: An item that is a container. A list without one is written on one line: to-do lists are not.
_CONTAINER_ITEM: Final = re.compile(rf'-(?: (?:\{{\}}|\[(?:[^\]"]|{QUOTED})*+\]))?\Z')
#: A first line with a counted header is TOON or VibeMCP.
_HEADER: Final = re.compile(r"\[\d+\]\{.*\}\s*\Z")

#: The indentation of a line, and what follows it.
_Line: TypeAlias = tuple[int, str]


class PipeFormat(Format):
    """The pipe tables of Temporal Cortex's article as a format."""

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
        """Return whether a text begins like pipe tables: with a table, or a key above its block.

        Markdown tables, lists of words, indented prose and block texts of YAML do not.
        """
        lines = [(len(x) - len(x.lstrip(" ")), x.strip(" \r")) for x in first_lines(text)]
        if not lines or _HEADER.search(lines[0][1]):
            return False
        if _starts_table(lines[:2]):
            return True
        containers = any(_CONTAINER_ITEM.match(line) for _, line in lines)
        has_block = False
        for at, ((width, line), (below, following)) in enumerate(itertools.pairwise(lines), 1):
            is_key = _KEY.match(line) is not None
            if not _may_follow(lines[at - 1], lines[at]):
                return False
            if (is_key or line == "-") and _starts_table(lines[at : at + 2]):
                return True
            in_list = containers and below > width and _ITEM.match(following)
            has_block |= is_key and bool(_FIELD.match(following) or in_list)
        return has_block and any(kind.match(lines[-1][1]) for kind in (_KEY, *_KINDS))


def _starts_table(lines: Sequence[_Line]) -> bool:
    """Return whether two lines of a text are the header and the first row of a pipe table."""
    if not all(_ROW.match(line) for _, line in lines) or len(lines) < 2:
        return False
    (width, _), (below, row) = lines
    return width == below and not _RULE.match(row)


def _may_follow(line: _Line, below: _Line) -> bool:
    """Return whether a line may be of pipe tables, and the next one is indented as it demands."""
    (width, content), (deeper, following) = line, below
    if _KEY.match(content) and deeper == width == 0:  # pasted without its indentation
        return bool(_FIELD.match(following) or _ROW.match(following))
    if _KEY.match(content) or content == "-":
        return deeper == width + INDENT
    return deeper <= width and any(kind.match(content) for kind in _KINDS)


PIPE: Final = PipeFormat()
FORMATS: Final = (PIPE,)
