"""Measuring a corpus: payloads in, a run out, one Parquet file.

Records are cut into chunks, always at the same places. A chunk's rows are a part of the run, kept
beside it as soon as they are there, in order; the end joins the parts. So memory holds a few chunks
however much there is to measure, nothing measured is lost when it is interrupted, and the rows are
the same whoever measured them, and in how many goes.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toon.corpus.measuring import DEFAULT_FORMATS, Record, Settings
from toon.corpus.parts import Parts
from toon.corpus.payload import BadRecord, Payload
from toon.corpus.totals import Totals
from toon.corpus.workers import Alone, Crew, Processes, Ticket, cores

CHUNK_RECORDS: Final = 2_000
CHUNK_BYTES: Final = 1_000_000

_LOOK_UP: Final = 0.2  # seconds after which a wait asks whether it was cancelled


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    ``records`` and ``bad`` (those that no reader could read) count the rows that are kept, taken
    over or new; ``bytes`` those of their payloads. ``new_records`` with ``new_bytes`` were measured
    in ``seconds``, since this call began.
    """

    records: int = 0
    bad: int = 0
    bytes: int = 0
    new_records: int = 0
    new_bytes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run came to.

    ``output`` is the run's file: of all records if ``complete``; else of those before it was
    cancelled, beside the parts. ``resumed`` records were taken over from an earlier attempt.
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
    resume: bool = True,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Summary:
    """Measures every payload and writes the run to ``output``, replacing what is there at the end.

    Args:
        payloads: As a reader of ``toon.corpus.readers`` gives them; read once, as it is measured.
        output: The run's file. Parts are kept in ``<output>.parts`` until the run is complete.
        tokenizers: Names; the first decides the breakdown and each payload's best format.
        formats: Names; compact and indented JSON are measured besides.
        workers: Processes of this machine, by default one per core; 1 measures in this one.
        scheduler: The address of a Dask scheduler that measures instead.
        keep_payloads: Whether the run holds the payloads' texts.
        resume: Whether to take over what an interrupted run has left, where its records and
            settings are the same. Otherwise it is thrown away.
        progress: Called in this thread whenever more is kept.
        cancelled: Asked in this thread several times a second; True stops, and keeps what is done.
        clock: The time in UTC, for the run's ``started`` and ``finished``.

    Raises:
        ValueError: A tokenizer or format that is not there, or fewer workers than one.
        OSError: The run cannot be written.
        RuntimeError: A library is missing, no scheduler answers, or workers keep dying. What is
            measured is kept, as it is when anything is raised while reading.
    """
    settings = Settings.of(tokenizers, formats, keep_payloads)
    if workers is not None and workers < 1:
        raise ValueError(f"{workers} workers can measure nothing")
    started = clock()
    with closing(_crew(settings, workers or cores(), scheduler)) as crew:
        parts = Parts(output, settings, resume)
        going = _Going(crew, parts, progress or (lambda _: None), cancelled or (lambda: False))
        complete = going.through(payloads)
    about = {
        "complete": complete,
        "started": _iso(started),
        "finished": _iso(clock()),
    }
    path = output if complete else parts.folder / f"so-far-{output.name}"
    totals = parts.join(going.kept, path, about)
    if complete:
        parts.remove()
    return Summary(path, complete, totals, going.resumed)


def _crew(settings: Settings, workers: int, scheduler: str | None) -> Crew:
    if scheduler is not None:
        from toon.corpus.cluster import Cluster

        return Cluster(scheduler, settings)
    return Alone(settings) if workers == 1 else Processes(workers, settings)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def chunks(payloads: Iterable[Record]) -> Iterator[list[Record]]:
    """The records in lists of bounded length and size; where they are cut depends on them alone."""
    chunk: list[Record] = []
    size = 0
    for record in payloads:
        length = _size(record)
        if chunk and (len(chunk) == CHUNK_RECORDS or size + length > CHUNK_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(record)
        size += length
    if chunk:
        yield chunk


def _size(record: Record) -> int:
    """UTF-8 bytes of a record's payload."""
    if not isinstance(record, Payload):
        return 0
    text = record.text
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


class _CancelledError(Exception):
    """Whoever started the run wants it to stop."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A chunk on its way; ``ticket`` is None where its part was there already."""

    part: str
    records: int
    bad: int
    bytes: int
    ticket: Ticket | None


class _Going:
    """One call of :func:`measure`, from the first record to the last."""

    def __init__(
        self,
        crew: Crew,
        parts: Parts,
        report: Callable[[Progress], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self.kept = 0
        self.resumed = 0
        self._crew = crew
        self._parts = parts
        self._report = report
        self._cancelled = cancelled
        self._open: deque[_Open] = deque()
        self._progress = Progress()
        self._start = time.monotonic()

    def through(self, payloads: Iterable[Record]) -> bool:
        """Measures all; False if it was cancelled before the end."""
        try:
            for chunk in chunks(self._watched(payloads)):
                self._open.append(self._opened(chunk))
                while len(self._open) >= self._crew.window:
                    self._keep(self._open.popleft())
            while self._open:
                self._keep(self._open.popleft())
        except _CancelledError:
            return False
        return True

    def _watched(self, payloads: Iterable[Record]) -> Iterator[Record]:
        """The payloads; a slow reader does not keep anyone from cancelling."""
        for record in payloads:
            self._check()
            yield record

    def _check(self) -> None:
        if self._cancelled():
            raise _CancelledError

    def _opened(self, chunk: list[Record]) -> _Open:
        part = self._parts.name(chunk)
        bad = sum(isinstance(record, BadRecord) for record in chunk)
        size = sum(map(_size, chunk))
        there = self._parts.holds(part, len(chunk))
        return _Open(part, len(chunk), bad, size, None if there else self._crew.submit(chunk))

    def _keep(self, chunk: _Open) -> None:
        """Waits for a chunk's rows and keeps them."""
        new = chunk.ticket is not None
        if chunk.ticket is None:
            self.resumed += chunk.records
        else:
            self._parts.write(chunk.part, self._result(chunk.ticket))
        self.kept += 1
        done = self._progress
        self._progress = Progress(
            records=done.records + chunk.records,
            bad=done.bad + chunk.bad,
            bytes=done.bytes + chunk.bytes,
            new_records=done.new_records + chunk.records * new,
            new_bytes=done.new_bytes + chunk.bytes * new,
            seconds=time.monotonic() - self._start,
        )
        self._report(self._progress)

    def _result(self, ticket: Ticket) -> bytes:
        while True:
            self._check()
            try:
                return ticket.result(_LOOK_UP)
            except TimeoutError:
                continue
