"""Prepares the process of a server: for many users at once, for texts of theirs, for its end."""

from __future__ import annotations

import gc
import os
import signal
import socket
import stat
import sys
import threading
from contextlib import suppress
from typing import Final

from starlette.formparsers import MultiPartParser

from toon.limits import BODY_SECONDS

if sys.platform != "win32":
    import resource

#: Seconds a thread may work while others wait. Python's own 5 ms are longer than a conversion
#: takes, and an answer waits for them several times: at each change of threads.
_TURN: Final = 0.0005


def settle() -> None:
    """Call it once, when everything is loaded and before the first request.

    ``gc.freeze`` spares what is loaded from every later collection. The second collection tells
    the collector how little is left, which is what it decides by when to collect all.
    """
    sys.setswitchinterval(_TURN)
    tune_sockets()
    gc.collect()
    gc.freeze()
    gc.collect()


def tune_sockets() -> None:
    """Make room for connections, which send at once and are cut where their client reads nothing.

    Streamlit binds its socket without naming TCP, and asyncio turns off Nagle's algorithm only
    where that is named: the body of each answer would wait up to 40 ms until the browser has
    acknowledged the headers. uvicorn waits forever for a client that reads nothing, and offers no
    setting; Linux has one. Connections inherit both from the socket that accepts them, which
    Streamlit hands to nobody.
    """
    if sys.platform == "linux":  # a connection that asks nothing takes one, until its client goes
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with suppress(OSError):  # Windows has no such folder
        for number in map(int, os.listdir("/dev/fd")):
            with suppress(OSError):  # closed already, or no TCP
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    with socket.socket(fileno=os.dup(number)) as found:
                        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        if sys.platform == "linux":
                            found.setsockopt(
                                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, BODY_SECONDS * 1000
                            )


def keep_in_memory() -> None:
    """Keeps texts off the disk where a library or the kernel would write them there.

    Starlette writes an upload beyond 1 MB into a file, although Streamlit takes it into memory
    then; the kernel writes the memory of a process that crashes. Workers inherit the second.
    """
    MultiPartParser.spool_max_size = sys.maxsize
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def stop_with_terminal() -> None:
    """Lets a closed terminal stop the server in order, so that it removes what is on disk."""
    if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # nohup ignores it
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
