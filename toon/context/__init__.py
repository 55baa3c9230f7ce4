"""A writer of what an agent puts into a model's context, which counts tokens per call and run.

TOON is opt-in; the default is JSON. :class:`ContextConfig` holds every choice. A :class:`Run`
formats by it and adds up the savings.
"""

from toon.context.formatter import ContextConfig, Result, Run, Savings

__all__ = ["ContextConfig", "Result", "Run", "Savings"]
