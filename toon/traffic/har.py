"""HAR, the log of a browser's or proxy's HTTP traffic: JSON responses by endpoint.

From a request come only its method, the template of its URL (:func:`toon.traffic.urls.fold_url`)
and what :mod:`.exchange` takes from its body: the name of an operation, or tools' results in a call
of a model. Headers, cookies and queries never leave the parsed entry, and no error quotes an entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.bodies import EmptyError, open_body
from toon.traffic.exchange import open_request, read_exchange
from toon.traffic.json_stream import Flaw, JsonStream, RawRecord
from toon.traffic.kinds import Cut, Origin
from toon.traffic.locate import Node, parse
from toon.traffic.payload import Record
from toon.traffic.streams import Chunks
from toon.traffic.times import parse_time
from toon.traffic.urls import fold_request

_ENTRIES: Final = ("log", "entries")
_START: Final = re.compile(r'\s*\{\s*"log"\s*:\s*\{')
_MARKS: Final = (
    "startedDateTime", "httpVersion", "queryString", "headersSize", "redirectURL", "postData",
)  # fmt: skip
_LOG_KEY: Final = re.compile(r'"(?:entries|creator)"\s*:')


def is_har(head: str) -> bool:
    """Return whether a JSON text that starts with ``head`` is a HAR."""
    return _START.match(head) is not None and _LOG_KEY.search(head) is not None


def is_traffic(value: Any) -> bool:
    """Return whether ``value`` is an entry of a HAR, a whole HAR, or the value of its ``log``."""
    return _is_entry(value) or _is_log(value)


def _is_entry(value: Any) -> bool:
    """Return whether ``value`` is a HAR's entry, by its time and content."""
    if not isinstance(value, dict):
        return False
    request, response = value.get("request"), value.get("response")
    return (
        isinstance(request, dict)
        and "url" in request
        and isinstance(response, dict)
        and ("startedDateTime" in value or isinstance(response.get("content"), dict))
    )


def _is_log(value: Any) -> bool:
    """Return whether ``value`` is a whole HAR, or the value of its ``log``."""
    if not isinstance(value, dict):
        return False
    inner = value.get("log")
    if isinstance(inner, dict) and isinstance(inner.get("entries"), list):
        return any(isinstance(entry, dict) and "request" in entry for entry in inner["entries"])
    entries = value.get("entries")
    return isinstance(entries, list) and any(map(_is_entry, entries))


def refuse_traffic(text: str) -> None:
    """Refuse a text with several names that only HARs use together.

    Callers pass texts that are not readable HARs: one with such names is a HAR with a damaged key,
    and may hold secrets.

    Raises:
        TextError: The text holds such names.
    """
    if sum(mark in text for mark in _MARKS) >= 3:
        raise TextError("HTTP traffic that is no readable HAR: it may hold secrets, so is not kept")


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield the entries of a HAR in UTF-8 ``chunks``. The reason of a flaw quotes nothing."""
    stream = JsonStream(chunks)
    try:
        has_entries = stream.enter(_ENTRIES)
    except TextError:
        stream.finish()
        yield Flaw(1, "the HAR is damaged before its entries")
        return
    number = 0
    for record in stream.items() if has_entries else ():
        number = record.number
        if isinstance(record, Flaw):
            record = Flaw(number, f"the entry cannot be read: {record.general}")
        yield record
    if has_entries and not stream.ends_member():
        yield Flaw(number + 1, "text after the end of the entries: the rest is not read")
    stream.finish()


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield the payloads of a HAR's entry."""
    try:
        value = parse(record.text)
    except TextError:  # the message may quote the entry
        raise TextError("the entry cannot be read: damaged JSON") from None
    yield from responses(value, record.number, origin)


def responses(value: Any, number: int, origin: Origin) -> Iterator[Record]:
    """Yield the payloads of an entry, or of a whole HAR, which numbers its entries itself."""
    if _is_log(value):
        entries = (
            value["log"]["entries"] if isinstance(value.get("log"), dict) else value["entries"]
        )
        for place, entry in enumerate(entries, 1):
            yield from _payloads(origin, place, entry)
    else:
        yield from _payloads(origin, number, value)


def _payloads(origin: Origin, number: int, entry: Any) -> Iterator[Record]:
    try:
        request = _part(entry, "request")
    except TextError as error:
        yield origin.bad(number, str(error))
        return
    post = request.get("postData")
    asked = open_request(post.get("text")) if isinstance(post, dict) else None
    time = parse_time(entry.get("startedDateTime"))
    group = fold_request(request.get("method"), request.get("url"))
    yield from read_exchange(
        asked, lambda: _bodies(_part(entry, "response")), number, group, time, origin
    )


def _part(entry: Any, name: str) -> dict[str, Any]:
    part = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(part, dict):
        raise TextError(f"an entry without a {name}")
    return part


def _bodies(response: dict[str, Any]) -> list[Node]:
    """Return the JSON in a response; raise TextError without any."""
    content = response.get("content")
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(text, str):
        if response.get("status") in (204, 304):
            raise EmptyError
        raise TextError("no response body in the HAR")
    return open_body(text, content.get("mimeType"), is_base64=content.get("encoding") == "base64")


KIND: Final = Cut(
    name="har",
    label="HAR",
    records="JSON responses, by method and URL with the ids folded",
    nothing="no response of an API and no result of a tool in it",
    split=split,
    read=read,
    kept="the network tab of a browser, “Save all as HAR”; a proxy’s export",
)
