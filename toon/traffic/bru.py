"""Requests of Bruno (``.bru``): the responses that are saved in its examples.

As in the fixtures of Bruno's own parser, an ``example`` holds a ``request`` and a ``response``,
whose body stands between two lines of three apostrophes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from textwrap import dedent
from typing import Final

from toon.traffic.envelopes import gateway
from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.kinds import Cut
from toon.traffic.streams import MAX_RECORD, TOO_LONG, Chunks

_START: Final = re.compile(r"(?:\A|\n)meta \{\r?\n\s*name:")
_EXAMPLE: Final = re.compile(r"(?ms)^example \{$(.*?)^\}$")
_PART: Final = re.compile(r"(?m)^\s*(url|method|code): (.*)$")
_CONTENT: Final = re.compile(r"(?s)content: '''\n(.*?)\n *'''")


def is_request(head: str) -> bool:
    """Return whether a text that starts with ``head`` is a request of Bruno."""
    return _START.search(head[:2_000]) is not None


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield each example of a Bruno file as a JSON object of its request and its response."""
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


KIND: Final = Cut(
    name="bruno",
    label="request of Bruno",
    records="saved JSON responses, by method and URL with the ids folded",
    nothing="a request without a saved response: export a HAR instead",
    kept="the .bru files of a collection where responses are saved as examples",
    split=split,
    read=gateway.read,
)
