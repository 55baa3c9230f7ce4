"""Work counted, in executed lines and in bytes: no clock, process or thread can change it."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

from toon.bounded.process import Bounds, Process

Result = TypeVar("Result")


def count_lines(function: Callable[..., object], *args: object) -> int:
    """Count the lines of Python that a call executes in this thread, those of its callees too."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    gc.disable()  # or the finalizers of other tests' garbage run here
    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(before)
        gc.enable()
    return count


def peak_memory(function: Callable[..., Result], *args: object) -> tuple[Result, int]:
    """Return what a call returns and the most bytes that Python held for it at one time.

    The call has a process of its own, because threads that other tests left allocate too.
    """
    process = Process()
    try:
        return process.call(Bounds(seconds=None, output=None), _traced, function, *args)
    finally:
        process.end()


def _traced(function: Callable[..., Result], *args: object) -> tuple[Result, int]:
    tracemalloc.start()
    return function(*args), tracemalloc.get_traced_memory()[1]
