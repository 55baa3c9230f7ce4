"""Traces of agents, as plain values."""

from typing import Any

from toon.context.replay import ReplayRow
from toon.context.replay import replay as replay_text
from toon.costs.explanation import Explaining
from toon.formats.json import JSON_COMPACT
from toon.limits import DEFAULT_TOKENIZER


def trace(*steps: dict[str, Any], name: str = "mine") -> dict[str, Any]:
    return {"name": name, "steps": list(steps)}


def task(agent: str, task: str, content: Any) -> dict[str, Any]:
    return {"kind": "task", "agent": agent, "task": task, "content": content}


def call(tool: str, content: Any, arguments: Any = None, agent: str = "A") -> dict[str, Any]:
    asked = {} if arguments is None else {"arguments": arguments}
    return {"kind": "tool_call", "agent": agent, "tool": tool, **asked, "content": content}


def hand_off(agent: str, to: str, content: Any) -> dict[str, Any]:
    return {"kind": "hand_off", "agent": agent, "to": to, "content": content}


def replay(value: Any, delimiter: str = "comma", fallback: Any = None) -> list[ReplayRow]:
    """Return the rows of a trace replayed, with a model that needs no explanation of TOON."""
    text = JSON_COMPACT.dumps(value)
    return replay_text(text, DEFAULT_TOKENIZER, delimiter, fallback, Explaining(None))["rows"]
