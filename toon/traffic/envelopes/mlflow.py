"""Traces of MLflow: results of tools in its spans.

The schema is that of MLflow's documentation of its trace data model: ``info`` and ``data.spans``,
whose attributes ``mlflow.spanType``, ``mlflow.spanInputs`` and ``mlflow.spanOutputs`` hold JSON
texts, and ``mlflow.chat.messages``; what the documentation leaves open is from memory.
:mod:`.spans` reads the spans.
"""

from __future__ import annotations

from typing import Any, Final

from toon.traffic.envelopes import spans
from toon.traffic.kinds import Envelope
from toon.traffic.locate import Node


def recognises(value: Any) -> bool:
    found = spans.find_spans(Node(value, ""))
    return any(
        any(key.startswith("mlflow.") for key in spans.attributes(span).places) for span in found
    )


KIND: Final = Envelope(
    name="mlflow",
    label="MLflow trace",
    records="results of tools in its spans, by tool",
    nothing="no result of a tool in its spans",
    kept="what mlflow traces get and search_traces write, or the traces of a run's artifacts",
    recognises=recognises,
    read=spans.read,
)
