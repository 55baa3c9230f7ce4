"""Texts that are not ours, for places that read Markdown."""

from __future__ import annotations

import re
from typing import Final

#: What can start anything but text within a line, a link's colon and a formula's dollar included.
_MARKUP: Final = re.compile(r"([\\`*_\[\]<>$:~#&|])")


def literal(text: str) -> str:
    """``text`` as Markdown that shows it as it is: no link, and no image that a browser fetches."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
