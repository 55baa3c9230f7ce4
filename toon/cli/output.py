"""Reading and writing of files, messages, progress and tables, for all commands.

Messages and progress go to standard error, results to standard output. Both may be one terminal,
even behind a pipe: so progress ends before the first character of a result.
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

#: The exit status that shells report for a process that Ctrl-C ended.
INTERRUPTED: Final = 130

#: Bytes of a file that are read at once.
BLOCK_BYTES: Final = 1 << 20


class _Progress:
    """The state of the progress line: whether it is on the terminal now, and whether it may be."""

    stands = False
    may_stand = True


def has_progress() -> bool:
    """Return whether standard error is a terminal on which a line can be rewritten."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def start_progress() -> None:
    """Allow progress lines until a result is printed; call once at a command's start."""
    _Progress.stands, _Progress.may_stand = False, True


def terminal_width(descriptor: int) -> int:
    """Return the width in characters of the terminal behind a file descriptor; 80 if unknown."""
    try:
        return os.get_terminal_size(descriptor).columns or 80
    except OSError:
        return 80


def show_progress(step: str) -> None:
    """Rewrite the progress line on a terminal, or clear it for ""; do nothing elsewhere.

    The line is cut shorter than the terminal, which could not erase a wrapped one.
    """
    is_wanted = _Progress.may_stand and step != ""
    if not (is_wanted or _Progress.stands) or not has_progress():
        return
    cells = terminal_width(2) - 1
    step = clean(step[:cells]) if is_wanted else ""
    while sum(1 if char.isascii() else 2 for char in step) > cells:
        step = step[:-1]
    print(f"\r\x1b[K{step}", end="", file=sys.stderr, flush=True)
    _Progress.stands = is_wanted


def end_progress() -> None:
    """Clear the progress line and allow no more: a result is printed next."""
    show_progress("")
    _Progress.may_stand = False


def say(message: str) -> None:
    """Write a message to standard error in place of the progress line; mask control characters."""
    show_progress("")
    print("\n".join(map(clean, message.split("\n"))), file=sys.stderr)


def say_notices(file: str, notices: Sequence[Notice]) -> None:
    for notice in notices:
        say(f"{file}: {notice}")


def say_failure(file: str, error: Exception) -> int:
    """Write to standard error why work on ``file`` failed; return exit status 1.

    An error in a text names the file, as compilers do; an error of the system names the program.
    """
    if isinstance(error, TextError):
        say(f"{file}: {render(error)}")
    elif isinstance(error, UnicodeDecodeError):
        marked = error.object[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        reason = "UTF-16: save it as UTF-8" if marked else f"{error.reason} at byte {error.start}"
        say(f"{file}: not UTF-8: {reason}")
    elif isinstance(error, EncodeError):
        say(f"{file}: {error}")
    elif isinstance(error, OSError):
        is_system = error.errno and error.filename and not isinstance(error, WriteError)
        say(f"toon: {f'{error.filename}: {error.strerror}' if is_system else error}")
    else:
        say(str(error))
    return 1


def read_file(file: str) -> str:
    """Return the text of a UTF-8 file, or of standard input for ``-``.

    Raises:
        OSError: The file cannot be read.
        UnicodeDecodeError: The file is not UTF-8.
    """
    return "".join(read_blocks(file))


def read_blocks(file: str) -> Iterator[str]:
    """Yield a file, or standard input for ``-``, in blocks of text; errors as :func:`read_file`."""
    show_progress(f"reading {file}")
    decode = codecs.getincrementaldecoder("utf-8")().decode
    read = 0
    with open_binary(file) as stream:
        while True:
            data = stream.read(BLOCK_BYTES)
            try:
                text = decode(data, final=not data)
            except UnicodeDecodeError as error:
                error.start += read + len(data) - len(error.object)  # it begins in the last block
                raise
            read += len(data)
            if text:
                yield text
            if not data:
                return


def open_binary(file: str) -> AbstractContextManager[BinaryIO]:
    """Open a file to read bytes; for ``-`` return standard input, which the context leaves open."""
    if file != "-":
        return open(file, "rb")
    from contextlib import nullcontext

    return nullcontext(sys.stdin.buffer)


def write_result(file: str, texts: Iterator[str], output: str | None) -> int:
    """Write the texts of a document, made from ``file``, to ``output``; return the exit status.

    The file ``output`` is written whole or not at all; without one the document goes to standard
    output. An error in making a text names ``file``; standard output then holds the earlier texts.
    """
    try:
        if output:
            from pathlib import Path

            from toon.files import replacing

            with replacing(Path(output)) as target:
                target.writelines(_encode_texts(texts))
        else:
            _print(_encode_texts(texts))
    except _BadText as failure:
        return say_failure(file, failure.reason)
    except OSError as error:
        if not output:
            raise
        return say_failure(output, error)
    return 0


def _print(document: Iterator[bytes]) -> None:
    """Print a document from blocks of UTF-8; if one cannot be made, print those before and raise.

    The document does not end in a line break (SPEC 4.4 §12); a terminal needs one.
    """
    target, failure, last = sys.stdout.buffer, None, b"\n"
    if isinstance(target, io.RawIOBase):  # python -u: a raw write may write a part only
        target = io.BufferedWriter(io.FileIO(target.fileno(), "wb", closefd=False))
    try:
        for text in document:
            target.write(text)
            last = text[-1:] or last
    except _BadText as error:
        failure = error
    target.write(b"\n" if last != b"\n" and sys.stdout.isatty() else b"")
    target.flush()
    if failure:
        raise failure


class _BadText(Exception):
    """The error for a text of a result that could not be made; ``reason`` is the original error."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(reason)
        self.reason = reason


def _encode_texts(texts: Iterator[str]) -> Iterator[bytes]:
    """Yield texts as UTF-8; raise _BadText if making one fails, to tell it from failed writing."""
    try:
        for text in texts:
            end_progress()
            yield text.encode()
    except (OSError, ValueError) as error:
        raise _BadText(error) from error


def align(table: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table as aligned lines: first and last column left, the others right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            cell.ljust(width) if index in (0, last) else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    ]
