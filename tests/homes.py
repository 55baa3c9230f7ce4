"""Made-up homes of five agents, with sessions as each of them writes its own.

``write_homes(folder)`` writes Claude Code, Codex, Gemini CLI, opencode and Copilot (its terminal
and VS Code's chat) below ``folder`` as below a home. The same call writes the same bytes. Beside
the sessions lie what agents keep there: credentials, settings and lists, which nobody may read.

A session asks tools of two MCP servers, and two of the agent's own that answer in plain text. Each
call of the model reads from the cache what the one before had sent. The fifth call of Claude Code
and of Codex comes after a compaction.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.answers import ANSWERS

END: Final = datetime(2026, 11, 20, 18, tzinfo=UTC)
#: How many days before the end each session of an agent ended.
AGES: Final = (0.1, 3.0, 12.0, 45.0, 120.0)
#: What lies beside the sessions; the first four hold made-up credentials.
BESIDE: Final = {
    ".claude/.credentials.json": {"claudeAiOauth": {"accessToken": "sk-ant-oat01-SECRET"}},
    ".codex/auth.json": {"OPENAI_API_KEY": "sk-proj-SECRET"},
    ".gemini/oauth_creds.json": {"access_token": "ya29.SECRET"},
    ".local/share/opencode/auth.json": {"anthropic": {"key": "sk-ant-SECRET"}},
    ".claude/settings.json": {"model": "opus"},
    ".claude/history.jsonl": {"display": "which orders are late?", "project": "/home/ada/shop"},
    ".claude/projects/-home-ada-shop/sessions-index.json": {"version": 1, "entries": []},
    ".codex/history.jsonl": {"session_id": "1", "ts": 1, "text": "which orders are late?"},
    ".gemini/settings.json": {"mcpServers": {}},
    ".gemini/tmp/shop/logs.json": [{"sessionId": "1", "type": "user", "message": "late?"}],
    ".copilot/config.json": {"copilot_tokens": {"github.com": "gho_SECRET"}},
}
#: What a session calls in turn: the server, the tool, and what it asks; no server is the agent.
_CALLS: Final = (
    ("github", "list_issues", {"owner": "ada", "repo": "shop", "state": "open"}),
    ("postgres", "query", {"sql": "select * from orders where state = 'late' limit 40"}),
    ("", "read", {"path": "src/orders.py"}),
    ("postgres", "query", {"sql": "select * from customers limit 25"}),
    ("github", "get_pull_request", {"owner": "ada", "repo": "shop", "number": 118}),
    ("github", "search_code", {"q": "late_fee repo:ada/shop"}),
    ("", "shell", {"command": "pytest -q"}),
    ("postgres", "list_tables", {"schema": "public"}),
    ("github", "list_issues", {"owner": "ada", "repo": "shop", "labels": "billing"}),
    ("postgres", "query", {"sql": "select * from orders order by placed desc limit 60"}),
)
_COMPACTED: Final = 5
_SYSTEM: Final = 14_000  # tokens of instructions and of definitions of tools
_SUMMARY: Final = 900


@dataclass(frozen=True)
class Turn:
    """One call of the model: what it asks, what is answered, when, and what it is billed.

    ``fresh`` and ``written`` tokens of the prompt were new, ``cached`` ones read from the cache.
    """

    id: str
    server: str
    tool: str
    arguments: dict[str, Any]
    answer: str
    at: datetime
    fresh: int
    written: int
    cached: int
    output: int

    @property
    def input(self) -> int:
        return self.fresh + self.written + self.cached


@dataclass(frozen=True)
class Session:
    id: str
    project: str
    start: datetime
    turns: tuple[Turn, ...]

    @property
    def end(self) -> datetime:
        return self.turns[-1].at + timedelta(seconds=6)


def write_homes(
    folder: Path, *, end: datetime = END, ages: Iterable[float] = AGES, turns: int = 10
) -> None:
    """Write the homes of five agents below ``folder``.

    Each agent has a session for each of ``ages``, in days before ``end``, with so many ``turns``. A
    file's time is that at which its session ended.
    """
    for at, age in enumerate(ages):
        for agent, write in enumerate(_WRITERS):
            session = make_session(10 * at + agent, end - timedelta(days=age), turns)
            for name, text in write(session).items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8", newline="\n")
                os.utime(path, (session.end.timestamp(),) * 2)
    for name, value in BESIDE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), "utf-8")


def make_session(seed: int, end: datetime, turns: int = 10) -> Session:
    """Make up a session that ended about ``end``; the same ``seed`` gives the same answers."""
    draw = Random(seed)
    start = end - timedelta(seconds=45 * turns)
    made, known, added = list[Turn](), 0, _SYSTEM
    for number in range(turns):
        server, tool, arguments = _CALLS[number % len(_CALLS)]
        if number == _COMPACTED:
            known, added = _SYSTEM, _SUMMARY
        answer = ANSWERS[tool](draw)
        at, output = start + timedelta(seconds=45 * number), 60 + draw.randrange(240)
        id = "toolu_" + _drawn(seed, number, 24)
        made.append(Turn(id, server, tool, arguments, answer, at, 4, added, known, output))
        known += 4 + added
        added = output + len(answer) // 3
    digest = hashlib.sha256(f"session {seed}".encode()).hexdigest()
    id = "-".join(
        (digest[:8], digest[8:12], "4" + digest[13:16], "a" + digest[17:20], digest[20:32])
    )
    return Session(id, ("shop", "billing")[seed % 2], start, tuple(made))


def _drawn(seed: int, number: int, length: int) -> str:
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
    draw = Random(f"{seed} {number}")
    return "".join(draw.choice(letters) for _ in range(length))


# -- how each agent writes a session ------------------------------------------------------------


def _time(at: datetime, seconds: float = 0) -> str:
    return (
        (at + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def _millis(at: datetime, seconds: float = 0) -> int:
    return round(1_000 * (at.timestamp() + seconds))


def _lines(values: Iterable[Any]) -> str:
    return "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values)


def _claude(session: Session) -> dict[str, str]:
    """A line for each part of a message, as Claude Code writes them: both have its usage."""
    names = {"read": "Read", "shell": "Bash"}
    around = {
        "isSidechain": False, "userType": "external", "cwd": f"/home/ada/{session.project}",
        "sessionId": session.id, "version": "2.0.50", "gitBranch": "main",
    }  # fmt: skip
    asked = {"role": "user", "content": "Which orders are late, and why?"}
    lines = list[dict[str, Any]]()

    def add(kind: str, at: str, **more: Any) -> None:
        parent = lines[-1]["uuid"] if lines else None
        uuid = f"{session.id[:24]}{len(lines):012x}"
        lines.append({"parentUuid": parent, **around, "type": kind, "uuid": uuid, "timestamp": at}
                     | more)  # fmt: skip

    add("user", _time(session.start, -1), message=asked)
    for number, turn in enumerate(session.turns):
        if number == _COMPACTED:
            data = {"trigger": "auto", "preTokens": session.turns[number - 1].input}
            add("system", _time(turn.at, -3), subtype="compact_boundary",
                content="Conversation compacted", compactMetadata=data)  # fmt: skip
            summary = {"role": "user", "content": "This session is being continued: orders late."}
            add("user", _time(turn.at, -2), isCompactSummary=True, message=summary)
        tool = f"mcp__{turn.server}__{turn.tool}" if turn.server else names[turn.tool]
        use = {"type": "tool_use", "id": turn.id, "name": tool, "input": turn.arguments}
        usage = {
            "input_tokens": turn.fresh, "cache_creation_input_tokens": turn.written,
            "cache_read_input_tokens": turn.cached, "output_tokens": turn.output,
            "cache_creation": {"ephemeral_5m_input_tokens": turn.written,
                               "ephemeral_1h_input_tokens": 0},
            "service_tier": "standard",
        }  # fmt: skip
        message = {
            "id": f"msg_{turn.id[6:]}", "type": "message", "role": "assistant",
            "model": "claude-opus-4-5-20251101", "stop_reason": "tool_use", "usage": usage,
        }  # fmt: skip
        for part in ({"type": "text", "text": "I look it up."}, use):
            add("assistant", _time(turn.at), requestId=f"req_{turn.id[6:]}",
                message={**message, "content": [part]})  # fmt: skip
        text: Any = [{"type": "text", "text": turn.answer}] if turn.server else turn.answer
        result = {"type": "tool_result", "tool_use_id": turn.id, "content": text}
        add("user", _time(turn.at, 4), message={"role": "user", "content": [result]})
    return {f".claude/projects/-home-ada-{session.project}/{session.id}.jsonl": _lines(lines)}


def _codex(session: Session) -> dict[str, str]:
    names, total = {"read": "read_file", "shell": "shell"}, dict[str, int]()
    lines = [
        {"timestamp": _time(session.start), "type": "session_meta", "payload": {
            "id": session.id, "timestamp": _time(session.start), "originator": "codex_cli_rs",
            "cwd": f"/home/ada/{session.project}", "cli_version": "0.63.0"}},
        {"timestamp": _time(session.start), "type": "turn_context", "payload": {
            "cwd": f"/home/ada/{session.project}", "model": "gpt-5.1-codex"}},
    ]  # fmt: skip
    for number, turn in enumerate(session.turns):
        if number == _COMPACTED:
            lines.append({"timestamp": _time(turn.at, -2), "type": "compacted",
                          "payload": {"message": "Orders were late."}})  # fmt: skip
        tool = f"mcp__{turn.server}__{turn.tool}" if turn.server else names[turn.tool]
        text = json.dumps([{"type": "text", "text": turn.answer}]) if turn.server else turn.answer
        used = {
            "input_tokens": turn.input, "cached_input_tokens": turn.cached,
            "output_tokens": turn.output, "reasoning_output_tokens": turn.output // 3,
            "total_tokens": turn.input + turn.output,
        }  # fmt: skip
        total = {key: total.get(key, 0) + count for key, count in used.items()}
        info = {"total_token_usage": total, "last_token_usage": used,
                "model_context_window": 272_000}  # fmt: skip
        call = {"type": "function_call", "name": tool, "arguments": json.dumps(turn.arguments),
                "call_id": f"call_{turn.id[6:]}"}  # fmt: skip
        answer = {"type": "function_call_output", "call_id": f"call_{turn.id[6:]}", "output": text}
        for seconds, kind, payload in (
            (0, "response_item", call),
            (1, "event_msg", {"type": "token_count", "info": info, "rate_limits": None}),
            (4, "response_item", answer),
        ):
            lines.append({"timestamp": _time(turn.at, seconds), "type": kind, "payload": payload})
    day = session.start
    name = f"rollout-{day:%Y-%m-%dT%H-%M-%S}-{session.id}.jsonl"
    return {f".codex/sessions/{day:%Y/%m/%d}/{name}": _lines(lines)}


def _gemini(session: Session) -> dict[str, str]:
    names = {"read": "read_file", "shell": "run_shell_command"}
    messages: list[dict[str, Any]] = [
        {"id": "1", "timestamp": _time(session.start, -1), "type": "user",
         "content": "Which orders are late?"}
    ]  # fmt: skip
    for turn in session.turns:
        tool = f"mcp_{turn.server}_{turn.tool}" if turn.server else names[turn.tool]
        response = {"id": turn.id, "name": tool, "response": {"output": turn.answer}}
        messages.append({
            "id": f"m-{turn.id[6:]}", "timestamp": _time(turn.at), "type": "gemini",
            "content": "I look it up.", "thoughts": [], "model": "gemini-2.5-pro",
            "tokens": {"input": turn.input, "output": turn.output, "cached": turn.cached,
                       "thoughts": 40, "tool": 0, "total": turn.input + turn.output + 40},
            "toolCalls": [{"id": turn.id, "name": tool, "args": turn.arguments,
                           "result": [{"functionResponse": response}], "status": "success",
                           "timestamp": _time(turn.at, 4), "resultDisplay": "done"}],
        })  # fmt: skip
    whole = {
        "sessionId": session.id, "projectHash": hashlib.sha256(b"shop").hexdigest(),
        "startTime": _time(session.start), "lastUpdated": _time(session.end), "messages": messages,
    }  # fmt: skip
    name = f"session-{session.start:%Y-%m-%dT%H-%M}-{session.id[:8]}.json"
    return {f".gemini/tmp/{session.project}/chats/{name}": json.dumps(whole, indent=2)}


def _opencode(session: Session) -> dict[str, str]:
    """A file for each session, message and part, as opencode keeps them without a database."""
    root, id = ".local/share/opencode/storage", f"ses_{session.id[:8]}"
    project = hashlib.sha1(session.project.encode(), usedforsecurity=False).hexdigest()
    files = {
        f"session/{project}/{id}.json": {
            "id": id, "projectID": project, "directory": f"/home/ada/{session.project}",
            "title": "Late orders", "version": "1.0.110",
            "time": {"created": _millis(session.start), "updated": _millis(session.end)}},
    }  # fmt: skip
    for turn in session.turns:
        tool = f"{turn.server}_{turn.tool}" if turn.server else turn.tool
        message = f"msg_{turn.id[6:]}"
        files[f"message/{id}/{message}.json"] = {
            "id": message, "sessionID": id, "role": "assistant", "providerID": "anthropic",
            "modelID": "claude-sonnet-4-5", "mode": "build", "cost": 0,
            "path": {"cwd": f"/home/ada/{session.project}", "root": "/"},
            "tokens": {"input": turn.fresh, "output": turn.output, "reasoning": 0,
                       "cache": {"read": turn.cached, "write": turn.written}},
            "time": {"created": _millis(turn.at), "completed": _millis(turn.at, 3)},
        }  # fmt: skip
        part = f"prt_{turn.id[6:]}"
        files[f"part/{message}/{part}.json"] = {
            "id": part, "sessionID": id, "messageID": message, "type": "tool", "tool": tool,
            "callID": turn.id, "state": {
                "status": "completed", "input": turn.arguments, "output": turn.answer,
                "title": turn.tool, "metadata": {},
                "time": {"start": _millis(turn.at, 1), "end": _millis(turn.at, 4)}},
        }  # fmt: skip
    return {f"{root}/{name}": json.dumps(value, indent=2) for name, value in files.items()}


def _copilot(session: Session) -> dict[str, str]:
    return {**_copilot_terminal(session), **_copilot_chat(session)}


def _copilot_terminal(session: Session) -> dict[str, str]:
    lines = list[dict[str, Any]]()

    def add(kind: str, at: str, **data: Any) -> None:
        parent = lines[-1]["id"] if lines else None
        id = f"{session.id[:24]}{len(lines):012x}"
        lines.append({"type": kind, "data": data, "id": id, "timestamp": at, "parentId": parent})

    add("session.start", _time(session.start), sessionId=session.id, version=1,
        producer="copilot-agent", copilotVersion="1.0.4", startTime=_time(session.start),
        selectedModel="claude-sonnet-4.5",
        context={"cwd": f"/home/ada/{session.project}"})  # fmt: skip
    add("user.message", _time(session.start, 1), content="Which orders are late?", attachments=[])
    for turn in session.turns:
        tool = f"{turn.server}-{turn.tool}" if turn.server else turn.tool
        call = {"toolCallId": turn.id, "name": tool, "arguments": turn.arguments,
                "type": "function"}  # fmt: skip
        add("assistant.message", _time(turn.at), messageId=f"m-{turn.id[6:]}", content="",
            toolRequests=[call], outputTokens=turn.output)  # fmt: skip
        add("tool.execution_start", _time(turn.at, 1), toolCallId=turn.id, toolName=tool,
            arguments=turn.arguments)  # fmt: skip
        add("tool.execution_complete", _time(turn.at, 4), toolCallId=turn.id, success=True,
            model="claude-sonnet-4.5",
            result={"content": turn.answer, "detailedContent": turn.answer})  # fmt: skip
    usage = {
        "inputTokens": sum(turn.input for turn in session.turns),
        "outputTokens": sum(turn.output for turn in session.turns),
        "cacheReadTokens": sum(turn.cached for turn in session.turns),
        "cacheWriteTokens": sum(turn.written for turn in session.turns),
    }
    metrics = {"claude-sonnet-4.5": {
        "requests": {"count": len(session.turns), "cost": 1}, "usage": usage}}  # fmt: skip
    add("session.shutdown", _time(session.end), shutdownType="routine", modelMetrics=metrics)
    return {f".copilot/session-state/{session.id}/events.jsonl": _lines(lines)}


def _copilot_chat(session: Session) -> dict[str, str]:
    """Two of the answers, asked again in VS Code."""
    turns = [turn for turn in session.turns if turn.server][:2]
    requests = []
    for turn in turns:
        tool, id = f"mcp_{turn.server}_{turn.tool}", "call_" + _drawn(len(turn.answer), 7, 24)
        round_ = {"response": "", "toolCalls": [
            {"id": id, "name": tool, "arguments": json.dumps(turn.arguments)}]}  # fmt: skip
        content = [{"$mid": 21, "value": turn.answer}]
        requests.append({
            "requestId": f"request_{turn.id[6:]}", "message": {"text": "Which orders are late?"},
            "timestamp": _millis(turn.at), "modelId": "copilot/gpt-5", "response": [
                {"kind": "toolInvocationSerialized", "toolId": tool, "toolCallId": id}],
            "result": {"timings": {"totalElapsed": 4_000}, "metadata": {
                "toolCallRounds": [round_],
                "toolCallResults": {id: {"$mid": 20, "content": content}}}},
        })  # fmt: skip
    whole = {
        "version": 3, "sessionId": session.id, "creationDate": _millis(session.start),
        "requesterUsername": "ada", "responderUsername": "GitHub Copilot",
        "initialLocation": "panel", "requests": requests,
    }  # fmt: skip
    folder = f".config/Code/User/workspaceStorage/{hashlib.md5(b'shop').hexdigest()}"
    return {f"{folder}/chatSessions/{session.id}.json": json.dumps(whole, indent=2)}


_WRITERS: Final = (_claude, _codex, _gemini, _opencode, _copilot)
