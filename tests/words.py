"""What formats and badges are called, for tests of behaviour: ``test_wording`` has the words."""

from __future__ import annotations

from typing import Final

from toon.formats import versus
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.wording import BADGES, YOUR_TEXT

__all__ = ["BADGES", "COMPACT", "PRETTY", "VS_COMPACT", "VS_PRETTY", "YOUR_TEXT", "first"]

COMPACT: Final = JSON_COMPACT.label
PRETTY: Final = JSON_PRETTY.label
VS_COMPACT: Final = versus(JSON_COMPACT.name)
VS_PRETTY: Final = versus(JSON_PRETTY.name)


def first(label: str) -> str:
    """A label at the start of a sentence."""
    return label[:1].upper() + label[1:]
