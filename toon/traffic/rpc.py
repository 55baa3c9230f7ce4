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
    """Whether a method is one of MCP; of these only ``tools/call`` has payloads in its result."""
    return method in ("initialize", "ping") or method.startswith(_FAMILIES)


def is_result(value: Any) -> bool:
    """Whether a value is what a tool of MCP answered."""
    return isinstance(value, dict) and (
        isinstance(value.get("content"), list) or "structuredContent" in value
    )


def key_of(message: dict[str, Any]) -> str:
    """The id of a message, to find its call by."""
    id = message.get("id")
    return repr(id) if isinstance(id, str | int | float) else ""


def read_result(
    result: Node, tool: str, number: int, time: float | None, origin: Origin
) -> Iterator[Record]:
    """What a tool of MCP answered: its content, or without JSON there the structured content."""
    content = result.get("content")
    content = find_structured(result, list(find_payloads(content)) if content else []) or content
    if content:
        yield from origin.answer(number, tool, content, time)
