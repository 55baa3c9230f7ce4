"""Work counted: executed lines of Python, which no other process and no clock can change."""

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


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
