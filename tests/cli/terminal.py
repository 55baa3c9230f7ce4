"""Commands run in a pseudo-terminal, and what then stands on it."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from contextlib import suppress

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # of argparse, from Python 3.14 on
_WORDS = re.compile(r"\x1b\[K|[\r\n]|[^\x00-\x1f]+")


def screen(written: str, columns: int) -> list[str]:
    """The lines that stand on a terminal, of which none has left it, without blanks at their ends.

    It obeys line breaks, returns, and what erases the rest of a line; any other control is refused.
    """
    lines, place = [""], 0
    written = _COLOUR.sub("", written)
    for word in _WORDS.findall(written):
        if word == "\n":
            lines.append("")
        elif word == "\r":
            place = 0
        elif word == "\x1b[K":
            lines[-1] = lines[-1][:place]
        else:
            while word:
                if place == columns:
                    lines.append("")
                    place = 0
                part, word = word[: columns - place], word[columns - place :]
                lines[-1] = lines[-1][:place].ljust(place) + part + lines[-1][place + len(part) :]
                place += len(part)
    assert "".join(_WORDS.findall(written)) == written
    return [line.rstrip() for line in lines]


def resize(terminal: int, columns: int) -> None:
    """Set the width of a terminal; the kernel then sends SIGWINCH to its processes."""
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def run_in_terminal(
    command: str,
    columns: int,
    meanwhile: Callable[[int], None] = lambda terminal: None,
    **environment: str,
) -> str:
    """Runs a line of a shell, where ``$toon`` is the command; returns all that it writes."""
    terminal, inside = pty.openpty()
    resize(terminal, columns)
    variables = {"toon": f"{sys.executable} -m toon", "TERM": "xterm", **environment}
    with subprocess.Popen(
        command,
        shell=True,
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env={**os.environ, **variables},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ):
        os.close(inside)
        meanwhile(terminal)
        written = b""
        with suppress(OSError):  # nobody holds the other side any more
            while block := os.read(terminal, 1 << 16):
                written += block
    os.close(terminal)
    return written.decode()
