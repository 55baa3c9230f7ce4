"""Which dialect a text is written in, by its first lines: people paste them all for TOON."""

from __future__ import annotations

import itertools
import re
from typing import Final

_BLANK: Final = " \t\r\n\ufeff"
_VIBEMCP: Final = re.compile(r"\S+\[\d+\]\{.*\}\s*\Z")
_PIPE_ROW: Final = re.compile(r"[ \t]*\|[ \t].*[ \t]\|[ \t\r]*\Z")
_COMPACT: Final = re.compile(r'\{\s*"format"\s*:\s*"compact"')
# A key of a pipe table's container: it has no colon, which no line of TOON's above a block lacks.
_BARE_LINE: Final = re.compile(r"[^\s|:][^:]*\Z")
_LOOKED_AT: Final = 200


def dialect_of(text: str) -> str:
    """The name of the format ``text`` looks like, a key of ``toon.formats.FORMATS``.

    One of ``ticket``, ``vibemcp``, ``pipe``, ``compact``, and for everything else ``toon``. It is
    a look at the first lines, never a proof: the decoder of that format has the last word.
    """
    start = text.lstrip(_BLANK)
    if start.startswith("TOON/1 "):
        return "ticket"
    if _COMPACT.match(start):
        return "compact"
    lines = [line for line in start[:100_000].split("\n", _LOOKED_AT)[:_LOOKED_AT] if line.strip()]
    if not lines:
        return "toon"
    if _VIBEMCP.match(lines[0]):
        return "vibemcp"
    return "pipe" if _is_pipe(lines) else "toon"


def _is_pipe(lines: list[str]) -> bool:
    """A table at the start, or one right below a key that has no colon."""
    if _PIPE_ROW.match(lines[0]):
        return True
    return any(
        _BARE_LINE.match(line.strip()) and _PIPE_ROW.match(following)
        for line, following in itertools.pairwise(lines)
    )
