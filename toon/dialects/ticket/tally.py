"""What writing tickets drops or changes: counted while writing, put into words afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal

from toon.dialects.ticket.tables import COMMENT, LINK, Envelope
from toon.wording import plural

Loss = Literal["dropped", "date", "minute", "default", "empty", "respelled"]

_NOUNS: Final = {COMMENT.name: "comment", LINK.name: "link", "board": "board"}
_PHRASES: Final[dict[Loss, str]] = {
    "dropped": "{} of {}",
    "date": "{} cut to its date in {}",
    "minute": "{} written in UTC to the minute in {}",
    "default": "{} left out as the default in {}",
    "empty": "empty {} left out in {}",
    "respelled": "{} respelled in {}",
}


@dataclass(slots=True)
class Tally:
    """How often each field of each envelope lost something, by kind of loss."""

    counts: Counter[tuple[Loss, str, str]] = field(default_factory=Counter)

    def add(self, loss: Loss, envelope: Envelope, key: str) -> None:
        self.counts[loss, envelope.name, key] += 1

    def add_to_board(self, loss: Loss) -> None:
        self.counts[loss, "board", "buckets"] += 1

    def phrases(self) -> list[str]:
        """A phrase for each loss, as in ``description of 3 tickets``."""
        return [
            _PHRASES[loss].format(key, plural(count, _NOUNS.get(owner, "ticket")))
            for (loss, owner, key), count in self.counts.items()
        ]
