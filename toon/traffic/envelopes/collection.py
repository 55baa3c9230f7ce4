"""Collections of API clients: the responses saved beside their requests, by method and URL.

Read are Postman's collections v2.0 and v2.1 (schema.postman.com: ``item[]`` nest, ``response[]``
holds ``body`` and ``originalRequest``), Insomnia's exports (v4: ``resources[]``; v5 as JSON:
``collection[]`` with ``children``), and Bruno's collections as JSON (``items[]``, ``examples[]``);
for the last two no schema of saved responses was found, and a collection without any is refused
by name.

In a file of Bruno (``.bru``) an ``example`` holds a ``request`` and a ``response``, whose body
stands between two lines of three apostrophes, as in the fixtures of Bruno's own parser.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from textwrap import dedent
from typing import Any, Final, TypeAlias

from toon.errors import TextError
from toon.traffic.bodies import open_body
from toon.traffic.envelopes import gateway
from toon.traffic.exchange import open_request, read_exchange
from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.keys import at
from toon.traffic.kinds import Cut, Entry, Envelope, Origin
from toon.traffic.locate import Node, read_record
from toon.traffic.payload import Record
from toon.traffic.streams import MAX_RECORD, TOO_LONG, Chunks
from toon.traffic.times import parse_time
from toon.traffic.urls import fold_request

_FOLDERS: Final = ("item", "items", "children", "collection")
_SAVED: Final = ("response", "responses", "examples")
_VARIABLE: Final = re.compile(r"\A\{\{[^{}]*\}\}")

_BRUNO: Final = re.compile(r"(?:\A|\n)meta \{\r?\n\s*name:")
_EXAMPLE: Final = re.compile(r"(?ms)^example \{$(.*?)^\}$")
_PART: Final = re.compile(r"(?m)^\s*(url|method|code): (.*)$")
_CONTENT: Final = re.compile(r"(?s)content: '''\n(.*?)\n *'''")

_Place: TypeAlias = tuple[str | int, ...]


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield the payloads and bad records of responses saved in Postman, Insomnia or Bruno.

    Raises:
        TextError: The record is no collection, or has no saved response.
    """
    value = read_record(record.text).value
    if not recognises(value):
        raise TextError("no collection of an API client")
    found = False
    for request, response, place in _responses(value):
        found = True
        entry = Entry(
            origin, record.number, parse_time(response.get("created") or response.get("timestamp"))
        )
        yield from _read(request, response, place, entry)
    if not found:
        raise TextError("a collection of requests without a saved response: export a HAR instead")


def _responses(value: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any], _Place]]:
    """Yield (request, response, place) for each response saved in an API client's export.

    The place is the path of keys to the response.
    """
    resources = _dicts(value.get("resources"))
    by_id = {each["_id"]: each for each in resources if isinstance(each.get("_id"), str)}
    for each in resources:
        if each.get("_type") == "response":
            yield by_id.get(str(each.get("parentId"))), each, ("resources", 0)
    waiting: list[tuple[dict[str, Any], _Place]] = [(value, ())]
    while waiting:
        item, place = waiting.pop()
        for key in _SAVED:
            for each in _dicts(item.get(key)):
                asked = each.get("originalRequest") or each.get("request") or item.get("request")
                inner = each.get("response")
                saved = inner if isinstance(inner, dict) else each
                yield asked if isinstance(asked, dict | str) else item, saved, (*place, key, 0)
        folders = _FOLDERS if len(place) < 100 else ()  # they nest a few deep
        inner = [(each, (*place, key, 0)) for key in folders for each in _dicts(item.get(key))]
        waiting.extend(reversed(inner))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _read(request: Any, response: dict[str, Any], place: _Place, entry: Entry) -> Iterator[Record]:
    """Yield the payloads and bad records of a response that an API client saved."""
    sent = at(request, "body")
    if isinstance(sent, dict):  # Postman's mode of GraphQL holds an object
        is_graphql = isinstance(sent.get("graphql"), dict)
        sent = None if is_graphql else sent.get("raw", sent.get("text", sent.get("json")))
    inner = at(request, "request")
    request = inner if isinstance(inner, dict) else request
    method = request.get("method") if isinstance(request, dict) else "GET"
    url = request.get("url") if isinstance(request, dict) else request
    url = url.get("raw") if isinstance(url, dict) else url
    group = fold_request(method, _VARIABLE.sub("", url.strip()) if isinstance(url, str) else url)

    def bodies() -> list[Node]:
        body, kind = response.get("body"), response.get("contentType", "")
        held = body if isinstance(body, dict) else {}
        body = next((held[key] for key in ("content", "data", "text") if key in held), body)
        for each in _dicts(response.get("header") or response.get("headers")):
            if str(each.get("key", each.get("name"))).lower() == "content-type":
                kind = each.get("value")
                break
        found = open_body(body, kind, is_base64=response.get("encoding") == "base64")
        return [replace(each, place=(*place, "body")) for each in found]

    yield from read_exchange(open_request(sent), bodies, group, entry)


def recognises(value: Any) -> bool:
    """Return whether a JSON value is an export of Postman, Insomnia or Bruno."""
    if not isinstance(value, dict):
        return False
    info = value.get("info")
    if isinstance(info, dict) and isinstance(value.get("item"), list):
        return "_postman_id" in info or "postman.com" in str(info.get("schema"))
    if "__export_format" in value:
        return isinstance(value.get("resources"), list)
    if str(value.get("type")).startswith("collection.insomnia"):
        return isinstance(value.get("collection"), list)
    is_bruno = "brunoConfig" in value or "environments" in value
    items = _dicts(value.get("items")) if is_bruno else []
    return any(str(each.get("type")) in ("http", "http-request", "folder") for each in items)


def is_bruno(head: str) -> bool:
    """Return whether a text that starts with ``head`` is a request file of Bruno (``.bru``)."""
    return _BRUNO.search(head[:2_000]) is not None


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield each response saved in a ``.bru`` file of Bruno as JSON: method, URL, status, body."""
    data = chunks.peek(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        yield Flaw(1, TOO_LONG)
        return
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    for found in _EXAMPLE.finditer(text):
        part = {key: value.strip() for key, value in _PART.findall(found[1])}
        content = _CONTENT.search(found[1])
        exchange = {
            "method": part.get("method", "get"),
            "url": part.get("url", ""),
            "status": part.get("code", "200"),
            "resp_body": dedent(content[1]) if content else "",
        }
        yield RawRecord(text.count("\n", 0, found.start()) + 1, json.dumps(exchange))


KIND: Final = Envelope(
    "collection", "collection of an API client",
    "saved JSON responses, by method and URL with the ids folded",
    "“Export collection” of Postman v2.1; Insomnia and Bruno where responses are saved",
    "no saved response in it", recognises=recognises, read=read,
)  # fmt: skip
BRUNO: Final = Cut(
    "bruno", "request of Bruno", KIND.records,
    "the .bru files of a collection where responses are saved as examples",
    "a request without a saved response: export a HAR instead", split=split, read=gateway.read,
)  # fmt: skip
