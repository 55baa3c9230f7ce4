"""Three steps of an agent: list as lines, poll for changes, fetch one record in full."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final, NamedTuple, TypedDict

from toon.compact.relative import utc_text
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.records.query import Answer, respond
from toon.records.store import SAMPLE_NOW, later, records
from toon.tokenizers import get

#: When the list is requested; the poll comes at ``SAMPLE_NOW``.
START: Final = SAMPLE_NOW - timedelta(minutes=30)


class StoryRow(TypedDict):
    """A step from 1 to 3: the request, the body of its answer, and the tokens of that.

    The ``json_`` fields are the request of an agent that has only full JSON ("" for none) and the
    tokens of its answer.
    """

    tokens: int
    step: int
    asked: str
    text: str
    json_asked: str
    json_compact: int
    json_pretty: int


def story(domain: str, tokenizer: str, count: int = 10) -> list[StoryRow]:
    """Return the three steps, each beside the request of an agent that has only full JSON.

    Between the first two steps one record is created, one updated and one deleted. The other agent
    has to fetch the whole list again, but needs no third step: its list has all records in full.

    Args:
        domain: a key of ``DOMAINS``.
        tokenizer: a key of ``TOKENIZERS``.
        count: the number of records in the list, from 2 to 100.
    """
    used = get(tokenizer)
    return [
        {
            "step": number,
            "asked": step.asked,
            "text": step.answer.text(),
            "tokens": used.count(step.answer.text()),
            "json_asked": step.json_asked,
            "json_compact": used.count(JSON_COMPACT.dumps(step.json)) if step.json else 0,
            "json_pretty": used.count(JSON_PRETTY.dumps(step.json)) if step.json else 0,
        }
        for number, step in enumerate(_steps(domain, count), 1)
    ]


class _Step(NamedTuple):
    """A request and its answer, and the same for the agent that has only full JSON."""

    asked: str
    answer: Answer
    json_asked: str
    json: Any


def _steps(domain: str, count: int) -> list[_Step]:
    before = records(domain, count)
    after = later(domain, before)
    moment, limit = utc_text(START), str(count)
    whole = f"GET /{domain}?limit={limit}"
    first = respond(domain, {"limit": limit}, records=before)
    second = respond(domain, {"limit": limit}, records=after)
    lines = {"format": "compact", "limit": limit}
    listed = respond(domain, lines, now=START, records=before)
    polled = respond(domain, {"since": moment}, records=after)
    changed = polled.value["data"]["updated"][0]["id"]
    fetched = respond(domain, {}, record_id=changed, records=after)
    return [
        _Step(f"GET /{domain}?format=compact&limit={limit}", listed, whole, first.value),
        _Step(f"GET /{domain}?since={moment}", polled, whole, second.value),
        _Step(f"GET /{domain}/{changed}", fetched, "", None),
    ]
