"""Writes what an agent puts into a model's context, and counts tokens per call and per run.

TOON is opt-in; the default is JSON. :class:`ContextConfig` holds every choice. A :class:`Run`
formats by it and adds up the savings. An :class:`ExecutionTrace` records what the agents did.
"""

from toon.context.formatter import (
    ContextConfig,
    ContextFormat,
    ContextFormatter,
    Result,
    get_formatter,
    truncate,
)
from toon.context.savings import Run, Savings
from toon.context.trace import ExecutionTrace, TraceError, TraceStep

__all__ = [
    "ContextConfig",
    "ContextFormat",
    "ContextFormatter",
    "ExecutionTrace",
    "Result",
    "Run",
    "Savings",
    "TraceError",
    "TraceStep",
    "get_formatter",
    "truncate",
]
