"""Requests and their responses: which of the two a model was sent, and the payload's group.

The response is the payload. But where the request is a call of a model, the payloads are the tools'
results in the request. A call of JSON-RPC is named by its method, or by the tool that it calls, and
its envelope is taken off; a GraphQL call is named by its operation. Only these names and results
are taken from a request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.bodies import EmptyError, NotJsonError
from toon.traffic.kinds import Origin
from toon.traffic.language import ASKED, PROMPTS, is_conversation
from toon.traffic.locate import Node, find_model, name_group, unwrap
from toon.traffic.payload import Record
from toon.traffic.rpc import is_about_tools, is_message, is_result, key_of, read_result
from toon.traffic.walker import results

_OPERATION: Final = re.compile(r"\s*(?:query|mutation|subscription)\s+([A-Za-z_]\w{0,80})")
_NAME: Final = re.compile(r"[A-Za-z_]\w{0,80}\Z")


def open_request(body: Any) -> Node | None:
    """Return the JSON of a request's body; None if it has none."""
    if isinstance(body, str):
        try:
            text, body = unwrap(body)
        except TextError:
            return None
        return Node(body, text)
    return None


def read_call(
    request: Node | None, number: int, time: float | None, origin: Origin
) -> Iterator[Record] | None:
    """Return the records in a call of a model; None if the request is no such call."""
    value = request.value if request else None
    if request is None or not isinstance(value, dict):
        return None
    keys = [key for key in PROMPTS if is_conversation(value.get(key))]
    is_prompt = isinstance(value.get("model"), str) and any(
        isinstance(value.get(key), str | list) for key in ASKED
    )
    if not (keys or is_prompt or _is_of_gemini(value.get("contents"))):
        return None
    return _sent(request, keys, number, time, origin)


def _is_of_gemini(contents: Any) -> bool:
    """Return whether a value is Gemini's ``contents``; a single message needs no role."""
    return isinstance(contents, list) and any(
        isinstance(each, dict) and isinstance(each.get("parts"), list) for each in contents
    )


def _sent(
    request: Node, keys: list[str], number: int, time: float | None, origin: Origin
) -> Iterator[Record]:
    model = find_model(request.value)
    origin.note(request, time, model)
    for key in keys:
        for message in request.items(key):
            for result in results(message, origin.calls):
                yield from origin.answer(number, result.tool, result.content, time, model)


def read_exchange(
    asked: Node | None,
    bodies: Callable[[], Sequence[Node]],
    number: int,
    group: str,
    time: float | None,
    origin: Origin,
) -> Iterator[Record]:
    """Yield the payloads of a request and its response: the tools' results in a call of a model,
    else the ``bodies`` of the response. An empty or non-JSON body is skipped, a damaged one is bad.
    """
    try:
        sent = read_call(asked, number, time, origin)
        if sent is None:
            sent = read_answers(asked, bodies(), number, group, time, origin)
        yield from sent
    except NotJsonError as error:
        yield origin.skip(number, f"{group}: {error}", "", time)
    except EmptyError:
        yield origin.skip(number, f"{group}: an empty body", "", time)
    except TextError as error:
        yield origin.bad(number, f"{group}: {error}", time)


def read_answers(
    request: Node | None,
    bodies: Sequence[Node],
    number: int,
    group: str,
    time: float | None,
    origin: Origin,
) -> Iterator[Record]:
    """Yield the payloads in the bodies of a response."""
    calls = _rpc_calls(request)
    group = _operation(request) or group
    for body in bodies:
        messages = list(body.members()) if isinstance(body.value, list) else [body]
        if messages and all(is_message(each.value) for each in messages):
            for message in messages:
                yield from _answer(message, calls, number, group, time, origin)
        else:
            yield origin.payload(number, group, body, time)


def _answer(
    message: Node,
    calls: dict[str, tuple[str, str]],
    number: int,
    group: str,
    time: float | None,
    origin: Origin,
) -> Iterator[Record]:
    if "method" in message.value:  # a notification, or a server's request
        return
    method, name = calls.get(key_of(message.value), ("", group))
    result = message.get("result")
    if "error" in message.value:
        yield origin.bad(number, f"{name}: the call failed", time)
    elif result is None or (is_about_tools(method) and method != "tools/call"):
        return
    elif method == "tools/call" or (not method and is_result(result.value)):
        yield from read_result(result, name, number, time, origin)
    elif isinstance(result.value, dict | list):
        yield origin.payload(number, name, result, time)


def _rpc_calls(request: Node | None) -> dict[str, tuple[str, str]]:
    """Return the method and the name of each JSON-RPC call in a request, by the key of its id."""
    value = request.value if request else None
    calls = {}
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict) and is_message(each) and isinstance(each.get("method"), str):
            method, params = each["method"], each.get("params")
            tool = params.get("name") if isinstance(params, dict) else None
            named = tool if method == "tools/call" and isinstance(tool, str) else method
            calls[key_of(each)] = (method, name_group(named))
    return calls


def _operation(request: Node | None) -> str | None:
    """Return the name of the GraphQL operation in a request, or None."""
    value = request.value if request else None
    if not isinstance(value, dict):
        return None
    named, query = value.get("operationName"), value.get("query")
    if (
        isinstance(named, str)
        and _NAME.match(named)
        and ("query" in value or "extensions" in value)
    ):
        return name_group(named)
    match = _OPERATION.match(query) if isinstance(query, str) else None
    return name_group(match[1]) if match else None
