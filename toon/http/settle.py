"""Preparation of a server's process for many users, for their texts and for its end."""

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

#: Seconds a thread may work while others wait. Python's own 5 ms are longer than a conversion, and
#: an answer waits for several changes of threads.
_TURN: Final = 0.0005


def settle() -> None:
    """Tune threads, sockets and the garbage collector; call once, before the first request.

    Streamlit does not name TCP when it binds its socket, so asyncio does not turn off Nagle's
    algorithm: each body would wait up to 40 ms until the browser has acknowledged the headers.
    uvicorn waits forever for a client that reads nothing; Linux has a setting against that.
    Connections inherit both from the listening socket, which Streamlit does not expose.

    ``gc.freeze`` keeps all loaded objects out of later collections. The second collection lets the
    collector see how few objects are left, by which it times its full collections.
    """
    sys.setswitchinterval(_TURN)
    if sys.platform == "linux":  # an idle connection keeps one open
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with suppress(OSError):  # Windows has no such folder
        for number in map(int, os.listdir("/dev/fd")):
            with suppress(OSError):  # closed already, or no TCP
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    with socket.socket(fileno=os.dup(number)) as server:
                        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        if sys.platform == "linux":
                            server.setsockopt(
                                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, BODY_SECONDS * 1000
                            )
    gc.collect()
    gc.freeze()
    gc.collect()


def keep_in_memory() -> None:
    """Keep users' texts off the disk: no upload in a temporary file, no core dump of this process.

    Starlette writes uploads beyond 1 MB into a file, before Streamlit reads them into memory. The
    kernel dumps the memory of a crashed process; workers inherit that limit.
    """
    MultiPartParser.spool_max_size = sys.maxsize
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def stop_with_terminal() -> None:
    """Make SIGHUP stop the server as SIGTERM does, so that it removes its files."""
    if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # nohup ignores it
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
