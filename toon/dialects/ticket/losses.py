"""What writing tickets drops or changes: counted while writing, named afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal

from toon.dialects.ticket.tables import COMMENT, LINK, Envelope

Loss = Literal["dropped", "cut", "default", "empty", "respelled"]

_NOUNS: Final = {
    COMMENT.name: ("comment", "comments"),
    LINK.name: ("link", "links"),
    "board": ("board", "boards"),
}
_CUTS: Final = {
    "date": "cut to its date",
    "minute": "written in UTC to the minute",
    "etag": "moved to UTC",
}


@dataclass(slots=True)
class Losses:
    """How often each field of each envelope lost something, by the sort of loss."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, loss: Loss, envelope: Envelope, key: str, to: str = "") -> None:
        """Counts one loss; ``to`` says for a cut what was left: ``date``, ``minute``, ``etag``."""
        self.counts[f"{loss}-{to}" if to else loss, envelope.name, key] += 1

    def board(self, change: Loss) -> None:
        """Counts a change of a board itself."""
        self.counts[change, "board", "buckets"] += 1

    def dropped(self) -> dict[str, int]:
        """Field -> how often it was dropped; a comment's ``id`` is ``comments.id``."""
        prefix = {COMMENT.name: "comments.", LINK.name: "links."}
        return {
            prefix.get(owner, "") + key: count
            for (loss, owner, key), count in self.counts.items()
            if loss == "dropped"
        }

    def phrases(self) -> list[str]:
        """One phrase a loss, as in ``description of 3 tickets``."""
        return [_phrase(*what, count) for what, count in self.counts.items()]


def _phrase(loss: str, owner: str, key: str, count: int) -> str:
    things = f"{count:,} {_NOUNS.get(owner, ('ticket', 'tickets'))[count != 1]}"
    sort, _, to = loss.partition("-")
    match sort:
        case "cut":
            return f"{key} {_CUTS[to]} in {things}"
        case "default":
            return f"{key} left out as the default in {things}"
        case "empty":
            return f"empty {key} left out in {things}"
        case "respelled":
            return f"{key} spelled anew in {things}"
        case _:
            return f"{key} of {things}"
