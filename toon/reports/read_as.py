"""Sentences on the files of a run: what each was read as, from where, and how much."""

from collections.abc import Iterator, Sequence
from typing import Final

from toon.secrets import mask
from toon.traffic.account import GONE, GREW, HALF, LEFT_OUT, PASSED, ReadAs
from toon.wording import plural

#: The most files that get a sentence each; more are summed up by kind.
FILES_SHOWN: Final = 10
_BEGINNING: Final = 40
#: What is left out, and why.
_REASONS: Final = {
    LEFT_OUT: ("{}", "may hold credentials"),
    PASSED: ("{}", "beside sessions, and none"),
    GONE: ("{}", "cannot be opened any more"),
    HALF: ("the last line of {}", "only half is there: it is being written, or a crash cut it off"),
    GREW: ("what was added to {}", "it grew while it was read"),
}


def read_as_lines(rows: Sequence[ReadAs], *, quoting: bool) -> Iterator[str]:
    """Yield sentences on the files of a run: what each was read as, its payloads, what is left out.

    ``quoting`` adds how the first payload of a file begins. Many files are summed up by kind.
    """
    left = {kind: [row for row in rows if row.kind == kind] for kind in _REASONS}
    rows = [row for row in rows if row.kind not in _REASONS]
    for row in rows if len(rows) <= FILES_SHOWN else _sum_by_kind(rows):
        named = f"{row.source}: " if row.source else ""
        place = f", at {row.path}" if row.path else ""
        parts = [plural(row.payloads, "payload")]
        parts += [f"{row.skipped:,} skipped"] if row.skipped else []
        parts += [f"{row.bad:,} bad"] if row.bad else []
        begins = mask(row.beginning)[:_BEGINNING] + ("…" if len(row.beginning) > _BEGINNING else "")
        begins = f"; the first begins {begins}" if begins and quoting else ""
        yield f"{named}read as {row.label}{place}: {', '.join(parts)}{begins}"
    for kind, (subject, reason) in _REASONS.items():
        names = [row.source for row in left[kind] if row.source][:FILES_SHOWN]
        number = sum(row.skipped for row in left[kind]) - len(names)
        rest = f" and {number:,} more" if names else plural(number, "file")
        if names or number:
            files = ", ".join(names) + (rest if number else "")
            yield f"left out: {subject.format(files)} ({reason})"


def _sum_by_kind(rows: Sequence[ReadAs]) -> list[ReadAs]:
    kinds: dict[tuple[str, str], ReadAs] = {}
    for row in rows:
        total = kinds.setdefault((row.kind, row.path), ReadAs("", row.kind, row.label, row.path))
        total.payloads += row.payloads
        total.skipped += row.skipped
        total.bad += row.bad
        total.beginning = total.beginning or row.beginning
    return list(kinds.values())
