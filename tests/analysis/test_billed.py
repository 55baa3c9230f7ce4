"""The bill of sessions by day, project and session, and beside what a log itself names."""

import json
from decimal import Decimal
from typing import Any, cast

import pytest

from tests.traffic.reading import lines, read_all, zipped
from toon.analysis.billed import Part, find_bills, find_parts
from toon.costs.billed import Billed
from toon.measuring.definitions import note
from toon.measuring.table import About
from toon.traffic.account import Account

ONE, OTHER = "3f2a91c4-0000-4000-a000-000000000001", "9b1c07de-0000-4000-a000-000000000002"


def claude(day: int, id: str, session: str, folder: str, **more: Any) -> dict[str, Any]:
    """A call of Claude Opus 4.5 with 1,000 tokens at 5, 2,000 at 0.50 and 100 at 25: $0.0085."""
    usage = {"input_tokens": 1_000, "cache_read_input_tokens": 2_000, "output_tokens": 100}
    message = {"role": "assistant", "id": id, "model": "claude-opus-4-5", "content": "x"}
    about = {"type": "assistant", "sessionId": session, "cwd": folder}
    time = f"2026-03-0{day}T23:59:00Z"
    return {**about, "timestamp": time, "message": {**message, "usage": usage}, **more}


def about_of(data: str | bytes) -> About:
    account = Account()
    read_all(data, account=account)
    return cast(About, json.loads(json.dumps(note(account, "o200k_base"))))


def test_the_bill_is_told_by_day_project_and_session() -> None:
    about = about_of(
        lines(
            claude(2, "m1", ONE, "/home/ada/shop"),
            claude(2, "m1", ONE, "/home/ada/shop"),
            claude(3, "m2", ONE, "/home/ada/shop/"),
            claude(3, "m3", OTHER, r"C:\Users\ada\billing"),
        )
    )
    usage, call = Billed(3_000, 2_000, 0, 0, 100), Decimal("0.0085")
    two = usage.plus(usage)
    first, last = 1_772_495_940.0, 1_772_582_340.0

    assert find_parts(about) == {
        "day": [
            Part("2026-03-02", 1, usage, call, "", first),
            Part("2026-03-03", 2, two, 2 * call, "", last),
        ],
        "project": [
            Part("shop", 2, two, 2 * call, "", last),
            Part("billing", 1, usage, call, "", last),
        ],
        "session": [
            Part("3f2a91c4", 2, two, 2 * call, "shop", last),
            Part("9b1c07de", 1, usage, call, "billing", last),
        ],
    }


def test_other_agents_name_their_project_elsewhere() -> None:
    at = {"timestamp": "2026-03-02T12:00:00Z"}
    used = {"input_tokens": 10, "cached_input_tokens": 0, "output_tokens": 1}
    totals = {"last_token_usage": used, "total_token_usage": used}
    codex = lines(
        {**at, "type": "session_meta", "payload": {"id": "c", "cwd": "/home/ada/shop"}},
        {**at, "type": "event_msg", "payload": {"type": "token_count", "info": totals}},
    )
    tokens = {"input": 10, "output": 1, "cached": 0, "thoughts": 0}
    gemini = lines(
        {"sessionId": "g", "projectHash": "h"},
        {**at, "id": "1", "type": "gemini", "content": "x", "model": "m", "tokens": tokens},
    )
    info = {"id": "o", "directory": "/home/ada/shop"}
    opencode = json.dumps({"info": info, "messages": [opencode_message(cost=0)]})
    packed = zipped({"c.jsonl": codex, "tmp/shop/chats/g.jsonl": gemini, "o.json": opencode})

    [project] = find_parts(about_of(packed))["project"]
    assert (project.name, project.calls) == ("shop", 3)


def opencode_message(**info: Any) -> dict[str, Any]:
    """4 tokens at 3, 10,000 at 0.30, 1,000 at 3.75 and 200 at 15: $0.009762."""
    tokens = {"input": 4, "output": 150, "reasoning": 50, "cache": {"read": 10_000, "write": 1_000}}
    about = {"id": "m1", "sessionID": "o", "role": "assistant", "modelID": "claude-sonnet-4-5"}
    about |= {"path": {"cwd": "/home/ada/shop"}, "time": {"created": 1_772_452_800_000}}
    return {"info": {**about, "tokens": tokens, **info}, "parts": []}


def pi() -> str:
    """A session of pi with the same figures as that of opencode."""
    cost = {"input": 0.000012, "output": 0.003, "cacheRead": 0.003, "total": 0.009762}
    usage = {"input": 4, "output": 200, "cacheRead": 10_000, "cacheWrite": 1_000, "cost": cost}
    message = {"role": "assistant", "model": "claude-sonnet-4-5", "content": [], "usage": usage}
    at = {"timestamp": "2026-03-02T12:00:00Z"}
    header = {"type": "session", "version": 3, "id": "p", "cwd": "/home/ada/shop", **at}
    return lines(header, {"type": "message", "id": "1", "message": message, **at})


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({"info": {"id": "o"}, "messages": [opencode_message(cost=0.009762)]}),
        lines(claude(2, "m1", ONE, "/w", costUSD=0.0085)),
        pi(),
    ],
    ids=["opencode", "claude code", "pi"],
)
def test_the_cost_that_a_session_names_is_ours(data: str) -> None:
    [bill] = find_bills(about_of(data)["usages"])

    assert bill.named_calls == 1
    assert bill.vs_named == pytest.approx(0, abs=0.01)


def test_a_session_of_copilots_terminal_is_billed_by_its_sums() -> None:
    """Left twice, and the file lies there twice.

    Ten calls of Claude Sonnet 4.5, none so long that it costs more: 50,000 tokens at 3, 900,000 at
    0.30, 50,000 at 3.75 and 4,000 at 15 are $0.6675. Two of GPT-5: 10,000 at 1.25, 30,000 at 0.125
    and 1,000 at 10 are $0.02625. Behind them the first again: $0.6675.
    """
    sonnet = copilot_sum(10, 1_000_000, 900_000, 50_000, 4_000)
    gpt = copilot_sum(2, 40_000, 30_000, 0, 1_000)
    started = {"sessionId": ONE, "context": {"cwd": "/home/ada/shop"}}
    spoken = {"model": "claude-sonnet-4.5", "content": "x", "outputTokens": 4_000}
    session = lines(
        copilot("session.start", "e1", **started),
        copilot("assistant.message", "e2", **spoken),
        copilot("session.shutdown", "e3", modelMetrics={"claude-sonnet-4.5": sonnet, "gpt-5": gpt}),
        copilot("session.shutdown", "e4", modelMetrics={"claude-sonnet-4.5": sonnet}),
    )
    about = about_of(zipped({"a/events.jsonl": session, "b/events.jsonl": session}))
    tokens = Billed(2_040_000, 1_830_000, 100_000, 0, 9_000)

    assert find_parts(about)["session"] == [
        Part("3f2a91c4", 22, tokens, Decimal("1.36125"), "shop", 1_772_452_800.0)
    ]
    assert about["turns"]["before"] == []


def copilot(type: str, id: str, **data: Any) -> dict[str, Any]:
    """An event of Copilot's terminal."""
    about = {"timestamp": "2026-03-02T12:00:00Z", "parentId": None}
    return {"type": type, "id": id, "data": data, **about}


def copilot_sum(calls: int, input: int, cached: int, written: int, output: int) -> dict[str, Any]:
    usage = {"inputTokens": input, "cacheReadTokens": cached, "cacheWriteTokens": written}
    return {
        "requests": {"count": calls, "cost": 1},
        "usage": {**usage, "outputTokens": output, "reasoningTokens": output // 2},
    }


def test_a_cost_of_nothing_is_none() -> None:
    """A subscription pays none of it."""
    data = json.dumps({"info": {"id": "o"}, "messages": [opencode_message(cost=0)]})
    [bill] = find_bills(about_of(data)["usages"])

    assert (bill.named_calls, bill.dollars) == (0, Decimal("0.009762"))


def test_runs_of_before_have_none_of_it() -> None:
    assert find_parts(cast(About, {"usages": [], "shares": []})) == {}
