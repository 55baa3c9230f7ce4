"""Three steps of an agent: list as lines, poll for changes, fetch one record in full."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from toon.compact.query import Answer, respond
from toon.compact.records import SAMPLE_NOW, later, records
from toon.compact.relative import utc_text
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
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
    before = records(domain, count)
    after = later(domain, before)
    moment, limit = utc_text(START), str(count)
    listed = {"format": "compact", "limit": limit}
    poll = respond(domain, {"since": moment}, records=after)
    changed = poll.value["data"]["updated"][0]["id"]
    whole = f"GET /{domain}?limit={limit}"
    again = respond(domain, {"limit": limit}, records=after)
    steps: list[tuple[str, Answer, str, Answer | None]] = [
        (
            f"GET /{domain}?format=compact&limit={limit}",
            respond(domain, listed, now=START, records=before),
            whole,
            respond(domain, {"limit": limit}, records=before),
        ),
        (f"GET /{domain}?since={moment}", poll, whole, again),
        (
            f"GET /{domain}/{changed}",
            respond(domain, {}, record_id=changed, records=after),
            "",
            None,
        ),
    ]
    used = get(tokenizer)
    return [
        {
            "step": number,
            "asked": asked,
            "text": answer.text(),
            "tokens": used.count(answer.text()),
            "json_asked": json_asked,
            "json_compact": used.count(JSON_COMPACT.dumps(other.value)) if other else 0,
            "json_pretty": used.count(JSON_PRETTY.dumps(other.value)) if other else 0,
            "exact": used.exact,
        }
        for number, (asked, answer, json_asked, other) in enumerate(steps, 1)
    ]
