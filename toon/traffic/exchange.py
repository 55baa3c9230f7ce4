"""Exchanges: requests and their responses, also those of JSON-RPC and MCP.

The response is the payload. But where the request is a call of a model, the payloads are the tools'
results in the request. A call of JSON-RPC is named by its method, or by the tool that it calls, and
its envelope is taken off; a GraphQL call is named by its operation. Only these names and results
are taken from a request.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.bodies import EmptyError, NotJsonError
from toon.traffic.keys import at
from toon.traffic.kinds import Entry
from toon.traffic.language import ASKED, PROMPTS, is_conversation
from toon.traffic.locate import Node, find_model, name_group, unwrap
from toon.traffic.payload import Record
from toon.traffic.tools import find_payloads, find_structured
from toon.traffic.walker import results

_OPERATION: Final = re.compile(r"\s*(?:query|mutation|subscription)\s+([A-Za-z_]\w{0,80})")
_NAME: Final = re.compile(r"[A-Za-z_]\w{0,80}\Z")
_FAMILIES: Final = (
    "tools/", "prompts/", "resources/", "notifications/", "logging/", "completion/", "sampling/",
    "roots/", "elicitation/",
)  # fmt: skip


def is_message(value: Any) -> bool:
    """Return whether a JSON value is a message of JSON-RPC 2.0."""
    return isinstance(value, dict) and value.get("jsonrpc") == "2.0"


def is_about_tools(method: str) -> bool:
    """Return whether a method of JSON-RPC is MCP's, such as ``initialize`` or ``tools/list``."""
    return method in ("initialize", "ping") or method.startswith(_FAMILIES)


def is_result(value: Any) -> bool:
    """Return whether a JSON value looks like an MCP tool's result: it has (structured) content."""
    return isinstance(value, dict) and (
        isinstance(value.get("content"), list) or "structuredContent" in value
    )


def key_of(message: dict[str, Any]) -> str:
    """Return a JSON-RPC message's id as text, by which an answer finds its call; "" without one."""
    id = message.get("id")
    return repr(id) if isinstance(id, str | int | float) else ""


def read_result(result: Node, tool: str, entry: Entry) -> Iterator[Record]:
    """Yield the payloads in an MCP tool's result: JSON in its content, or structured content."""
    content = result.get("content")
    content = find_structured(result, list(find_payloads(content)) if content else []) or content
    if content:
        yield from entry.answer(tool, content)


def open_request(body: Any) -> Node | None:
    """Return the JSON object or array in the text of an HTTP request's body, or None."""
    if isinstance(body, str):
        try:
            text, value = unwrap(body)
        except TextError:
            return None
        return Node(value, text)
    return None


def read_exchange(
    asked: Node | None, bodies: Callable[[], Sequence[Node]], group: str, entry: Entry
) -> Iterator[Record]:
    """Yield the payloads of an HTTP exchange: the JSON bodies of the response.

    If the request ``asked`` calls a model, they are the tools' results in the request. The function
    ``bodies`` returns the response's JSON; ``group`` names the endpoint. An empty or non-JSON body
    is skipped, a damaged one is a bad record.
    """
    request = asked.value if asked and isinstance(asked.value, dict) else {}
    prompts = [key for key in PROMPTS if is_conversation(request.get(key))]
    contents = request.get("contents")  # Gemini's, of which a single message needs no role
    is_gemini = isinstance(contents, list) and any(
        isinstance(each, dict) and isinstance(each.get("parts"), list) for each in contents
    )
    is_prompt = isinstance(request.get("model"), str) and any(
        isinstance(request.get(key), str | list) for key in ASKED
    )
    try:
        if asked and (prompts or is_prompt or is_gemini):
            entry = entry._replace(model=find_model(request))
            entry.note(asked)
            for message in (each for key in prompts for each in asked.items(key)):
                yield from entry.answers(results(message, entry.origin.calls))
        else:
            yield from _read_bodies(asked, bodies(), group, entry)
    except NotJsonError as error:
        yield entry.skip(f"{group}: {error}")
    except EmptyError:
        yield entry.skip(f"{group}: an empty body")
    except TextError as error:
        yield entry.bad(f"{group}: {error}")


def _read_bodies(
    request: Node | None, bodies: Sequence[Node], group: str, entry: Entry
) -> Iterator[Record]:
    calls = {}  # the method and the name of each call of JSON-RPC
    value = request.value if request else None
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict) and is_message(each) and isinstance(each.get("method"), str):
            method = each["method"]
            tool = at(each, "params.name") if method == "tools/call" else None
            calls[key_of(each)] = method, name_group(tool if isinstance(tool, str) else method)
    group = _operation(value) or group
    for body in bodies:
        messages = list(body.members()) if isinstance(body.value, list) else [body]
        if not messages or not all(is_message(each.value) for each in messages):
            yield entry.payload(group, body)
            continue
        for message in messages:
            if "method" not in message.value:  # else a notification, or a server's request
                method, name = calls.get(key_of(message.value), ("", group))
                yield from _read_answer(message, method, name, entry)


def _read_answer(message: Node, method: str, name: str, entry: Entry) -> Iterator[Record]:
    """Yield the payload in a JSON-RPC answer to a call of ``method``; of an error, a bad record."""
    result = message.get("result")
    if "error" in message.value:
        yield entry.bad(f"{name}: the call failed")
    elif result is None or (is_about_tools(method) and method != "tools/call"):
        return
    elif method == "tools/call" or (not method and is_result(result.value)):
        yield from read_result(result, name, entry)
    elif isinstance(result.value, dict | list):
        yield entry.payload(name, result)


def _operation(request: Any) -> str | None:
    """Return the name of the GraphQL operation in a request's JSON value, or None."""
    if not isinstance(request, dict):
        return None
    named, query = request.get("operationName"), request.get("query")
    is_query = "query" in request or "extensions" in request
    if is_query and isinstance(named, str) and _NAME.match(named):
        return name_group(named)
    match = _OPERATION.match(query) if isinstance(query, str) else None
    return name_group(match[1]) if match else None
