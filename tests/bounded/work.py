"""What the tests have worker processes do: functions of a module, because a worker imports them."""

import os
import time
from pathlib import Path


class Odd(Exception):
    """An error that cannot be sent to another process."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def own_id() -> int:
    """The id of the process that does the work."""
    return os.getpid()


def stays(seconds: float, path: Path) -> None:
    """Writes the id of the process to ``path``, then stays for so long."""
    path.with_suffix(".new").write_text(str(os.getpid()))
    path.with_suffix(".new").rename(path)
    time.sleep(seconds)


def spins(path: Path) -> None:
    """The same, and never waits."""
    stays(0, path)
    while True:
        pass


def holds(size: int) -> int:
    """Holds so many bytes."""
    return len(b"x" * size)


def gives(size: int) -> bytes:
    """Gives so many bytes."""
    return b"x" * size


def deepens() -> None:
    """Calls itself for ever."""
    deepens()


def is_odd() -> None:
    """Raises what cannot be sent."""
    raise Odd("one", "other")


def aborts() -> None:
    """Ends as a library does that gets no memory."""
    os.abort()


def nests(depth: int) -> list[object]:
    """Gives a list in lists."""
    nested: list[object] = []
    for _ in range(depth):
        nested = [nested]
    return nested


def gives_function() -> object:
    """Gives what cannot be sent."""
    return lambda: None


def quits(message: str) -> None:
    """Raises what ends a process, with a message."""
    raise SystemExit(message)
