"""The forwarder for a command: bytes of the client go to the server, and back, unchanged.

Two threads copy bytes as they come. Standard error is the server's own. Signals reach the server,
and the tap ends with the server's exit status.
"""

import fcntl
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from toon.tap.lines import DATA
from toon.tap.recorder import Recorder

#: Bytes that one read takes at most, and that pipes hold where the system allows it.
_MOST: Final = 1 << 18
_SIGNALS: Final = (
    "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT",
)  # fmt: skip
#: Signals that a terminal sends to all processes in its foreground.
_FROM_KEYS: Final = ("SIGINT", "SIGQUIT", "SIGWINCH", "SIGHUP")


def run(command: Sequence[str], recorder: Recorder) -> int:
    """Run an MCP server, pass its input and output on, and record both.

    Return its exit status, negative for a signal.

    Raises:
        OSError: The server cannot be started.
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
    answers.join()  # an ended server may have left answers in the pipe
    recorder.close()
    return status


def _copy(source: int, target: int, recorder: Recorder, stream: int) -> None:
    """Copy bytes from one pipe to another and to the recorder until one ends; end the other."""
    room = memoryview(bytearray(_MOST))
    try:
        if hasattr(fcntl, "F_SETPIPE_SZ"):  # Linux: long messages then need fewer reads
            for pipe in (source, target):
                with suppress(OSError):  # no pipe, or this user has too many
                    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _MOST)
        while size := os.readv(source, [room]):
            data = bytes(room[:size])
            recorder.put(DATA, stream, data)
            while data:
                data = data[os.write(target, data) :]
    except OSError:  # the reader is gone
        _end(source)
    finally:
        _end(target)


def _end(descriptor: int) -> None:
    """Replace a pipe by /dev/null, so that its other end sees that it is closed."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, descriptor, inheritable=False)
    os.close(nowhere)


def _pass_signals(server: subprocess.Popen[bytes]) -> None:
    """Pass signals on to the server, except those that the terminal sends it too."""

    def hand_on(number: int, _: object) -> None:
        is_key = signal.Signals(number).name in _FROM_KEYS and _is_in_front()
        if not is_key:
            with suppress(ProcessLookupError):
                server.send_signal(number)

    for name in _SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), hand_on)


def _is_in_front() -> bool:
    """Return whether this process is in the foreground of its terminal."""
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDONLY)
        try:
            return os.tcgetpgrp(terminal) == os.getpgrp()
        finally:
            os.close(terminal)
    return False
