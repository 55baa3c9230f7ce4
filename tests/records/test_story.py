"""The three steps of an agent, compared with an agent that has only full JSON."""

import json

import pytest

from toon.compact import DOMAINS
from toon.records.query import respond
from toon.records.store import add_changes, records
from toon.records.story import play_story
from toon.tokenizers import get


@pytest.mark.parametrize("domain", DOMAINS)
def test_list_poll_fetch(domain: str) -> None:
    listed, polled, fetched = play_story(domain, "o200k_base")
    envelope, changes, record = (json.loads(row["text"]) for row in (listed, polled, fetched))

    assert [row["step"] for row in (listed, polled, fetched)] == [1, 2, 3]
    assert listed["request"] == f"GET /{domain}?format=compact&limit=10"
    assert polled["request"] == f"GET /{domain}?since=2026-02-18T14:00:00Z"
    (changed,) = changes["data"]["updated"]
    assert fetched["request"] == f"GET /{domain}/{changed['id']}"
    assert envelope["format"] == "compact"
    assert changed["id"] in envelope["ids"]
    assert changes["meta"] == {"response_timestamp": "2026-02-18T14:30:00Z", "total_changes": 3}
    assert record["data"]["id"] == changed["id"]
    assert None in record["data"].values()


def test_the_other_agent_lists_twice_and_needs_no_third_step() -> None:
    rows = play_story("emails", "o200k_base", count=25)
    tokenizer = get("o200k_base")
    before = records("emails", 25)
    lists = [
        respond("emails", {"limit": "25"}, records=held)
        for held in (before, add_changes("emails", before))
    ]

    assert [row["json_request"] for row in rows] == ["GET /emails?limit=25"] * 2 + [""]
    assert [row["json_compact"] for row in rows] == [
        *(tokenizer.count(answer.text()) for answer in lists),
        0,
    ]
    assert rows[0]["json_pretty"] == tokenizer.count(
        json.dumps(lists[0].value, ensure_ascii=False, indent=2)
    )
    assert all(row["tokens"] == tokenizer.count(row["text"]) for row in rows)
