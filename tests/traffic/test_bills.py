"""The usage of whole sessions and traces, summed by hand from the figures in their records."""

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

from tests.traffic.envelopes import traces as t
from tests.traffic.envelopes.test_sessions_and_gateways import claude, codex
from tests.traffic.reading import lines, read_all, zipped
from toon.costs.billed import Billed
from toon.traffic import tallies
from toon.traffic.account import Account
from toon.traffic.tallies import BEYOND, Usages
from toon.traffic.usage import Call

FIELDS = ("input", "cached", "written", "hour", "output")


def bill(data: str | bytes) -> list[tuple[Any, ...]]:
    """Of each model in a file its calls, and their tokens in the order of ``FIELDS``."""
    account = Account()
    read_all(data, account=account)
    rows = account.usages.facts()
    return [(row["model"], row["calls"], *(row["tokens"][name] for name in FIELDS)) for row in rows]


def claude_answer(id: str, output: int, **usage: int) -> dict[str, Any]:
    """What Claude Code keeps of one answer, or of a part of it."""
    event = claude("assistant", [{"type": "text", "text": "x"}])
    event["message"] |= {"id": id, "usage": {**usage, "output_tokens": output}}
    return event


def test_a_session_of_claude_code() -> None:
    """The second answer is told in two parts; its output is that of the last."""
    read, written = "cache_read_input_tokens", "cache_creation_input_tokens"
    session = lines(
        claude("user", "hello"),
        claude_answer("m1", 50, input_tokens=4, **{read: 0, written: 12_000}),
        claude_answer("m2", 1, input_tokens=6, **{read: 12_000, written: 800}),
        claude_answer("m2", 210, input_tokens=6, **{read: 12_000, written: 800}),
        claude_answer("m3", 90, input_tokens=5, **{read: 12_800, written: 1_500}),
    )

    # Input: 4 + 12,000, then 6 + 12,000 + 800, then 5 + 12,800 + 1,500: 12,004 + 12,806 + 14,305.
    # Read from the cache: 12,000 + 12,800. Written: 12,000 + 800 + 1,500. Output: 50 + 210 + 90.
    assert bill(session) == [("m", 3, 39_115, 24_800, 14_300, 0, 350)]


def used(*figures: int) -> dict[str, int]:
    """Codex's usage: input with the cached, cached, output with the reasoning, reasoning."""
    input, _, output, _ = figures
    keys = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")
    return {**dict(zip(keys, figures, strict=True)), "total_tokens": input + output}


def counted(last: dict[str, int] | None, total: dict[str, int] | None) -> dict[str, Any]:
    info = {"last_token_usage": last, "total_token_usage": total, "model_context_window": 272_000}
    return codex("event_msg", type="token_count", info=info if last else None, rate_limits={})


FIRST, SECOND = used(9_000, 0, 300, 200), used(9_500, 8_960, 40, 0)
BOTH = used(18_500, 8_960, 340, 200)
CODEX = [
    codex("session_meta", id="s1"),
    codex("turn_context", model="gpt-5-codex"),
    counted(None, None),
    counted(FIRST, FIRST),
    counted(FIRST, FIRST),  # told again, because a limit changed
    counted(SECOND, BOTH),
    counted(SECOND, BOTH),
]


def test_a_session_of_codex_tells_calls_again() -> None:
    # Input: 9,000 + 9,500. Cached: 0 + 8,960. Output: 300 + 40, with the reasoning in it.
    assert bill(lines(*CODEX)) == [("gpt-5-codex", 2, 18_500, 8_960, 0, 0, 340)]
    assert bill(lines(*CODEX[1:])) == bill(lines(*CODEX))  # without the session's name


def test_equal_calls_of_codex_are_two_if_the_total_moved() -> None:
    twice = [*CODEX[:2], counted(FIRST, FIRST), counted(FIRST, used(18_000, 0, 600, 400))]

    # 2 x 9,000 and 2 x 300
    assert bill(lines(*twice)) == [("gpt-5-codex", 2, 18_000, 0, 0, 0, 600)]


def test_a_fork_of_codex_begins_with_the_calls_of_its_parent() -> None:
    """It has a third call, of 9,700 with 9,472 cached and 25. Another session is told apart."""
    third = counted(used(9_700, 9_472, 25, 0), used(28_200, 18_432, 365, 200))
    fork = [codex("session_meta", id="s2", forked_from_id="s1"), *CODEX[1:], third]
    copied = [fork[0], *CODEX, third]
    other = [codex("session_meta", id="s3"), *CODEX[1:]]

    def files(*sessions: list[Any]) -> bytes:
        return zipped({f"{place}.jsonl": lines(*records) for place, records in enumerate(sessions)})

    # 18,500 + 9,700; 8,960 + 9,472; 340 + 25
    whole = [("gpt-5-codex", 3, 28_200, 18_432, 0, 0, 365)]
    assert bill(files(CODEX, fork)) == whole
    assert bill(files(CODEX, copied)) == whole
    assert bill(files(CODEX, other)) == [("gpt-5-codex", 4, 37_000, 17_920, 0, 0, 680)]


@pytest.mark.parametrize(
    "info",
    [
        None, 1, "x", {}, {"last_token_usage": FIRST},
        {"last_token_usage": 1, "total_token_usage": BOTH},
        {"last_token_usage": FIRST, "total_token_usage": [1]},
        # the context is full: no call took these
        {"last_token_usage": {"total_tokens": 9}, "total_token_usage": {"total_tokens": 272_000}},
    ],
)  # fmt: skip
def test_events_of_codex_without_usage_are_no_calls(info: Any) -> None:
    assert bill(lines(*CODEX[:2], codex("event_msg", type="token_count", info=info))) == []


def test_generations_of_langfuse() -> None:
    """Types exclude one another, and an observation that was exported twice is one call."""
    first = {"input": 120, "input_cached_tokens": 1_024, "output": 30, "total": 1_174}
    second = {"input": 75, "output": 10, "output_reasoning_tokens": 64, "total": 149}
    asked = [{"role": "user", "content": "who?"}]
    rows = lines(
        t.observation("GENERATION", id="g1", input=asked, usageDetails=first),
        t.observation("GENERATION", id="g2", input=asked, usageDetails=second),
        t.observation("GENERATION", id="g2", input=asked, usageDetails=second),
        t.observation("SPAN", id="a1", input=asked, usageDetails={"input": 195, "output": 104}),
    )

    # Input: 120 + 1,024 + 75. Output: 30 + 10 + 64. The span is the sum of what it called.
    assert bill(rows) == [("gpt-5", 2, 1_219, 1_024, 0, 0, 104)]


def shares(*records: Any) -> list[tuple[int, int, int]]:
    """Of each conversation in a file its number, calls and tokens of input, by model."""
    account = Account()
    read_all(lines(*records), account=account)
    facts = account.usages.part_facts()["shares"]
    return [(row["conversation"], row["calls"], row["tokens"]["input"]) for row in facts]


def asked(id: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "messages": t.ASKED, "usage": {"prompt_tokens": 7}, **more}


def generation(id: str, trace: str, **more: Any) -> dict[str, Any]:
    used = {"input": 7, "output": 1}
    span = t.observation("GENERATION", id=id, traceId=trace, input=t.ASKED, usageDetails=used)
    return {**span, **more}


def llm(id: str, **metadata: str) -> dict[str, Any]:
    run = t.run("llm", {"messages": [t.LANGCHAIN]}, {}, id=id, session_id="a project")
    return {**run, "prompt_tokens": 7, "extra": {"metadata": metadata}}


def chat(key: str, id: str) -> dict[str, Any]:
    return t.chat({key: id, "gen_ai.usage.input_tokens": "7"})


def group(trace: str, id: str | None) -> dict[str, Any]:
    return {"object": "trace", "id": trace, "workflow_name": "w", "group_id": id}


def agent(trace: str) -> dict[str, Any]:
    used = {"input_tokens": 7, "output_tokens": 1}
    return {**t.agents_span(type="generation", input=t.ASKED, usage=used), "trace_id": trace}


#: The records of a call of 7 tokens, by its id and the session that it names.
CALLS: dict[str, Callable[[str, str], list[dict[str, Any]]]] = {
    "requests": lambda id, name: [asked(id, conversation_id=name)],
    "metadata": lambda id, name: [asked(id, metadata={"thread_id": name})],
    "langfuse": lambda id, name: [generation(id, "t", sessionId=name)],
    "langfuse, a trace": lambda id, name: [
        {"id": f"t{id}", "sessionId": name, "observations": [generation(id, f"t{id}")]}],
    "langsmith": lambda id, name: [llm(id, ls_model_name="m", thread_id=name)],
    "otel": lambda _, name: [chat("gen_ai.conversation.id", name)],
    "openinference": lambda _, name: [chat("session.id", name)],
    "agents": lambda id, name: [group(f"t{id}", name), agent(f"t{id}")],
    "claude": lambda id, name: [{**claude_answer(f"m{id}", 1, input_tokens=7), "sessionId": name}],
}  # fmt: skip


@pytest.mark.parametrize("shape", CALLS)
def test_calls_are_told_apart_by_the_conversation_that_they_name(shape: str) -> None:
    calls = (CALLS[shape](*call) for call in (("1", "one"), ("2", "other"), ("3", "one")))

    assert shares(*chain.from_iterable(calls)) == [(1, 2, 14), (2, 1, 7)]


def test_a_fork_of_codex_is_in_the_conversation_that_it_came_from() -> None:
    fork = [codex("session_meta", id="s2", forked_from_id="s1"), *CODEX[1:]]
    other = [codex("session_meta", id="s3"), *CODEX[1:]]

    assert shares(*CODEX, *fork, *other) == [(1, 2, 18_500), (2, 2, 18_500)]


@pytest.mark.parametrize(
    "record",
    [
        asked("1"), asked("1", session_id=""), asked("1", session_id=7),
        asked("1", session_id="x" * 201), llm("1", ls_model_name="m"), generation("1", "t"),
    ],
)  # fmt: skip
def test_where_none_is_named_there_is_none(record: dict[str, Any]) -> None:
    assert shares(record) == []


def test_conversations_beyond_the_bounds_are_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "MAX_CONVERSATIONS", 2)
    monkeypatch.setattr(tallies, "MAX_SHARES", 3)
    usages = Usages()
    for conversation, model in ("am", "bm", "cm", "an", "bn", "dn"):
        usages.add(Call(Billed(1)), model, None, conversation)

    sums = [(number, key.model, tally.calls) for (number, key), tally in usages.shares.items()]
    assert sums == [(1, "m", 1), (2, "m", 1), (BEYOND, "m", 1), (BEYOND, "n", 3)]
    assert sum(tally.calls for tally in usages.rows.values()) == 6


def test_an_answer_that_grows_does_so_in_its_conversation() -> None:
    usages = Usages()
    for output in (1, 30):
        usages.add(Call(Billed(9, output=output), None, "m1"), "m", None, "c")

    assert [tally.tokens for tally in usages.shares.values()] == [(9, 0, 0, 0, 30)]
