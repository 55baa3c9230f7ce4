"""Access logs of gateways and proxies that keep the bodies of responses.

Read are the JSON logs of Kong (http-log, file-log with a body), APISIX (http-logger with
``include_resp_body``), AWS API Gateway and Lambda proxies (``isBase64Encoded``), and what people
have nginx and Envoy write, whose keys are anybody's own: the usual ones are known. Kong's and
APISIX's documentation of these plugins was seen in part; the other keys are from memory.

The response is the payload; :mod:`toon.traffic.exchange` says where the request is instead. The
group is the method and the folded URL. A line without a body, such as that of a 204, is skipped.
"""

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
from toon.traffic.kinds import Entry, Envelope, Origin
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
#: Keys of facts about a response, beside its body.
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
    """Yield the payloads and bad records of an access log's line.

    Raises:
        TextError: The line names no request.
    """
    node = read_record(record.text)
    named = _request(node) if isinstance(node.value, dict) else None
    if named is None:
        raise TextError("no request in it")
    method, url = named
    body = _find(node, _REQUESTS)
    asked = open_request(body.value) if body and isinstance(body.value, str) else body
    entry = Entry(origin, record.number, find_time(node.value))
    group = f"{method} {fold_url(url)}" if method else fold_url(url)
    yield from read_exchange(asked, partial(_bodies, node), group, entry)


def _request(node: Node) -> tuple[str, str] | None:
    """Return the method and URL of the request in an access log's line; None without a URL.

    The method is "" if none is named.
    """
    line = node.value.get("request")
    if not isinstance(line, str) or not (match := _LINE.match(line.strip())):
        url = next(_texts(node, _URLS), None)
        if url is None:
            return None
        if not (match := _LINE.match(url.strip())):
            method = next(_texts(node, _METHODS), "")
            return method.upper() if _METHOD.match(method) else "", url
    return match[1].upper(), match[2]


def _bodies(node: Node) -> list[Node]:
    """Return the JSON objects and arrays in the body of an access log's response, with their texts.

    Raises:
        TextError: There is none.
    """
    body = _body(node)
    if body is None or body.value is None:
        raise EmptyError
    if isinstance(body.value, dict):  # of Envoy's tap, the text stands beside whether it was cut
        whole = ("text",) if "charset" in body.value and body.value.keys() <= _CHARLES else ()
        parts = (body.get(key) for key in (*_BYTES, "as_string", "asString", *whole))
        text = next((each for each in parts if each and isinstance(each.value, str)), None)
        if text is not None:
            is_bytes = text.place[-1] in _BYTES
            found = open_body(text.value, _header([node.value], _KINDS), is_base64=is_bytes)
            return [replace(each, place=text.place) for each in found]
    if not isinstance(body.value, str):
        if not isinstance(body.value, dict | list):
            raise NotJsonError("a value")
        return [body]
    held = map(node.value.get, ("response", "resp", "res"))
    abouts = [node.value, *(each for each in held if isinstance(each, dict))]
    found = open_body(
        body.value,
        _header(abouts, _KINDS),
        is_base64=any(map(_is_base64, abouts)),
        packed=_header(abouts, _PACKED),
    )
    return [replace(each, place=body.place) for each in found]


def _body(node: Node) -> Node | None:
    """Return the response's body in a line of an access log, or None.

    The key ``body`` counts where a response's status stands beside it. Beside a response that is no
    more than its body, ``body`` is the request's.
    """
    found, answer = _find(node, _RESPONSES), node.value.get("response")
    if found is not None:
        return found
    is_bare = isinstance(answer, dict) and "body" in node.value and _ABOUT.isdisjoint(answer)
    if isinstance(answer, str | list) or is_bare:
        return node.get("response")
    return node.get("body") if _find(node, _STATUS) is not None else None


def _find(node: Node, paths: Sequence[Path]) -> Node | None:
    return next((found for path in paths if (found := seek(node, path)) is not None), None)


def _texts(node: Node, paths: Sequence[Path]) -> Iterator[str]:
    found = (seek(node, path) for path in paths)
    yield from (each.value for each in found if each and isinstance(each.value, str) and each.value)


def _is_base64(part: dict[str, Any]) -> bool:
    named = (part.get(key) for key in ("encoding", "body_encoding", "bodyEncoding"))
    coded = part.get("isBase64Encoded", part.get("is_base64_encoded"))
    return coded is True or coded == "true" or "base64" in named


def _header(parts: list[dict[str, Any]], names: Sequence[str]) -> str:
    """Return the value of an HTTP header called one of ``names``, or "".

    The header may be a member of an object in ``parts`` or of its ``headers``; the first counts.
    """
    for part in parts:
        for held in (part, *(part.get(key) for key in ("headers", "multiValueHeaders"))):
            for key, value in held.items() if isinstance(held, dict) else ():
                value = value[0] if isinstance(value, list) and value else value
                if key.lower() in names and isinstance(value, str):
                    return value
    return ""


def recognises(value: Any) -> bool:
    """Return whether a JSON record is an access log's line with a request and a response's body."""
    if not isinstance(value, dict) or "log" in value or "entries" in value:
        return False
    node = Node(value, "")
    named, body = _request(node), _body(node)
    if named is None or body is None or not isinstance(body.value, str | dict | list):
        return False
    line = value.get("request")
    methods = (method.upper() for method in _texts(node, _METHODS))
    has_method = not _VERBS.isdisjoint(methods)
    has_method |= isinstance(line, str) and _LINE.match(line.strip()) is not None
    status = _find(node, _STATUS)
    has_status = status is not None and re.fullmatch("[1-5][0-9]{2}", str(status.value)) is not None
    if body.place in (("body",), ("response",)):
        return has_method and has_status
    return has_method or has_status


KIND: Final = Envelope(
    "gateway", "access log with bodies", "JSON responses, by method and URL with the ids folded",
    "the JSON access log of a gateway or proxy (Kong, APISIX, nginx, Envoy, API Gateway)",
    "no response with a body in it", recognises=recognises, read=read,
)  # fmt: skip
