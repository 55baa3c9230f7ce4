"""Three steps of an agent: list as lines, poll for changes, fetch one record in full."""

from datetime import timedelta
from typing import Final, TypedDict

from toon.compact.relative import utc_text
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.records.query import respond
from toon.records.store import SAMPLE_NOW, add_changes, records
from toon.tokenizers import get

#: When the list is requested; the poll comes at ``SAMPLE_NOW``.
START: Final = SAMPLE_NOW - timedelta(minutes=30)


class StoryRow(TypedDict):
    """A step of the story of an agent, 1 to 3: its request, the answer's body, the body's tokens.

    The ``json_`` fields are the request ("" for none) and tokens for an agent with full JSON only.
    """

    tokens: int
    step: int
    request: str
    text: str
    json_request: str
    json_compact: int
    json_pretty: int


def play_story(domain: str, tokenizer: str, count: int = 10) -> list[StoryRow]:
    """Play three requests of an agent to the sample API: list as lines, poll changes, fetch one
    record; return each beside the request of an agent that has only full JSON.

    Between the first two steps one record is created, one updated and one deleted. The other agent
    has to fetch the whole list again, but needs no third step: its list has all records in full.
    ``count``, 2 to 100, is the number of records in the list.
    """
    used = get(tokenizer)
    before = records(domain, count)
    after = add_changes(domain, before)
    moment, limit = utc_text(START), str(count)
    url = f"GET /{domain}?limit={limit}"
    first = respond(domain, {"limit": limit}, records=before).value
    second = respond(domain, {"limit": limit}, records=after).value
    lines = {"format": "compact", "limit": limit}
    listed = respond(domain, lines, now=START, records=before)
    polled = respond(domain, {"since": moment}, records=after)
    changed = polled.value["data"]["updated"][0]["id"]
    fetched = respond(domain, {}, record_id=changed, records=after)
    steps = [
        (f"GET /{domain}?format=compact&limit={limit}", listed, url, first),
        (f"GET /{domain}?since={moment}", polled, url, second),
        (f"GET /{domain}/{changed}", fetched, "", None),
    ]
    return [
        {
            "step": number,
            "request": request,
            "text": answer.text(),
            "tokens": used.count(answer.text()),
            "json_request": json_request,
            "json_compact": used.count(JSON_COMPACT.dumps(value)) if value else 0,
            "json_pretty": used.count(JSON_PRETTY.dumps(value)) if value else 0,
        }
        for number, (request, answer, json_request, value) in enumerate(steps, 1)
    ]
