"""HAR, the log of a browser's or proxy's HTTP traffic: JSON responses by endpoint.

Of a request nothing is looked at but its method and URL, and of the URL only what
:func:`toon.corpus.paths.url_template` keeps. Headers, cookies, queries and request bodies go no
further than the parsed entry, and no reason quotes an entry.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from toon.corpus.paths import UNREADABLE, url_template
from toon.corpus.payload import BadRecord, Payload
from toon.corpus.readers.json_stream import Flaw, JsonStream, Record
from toon.corpus.readers.records import Source, load, seconds, unwrap
from toon.corpus.readers.streams import Chunks
from toon.errors import TextError

_ENTRIES: Final = ("log", "entries")
_METHOD: Final = re.compile(r"[A-Za-z]{1,20}\Z")
_MEDIA_TYPE: Final = re.compile(r"[\w.+-]{1,40}/[\w.+-]{1,60}")
_NO_JSON: Final = "the response is no JSON object or array: {}"
_START: Final = re.compile(r'\s*\{\s*"log"\s*:\s*\{')
_MARKS: Final = (
    "startedDateTime", "httpVersion", "queryString", "headersSize", "redirectURL", "postData",
)  # fmt: skip
_MARK: Final = re.compile(r'"(?:entries|creator)"\s*:')


def is_har(head: str) -> bool:
    """Whether a JSON text that starts with ``head`` is a HAR."""
    return _START.match(head) is not None and _MARK.search(head) is not None


def is_entry(value: Any) -> bool:
    """Whether ``value`` is an entry of a HAR: no other log has a time or a content like it."""
    if not isinstance(value, dict):
        return False
    request, response = value.get("request"), value.get("response")
    return (
        isinstance(request, dict)
        and "url" in request
        and isinstance(response, dict)
        and ("startedDateTime" in value or isinstance(response.get("content"), dict))
    )


def is_log(value: Any) -> bool:
    """Whether ``value`` is a whole HAR, or what stands under its ``log``."""
    if not isinstance(value, dict):
        return False
    inner = value.get("log")
    if isinstance(inner, dict) and isinstance(inner.get("entries"), list):
        return any(isinstance(entry, dict) and "request" in entry for entry in inner["entries"])
    entries = value.get("entries")
    return isinstance(entries, list) and any(map(is_entry, entries))


def refuse_traffic(text: str) -> None:
    """Refuses a text that is no readable HAR and yet holds names that only HARs use together.

    Such a text is a HAR with a damaged key, and holds all that must not be kept.

    Raises:
        TextError: it does.
    """
    if sum(mark in text for mark in _MARKS) >= 3:
        raise TextError("HTTP traffic that is no readable HAR: it may hold secrets, so is not kept")


def payloads(chunks: Chunks, source: Source) -> Iterator[Payload | BadRecord]:
    """The payloads of a HAR in UTF-8 ``chunks``, entry by entry."""
    stream = JsonStream(chunks)
    try:
        found = stream.enter(_ENTRIES)
    except TextError:
        stream.finish()
        yield source.bad(1, "the HAR is damaged before its entries")
        return
    if not found:
        stream.finish()
        yield source.bad(1, "the HAR has no entries")
        return
    reading = HarEntries(source)
    for record in stream.items():
        if isinstance(record, Flaw):
            yield source.bad(record.number, f"the entry cannot be read: {record.general}")
        else:
            yield from reading.payloads(record)
    stream.finish()


@dataclass(frozen=True, slots=True)
class HarEntries:
    """Entries of a HAR, or whole HARs, one a record."""

    source: Source

    def payloads(self, record: Record) -> Iterator[Payload | BadRecord]:
        try:
            value = load(record.text)
        except TextError:
            yield self.source.bad(record.number, "the entry cannot be read: damaged JSON")
            return
        if is_log(value):
            log = value.get("log")
            entries = log["entries"] if isinstance(log, dict) else value["entries"]
            for number, entry in enumerate(entries, 1):
                yield self._payload(number, entry)
        else:
            yield self._payload(record.number, value)

    def _payload(self, number: int, entry: Any) -> Payload | BadRecord:
        group = ""
        try:
            request = _part(entry, "request")
            group = _group(request)
            text = _body(_part(entry, "response"))
        except TextError as error:
            return self.source.bad(number, f"{group}: {error}" if group else str(error))
        return Payload(self.source.name, number, group, text, seconds(entry.get("startedDateTime")))


def _part(entry: Any, name: str) -> dict[str, Any]:
    part = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(part, dict):
        raise TextError(f"an entry without a {name}")
    return part


def _group(request: dict[str, Any]) -> str:
    method, url = request.get("method"), request.get("url")
    named = isinstance(method, str) and _METHOD.match(method)
    template = url_template(url) if isinstance(url, str) else UNREADABLE
    return f"{method.upper() if named and isinstance(method, str) else '?'} {template}"


def _body(response: dict[str, Any]) -> str:
    """The JSON text of a response; TextError where it holds none."""
    content = response.get("content")
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(text, str):
        raise TextError("no response body in the HAR")
    if not text:
        raise TextError("the response body is empty")
    if content.get("encoding") == "base64":
        text = _decoded(text, _media_type(content))
    try:
        return unwrap(text)[0]
    except TextError as error:
        if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
            raise TextError(f"the response is damaged JSON: {error}") from None
        raise TextError(
            f"the response is no JSON object or array: {_media_type(content)}"
        ) from None


def _media_type(content: dict[str, Any]) -> str:
    found = _MEDIA_TYPE.match(str(content.get("mimeType")))
    return found[0] if found else "of no named type"


def _decoded(text: str, media_type: str) -> str:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise TextError("the response body is damaged base64") from None
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise TextError(_NO_JSON.format(media_type)) from None
