"""Collections of API clients: the responses saved beside their requests, by method and URL.

Read are Postman's collections v2.0 and v2.1 (schema.postman.com: ``item[]`` nest, ``response[]``
holds ``body`` and ``originalRequest``), Insomnia's exports (v4: ``resources[]``; v5 as JSON:
``collection[]`` with ``children``), and Bruno's collections as JSON (``items[]``, ``examples[]``);
for the last two no schema of saved responses was found, and a collection without any is refused
by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.bodies import open_body
from toon.traffic.exchange import open_request, read_exchange
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, read_record
from toon.traffic.payload import Record
from toon.traffic.times import parse_time
from toon.traffic.urls import fold_request

_FOLDERS: Final = ("item", "items", "children", "collection")
_SAVED: Final = ("response", "responses", "examples")
_VARIABLE: Final = re.compile(r"\A\{\{[^{}]*\}\}")
_NO_RESPONSES: Final = "a collection of requests without a saved response: export a HAR instead"


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """The payloads in the saved responses of a collection.

    Raises:
        TextError: It is none, or holds no response.
    """
    value = read_record(record.text).value
    if not recognises(value):
        raise TextError("no collection of an API client")
    found = False
    for request, response, place in _responses(value):
        found = True
        yield from _payloads(request, response, place, record.number, origin)
    if not found:
        raise TextError(_NO_RESPONSES)


def _responses(
    value: dict[str, Any],
) -> Iterator[tuple[Any, dict[str, Any], tuple[str | int, ...]]]:
    """Each response with its request and its place, in the order of the collection."""
    resources = _dicts(value.get("resources"))
    by_id = {each["_id"]: each for each in resources if isinstance(each.get("_id"), str)}
    for each in resources:
        if each.get("_type") == "response":
            parent = each.get("parentId")
            request = by_id.get(parent) if isinstance(parent, str) else None
            yield request, each, ("resources", 0)
    waiting: list[tuple[dict[str, Any], tuple[str | int, ...]]] = [(value, ())]
    while waiting:
        item, place = waiting.pop()
        for key in _SAVED:
            for each in _dicts(item.get(key)):
                asked = each.get("originalRequest") or each.get("request") or item.get("request")
                inner = each.get("response")
                saved = inner if isinstance(inner, dict) else each
                yield asked if isinstance(asked, dict | str) else item, saved, (*place, key, 0)
        if len(place) < 100:  # folders nest a few deep
            folders = [
                (each, (*place, key, 0)) for key in _FOLDERS for each in _dicts(item.get(key))
            ]
            waiting.extend(reversed(folders))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _payloads(
    request: Any,
    response: dict[str, Any],
    place: tuple[str | int, ...],
    number: int,
    origin: Origin,
) -> Iterator[Record]:
    time = parse_time(response.get("created") or response.get("timestamp"))
    asked = open_request(_request_body(request))

    def bodies() -> list[Node]:
        body, kind = _body(response)
        found = open_body(body, kind, is_base64=response.get("encoding") == "base64")
        return [replace(each, place=(*place, "body")) for each in found]

    yield from read_exchange(asked, bodies, number, _group(request), time, origin)


def _body(response: dict[str, Any]) -> tuple[Any, Any]:
    """The text of a response and its media type."""
    body = response.get("body")
    inner = body if isinstance(body, dict) else {}
    text = next((inner[key] for key in ("content", "data", "text") if key in inner), body)
    headers = response.get("header") or response.get("headers")
    kind = next(
        (
            each.get("value")
            for each in _dicts(headers)
            if str(each.get("key", each.get("name"))).lower() == "content-type"
        ),
        response.get("contentType", ""),
    )
    return text, kind


def _request_body(request: Any) -> Any:
    body = request.get("body") if isinstance(request, dict) else None
    if isinstance(body, dict):
        if isinstance(body.get("graphql"), dict):  # Postman's mode of GraphQL
            body = None
        else:
            body = body.get("raw", body.get("text", body.get("json")))
    return body


def _group(request: Any) -> str:
    inner = request.get("request") if isinstance(request, dict) else None
    request = inner if isinstance(inner, dict) else request
    method = request.get("method") if isinstance(request, dict) else "GET"
    url = request.get("url") if isinstance(request, dict) else request
    url = url.get("raw") if isinstance(url, dict) else url
    return fold_request(method, _VARIABLE.sub("", url.strip()) if isinstance(url, str) else url)


def recognises(value: Any) -> bool:
    """Whether a value is a collection of Postman, an export of Insomnia, or one of Bruno."""
    if not isinstance(value, dict):
        return False
    info = value.get("info")
    if isinstance(info, dict) and isinstance(value.get("item"), list):
        schema = info.get("schema")
        return "_postman_id" in info or (isinstance(schema, str) and "postman.com" in schema)
    if "__export_format" in value:
        return isinstance(value.get("resources"), list)
    if str(value.get("type")).startswith("collection.insomnia"):
        return isinstance(value.get("collection"), list)
    is_bruno = "brunoConfig" in value or "environments" in value
    items = _dicts(value.get("items")) if is_bruno else []
    return any(str(each.get("type")) in ("http", "http-request", "folder") for each in items)


KIND: Final = Envelope(
    name="collection",
    label="collection of an API client",
    records="saved JSON responses, by method and URL with the ids folded",
    nothing="no saved response in it",
    kept="“Export collection” of Postman v2.1; Insomnia and Bruno where responses are saved",
    recognises=recognises,
    read=read,
)
