"""``GET /v1/{domain}`` and ``GET /v1/{domain}/{id}`` over the bundled records."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from toon.compact.errors import invalid
from toon.compact.relative import instant, read_time
from toon.http.replies import JSON, TOON, Call, Reply, Work
from toon.records.query import QueryParams, respond
from toon.records.store import SAMPLE_NOW

#: Years that ``now`` may lie in; Python still has dates well before and after them.
_YEARS: Final = range(1970, 2200)


def records_of(domain: str) -> Work:
    """The function that answers queries about a domain, for lists and single records."""

    def work(call: Call) -> Reply:
        rest = [pair for pair in call.asked.pairs if pair[0] != "now"]
        answer = respond(domain, rest, now=_clock(call.asked), record_id=call.record_id)
        return Reply(answer.text(), TOON if answer.is_toon else JSON, answer.status)

    return work


def _clock(asked: QueryParams) -> datetime:
    """The time that ``today`` and ages refer to: ``now``, or the sample records' own clock."""
    text = asked.text("now")
    if text is None:
        return SAMPLE_NOW
    time = read_time(text)
    if time is None or time.year not in _YEARS:
        hint = "write it as 2026-02-18T14:30:00Z, from 1970 to 2199"
        raise invalid("now", text, f"now is not a timestamp: {text!r}", hint)
    return instant(time)
