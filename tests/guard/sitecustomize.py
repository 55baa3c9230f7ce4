"""Refuses and notes what leaves this machine, and notes written files, in the suite's processes.

Python imports it at its start where ``PYTHONPATH`` names this folder: ``tests/conftest.py`` does
that, so that pytest's workers, servers, commands and their workers are all under guard. A socket to
an address that is not loopback, or a look-up of a name, fails and is noted in the file that
``TOON_EGRESS`` names; the suite fails if there is a note. Files that are opened to be written are
noted in the file that ``TOON_WRITES`` names, if it is set.
"""

import os
import sys
from ipaddress import ip_address
from typing import Any

#: The events of Python that name an address, and the argument that does.
_EVENTS = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
}


def _is_here(address: Any) -> bool:
    """Whether an address is on this machine: loopback, a Unix socket, or any (to listen)."""
    if isinstance(address, tuple):  # of an IP socket: host and port
        address = address[0]
    elif isinstance(address, str | bytes) and os.fsdecode(address)[:1] in ("/", "\0"):
        return True  # of a Unix socket
    host = address.decode("latin-1") if isinstance(address, bytes) else address
    if host in (None, "", "localhost"):
        return True
    try:
        known = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return known.is_loopback or known.is_unspecified


def _note_written(path: object, flags: int) -> None:
    notes = os.environ["TOON_WRITES"]
    if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and path != notes:
        with open(notes, "a", encoding="utf-8") as file:
            file.write(f"{os.fsdecode(path) if isinstance(path, str | bytes) else path}\n")


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and "TOON_WRITES" in os.environ:
        _note_written(arguments[0], arguments[2])
    at = _EVENTS.get(event)
    if at is None or _is_here(arguments[at]):
        return
    test = os.environ.get("PYTEST_CURRENT_TEST", "outside a test")
    note = f"{event} {arguments[at]!r} by {sys.argv[:3]} in {test}\n"
    with open(os.environ["TOON_EGRESS"], "a", encoding="utf-8") as notes:
        notes.write(note)
    raise PermissionError(f"the tests stay on this machine: {note}")


if "TOON_EGRESS" in os.environ and not hasattr(sys, "_toon_guard"):
    sys._toon_guard = True  # type: ignore[attr-defined]  # hooks stay; one is enough
    sys.addaudithook(_watch)
