"""Work on untrusted input that can be stopped: a worker process does it, within limits.

A :class:`Task` calls a function of a module in a worker of a :class:`Pool` and waits for what it
gives. A worker that passes a limit is killed, and the caller gets :class:`Exceeded`. Small work,
which takes some ten milliseconds at most, is faster where it is.
"""

from toon.bounded.bounds import Bounds, Exceeded, Stopped
from toon.bounded.pool import Pool, Task

__all__ = ["Bounds", "Exceeded", "Pool", "Stopped", "Task"]
