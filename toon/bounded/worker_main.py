"""The program of one worker process: ``python -m toon.bounded.worker_main MEMORY``.

:mod:`toon.bounded.process` starts it. It reads pickled requests (a function, its arguments and its
bounds) from standard input and writes a pickled reply to each (whether the function returned, its
result or error, whether this process has grown large) to standard output. A request without bounds
only prepares the process and has no reply.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from math import ceil
from queue import SimpleQueue
from typing import Any, Final, NoReturn, TypeAlias

from toon import logs
from toon.bounded.process import NO_MEMORY, Bounds, Exceeded

#: The most bytes that a process may have held before it is replaced: it keeps part of them.
_LARGE: Final = 700_000_000

#: Work gives way to the server, which answers key presses.
_NICENESS: Final = 5

Request: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], Bounds | None]


def main() -> None:
    """Run as a worker process: call the functions that standard input asks for until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.guard()
    size = int(sys.argv[1])
    if size and sys.platform != "win32":
        import resource

        # Memory that is written to: files that libraries map do not count.
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        least = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (least, least))
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints must not write into the replies
    requests: SimpleQueue[Request] = SimpleQueue()
    threading.Thread(target=_receive, args=[requests], daemon=True).start()
    while True:
        function, args, bounds = requests.get()
        if bounds is None:
            _result(function, args)
            continue
        _set_alarm(bounds.seconds)
        reply = _reply(function, args, bounds)
        _set_alarm(None)
        try:
            replies.write(reply)
            replies.flush()
        except OSError:  # the parent has gone
            os._exit(0)  # a normal exit would flush the reply again, into a closed pipe


def _receive(requests: SimpleQueue[Request]) -> None:
    """Read pickled requests from standard input into a queue; at its end stop the process."""
    try:
        while True:
            requests.put(pickle.load(sys.stdin.buffer))
    except (EOFError, pickle.UnpicklingError):  # the parent has gone
        os._exit(0)
    except BaseException as error:  # no memory for the request, or no such function
        _end(error)


def _end(error: BaseException) -> NoReturn:
    sys.stderr.write(f"{logs.describe(error)}\n")
    os._exit(NO_MEMORY if isinstance(error, MemoryError) else 1)


def _set_alarm(seconds: float | None) -> None:
    """Set an alarm that kills this process a second after ``seconds``; None takes it back."""
    if hasattr(signal, "alarm"):
        signal.alarm(0 if seconds is None else ceil(seconds) + 1)


def _reply(function: Callable[..., Any], args: tuple[Any, ...], bounds: Bounds) -> bytes:
    """Call a function and pickle the reply to the parent: whether the function returned, its result
    or error, and whether this process has grown so large that a new one is better.
    """
    done, result = _result(function, args)
    try:
        is_large = _peak_bytes() > max(_LARGE, _PEAK_AT_START)
        data = pickle.dumps((done, result, is_large), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps((False, _make_picklable(error), True))
    if bounds.output is not None and len(data) > bounds.output:
        return pickle.dumps((False, Exceeded("output", bounds), True))
    return data


def _result(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any]:
    """Call a function; return True and its result, or False and its error."""
    try:
        return True, function(*args)
    except Exception as error:
        return False, _make_picklable(error)


def _make_picklable(error: Exception) -> Exception:
    """Return an error that can be pickled: the same, one with its message, or Exceeded."""
    if isinstance(error, MemoryError | RecursionError):
        return Exceeded("memory" if isinstance(error, MemoryError) else "depth")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(str(error))
    return error


def _peak_bytes() -> int:
    """Return the most bytes of memory this process has held; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


#: The peak at the start: Linux counts the parent's memory too.
_PEAK_AT_START: Final = _peak_bytes()


if __name__ == "__main__":
    try:
        main()
    except BaseException as error:  # Python would print what it says
        _end(error)
