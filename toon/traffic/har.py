"""HAR, the log of a browser's or proxy's HTTP traffic: JSON responses by endpoint.

From a request come only its method, the template of its URL (:func:`toon.traffic.urls.fold_url`)
and what :mod:`.exchange` takes from its body: the name of an operation, or tools' results in a call
of a model. Headers, cookies and queries never leave the parsed entry, and no error quotes an entry.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.bodies import EmptyError, open_body
from toon.traffic.exchange import open_request, read_exchange
from toon.traffic.json_stream import Flaw, JsonStream, RawRecord
from toon.traffic.keys import at
from toon.traffic.kinds import Cut, Entry, Origin
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
    """Return whether a JSON value is a HAR or a part of one: its ``log``'s value or an entry."""
    return _is_entry(value) or _entries(value) is not None


def _is_entry(value: Any) -> bool:
    """Return whether a JSON value is an entry of a HAR: a request with a URL, and a response.

    The entry has a start time, or the response has content.
    """
    if not isinstance(value, dict):
        return False
    request, response = value.get("request"), value.get("response")
    return (
        isinstance(request, dict)
        and "url" in request
        and isinstance(response, dict)
        and ("startedDateTime" in value or isinstance(response.get("content"), dict))
    )


def _entries(value: Any) -> list[Any] | None:
    """Return the entries of a HAR, or of the value of its ``log``; None for another value."""
    if not isinstance(value, dict):
        return None
    entries, log = value.get("entries"), value.get("log")
    if isinstance(log, dict) and isinstance(log.get("entries"), list):
        is_log = any(isinstance(each, dict) and "request" in each for each in log["entries"])
        return log["entries"] if is_log else None
    return entries if isinstance(entries, list) and any(map(_is_entry, entries)) else None


def refuse_traffic(text: str) -> None:
    """Raise TextError if a JSON text holds three names or more that only HARs use together.

    Callers pass texts that are no readable HARs: one with such names has a damaged key, and may
    hold secrets.
    """
    if sum(mark in text for mark in _MARKS) >= 3:
        raise TextError("HTTP traffic that is no readable HAR: it may hold secrets, so is not kept")


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield the JSON text of each entry of a HAR; a damaged one is a Flaw that quotes nothing."""
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
    """Yield payloads and bad records from an entry of a HAR; raise TextError if it is damaged."""
    try:
        value = parse(record.text)
    except TextError:
        raise TextError("the entry cannot be read: damaged JSON") from None
    yield from responses(value, record.number, origin)


def responses(value: Any, number: int, origin: Origin) -> Iterator[Record]:
    """Yield the payloads and bad records of an entry of a HAR, or of all entries of a whole HAR.

    ``number`` is the record number of a lone entry; those of a whole HAR are numbered from 1. An
    entry without a request is a bad record.
    """
    entries = _entries(value)
    for place, each in [(number, value)] if entries is None else enumerate(entries, 1):
        request = each.get("request") if isinstance(each, dict) else None
        if not isinstance(request, dict):
            yield Entry(origin, place).bad("an entry without a request")
            continue
        asked = open_request(at(request, "postData.text"))
        group = fold_request(request.get("method"), request.get("url"))
        entry = Entry(origin, place, parse_time(each.get("startedDateTime")))
        yield from read_exchange(asked, partial(_bodies, each.get("response")), group, entry)


def _bodies(response: Any) -> list[Node]:
    """Return the JSON objects and arrays in the body of a HAR entry's response, with their texts.

    Raises:
        TextError: There is none.
    """
    if not isinstance(response, dict):
        raise TextError("an entry without a response")
    content = response.get("content")
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(text, str):
        if response.get("status") in (204, 304):
            raise EmptyError
        raise TextError("no response body in the HAR")
    return open_body(text, content.get("mimeType"), is_base64=content.get("encoding") == "base64")


KIND: Final = Cut(
    "har", "HAR", "JSON responses, by method and URL with the ids folded",
    "the network tab of a browser, “Save all as HAR”; a proxy’s export",
    "no response of an API and no result of a tool in it", split=split, read=read,
)  # fmt: skip
