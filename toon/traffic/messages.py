"""Messages between programs and models, as all makers write them: calls of tools and results.

Known are the messages of OpenAI (chat and Responses), Anthropic, Gemini, Bedrock's Converse, the
Vercel AI SDK, LangChain, Pydantic AI, OpenInference and OpenTelemetry. A result is known by a mark,
a key with its value, or by the key that holds it. One more maker is one more line in a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from toon.traffic.locate import Node, name_group
from toon.traffic.tools import UNKNOWN_TOOL, Calls


class Result(NamedTuple):
    """What a tool answered: its name and the content."""

    tool: str
    content: Node


class _Shape(NamedTuple):
    """Where a result holds the id of its call, the name of its tool, and its content."""

    call: str
    name: str
    content: tuple[tuple[str, ...], ...]


_MESSAGE: Final = _Shape("tool_call_id", "name", (("content",),))
_OUTPUT: Final = _Shape("call_id", "name", (("output",),))
#: Anthropic's own tools: what a program wrote, or a file held.
_EXECUTED: Final = _Shape("tool_use_id", "name", (("content", "stdout"), ("content", "content")))
_INVOCATION: Final = _Shape("toolCallId", "toolName", (("result",),))
#: Vercel AI SDK 5 and later, as kept by a page: the type of the part names the tool.
_ON_PAGE: Final = _Shape("toolCallId", "toolName", (("output",),))
_ON_PAGE_MARK: Final = "tool-"
#: Results by a key and its value.
_MARKED: Final[dict[tuple[str, str], _Shape]] = {
    ("role", "tool"): _MESSAGE,
    ("role", "function"): _MESSAGE,
    ("type", "tool"): _MESSAGE,  # LangChain
    ("type", "ToolMessage"): _MESSAGE,
    ("type", "function_call_output"): _OUTPUT,  # OpenAI Responses, Codex
    ("type", "custom_tool_call_output"): _OUTPUT,
    ("type", "local_shell_call_output"): _OUTPUT,
    ("type", "shell_call_output"): _OUTPUT,
    ("type", "apply_patch_call_output"): _OUTPUT,
    ("type", "mcp_call"): _Shape("id", "name", (("output",),)),
    ("type", "tool_result"): _Shape("tool_use_id", "name", (("content",),)),  # Anthropic
    ("type", "mcp_tool_result"): _Shape("tool_use_id", "name", (("content",),)),
    ("type", "code_execution_tool_result"): _EXECUTED,
    ("type", "bash_code_execution_tool_result"): _EXECUTED,
    ("type", "text_editor_code_execution_tool_result"): _EXECUTED,
    ("type", "tool-result"): _Shape(
        "toolCallId", "toolName", (("output", "value"), ("output",), ("result",))
    ),  # Vercel AI SDK, 5 and 4
    ("type", "tool_call_response"): _Shape("id", "name", (("response",), ("result",))),  # OTel
    ("state", "result"): _INVOCATION,  # Vercel AI SDK 4, as kept by a page
    ("type", "dynamic-tool"): _ON_PAGE,
    ("part_kind", "tool-return"): _Shape("tool_call_id", "tool_name", (("content",),)),
}
#: Results by the key of the part that holds them.
_HELD: Final[dict[str, _Shape]] = {
    "functionResponse": _Shape("id", "name", (("response",),)),  # Gemini
    "function_response": _Shape("id", "name", (("response",),)),
    "toolResult": _Shape("toolUseId", "name", (("content",),)),  # Bedrock's Converse
    "toolInvocation": _INVOCATION,
    "tool_call_result": _Shape("id", "origin", (("result",),)),  # Haystack
}
_MARKS: Final = ("role", "type", "part_kind", "state")

#: Where a message holds the ids of the calls in it, and what they call.
_IDS: Final = ("id", "call_id", "toolCallId", "toolUseId", "tool_call_id")
_NAMES: Final = ("name", "toolName", "tool_name")
#: Keys of objects and lists in a message that its parts lie in.
_WRAPPERS: Final = ("kwargs", "data", "message", "content")
_CALLS: Final = ("function", "functionCall", "function_call", "toolUse", "tool_call")
_LISTS: Final = ("content", "parts", "tool_calls", "toolInvocations")

#: Messages in messages that are looked into.
_DEEPEST: Final = 20

_ROLES: Final = frozenset(["system", "developer", "user", "assistant", "tool", "function", "model"])
#: Keys of which a message has at least one beside its role.
_SAID: Final = ("content", "tool_calls", "parts", "toolInvocations")


def is_message(value: Any, depth: int = 0) -> bool:
    """Whether a value is a message of a model's conversation, or a part that stands for one."""
    if not isinstance(value, dict):
        return False
    role = value.get("role")
    if isinstance(role, str) and role in _ROLES:
        return any(key in value for key in _SAID)
    kind = value.get("type")
    if isinstance(kind, str) and kind.endswith(("_call", "_call_output")) and "call_id" in value:
        return True  # of OpenAI's Responses
    if kind == "mcp_call":
        return "output" in value
    if value.get("type") == "constructor" and isinstance(value.get("kwargs"), dict):
        return "content" in value["kwargs"]  # LangChain, serialized
    if kind in ("human", "ai", "tool"):
        return "content" in value or isinstance(value.get("data"), dict)
    inner = (value.get(key) for key in ("message", "content"))  # "content": of Google's ADK
    return depth < _DEEPEST and any(is_message(each, depth + 1) for each in inner)


def is_conversation(value: Any) -> bool:
    """Whether a value is a list with messages in it."""
    return isinstance(value, list) and any(map(is_message, value))


def results(message: Node, calls: Calls) -> Iterator[Result]:
    """The results of tools in a message. Its calls are remembered, to name later results."""
    for part, shape in _parts(message):
        if shape is None:
            _remember(part.value, calls)
            continue
        found = (part.get(*keys) for keys in shape.content)
        content = next((each for each in found if each is not None), None)
        if content is not None:
            yield Result(_tool(part.value, shape, calls), content)


def _parts(message: Node, depth: int = 0) -> Iterator[tuple[Node, _Shape | None]]:
    """A message and the parts in it; with its shape each that is a result.

    A message that holds results as parts is none itself, such as those of the Vercel AI SDK.
    """
    parts = list(_inside(message, depth))
    holds_results = any(shape is not None for _, shape in parts)
    yield message, None if holds_results else _shape(message.value)
    yield from parts


def _inside(message: Node, depth: int) -> Iterator[tuple[Node, _Shape | None]]:
    for key in _WRAPPERS:
        inner = message.value.get(key)
        is_whole = isinstance(inner, dict) and (key != "content" or is_message(inner))
        if depth < _DEEPEST and is_whole:
            yield from _parts(message.at(key), depth + 1)
    for key in _LISTS:
        if not isinstance(message.value.get(key), list):
            continue
        if key == "toolInvocations" and isinstance(message.value.get("parts"), list):
            continue  # its parts say the same
        for part in message.items(key):
            yield part, _shape(part.value)
            for held in (*_HELD, *_CALLS):
                if isinstance(part.value.get(held), dict):
                    yield part.at(held), _HELD.get(held)


def _shape(part: dict[str, Any]) -> _Shape | None:
    for key in _MARKS:
        mark = part.get(key)
        if isinstance(mark, str) and (key, mark) in _MARKED:
            return _MARKED[key, mark]
    kind = part.get("type")
    is_on_page = isinstance(kind, str) and kind.startswith(_ON_PAGE_MARK) and "toolCallId" in part
    return _ON_PAGE if is_on_page else None


def _remember(part: dict[str, Any], calls: Calls) -> None:
    """Remembers the name of the tool that a part calls, if it calls one."""
    inner = part.get("function")
    named = inner if isinstance(inner, dict) else part
    name = next((named[key] for key in _NAMES if isinstance(named.get(key), str)), None)
    if name is None:
        return
    server = part.get("server_name")
    name = f"mcp__{server}__{name}" if isinstance(server, str) else name
    for key in _IDS:
        if isinstance(part.get(key), str):
            calls.remember(part[key], name)


def _tool(part: dict[str, Any], shape: _Shape, calls: Calls) -> str:
    call, named = part.get(shape.call), part.get(shape.name) or part.get("tool_name")
    named = named.get("tool_name") if isinstance(named, dict) else named
    if shape is _ON_PAGE and not named:
        named = str(part.get("type")).removeprefix(_ON_PAGE_MARK)
    known = calls.get(calls.key(call)) if isinstance(call, str) else None
    return known or (name_group(named) if isinstance(named, str) and named else UNKNOWN_TOOL)
