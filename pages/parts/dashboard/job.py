"""Measures uploaded files in a thread beside the session, while the page shows the progress."""

from __future__ import annotations

import io
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO, Final

from pages.parts.runs import job
from toon.measuring.measure import Settings
from toon.measuring.run import Progress, Summary, measure
from toon.measuring.workers import cores, load
from toon.server import SERVER
from toon.server.runs import Folder
from toon.traffic import is_packed, read
from toon.traffic.payload import Record

#: Below this many bytes a thread of this process measures: no record in them takes a second, and
#: processes take longer to start. What a packed file holds is not known before.
_SMALL: Final = 300_000


@dataclass(frozen=True, slots=True)
class Order:
    """What to measure: files by name, paths into their records, and what counts."""

    files: tuple[tuple[str, bytes], ...]
    payload_path: str | None
    group_path: str | None
    tokenizers: tuple[str, ...]
    formats: tuple[str, ...]
    keep_payloads: bool

    @property
    def name(self) -> str:
        first = self.files[0][0]
        return first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"

    @property
    def size(self) -> int:
        return sum(len(data) for _, data in self.files)

    def check(self) -> None:
        """Checks what can be checked before measuring.

        Raises:
            ValueError: A path is invalid, or there is no tokenizer.
        """
        read(io.BytesIO(), "", payload_path=self.payload_path, group_path=self.group_path)
        Settings.of(self.tokenizers, self.formats)


def processes_for(files: Collection[bytes]) -> int:
    """How many processes measure these files; 1 is a thread of this one."""
    is_small = sum(map(len, files)) < _SMALL and not any(map(is_packed, files))
    return 1 if is_small else max(2, cores())


def prepare(files: Collection[bytes]) -> None:
    """Starts the processes that would measure these files, before anybody says so."""
    count = processes_for(files)
    if count > 1:
        SERVER.spares.prepare(count, load)


@dataclass
class _Board(job.Board):
    """What the thread reports."""

    progress: Progress = field(default_factory=Progress)
    records: int = 0  # read so far
    consumed: int = 0  # bytes of the files that are finished
    file: BinaryIO | None = None
    summary: Summary | None = None  # the result once the job is done; None if it failed


class Job(job.Job[_Board]):
    """A measurement in progress."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.folder = Folder()
        self.started = time.monotonic()
        board = _Board()
        super().__init__("toon-dashboard", board, partial(_work, order, self.folder, board))

    @property
    def fraction(self) -> float:
        """How much is done, 0 to 1: the share read, times the share of that measured."""
        board, here = self.board, 0
        file = board.file  # the thread may replace or close it at any moment
        if file is not None:
            with suppress(ValueError):  # it is closed
                here = file.tell()
        read_so_far = min(1.0, (board.consumed + here) / max(1, self.order.size))
        measured = min(1.0, board.progress.records / max(1, board.records))
        return read_so_far * measured

    @property
    def rate(self) -> float:
        """Bytes of payloads a second."""
        progress = self.board.progress
        return progress.new_bytes / max(0.001, progress.seconds)

    @property
    def left(self) -> float | None:
        """The seconds that probably remain; None before that can be estimated."""
        fraction = self.fraction
        if not fraction:
            return None
        return (time.monotonic() - self.started) * (1 - fraction) / fraction


def _work(order: Order, folder: Folder, board: _Board) -> None:
    def on_progress(progress: Progress) -> None:
        board.progress = progress

    try:
        board.summary = measure(
            _payloads(order, board),
            folder.file,
            tokenizers=order.tokenizers,
            formats=order.formats,
            workers=processes_for([data for _, data in order.files]),
            spares=SERVER.spares,
            keep_payloads=order.keep_payloads,
            progress=on_progress,
            cancelled=board.cancel.is_set,
        )
        if board.summary.totals.payloads:
            # Kept here, not by the page: Streamlit may hold the session of a closed tab for ever.
            board.token = SERVER.runs["dashboard"].keep(order.name, folder)
    except Exception as error:  # any error: else the page would wait for ever
        folder.remove()
        board.error = f"{type(error).__name__}: {error}"


def _payloads(order: Order, board: _Board) -> Iterator[Record]:
    for name, data in order.files:
        board.file = io.BytesIO(data)
        for record in read(
            board.file,
            name,
            payload_path=order.payload_path,
            group_path=order.group_path,
            whole=len(order.files) > 1,
        ):
            board.records += 1
            yield record
        board.file = None
        board.consumed += len(data)
