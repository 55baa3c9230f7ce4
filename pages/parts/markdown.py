"""Text that is not ours in Markdown that is."""

from __future__ import annotations

import re
from typing import Final

_SIGNS: Final = re.compile(r"[!-/:-@\[-`{-~]")


def literal(text: str) -> str:
    """Markdown that shows ``text`` letter by letter, on one line.

    No emphasis, link, picture, colour or formula comes of it: a picture would be fetched from
    wherever a pasted name says.
    """
    return _SIGNS.sub(r"\\\g<0>", " ".join(text.split()))
