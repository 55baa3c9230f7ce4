"""Messages of JSON-RPC 2.0, and the results of tools that MCP sends in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.traffic.kinds import Origin
from toon.traffic.locate import Node
from toon.traffic.payload import Record
from toon.traffic.tools import find_payloads, find_structured

_FAMILIES: Final = (
    "tools/", "prompts/", "resources/", "notifications/", "logging/", "completion/", "sampling/",
    "roots/", "elicitation/",
)  # fmt: skip


def is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("jsonrpc") == "2.0"


def is_about_tools(method: str) -> bool:
    """Return whether a method is MCP's. Of these only ``tools/call`` results hold payloads."""
    return method in ("initialize", "ping") or method.startswith(_FAMILIES)


def is_result(value: Any) -> bool:
    """Return whether a value is the answer of an MCP tool."""
    return isinstance(value, dict) and (
        isinstance(value.get("content"), list) or "structuredContent" in value
    )


def key_of(message: dict[str, Any]) -> str:
    """Return the id of a message as a text, to match answers with calls."""
    id = message.get("id")
    return repr(id) if isinstance(id, str | int | float) else ""


def read_result(
    result: Node, tool: str, number: int, time: float | None, origin: Origin
) -> Iterator[Record]:
    """Yield the payloads of an MCP tool's answer: its content, or else its structured content."""
    content = result.get("content")
    content = find_structured(result, list(find_payloads(content)) if content else []) or content
    if content:
        yield from origin.answer(number, tool, content, time)
