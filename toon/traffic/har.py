"""HAR, the log of a browser's or proxy's HTTP traffic: JSON responses by endpoint.

Of a request only the method and the URL are used, and of the URL only what
:func:`toon.traffic.urls.fold_url` keeps; of its body only what :mod:`.exchange` takes, which is the
name of an operation, or what tools answered in a call of a model. Headers, cookies and queries
never leave the parsed entry, and no error quotes an entry.
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
    """Whether a JSON text that starts with ``head`` is a HAR."""
    return _START.match(head) is not None and _LOG_KEY.search(head) is not None


def is_traffic(value: Any) -> bool:
    """Whether ``value`` is an entry of a HAR, a whole HAR, or the value of its ``log``."""
    return _is_entry(value) or _is_log(value)


def _is_entry(value: Any) -> bool:
    """Whether ``value`` is an entry of a HAR. Its time and content are unlike any other log's."""
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
    """Whether ``value`` is a whole HAR, or the value of its ``log``."""
    if not isinstance(value, dict):
        return False
    inner = value.get("log")
    if isinstance(inner, dict) and isinstance(inner.get("entries"), list):
        return any(isinstance(entry, dict) and "request" in entry for entry in inner["entries"])
    entries = value.get("entries")
    return isinstance(entries, list) and any(map(_is_entry, entries))


def refuse_traffic(text: str) -> None:
    """Refuses a text that holds several names that only HARs use together.

    It is called for texts that are not readable HARs. Such a text is a HAR with a damaged key, and
    may hold secrets.

    Raises:
        TextError: The text holds such names.
    """
    if sum(mark in text for mark in _MARKS) >= 3:
        raise TextError("HTTP traffic that is no readable HAR: it may hold secrets, so is not kept")


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """The entries of a HAR in UTF-8 ``chunks``. What is said of a flaw quotes nothing of it."""
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
    """The payload of an entry of a HAR."""
    try:
        value = parse(record.text)
    except TextError:  # it may quote the entry
        raise TextError("the entry cannot be read: damaged JSON") from None
    yield from responses(value, record.number, origin)


def responses(value: Any, number: int, origin: Origin) -> Iterator[Record]:
    """The payloads of an entry; those of a whole HAR, whose entries have numbers of their own."""
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
    """The JSON in a response; a TextError without any."""
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
