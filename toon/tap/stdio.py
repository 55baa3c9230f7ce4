"""The forwarder for a command: what the client sends goes to the server, and back, unchanged.

Two threads copy bytes as they come. Standard error is the server's own. Signals reach the server,
and the tap ends as the server ends.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from toon.tap.frames import DATA
from toon.tap.recorder import Recorder

#: Bytes that are read at once, and that the pipes hold where the system lets them.
_MOST: Final = 1 << 18
_SIGNALS: Final = (
    "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT",
)  # fmt: skip
#: What a terminal sends to all processes in front of it.
_FROM_KEYS: Final = ("SIGINT", "SIGQUIT", "SIGWINCH", "SIGHUP")


def run(command: Sequence[str], recorder: Recorder) -> int:
    """Runs a server behind the tap; returns its exit status, negative if a signal ended it.

    Raises:
        OSError: It cannot be started.
    """
    its_input, to_server = os.pipe()
    from_server, its_output = os.pipe()
    server = subprocess.Popen(command, stdin=its_input, stdout=its_output)
    os.close(its_input)
    os.close(its_output)
    _pass_signals(server)
    client = threading.Thread(target=_copy, args=(0, to_server, recorder, 0), daemon=True)
    answers = threading.Thread(target=_copy, args=(from_server, 1, recorder, 1), daemon=True)
    client.start()
    answers.start()
    status = server.wait()
    answers.join()  # a server that has ended may have left answers in the pipe
    recorder.close()
    return status


def _copy(source: int, target: int, recorder: Recorder, stream: int) -> None:
    """Copies bytes until one side ends, and then ends the other."""
    room = memoryview(bytearray(_MOST))
    try:
        _widen(source)
        _widen(target)
        while size := os.readv(source, [room]):
            data = bytes(room[:size])
            recorder.put(DATA, stream, data)
            _write(target, data)
    except OSError:  # nobody reads any more
        _end(source)
    finally:
        _end(target)


def _widen(pipe: int) -> None:
    """Lets a pipe hold more, so that long messages need fewer turns (Linux)."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # no pipe, or this user has too many
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _MOST)


def _write(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]


def _end(descriptor: int) -> None:
    """Lets go of a pipe, so that its other end sees that nobody is here any more."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, descriptor, inheritable=False)
    os.close(nowhere)


def _pass_signals(server: subprocess.Popen[bytes]) -> None:
    """Hands signals to the server, except those that the terminal sends it anyway."""

    def hand_on(number: int, _: object) -> None:
        is_key = signal.Signals(number).name in _FROM_KEYS and _is_in_front()
        if not is_key:
            with suppress(ProcessLookupError):
                server.send_signal(number)

    for name in _SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), hand_on)


def _is_in_front() -> bool:
    """Whether keys of a terminal reach this process and so the server too."""
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDONLY)
        try:
            return os.tcgetpgrp(terminal) == os.getpgrp()
        finally:
            os.close(terminal)
    return False
