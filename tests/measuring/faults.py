"""Makes one step of what a process does to its files fail, or the process die there.

A step is a call that changes a file or a folder. As a program it takes folders whose names are
numbers, and measures ``log.jsonl`` in each: a first time killed at the step with that number, a
second time undisturbed.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial, wraps
from pathlib import Path
from typing import Any, Final
from unittest import mock

import pandas

from toon.cli import main
from toon.measuring import run
from toon.reports.files import write_report
from toon.traffic import read_paths

COMMAND: Final = ["measure", "log.jsonl", "-o", "run.parquet", "--workers", "1"]
COMMAND.extend(["--tokenizer", "chars4", "--format", "toon", "--report", "report.csv"])

#: What the command imports when it needs it: once here, not in every process.
_IMPORTED: Final = (pandas, read_paths, write_report)

#: What changes files. Writing is counted in the files that ``io.FileIO`` gives.
_CALLS: Final = ("mkdir", "open", "fsync", "replace", "unlink", "rmdir")


class Steps:
    """Counts the steps and calls ``fail`` at step ``last``, before it is done; 0 is never.

    Those of other threads are none of them, nor of objects that other tests have left.
    """

    def __init__(self, last: int = 0, fail: Callable[[], None] = lambda: None) -> None:
        self.names: list[str] = []
        self._last, self._fail = last, fail
        self._thread = threading.get_ident()

    def step(self, name: str, half: Callable[[], object] = lambda: None) -> None:
        """Counts a step; where it is the last, ``half`` of it is done."""
        if threading.get_ident() != self._thread:
            return
        self.names.append(name)
        if len(self.names) == self._last:
            half()
            self._fail()

    def watch(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def watched(*arguments: Any, **options: Any) -> Any:
            self.step(name)
            return call(*arguments, **options)

        return watched

    def open_file(self, path: Path, mode: str, opener: Callable[[str, int], int]) -> io.FileIO:
        return _Raw(path, mode, opener, self)

    @contextmanager
    def count(self) -> Iterator[Steps]:
        """Counts what happens in the block, with chunks of two records."""
        calls = {name: self.watch(name, getattr(os, name)) for name in _CALLS}
        with (
            mock.patch.multiple(os, **calls),
            mock.patch.object(io, "FileIO", self.open_file),
            mock.patch.object(run, "CHUNK_RECORDS", 2),
        ):
            gc.disable()  # finalizers remove files
            try:
                yield self
            finally:
                gc.enable()


class _Raw(io.FileIO):
    """A file whose writes are steps; of the one that fails, half is written."""

    def __init__(
        self, path: Path, mode: str, opener: Callable[[str, int], int], steps: Steps
    ) -> None:
        super().__init__(path, mode, opener=opener)
        self._steps = steps

    def write(self, data: Any) -> int:
        half = bytes(data)[: len(data) // 2]
        self._steps.step("write", partial(super().write, half))
        return super().write(data)

    def truncate(self, size: int | None = None) -> int:
        self._steps.step("truncate")
        return super().truncate(size)


def _measure(folder: Path, last: int) -> int:
    """Measures in a process of its own, which is killed at step ``last``; returns its status."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    os.chdir(folder)
    kill = partial(os.kill, os.getpid(), signal.SIGKILL)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), Steps(last, kill).count():
        os._exit(main(COMMAND))


if __name__ == "__main__":
    for place in map(Path, sys.argv[1:]):
        assert _measure(place, int(place.name)) == signal.SIGKILL, place
        assert _measure(place, 0) == 0, place
