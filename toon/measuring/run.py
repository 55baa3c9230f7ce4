"""Measuring of a corpus: payloads in, one Parquet file (a run) out.

Records are cut into chunks, always at the same places. The rows of each chunk are written to a
checkpoint as soon as they are ready, in order; at the end the checkpoints are joined. So memory
holds a few chunks at a time, an interrupted run loses nothing that was measured, and the rows do
not depend on who measured them or how often the run was interrupted.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from toon.costs.explanation import ALONE, Explaining
from toon.measuring.checkpoints import Checkpoints
from toon.measuring.definitions import note
from toon.measuring.measure import DEFAULT_FORMATS, Settings
from toon.measuring.totals import Totals
from toon.measuring.workers import Executor, Future, InProcess, Processes, cores
from toon.traffic.account import Account
from toon.traffic.payload import BadRecord, Payload, Record
from toon.wording import duration, percent

CHUNK_RECORDS: Final = 2_000
CHUNK_BYTES: Final = 1_000_000
#: Bytes of the first chunk; each is twice the last up to ``CHUNK_BYTES``. So progress soon shows,
#: and a small run is work for several processes.
_FIRST_BYTES: Final = 50_000

_POLL: Final = 0.2  # seconds between two checks for cancellation

#: The part of a run's share that reading fills; measuring, which is slower, fills the others.
_READING: Final = 0.1
#: The share before which no time is estimated: starting processes tells nothing of the rest.
_STEADY: Final = 0.1


class Progress(NamedTuple):
    """The progress of a run that is being measured.

    ``records`` counts the rows kept so far, ``bad`` those that no reader could read, ``bytes`` the
    UTF-8 bytes of their payloads; rows of an earlier attempt are included. ``new_records`` and
    ``new_bytes`` count only records that this call measured, in ``seconds`` since it began.
    ``read`` are the bytes of the files that the rows come from.
    """

    records: int = 0
    bad: int = 0
    bytes: int = 0
    new_records: int = 0
    new_bytes: int = 0
    seconds: float = 0.0
    read: int = 0


class Pace:
    """The share of a run that is ``done``, 0 to 1, and an estimate of the seconds ``left``.

    The share never falls and the seconds never rise. The seconds are None until estimated.
    """

    def __init__(self, total: int) -> None:
        """Start at 0 for a run whose files have ``total`` bytes, as stored."""
        self._total = max(1, total)
        self.done = 0.0
        self.left: float | None = None

    def update(self, progress: Progress, read: int = 0) -> None:
        """Update ``done`` and ``left`` from a run's progress and the bytes of its files read.

        Time is estimated at steps of measuring, not between: waiting for one would make it rise.
        """
        measured = min(1.0, progress.read / self._total)
        ahead = min(1.0, max(read, progress.read) / self._total)
        self.done = max(self.done, _READING * ahead + (1 - _READING) * measured)
        new = measured * progress.new_records / max(1, progress.records)
        if new >= _STEADY:
            left = progress.seconds * (1 - measured) / new
            self.left = left if self.left is None else min(left, self.left)

    @property
    def words(self) -> str:
        """The share done and, once estimated, the time left: ``43 %, about 12 seconds left``."""
        share = percent(int(100 * self.done) / 100)
        if self.left is None or self.left < 1:
            return share
        return f"{share}, about {duration(self.left)} left"


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of measuring a corpus into a run: its file ``output`` and its totals.

    A run that is not ``complete`` holds the records before the cancellation, and lies among the
    checkpoints. ``resumed`` records were taken over from an earlier attempt.
    """

    output: Path
    complete: bool
    totals: Totals
    resumed: int


def measure(
    payloads: Iterable[Record],
    output: Path,
    *,
    tokenizers: Sequence[str] = ("o200k_base",),
    formats: Sequence[str] = DEFAULT_FORMATS,
    workers: int | None = None,
    scheduler: str | None = None,
    keep_payloads: bool = False,
    explaining: Explaining = ALONE,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    account: Account | None = None,
) -> Summary:
    """Measure every payload, write the rows to ``output`` (a run in Parquet); return a Summary.

    Args:
        payloads: Records from a reader of ``toon.traffic``; read once, while measuring.
        output: The run's file, replaced when the run is complete. Until then checkpoints are
            kept in the folder ``<output>.parts``, and the same call goes on from them.
        tokenizers: Names; the first decides the breakdown and each payload's best format.
        formats: Names; compact and indented JSON are always measured too.
        workers: Processes of this machine, by default one per core; 1 measures in this one.
        scheduler: The address of a Dask scheduler to use instead.
        keep_payloads, explaining: As in :class:`.Settings`.
        progress: Called in this thread after each checkpoint.
        cancelled: Called in this thread several times a second; True stops the run.
        account: The account that the reader of the payloads fills, for the run's metadata.

    Raises:
        ValueError: A tokenizer or format is unknown, or ``workers`` is less than 1.
        OSError: The run cannot be written, or another process measures it.
        RuntimeError: A library is missing, no scheduler answers, or workers keep dying.

    Whatever is raised, also by ``payloads``, the checkpoints are kept.
    """
    settings = Settings.of(tokenizers, formats, keep_payloads, explaining)
    if workers is not None and workers < 1:
        raise ValueError(f"{workers} workers can measure nothing")
    started, account, state, complete = _now(), account or Account(), Progress(), False
    with closing(Checkpoints(output, settings)) as checkpoints:
        with (
            closing(_executor(settings, workers or cores(), scheduler)) as executor,
            suppress(_CancelledError),
        ):
            for state in _measure_chunks(payloads, executor, checkpoints, account, cancelled):
                if progress:
                    progress(state)
            complete = True
        path = output if complete else checkpoints.folder / f"so-far-{output.name}"
        noted = note(account, settings.tokenizers[0])
        totals = checkpoints.join(
            path, complete=complete, started=started, finished=_now(), noted=noted
        )
        if complete:
            checkpoints.remove()
    return Summary(path, complete, totals, state.records - state.new_records)


def _executor(settings: Settings, workers: int, scheduler: str | None) -> Executor:
    if scheduler is not None:
        from toon.measuring.cluster import Cluster

        return Cluster(scheduler, settings)
    return InProcess(settings) if workers == 1 else Processes(workers, settings)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def chunks(payloads: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield records in lists of bounded length and bytes, cut at the same places every time."""
    chunk: list[Record] = []
    size, limit = 0, min(_FIRST_BYTES, CHUNK_BYTES)
    for record in payloads:
        length = _size(record)
        if chunk and (len(chunk) == CHUNK_RECORDS or size + length > limit):
            yield chunk
            chunk, size, limit = [], 0, min(2 * limit, CHUNK_BYTES)
        chunk.append(record)
        size += length
    if chunk:
        yield chunk


def _size(record: Record) -> int:
    """Return the UTF-8 bytes of a record's payload; 0 for a bad record."""
    if not isinstance(record, Payload):
        return 0
    text = record.text
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


class _CancelledError(Exception):
    """The error that stops a run when the caller cancels it."""


def _measure_chunks(
    payloads: Iterable[Record],
    executor: Executor,
    checkpoints: Checkpoints,
    account: Account,
    cancelled: Callable[[], bool] | None,
) -> Iterator[Progress]:
    """Measure records with an executor, chunk by chunk, and keep each in a checkpoint; yield the
    progress after each. Reuse checkpoints of an earlier attempt.

    Raises:
        _CancelledError: ``cancelled`` returned True.
    """
    start, submitted = time.monotonic(), Progress()
    pending = deque[tuple[str, Future | None, Progress]]()

    def check() -> None:
        if cancelled and cancelled():
            raise _CancelledError

    def watch_records() -> Iterator[Record]:  # a reader may be slow
        for record in payloads:
            check()
            yield record

    def keep() -> Progress:
        name, future, progress = pending.popleft()
        rows = None
        while future is not None and rows is None:
            check()
            with suppress(TimeoutError):
                rows = future.result(_POLL)
        checkpoints.keep(name, rows)
        return progress._replace(seconds=time.monotonic() - start)

    for chunk in chunks(watch_records()):
        name, is_there = checkpoints.find(chunk)
        future = None if is_there else executor.submit(chunk)
        bad = sum(isinstance(record, BadRecord) and not record.is_skipped for record in chunk)
        size, new = sum(map(_size, chunk)), not is_there
        submitted = Progress(
            submitted.records + len(chunk),
            submitted.bad + bad,
            submitted.bytes + size,
            submitted.new_records + new * len(chunk),
            submitted.new_bytes + new * size,
            read=account.bytes_read,
        )
        pending.append((name, future, submitted))
        while len(pending) >= executor.window:
            yield keep()
    while pending:
        yield keep()
