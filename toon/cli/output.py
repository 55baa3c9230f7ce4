"""What the commands share: reading and writing files, messages, progress, tables.

Messages and progress go to standard error, results to standard output. Both may be one terminal,
also where a pipe stands between: so progress ends before the first character of a result.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator, Sequence

from toon.errors import EncodeError, TextError, WriteError, render
from toon.text import Notice, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import BinaryIO, Final

#: What shells say of a process that Ctrl-C ended.
INTERRUPTED: Final = 130

#: Bytes of a file that are read at once.
BLOCK_BYTES: Final = 1 << 20


class _Progress:
    """Whether a line of progress stands on the terminal, and whether another one may."""

    stands = False
    may_stand = True


def has_progress() -> bool:
    """Return whether standard error is a terminal that can replace a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def start_progress() -> None:
    """Let lines of progress stand until a result is printed."""
    _Progress.stands, _Progress.may_stand = False, True


def columns_of(descriptor: int) -> int:
    """Return the width of the terminal behind a descriptor; 80 where none is known."""
    try:
        return os.get_terminal_size(descriptor).columns or 80
    except OSError:
        return 80


def show_progress(step: str) -> None:
    """Replaces the progress line of a terminal, by nothing for ""; elsewhere does nothing.

    The line is shorter than the terminal, which could not erase what it wrapped.
    """
    is_wanted = _Progress.may_stand and step != ""
    if not (is_wanted or _Progress.stands) or not has_progress():
        return
    cells = columns_of(2) - 1
    step = clean(step[:cells]) if is_wanted else ""
    while sum(1 if char.isascii() else 2 for char in step) > cells:
        step = step[:-1]
    print(f"\r\x1b[K{step}", end="", file=sys.stderr, flush=True)
    _Progress.stands = is_wanted


def end_progress() -> None:
    """Remove the progress line for good, as a result is printed next."""
    show_progress("")
    _Progress.may_stand = False


def say(message: str) -> None:
    """Writes a message in place of the progress line; the terminal obeys nothing in it."""
    show_progress("")
    print("\n".join(map(clean, message.split("\n"))), file=sys.stderr)


def say_notices(file: str, notices: Sequence[Notice]) -> None:
    for notice in notices:
        say(f"{file}: {notice}")


def say_failure(file: str, error: Exception) -> int:
    """Says why ``file`` failed; returns exit status 1.

    What is wrong in a text is said of the file, as compilers do; what the system refused, in the
    name of the program.
    """
    if isinstance(error, TextError):
        say(f"{file}: {render(error)}")
    elif isinstance(error, UnicodeDecodeError):
        marked = error.object[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        what = "UTF-16: save it as UTF-8" if marked else f"{error.reason} at byte {error.start}"
        say(f"{file}: not UTF-8: {what}")
    elif isinstance(error, EncodeError):
        say(f"{file}: {error}")
    elif isinstance(error, OSError):
        is_system = error.errno and error.filename and not isinstance(error, WriteError)
        say(f"toon: {f'{error.filename}: {error.strerror}' if is_system else error}")
    else:
        say(str(error))
    return 1


def read_file(file: str) -> str:
    """The text of a file, or of standard input for ``-``.

    Raises:
        OSError: It cannot be read.
        UnicodeDecodeError: It is not UTF-8.
    """
    return "".join(read_blocks(file))


def read_blocks(file: str) -> Iterator[str]:
    """The text of a file, or of standard input, in blocks; errors as in :func:`read_file`."""
    show_progress(f"reading {file}")
    decode = codecs.getincrementaldecoder("utf-8")().decode
    read = 0
    with open_binary(file) as stream:
        while True:
            data = stream.read(BLOCK_BYTES)
            try:
                text = decode(data, final=not data)
            except UnicodeDecodeError as error:
                error.start += read + len(data) - len(error.object)  # it saw the end of the last
                raise
            read += len(data)
            if text:
                yield text
            if not data:
                return


def open_binary(file: str) -> AbstractContextManager[BinaryIO]:
    """A file to read, or standard input for ``-``, which stays open."""
    if file != "-":
        return open(file, "rb")
    from contextlib import nullcontext

    return nullcontext(sys.stdin.buffer)


def write_result(file: str, texts: Iterator[str], output: str | None) -> int:
    """Writes the document made of ``file``, while its texts are made; returns the exit status.

    It goes to the file ``output``, which is written whole or not at all, or to standard output.
    What fails in making it is said of ``file``; standard output then holds what came before.
    """
    try:
        if output:
            with _whole(output) as target:
                target.writelines(_made(texts))
        else:
            _print(_made(texts))
    except _NotMade as failure:
        return say_failure(file, failure.reason)
    except OSError as error:
        if not output:
            raise
        return say_failure(output, error)
    return 0


def _print(document: Iterator[bytes]) -> None:
    """Print a document; where its end cannot be made, what came before.

    The document does not end in a line break (SPEC 4.4 §12); a terminal needs one.
    """
    target, failure, last = sys.stdout.buffer, None, b"\n"
    if isinstance(target, io.RawIOBase):  # python -u: it may write a part, and nobody the rest
        target = io.BufferedWriter(io.FileIO(target.fileno(), "wb", closefd=False))
    try:
        for text in document:
            target.write(text)
            last = text[-1:] or last
    except _NotMade as error:
        failure = error
    target.write(b"\n" if last != b"\n" and sys.stdout.isatty() else b"")
    target.flush()
    if failure:
        raise failure


def _whole(output: str) -> AbstractContextManager[BinaryIO]:
    from pathlib import Path

    from toon.files import replacing

    return replacing(Path(output))


class _NotMade(Exception):
    """A document could not be made, for this ``reason``."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(reason)
        self.reason = reason


def _made(texts: Iterator[str]) -> Iterator[bytes]:
    """The texts as UTF-8; an error in making one is told from those of writing it."""
    try:
        for text in texts:
            end_progress()
            yield text.encode()
    except (OSError, ValueError) as error:
        raise _NotMade(error) from error


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
