"""Traces of OpenInference, as Phoenix and Arize export them.

The schema is that of OpenInference's semantic conventions: ``openinference.span.kind``, of tools
``output.value``, of models ``llm.input_messages.N.message.content``; Phoenix' table has columns
such as ``attributes.llm.input_messages``. :mod:`.spans` reads the spans.
"""

from __future__ import annotations

from typing import Any, Final

from toon.traffic.envelopes import spans
from toon.traffic.kinds import Envelope
from toon.traffic.locate import Node

_KINDS: Final = frozenset([
    "llm", "embedding", "chain", "retriever", "reranker", "tool", "agent", "guardrail", "evaluator",
    "prompt",
])  # fmt: skip


def recognises(value: Any) -> bool:
    found = spans.find_spans(Node(value, ""))
    return any(map(_is_marked, found))


def _is_marked(span: Node) -> bool:
    fields = spans.attributes(span)
    kind = fields.text("openinference.span.kind", "span_kind")
    return kind.lower() in _KINDS


KIND: Final = Envelope(
    name="openinference",
    label="OpenInference trace",
    records="results of tools in its spans, by tool",
    nothing="no result of a tool in its spans",
    kept="the spans that Phoenix or Arize exports, as JSON, CSV or Parquet",
    recognises=recognises,
    read=spans.read,
)
