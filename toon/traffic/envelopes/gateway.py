"""Access logs of gateways and proxies that keep the bodies of responses.

Read are the JSON logs of Kong (http-log, file-log with a body), APISIX (http-logger with
``include_resp_body``), AWS API Gateway and Lambda proxies (``isBase64Encoded``), and what people
have nginx and Envoy write, whose keys are anybody's own: the usual ones are known. Kong's and
APISIX's documentation of these plugins was seen in part; the other keys are from memory.

The response is the payload; :mod:`toon.traffic.exchange` says where the request is instead. The
group is the method and the folded URL. A line without a body, such as that of a 204, is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.bodies import EmptyError, NotJsonError, open_body
from toon.traffic.exchange import open_request, read_exchange
from toon.traffic.json_stream import RawRecord
from toon.traffic.keys import Path, paths_of
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, read_record
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.tools import seek
from toon.traffic.urls import fold_url

_RESPONSES: Final = paths_of(
    "response.body resp.body res.body http.response.body http.response.body.content responsebody"
    " respbody bodyresponse"
)
_REQUESTS: Final = paths_of("request.body req.body http.request.body requestbody reqbody")
_URLS: Final = paths_of(
    "request.url request.uri request.path request.rawpath req.url req.path http.request.path"
    " http.url url.path url.full url.original url uri path requesturi requestpath rawpath"
    " resourcepath :path upstreamuri endpoint"
)
_METHODS: Final = paths_of(
    "request.method request.httpmethod req.method http.request.method http.method method httpmethod"
    " requestmethod :method verb"
)
_STATUS: Final = paths_of(
    "response.status response.statuscode status statuscode responsecode http.response.statuscode"
)
#: Keys of what is said of a response, beside its body.
_ABOUT: Final = frozenset(["status", "statusCode", "status_code", "headers", "header", "size"])
_KINDS: Final = ("content-type", "content_type", "contenttype", "sent_http_content_type")
_PACKED: Final = ("content-encoding", "content_encoding", "sent_http_content_encoding")
_LINE: Final = re.compile(r"([A-Za-z]{3,10}) (\S+)(?: HTTP/[0-9.]+)?\Z")
_VERBS: Final = frozenset(
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "QUERY"]
)
_METHOD: Final = re.compile(r"[A-Za-z]{3,10}\Z")
_BYTES: Final = ("as_bytes", "asBytes")
#: The keys of a body as Charles has it.
_CHARLES: Final = frozenset(["text", "charset", "encoding", "encoded"])


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """The payloads of one request and its response.

    Raises:
        TextError: It holds neither, or its body is damaged.
    """
    node = read_record(record.text)
    if not isinstance(node.value, dict) or (group := _group(node)) is None:
        raise TextError("no request in it")
    asked = _find(node, _REQUESTS)
    request = open_request(asked.value) if asked and isinstance(asked.value, str) else asked
    bodies, time = partial(_bodies, node), find_time(node.value)
    yield from read_exchange(request, bodies, record.number, group, time, origin)


def _bodies(node: Node) -> list[Node]:
    body = _body(node)
    if body is None or body.value is None:
        raise EmptyError
    if isinstance(body.value, dict) and (text := _tapped(body)) is not None:  # Envoy's tap
        is_bytes = text.place[-1] in _BYTES
        found = open_body(text.value, _header([node.value], _KINDS), is_base64=is_bytes)
        return [replace(each, place=text.place) for each in found]
    if not isinstance(body.value, str):
        if not isinstance(body.value, dict | list):
            raise NotJsonError("a value")
        return [body]
    parts = [
        node.value,
        *(each.value for each in map(node.get, ("response", "resp", "res")) if each),
    ]
    found = open_body(
        body.value,
        _header(parts, _KINDS),
        is_base64=any(_is_base64(part) for part in parts if isinstance(part, dict)),
        packed=_header(parts, _PACKED),
    )
    return [replace(each, place=body.place) for each in found]


def _tapped(body: Node) -> Node | None:
    """The text of a body that is held as text or bytes, beside whether it was cut off."""
    whole = ("text",) if "charset" in body.value and body.value.keys() <= _CHARLES else ()
    found = (body.get(key) for key in (*_BYTES, "as_string", "asString", *whole))
    return next((each for each in found if each and isinstance(each.value, str)), None)


def _body(node: Node) -> Node | None:
    """The body of a response. One that only ``body`` names is that of a response with a status.

    Beside a response that is no more than its body, ``body`` is that of the request.
    """
    found, answer = _find(node, _RESPONSES), node.value.get("response")
    if found is not None:
        return found
    is_bare = isinstance(answer, dict) and "body" in node.value and _ABOUT.isdisjoint(answer)
    if isinstance(answer, str | list) or is_bare:
        return node.get("response")
    return node.get("body") if _find(node, _STATUS) is not None else None


def _find(node: Node, paths: Sequence[Path]) -> Node | None:
    """The first of these members that is there; texts are not looked into."""
    return next((found for path in paths if (found := seek(node, path)) is not None), None)


def _is_base64(part: dict[str, Any]) -> bool:
    named = (part.get(key) for key in ("encoding", "body_encoding", "bodyEncoding"))
    coded = part.get("isBase64Encoded", part.get("is_base64_encoded"))
    return coded is True or coded == "true" or "base64" in named


def _header(parts: list[Any], names: Sequence[str]) -> str:
    """The value of a header, from a record and its response."""
    for part in parts:
        if not isinstance(part, dict):
            continue
        for held in (part, *(part.get(key) for key in ("headers", "multiValueHeaders"))):
            for key, value in held.items() if isinstance(held, dict) else ():
                value = value[0] if isinstance(value, list) and value else value
                if key.lower() in names and isinstance(value, str):
                    return value
    return ""


def _group(node: Node) -> str | None:
    """The method and the folded URL; None without a URL."""
    line = node.value.get("request")
    if isinstance(line, str) and (match := _LINE.match(line.strip())):
        return f"{match[1].upper()} {fold_url(match[2])}"
    url = next((each.value for path in _URLS if (each := _text(node, path))), None)
    if url is None:
        return None
    if match := _LINE.match(url.strip()):
        return f"{match[1].upper()} {fold_url(match[2])}"
    method = next((each.value for path in _METHODS if (each := _text(node, path))), "")
    return f"{method.upper()} {fold_url(url)}" if _METHOD.match(method) else fold_url(url)


def _text(node: Node, path: Path) -> Node | None:
    found = seek(node, path)
    return found if found and isinstance(found.value, str) and found.value else None


def recognises(value: Any) -> bool:
    """Whether a record is of a request and holds the body of its response."""
    if not isinstance(value, dict) or "log" in value or "entries" in value:
        return False
    node = Node(value, "")
    if _group(node) is None or (body := _body(node)) is None:
        return False
    if not isinstance(body.value, str | dict | list):
        return False
    status = _find(node, _STATUS)
    has_status = status is not None and re.fullmatch("[1-5][0-9]{2}", str(status.value)) is not None
    if body.place in (("body",), ("response",)):
        return _named(node) and has_status
    return _named(node) or has_status


def _named(node: Node) -> bool:
    """Whether a record names the method of its request."""
    line = node.value.get("request")
    is_line = isinstance(line, str) and _LINE.match(line.strip()) is not None
    found = (each.value.upper() for path in _METHODS if (each := _text(node, path)))
    return is_line or any(method in _VERBS for method in found)


KIND: Final = Envelope(
    name="gateway",
    label="access log with bodies",
    records="JSON responses, by method and URL with the ids folded",
    nothing="no response with a body in it",
    kept="the JSON access log of a gateway or proxy (Kong, APISIX, nginx, Envoy, API Gateway)",
    recognises=recognises,
    read=read,
)
