"""Context managers and checks of paths that commands share."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toon.wording import count, plural


@contextmanager
def said_by_argparse() -> Iterator[None]:
    """Turn a ValueError into an error of argparse with the same message."""
    try:
        yield
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def new_run(text: str) -> Path:
    """Return the path of a run to write, a Parquet file; refuse a name of another kind.

    Raises:
        argparse.ArgumentTypeError: The name has another ending, or its folder does not exist.
    """
    path = Path(text)
    if path.suffix[1:].isalpha() and path.suffix.lower() != ".parquet":
        named = path.with_suffix(".parquet")
        raise argparse.ArgumentTypeError(f"a run is a Parquet file, not {text}: write {named}")
    return in_folder(path)


def in_folder(path: Path) -> Path:
    """Return the path of a file to write.

    Raises:
        argparse.ArgumentTypeError: The file's folder does not exist.
    """
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"no file {path} can be written: no such folder")
    return path


def over_words(tokens: int, allowed: int) -> str:
    """Say by how much tokens are over what is allowed."""
    return f"{plural(tokens, 'token')}, {count(tokens - allowed)} more than the {count(allowed)}"


@contextmanager
def until_ctrl_c() -> Iterator[threading.Event]:
    """Yield an event that the first Ctrl-C sets; the second one interrupts as usual."""
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
