"""What formats and badges are called, for tests of behaviour: ``test_wording`` has the words."""

from typing import Final

from toon.formats import vs_label
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.wording import BADGES, ROUND_TRIPS, YOUR_TEXT, round_trip
from toon.wording import capitalised as first

__all__ = [
    "BADGES", "COMPACT", "PRETTY", "PROVEN", "ROUND_TRIPS", "VS_COMPACT", "VS_PRETTY", "YOUR_TEXT",
    "first",
]  # fmt: skip

COMPACT: Final = JSON_COMPACT.label
PRETTY: Final = JSON_PRETTY.label
VS_COMPACT: Final = vs_label(JSON_COMPACT.name)
VS_PRETTY: Final = vs_label(JSON_PRETTY.name)
PROVEN: Final = round_trip(ROUND_TRIPS["proven"], ok=True)
