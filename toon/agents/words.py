"""Rows and sentences about the listed sessions, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from toon.agents.listing import Listing, shown
from toon.wording import plural

HEAD: Final = ("Agent", "Sessions", "MB", "First", "Last")


def rows(listings: Sequence[Listing]) -> list[tuple[str, ...]]:
    """Return a row for each agent that has sessions, and a row of sums for several agents."""
    found = [each for each in listings if each.files]
    made = [(each.agent.label, *_figures([each])) for each in found]
    return [*made, ("all", *_figures(found))] if len(found) > 1 else made


def _figures(listings: Sequence[Listing]) -> tuple[str, ...]:
    sessions = sum(each.sessions for each in listings)
    size = sum(each.bytes for each in listings) / 1e6
    ends = min(each.first for each in listings), max(each.last for each in listings)
    return (f"{sessions:,}", f"{size:,.1f}", *map(_day, ends))


def _day(moment: float) -> str:
    try:
        return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"
    except (OverflowError, OSError, ValueError):  # no calendar has it
        return "?"


def notes(listings: Iterable[Listing]) -> Iterator[str]:
    """Yield sentences on the files that are not read, and why."""
    for each in listings:
        for reason, count in each.passed.items():
            said = f"{each.agent.label}: {plural(count, 'is', 'are')} not read ({reason})"
            yield f"{said}, such as {shown(each.examples[reason])}"
        if each.databases:
            yield (
                f"{each.agent.label} keeps sessions in a database, which is not read: "
                f"{each.agent.export} writes them as files ({shown(each.databases[0])})"
            )


def summed(listings: Iterable[Listing]) -> str:
    """Return the number and size of sessions: ``214 sessions, 312.4 MB``."""
    found = list(listings)
    size = sum(each.bytes for each in found) / 1e6
    return f"{plural(sum(each.sessions for each in found), 'session')}, {size:,.1f} MB"
