"""Copies of the traffic on their way to the recorder, which may be slow, dead or started anew.

Whoever passes bytes on calls :meth:`Copies.put`, which never waits. A thread sends the copies, many
at once and a little later, so that it is not in the way of the next bytes. They are kept until the
recorder needs them no more, so that one that was killed loses nothing: a new one is given them
again. What is beyond ``most`` bytes is lost, and the recorder is told where.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from toon.limits import TAP_BYTES, TAP_SECONDS
from toon.tap.frames import GAP, pack_head
from toon.tap.log import KEY
from toon.tap.marks import Marks

#: How often a recorder that came no further is started anew.
ATTEMPTS: Final = 3
#: Seconds that copies wait for others.
_GATHERED: Final = 0.01
#: Copies that are sent at once.
_MOST: Final = 256

Say: TypeAlias = Callable[[str], None]


class _Copy(NamedTuple):
    """A frame in two parts, for joining them would take the time of a copy before the traffic."""

    position: int
    head: bytes
    data: bytes

    @property
    def size(self) -> int:
        return len(self.head) + len(self.data)


class Copies:
    """The copies that the recorder was not given yet, or may need again.

    Args:
        options: What :mod:`.recorder` is started with.
        say: Says on standard error what happens to the recording.
    """

    def __init__(self, options: Mapping[str, Any], say: Say, most: int = TAP_BYTES) -> None:
        self._options, self._say, self._most = options, say, most
        self._waiting: deque[_Copy] = deque()
        self._sent: deque[_Copy] = deque()
        self._size = self._position = 0
        self._lost: dict[int, int] = {}
        self._lock = threading.Lock()
        self._news = threading.Condition(self._lock)
        self._closing = self._ended = self._is_said = False
        self._marks = Marks.new()
        self._key = secrets.token_hex(16)
        self._rest = tempfile.TemporaryFile()  # noqa: SIM115 (as long as this process lasts)
        self._handed_over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="toon-tap-copies", daemon=True)
        self._thread.start()

    def put(self, kind: bytes, stream: int, data: bytes = b"") -> None:
        """Takes a copy, or notes that it is lost. Never waits for the recorder."""
        with self._lock:
            if self._ended:
                return
            if self._size + len(data) > self._most:
                self._drop_unneeded()
            if self._size + len(data) > self._most:
                self._lose(stream, len(data))
                return
            if self._lost:
                self._tell_losses()
            self._add(kind, stream, data)
            if len(self._waiting) == 1:
                self._news.notify()

    def close(self) -> None:
        """Waits a little until all is recorded, or else leaves it to the recorder in a file."""
        with self._lock:
            self._tell_losses()
            self._closing = True
            self._news.notify()
        self._thread.join(TAP_SECONDS)
        if not self._thread.is_alive():
            return
        with self._lock:
            self._rest.writelines(part for copy in self._waiting for part in copy[1:])
            self._rest.flush()
            self._waiting.clear()
        if not self._handed_over.wait(TAP_SECONDS):
            self._say("the recorder does not go on; the last calls are not recorded")

    def _add(self, kind: bytes, stream: int, data: bytes) -> None:
        head = pack_head(kind, stream, time.time(), data)
        size = len(head) + len(data)
        self._position += size
        self._size += size
        self._waiting.append(_Copy(self._position, head, data))

    def _lose(self, stream: int, size: int) -> None:
        self._lost[stream] = self._lost.get(stream, 0) + size
        if not self._is_said:
            self._is_said = True
            self._say(
                f"the recorder is {self._most:,} bytes behind: traffic goes on unrecorded"
                " until it has caught up; the file will name the calls that are open"
            )

    def _tell_losses(self) -> None:
        for stream, size in self._lost.items():
            self._add(GAP, stream, str(size).encode())
        self._lost.clear()

    def _drop_unneeded(self) -> None:
        needed, _ = self._marks.read()
        while self._sent and self._sent[0].position <= needed:
            self._size -= self._sent.popleft().size

    def _work(self) -> None:
        """Starts a recorder, and another one when it has died, until the traffic ends."""
        came_to, failed = (-1, -1), 0
        while True:
            with self._lock:
                self._drop_unneeded()
            marks = self._marks.read()
            failed = failed + 1 if marks == came_to else 1
            came_to = marks
            try:
                end = self._record()
            except OSError as error:
                end = f"cannot be started: {error.strerror}"
            if end is None:
                return
            if failed >= ATTEMPTS:
                with self._lock:
                    self._ended = True
                    self._waiting.clear()
                    self._sent.clear()
                self._say(f"the recorder {end}, again: traffic goes on unrecorded from here on")
                return
            if not self._is_said:
                self._is_said = True
                self._say(f"the recorder {end}; another one goes on from where it was")

    def _record(self) -> str | None:
        """Sends everything to one recorder; returns how it died, or None if all is recorded."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                process = self._start(theirs)
            watch = threading.Thread(target=self._watch, args=(process,), daemon=True)
            watch.start()
            with suppress(OSError):  # it has died
                self._send(ours, process)
                ours.shutdown(socket.SHUT_WR)
                self._handed_over.set()
            process.wait()
            watch.join()
        if process.returncode == 0 and self._closing:
            return None
        return _end_of(process.returncode)

    def _start(self, source: socket.socket) -> subprocess.Popen[bytes]:
        with self._lock:  # what the last one was sent and may be needed comes first
            self._waiting.extendleft(reversed(self._sent))
            self._sent.clear()
            first = self._waiting[0] if self._waiting else _Copy(self._position, b"", b"")
        options = {
            **self._options,
            "marks": self._marks.descriptor,
            "rest": self._rest.fileno(),
            "position": first.position - first.size,
        }
        paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "toon.tap.recorder", json.dumps(options)],
            stdin=source.fileno(),
            stdout=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), KEY: self._key},
            pass_fds=[self._marks.descriptor, self._rest.fileno()],
            start_new_session=True,  # what ends the traffic must not end the recording of it
        )

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        with self._lock:
            self._news.notify()

    def _send(self, target: socket.socket, process: subprocess.Popen[bytes]) -> None:
        """Sends copies until all are sent after the end of the traffic, or the recorder died."""
        while True:
            with self._lock:
                while not self._waiting and not self._closing and process.returncode is None:
                    self._news.wait()
                if process.returncode is not None or not self._waiting:
                    return
            with self._lock:
                items = [self._waiting.popleft() for _ in range(min(_MOST, len(self._waiting)))]
                self._sent.extend(items)
                self._drop_unneeded()
            _send_all(target, [part for copy in items for part in copy[1:]])
            if not self._closing:
                time.sleep(_GATHERED)


def _send_all(target: socket.socket, parts: list[bytes]) -> None:
    """Sends parts without joining them first, which would hold up the threads of the traffic."""
    sent = target.sendmsg(parts)
    if sent < sum(map(len, parts)):
        target.sendall(b"".join(parts)[sent:])


def _end_of(status: int) -> str:
    return f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
