"""What results cost when they enter a prompt and when they are carried, in sums worked by hand.

US$ per million tokens, in input, read from the cache and written to it: Claude Opus 4.5 takes 5,
0.50 and 6.25, GPT-5 Codex 1.25 and 0.125, Gemini 2.5 Pro 1.25 and 0.125 up to 200,000 tokens, then
2.50 and 0.25. Both of these write for the price of input.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.traffic.reading import lines, read_all, zipped
from toon.analysis import load
from toon.analysis.carried import find_rates
from toon.errors import RunError
from toon.measuring.table import open_run
from toon.traffic import turns
from toon.traffic.account import Account
from toon.traffic.payload import Payload

#: What a result of each tool costs a token: at first, and carried, in US$ per million.
Costs = dict[str, tuple[float, float]]


def costs(data: str | bytes) -> Costs:
    """The costs of the results in a file, by their tools; NaN where nothing is said."""
    account = Account()
    payloads = [record for record in read_all(data, account=account) if isinstance(record, Payload)]
    asked = np.array([-1 if payload.turn is None else payload.turn for payload in payloads])
    rates = find_rates(account.usages.turns.facts()).select(asked)
    pairs = zip((1e6 * rates.first).tolist(), (1e6 * rates.carried).tolist(), strict=True)
    return dict(zip((payload.group for payload in payloads), pairs, strict=True))


def near(**expected: tuple[float, float]) -> Any:
    return {tool: pytest.approx(pair, nan_ok=True) for tool, pair in expected.items()}


class Claude:
    """A session of Claude Code; each record names the one before it."""

    def __init__(self, session: str = "s") -> None:
        self.session = session
        self.records: list[dict[str, Any]] = []

    def add(self, type: str, content: Any, parent: str | None = "", **more: Any) -> str:
        """Add a record behind the last one, or behind another ``parent``; return its uuid."""
        last = self.records[-1]["uuid"] if self.records else None
        message = {"role": type, "content": content, **more.pop("message", {})}
        uuid = f"{self.session}{len(self.records)}"
        about = {"uuid": uuid, "parentUuid": last if parent == "" else parent, "type": type}
        about |= {"sessionId": self.session, "timestamp": "2026-03-02T12:00:00Z", "cwd": "/w/shop"}
        self.records.append({**about, "message": message, **more})
        return uuid

    def call(self, id: str, cached: int, written: int, tool: str = "", **more: Any) -> str:
        """A call, told in two parts: a text, and the call of a tool."""
        usage = {"input_tokens": 0, "cache_read_input_tokens": cached}
        usage |= {"cache_creation_input_tokens": written, "output_tokens": 9}
        message = {"id": id, "model": "claude-opus-4-5", "usage": usage}
        used = {"type": "tool_use", "id": f"t{id}", "name": tool, "input": {}}
        uuid = self.add("assistant", [{"type": "text", "text": "x"}], message=message, **more)
        more.pop("parent", None)
        return self.add("assistant", [used], message=message, **more) if tool else uuid

    def answer(self, id: str, text: str = "", **more: Any) -> str:
        content = text or f'[{{"of":"{id}"}}]'
        result = {"type": "tool_result", "tool_use_id": f"t{id}", "content": content}
        return self.add("user", [result], **more)


def example() -> Claude:
    """The session of the README: the cache holds all, half, and none of the prompt before."""
    session = Claude()
    session.add("user", "which orders are late?")
    session.call("m1", 0, 10_000, "list")
    session.answer("m1")
    session.call("m2", 10_000, 2_000, "find")
    session.answer("m2")
    session.call("m3", 6_000, 7_000, "look")
    session.answer("m3")
    session.call("m4", 0, 14_000)
    return session


def test_a_session_of_claude_code() -> None:
    """The third call reads 6,000 of the 12,000 tokens before it, the fourth none of its 13,000.

    list: written in the second; in the third 0.50 / 2 + 6.25 / 2, in the fourth 6.25.
    find: written in the third, and again in the fourth. look: written in the fourth.
    """
    assert costs(lines(*example().records)) == near(
        list=(6.25, 0.25 + 3.125 + 6.25), find=(6.25, 6.25), look=(6.25, 0)
    )


@pytest.mark.parametrize("unpriced", [1, 99])
def test_a_call_without_a_price_is_in_no_bill(unpriced: int) -> None:
    """What only such a call paid for is not known; what others paid for before stays."""
    session = example()
    for record in session.records[-unpriced:]:
        record["message"]["model"] = "a-model-of-my-own"
    known = {"list": (6.25, 0.25 + 3.125), "find": (6.25, 0.0)} if unpriced == 1 else {}
    nothing = math.nan, math.nan

    rates = costs(lines(*session.records))
    assert rates == near(**{**dict.fromkeys(("list", "find", "look"), nothing), **known})


def test_the_example_of_the_readme_is_that_session() -> None:
    first, carried = costs(lines(*example().records))["list"]
    text = (ROOT / "toon" / "analysis" / "README.md").read_text()

    # Of a result of 1,000 tokens.
    assert f"first **${first / 1e3:.6f}**, carried **${carried / 1e3:.6f}**" in text


@pytest.mark.parametrize("mark", ["boundary", "summary", "shrunk"])
def test_a_compaction_ends_what_is_carried(mark: str) -> None:
    """After it ``list`` is no more in the prompt; ``find`` was in none that is told.

    What remains is ``look``: written, and read once.
    """
    session = Claude()
    session.call("m1", 0, 40_000, "list")
    session.answer("m1")
    session.call("m2", 40_000, 2_000, "find")
    session.answer("m2")
    if mark == "boundary":
        more = {"subtype": "compact_boundary", "content": "Conversation compacted"}
        session.records.append({"type": "system", "uuid": "b", "parentUuid": None, **more})
        session.add("user", "continued from before", isCompactSummary=True)
    if mark == "summary":
        session.add("user", "continued from before", isCompactSummary=True)
    session.call("m3", 10_000, 5_000, "look")
    session.answer("m3")
    session.call("m4", 15_000, 1_000)
    session.call("m5", 16_000, 1_000)

    assert costs(lines(*session.records)) == near(list=(6.25, 0), find=(0, 0), look=(6.25, 0.5))


def test_a_subagent_and_a_fork_have_contexts_of_their_own() -> None:
    """The agent works in between; then someone goes back, and asks otherwise behind ``list``.

    list: written, then read in the third call and, in the fork, in the fourth. find: written in the
    third call alone. deep: written in the agent's second call.
    """
    session = Claude()
    session.call("m1", 0, 10_000, "list")
    asked = session.answer("m1")
    session.call("a1", 0, 3_000, "deep", parent=None, isSidechain=True)
    session.answer("a1", isSidechain=True)
    session.call("a2", 3_000, 1_000, isSidechain=True)
    session.call("m2", 10_000, 2_000, "find", parent=asked)
    session.answer("m2")
    session.call("m3", 12_000, 1_000)
    session.call("m4", 10_000, 2_000, parent=asked)

    assert costs(lines(*session.records)) == near(
        list=(6.25, 0.5 + 0.5), deep=(6.25, 0), find=(6.25, 0)
    )


def test_a_resumed_session_carries_what_it_copies() -> None:
    """The second file begins with a copy of the first, and its call reads ``list`` once more."""
    first, second = Claude("s"), Claude("r")
    for session in (first, second):
        session.call("m1", 0, 10_000, "list")
        session.answer("m1", uuid="same")
        session.call("m2", 10_000, 2_000)
    second.call("m3", 12_000, 1_000)
    packed = zipped({"1.jsonl": lines(*first.records), "2.jsonl": lines(*second.records)})

    assert costs(lines(*first.records)) == near(list=(6.25, 0))
    assert costs(packed) == near(list=(6.25, 0.5))


def codex(*events: Any) -> str:
    """A session of Codex: (input, cached) is a call, a text is a tool that it asks; or a mark."""
    at, total, log = {"timestamp": "2026-03-02T12:00:00Z"}, 0, []
    for event in (("session_meta", {"id": "s"}), ("turn_context", {"model": "gpt-5-codex"})):
        log.append({**at, "type": event[0], "payload": event[1]})
    for number, event in enumerate(events):
        call = {"call_id": f"c{number}"}
        if isinstance(event, tuple):
            input, cached = event
            total += input
            usage = {"input_tokens": input, "cached_input_tokens": cached, "output_tokens": 9}
            whole = {**usage, "input_tokens": total}
            info = {"last_token_usage": usage, "total_token_usage": whole}
            log.append(
                {**at, "type": "event_msg", "payload": {"type": "token_count", "info": info}}
            )
        elif event == "compacted":
            log.append({**at, "type": event, "payload": {"message": "summed up"}})
        else:
            asked = {"type": "function_call", "name": event, "arguments": "{}", **call}
            answer = {"type": "function_call_output", "output": f'["{event}"]', **call}
            log += [{**at, "type": "response_item", "payload": item} for item in (asked, answer)]
    return lines(*log)


def test_a_session_of_codex() -> None:
    """The third call reads 6,000 of 12,000: 0.125 / 2 + 1.25 / 2. The last is after a compaction.

    list: 1.25 in the second call, then as said. find: in the third alone.
    """
    session = codex(
        (10_000, 0), "list", (12_000, 10_000), "find", (13_000, 6_000), "compacted", (9_000, 5_000)
    )
    assert costs(session) == near(list=(1.25, 0.0625 + 0.625), find=(1.25, 0))


def gemini(id: str, input: int, cached: int, tool: str = "") -> dict[str, Any]:
    response = {"id": id, "name": tool, "response": {"output": f'["{id}"]'}}
    call = {"id": id, "name": tool, "args": {}, "result": [{"functionResponse": response}]}
    tokens = {"input": input, "output": 9, "cached": cached, "thoughts": 1, "tool": 0}
    return {
        "id": id,
        "timestamp": "2026-03-02T12:00:00Z",
        "type": "gemini",
        "content": "",
        "model": "gemini-2.5-pro",
        "tokens": tokens,
        "toolCalls": [call] if tool else [],
    }


@pytest.mark.parametrize("is_document", [True, False])
def test_a_session_of_gemini_cli(is_document: bool) -> None:
    """list: 1.25, then all 160,000 tokens before the third call are cached, at 0.25 beyond
    200,000. find: 2.50 in that call. There is nothing after ``look``.
    """
    header = {"sessionId": "g", "projectHash": "h", "startTime": "2026-03-02T12:00:00Z"}
    messages = [
        gemini("1", 100_000, 0, "list"),
        gemini("2", 160_000, 100_000, "find"),
        gemini("3", 240_000, 160_000, "look"),
    ]
    data = json.dumps({**header, "messages": messages}) if is_document else lines(header, *messages)

    assert costs(data) == near(list=(1.25, 0.25), find=(2.5, 0), look=(0, 0))


def test_an_export_of_opencode() -> None:
    """list: written at 6.25 with 4 tokens of plain input at 5, among 1,000; then read at 0.50."""

    def message(id: str, input: int, cached: int, written: int, tool: str) -> dict[str, Any]:
        tokens = {"input": input, "output": 5, "reasoning": 0}
        tokens["cache"] = {"read": cached, "write": written}  # type: ignore[assignment]
        info = {"id": id, "sessionID": "o", "role": "assistant", "modelID": "claude-opus-4-5"}
        info |= {"tokens": tokens, "cost": 0, "time": {"created": 1_772_452_800_000}}
        state = {"status": "completed", "input": {}, "output": f'["{id}"]'}
        part = {"type": "tool", "callID": f"c{id}", "tool": tool, "state": state, "messageID": id}
        return {"info": info, "parts": [part]}

    messages = [
        message("1", 4, 0, 10_000, "list"),
        message("2", 4, 10_004, 996, "find"),
        message("3", 0, 11_004, 500, "look"),
    ]
    data = json.dumps({"info": {"id": "o", "directory": "/w/shop"}, "messages": messages})

    first = (4 * 5 + 996 * 6.25) / 1_000
    assert costs(data) == near(list=(first, 0.5), find=(6.25, 0), look=(0, 0))


@pytest.mark.parametrize("order", ["123", "321", "213"])
def test_the_files_of_a_session_are_told_in_any_order(order: str) -> None:
    """opencode keeps a file for each message and each part; ``list`` is read in the third call."""
    files = dict[str, str]()
    for place, id in enumerate(order):
        number, tokens = int(id), {"input": 0, "output": 5, "reasoning": 0}
        used = {**tokens, "cache": {"read": 10_000 * (number - 1), "write": 10_000}}
        message = {"id": f"m{id}", "sessionID": "o", "role": "assistant", "tokens": used}
        message |= {"modelID": "claude-opus-4-5", "time": {"created": 1.7e12 + number}}
        state = {"status": "completed", "input": {}, "output": f'["{id}"]'}
        tool = ("list", "find", "look")[number - 1]
        part = {"type": "tool", "callID": f"c{id}", "tool": tool, "state": state}
        files[f"message/{place}.json"] = json.dumps(message)
        files[f"part/{place}.json"] = json.dumps({**part, "messageID": f"m{id}"})
    packed = zipped({name: files[name] for name in sorted(files)})

    assert costs(packed) == near(list=(6.25, 0.5), find=(6.25, 0), look=(0, 0))


def test_where_calls_are_not_told_nothing_is_said() -> None:
    session = Claude()
    session.add("assistant", [{"type": "tool_use", "id": "tm1", "name": "list", "input": {}}])
    session.answer("m1")

    assert costs(lines(*session.records)) == near(list=(float("nan"), float("nan")))


def test_beyond_the_bound_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four calls the first two are kept: ``list`` entered with the second."""
    monkeypatch.setattr(turns, "MAX_TURNS", 2)
    unknown = float("nan"), float("nan")
    expected = near(list=(6.25, float("nan")), find=unknown, look=unknown)

    assert costs(lines(*example().records)) == expected


@pytest.mark.parametrize(
    "damage",
    [
        {"before": [7]}, {"before": [0]}, {"before": [-1, 0]}, {"model": [3]}, {"models": [1]},
        {"models": None}, {"time": ["x"]}, {"time": [1e300]}, {"input": None}, {"lost": [1]},
    ],
)  # fmt: skip
def test_damaged_calls_are_a_damaged_run(path: Path, damage: dict[str, Any]) -> None:
    run = open_run(path)
    one = {"models": ["gpt-5"], "before": [-1], "model": [0], "time": [1.7e9], "input": [9]}
    one |= {"cached": [0], "written": [0], "hour": [0], "lost": []}
    run.about["turns"] = {**one, **damage}

    with pytest.raises(RunError, match="this is not a whole run: turns"):
        load(run).rates["first"]
