"""Work on untrusted input in worker processes, which can be stopped and have limits.

A :class:`Task` calls a function of a module in a worker of a :class:`Pool` and waits for its
result. A worker that passes a limit is killed, and the caller gets :class:`Exceeded`. Work of up to
ten milliseconds is faster in the caller's own process.
"""

from toon.bounded.pool import Pool, Task
from toon.bounded.process import Bounds, Exceeded, Stopped

__all__ = ["Bounds", "Exceeded", "Pool", "Stopped", "Task"]
