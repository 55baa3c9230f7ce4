"""What an agent puts into a model's context: one configuration, figures per call and per run.

Opt-in: the default is JSON. :class:`ContextConfig` is the one place that chooses; a :class:`Run`
formats by it and adds up what was saved; an :class:`ExecutionTrace` records what happened.
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
from toon.context.trace import ExecutionTrace, Step, TraceError

__all__ = [
    "ContextConfig",
    "ContextFormat",
    "ContextFormatter",
    "ExecutionTrace",
    "Result",
    "Run",
    "Savings",
    "Step",
    "TraceError",
    "get_formatter",
    "truncate",
]
