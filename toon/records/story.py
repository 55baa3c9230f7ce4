"""Three steps of an agent: list as lines, poll for changes, fetch one record in full."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final, NamedTuple

from toon.compact.relative import utc_text
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.records.query import Answer, respond
from toon.records.store import SAMPLE_NOW, later, records
from toon.tokenizers import get

#: When the list is asked for; the poll comes at ``SAMPLE_NOW``.
START: Final = SAMPLE_NOW - timedelta(minutes=30)


def story(domain: str, tokenizer: str, count: int = 10) -> list[dict[str, Any]]:
    """One row per step, beside what an agent with full JSON alone would ask for instead.

    In between one record was created, one updated and one deleted. The other agent has to fetch
    the whole list again, but needs no third step: the list has every record in full.

    Args:
        domain: A name in ``DOMAINS``.
        tokenizer: A name in ``TOKENIZERS``.
        count: Records in the list, from 2 to 100.

    Returns:
        ``step`` (from 1), ``asked``, ``text`` (the answer's body, compact JSON), ``tokens``;
        ``json_asked`` ("" for nothing) and the tokens of that in ``json_compact`` and
        ``json_pretty``; ``exact``, whether they are a model's own.
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
            "exact": used.exact,
        }
        for number, step in enumerate(_steps(domain, count), 1)
    ]


class _Step(NamedTuple):
    """What was asked and answered, and the same for an agent with full JSON alone."""

    asked: str
    answer: Answer
    json_asked: str
    json: Any


def _steps(domain: str, count: int) -> list[_Step]:
    before = records(domain, count)
    after = later(domain, before)
    moment, limit = utc_text(START), str(count)
    whole = f"GET /{domain}?limit={limit}"
    first, second = (respond(domain, {"limit": limit}, records=held) for held in (before, after))
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
