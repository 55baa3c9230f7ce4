"""A record that passes a limit of its worker is a bad record; all others keep their figures."""

import io
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from toon.bounded.process import NO_MEMORY, Bounds, DiedError, Exceeded
from toon.limits import RECORD_MEMORY
from toon.measuring import workers
from toon.measuring.measure import Settings
from toon.measuring.run import measure
from toon.measuring.table import measure_part, open_run
from toon.measuring.workers import Processes, WorkersError
from toon.traffic.payload import Payload, Record

SETTINGS = Settings.of(["o200k_base"], ["toon"])
GOOD = [Payload("a.jsonl", line, "g", f'[{{"line": {line}}}]') for line in range(1, 9)]

#: What a record does to its worker, by its text.
FAULTS: dict[str, Callable[[Bounds], Exception]] = {
    '"slow"': lambda bounds: Exceeded("seconds", bounds),
    '"large"': lambda _: Exceeded("memory"),
    '"aborts"': lambda _: DiedError(-6),
    '"crashes"': lambda _: DiedError(-11),
    '"is killed"': lambda _: DiedError(-9),
}
ENDED = "not measured, because the process that measured it "
REASONS = {
    '"slow"': "not measured in 600 seconds, the limit TOON_RECORD_SECONDS",
    '"large"': "takes more than 4,000 MB of memory to measure, the limit TOON_RECORD_MEMORY",
    '"aborts"': "takes more than 4,000 MB of memory to measure, the limit TOON_RECORD_MEMORY",
    '"crashes"': f"{ENDED}ended unexpectedly, with status -11; it may have lacked memory, which "
    "TOON_RECORD_MEMORY limits",
    '"is killed"': f"{ENDED}was stopped from outside, by SIGKILL, perhaps by the system for "
    "lack of memory",
}


class Here:
    """Stands in for a worker process: works in this one, and fails at the records above.

    After a failure it is never called again.
    """

    started = 0

    def __init__(self, memory: int) -> None:
        assert memory == RECORD_MEMORY
        Here.started += 1
        self.is_over = False
        self.is_alive = True

    def call(self, bounds: Bounds, function: Callable[..., Any], *args: Any) -> Any:
        assert not self.is_over
        records: Sequence[Record] = args[1]
        for record in records:
            if isinstance(record, Payload) and record.text in FAULTS:
                self.is_over = True
                raise FAULTS[record.text](bounds)
        return function(*args)

    def kill(self) -> None:
        self.is_over = True

    def end(self) -> None:
        pass


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "Process", Here)
    monkeypatch.setattr(Here, "started", 0)


def test_a_record_at_a_limit_is_a_bad_record_and_the_rest_is_measured(
    stand_in: None, tmp_path: Path
) -> None:
    bad = [Payload("b.jsonl", line, "g", text) for line, text in enumerate(FAULTS, 1)]
    records = [*GOOD[:3], *bad[:2], *GOOD[3:], *bad[2:]]
    path = tmp_path / "run.parquet"
    totals = measure(records, path, workers=2, formats=["toon"], keep_payloads=True).totals

    assert (totals.payloads, totals.errors) == (len(GOOD), len(bad))
    run = open_run(path)
    assert list(run.errors()) == [
        ("b.jsonl", line, REASONS[text]) for line, text in enumerate(FAULTS, 1)
    ]
    rows = run.table().to_pylist()
    assert [row["text"] for row in rows] == [record.text for record in records]
    good = [row for row in rows if row["error"] is None]
    expected = tmp_path / "expected.parquet"
    measure(GOOD, expected, workers=1, formats=["toon"], keep_payloads=True)
    assert good == open_run(expected).table().to_pylist()


@pytest.mark.parametrize("text", FAULTS)
def test_a_record_alone_is_blamed_with_its_line(stand_in: None, text: str) -> None:
    with closing(Processes(1, SETTINGS)) as executor:
        part = executor.submit([Payload("b.jsonl", 7, "g", text)]).result()

    (row,) = pq.read_table(io.BytesIO(part)).to_pylist()
    cells = row["source"], row["record"], row["error"], row["o200k_base.toon"]
    assert cells == ("b.jsonl", 7, REASONS[text], None)


def test_what_dies_with_every_record_is_not_blamed_on_one(
    stand_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the limit leaves no room for a tokenizer, which only a record needs."""
    real = Here.call

    def call(here: Here, bounds: Bounds, function: Callable[..., Any], *args: Any) -> Any:
        if args[1]:
            raise DiedError(NO_MEMORY)
        return real(here, bounds, function, *args)

    monkeypatch.setattr(Here, "call", call)
    ended = r"^3 times a worker ended unexpectedly, with status 12 while"
    with closing(Processes(1, SETTINGS)) as executor, pytest.raises(WorkersError, match=ended):
        executor.submit(GOOD).result()


def test_late_records_are_tried_once_alone_and_the_others_lose_nothing(stand_in: None) -> None:
    records = [GOOD[0], Payload("b.jsonl", 1, "g", '"slow"'), *GOOD[1:]]
    with closing(Processes(1, SETTINGS)) as executor:
        part = executor.submit(records).result()

    assert Here.started == 3  # for all together, for the late one alone, and for the rest
    rows = pq.read_table(io.BytesIO(part)).to_pylist()
    expected = pq.read_table(io.BytesIO(measure_part(GOOD, SETTINGS))).to_pylist()
    assert [row for row in rows if row["error"] is None] == expected


def data_limit(records: Sequence[Record], settings: Settings) -> int:
    """The bytes that the process which is asked may hold."""
    import resource

    return resource.getrlimit(resource.RLIMIT_DATA)[0]


@pytest.mark.rest
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_a_worker_that_passes_the_time_is_killed_and_its_memory_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(Processes(1, SETTINGS)) as executor:
        assert executor._call(data_limit, []) == RECORD_MEMORY
        monkeypatch.setattr(workers, "_BOUNDS", Bounds(0.001, None))
        long = Payload("a.jsonl", 3, "g", f"[{'1,' * 300_000}1]")
        part = executor.submit([long]).result()

        assert not executor._running
    (row,) = pq.read_table(io.BytesIO(part)).to_pylist()
    assert (row["record"], row["error"]) == (3, REASONS['"slow"'])
