"""Traces of OpenTelemetry: results of tools in spans that follow its conventions for GenAI.

The schema is that of the semantic conventions for generative AI (``gen_ai.tool.call.result``,
``gen_ai.input.messages`` and its JSON schema, before 1.37 events such as ``gen_ai.tool.message``)
and of opentelemetry-proto, of which OTLP's JSON is the mapping. :mod:`.spans` reads the spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toon.errors import TextError
from toon.traffic.envelopes import spans
from toon.traffic.json_stream import Flaw, JsonStream, RawRecord
from toon.traffic.kinds import Cut
from toon.traffic.streams import Chunks, Damaged

_START: Final = re.compile(rf'\s*\{{\s*"(?:{"|".join(spans.OTLP[0])})"\s*:\s*\[')


def is_export(head: str) -> bool:
    """Whether a JSON text that starts with ``head`` is an export of OTLP."""
    return _START.match(head) is not None


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """The spans of exports of OTLP, one after another, however large they are."""
    stream = JsonStream(chunks)
    number, is_flaw = 0, False
    try:
        while stream.has_more():
            for record in stream.nested(spans.OTLP, number):
                number, is_flaw = record.number, isinstance(record, Flaw)
                yield record
        stream.finish()
    except Damaged:
        raise
    except TextError:
        rest = stream.finish()
        if rest or not is_flaw:
            yield Flaw(number + 1, "damaged JSON outside of the spans: the rest is not read")


SPANS: Final = Cut(
    name="otlp",
    label="export of OTLP",
    records="each span is a record",
    split=split,
    read=spans.read,
)
