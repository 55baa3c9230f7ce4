"""What the commands share: reading and writing files, messages, progress, tables.

Messages and progress go to standard error, results to standard output.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toon.errors import EncodeError, TextError, render
from toon.files import write_file
from toon.text import Notice, clean
from toon.wording import count, marked, signed_count, signed_percent

if TYPE_CHECKING:
    from toon.costs.answer import Rung


def show_progress(step: str) -> None:
    """Replaces the progress line of a terminal, by nothing for ""; elsewhere does nothing."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{step}", end="", file=sys.stderr, flush=True)


def say(message: str) -> None:
    """Writes a message in place of the progress line; the terminal obeys nothing in it."""
    show_progress("")
    print("\n".join(map(clean, message.split("\n"))), file=sys.stderr)


def say_notices(file: str, notices: Sequence[Notice]) -> None:
    for notice in notices:
        say(f"{file}: {notice}")


def say_failure(file: str, error: Exception) -> int:
    """Says why ``file`` failed; returns exit status 1."""
    if isinstance(error, TextError):
        say(f"{file}: {render(error)}")
    elif isinstance(error, UnicodeDecodeError):
        say(f"{file}: not UTF-8: {error.reason} at byte {error.start}")
    elif isinstance(error, EncodeError):
        say(f"{file}: {error}")
    else:
        say(str(error))
    return 1


def read_file(file: str) -> str:
    """The text of a file, or of standard input for ``-``.

    Raises:
        OSError: it cannot be read.
        UnicodeDecodeError: it is not UTF-8.
    """
    show_progress(f"reading {file}"[:100])
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return data.decode()


def write_result(text: str, output: str | None) -> int:
    """Writes a document to a file, or to standard output for None; returns the exit status."""
    show_progress("")
    if output:
        try:
            write_file(Path(output), text.encode())
        except OSError as error:
            return say_failure(output, error)
        return 0
    # The document does not end in a line break (SPEC 4.4 §12); a terminal needs one.
    sys.stdout.buffer.write(text.encode() + (b"\n" if sys.stdout.isatty() else b""))
    sys.stdout.buffer.flush()
    return 0


@contextmanager
def until_ctrl_c() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second one interrupts as usual."""
    stopped = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def align(table: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table: the first and the last column flush left, figures flush right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            cell.ljust(width) if index in (0, last) else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    ]


def ladder_line(ladder: Sequence[Rung], *, exact: bool) -> str:
    """The rungs in one line: ``JSON as typed 318 → compact JSON 188 (−130, −40.9 %)``."""
    rungs = [f"{rung['label']} {marked(count(rung['cost']), exact=exact)}" for rung in ladder]
    for place, rung in enumerate(ladder[1:], 1):
        change = marked(signed_count(rung["change"]), exact=exact)
        included = ", explanation included" if rung["explanation"] else ""
        rungs[place] += f" ({change}, {signed_percent(rung['vs_before'])}{included})"
    return " → ".join(rungs)
