"""Measuring a corpus gives the same rows however the run is cut, interrupted and resumed."""

import itertools
import os
import platform
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.measuring.corpora import records
from toon.measuring import checkpoints as kept
from toon.measuring import run as module
from toon.measuring.checkpoints import Checkpoints
from toon.measuring.definitions import note
from toon.measuring.logged import find_logged_model
from toon.measuring.measure import Settings, measure_record
from toon.measuring.run import Progress, chunks, measure
from toon.measuring.table import measure_part, open_run
from toon.measuring.totals import Totals
from toon.traffic.account import Account
from toon.traffic.payload import BadRecord, Payload, Record

COUNT = 400


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK_RECORDS", 50)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.parquet"


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    path = tmp_path_factory.mktemp("expected") / "run.parquet"
    measure(records(COUNT), path, workers=1)
    return open_run(path).table()


@pytest.mark.rest
def test_a_run_is_the_rows_of_its_records(expected: pa.Table) -> None:
    settings = Settings.of(["o200k_base"], module.DEFAULT_FORMATS)
    rows = expected.drop_columns(["time"]).to_pylist()

    assert len(rows) == COUNT
    for record, row in zip(records(COUNT), rows, strict=True):
        cells = measure_record(record, settings)
        assert row == {name: cells.get(name) for name in row}


def test_processes_give_the_same_table_and_its_totals(path: Path, expected: pa.Table) -> None:
    summary = measure(records(COUNT), path, workers=3)
    run = open_run(summary.output)

    assert summary.complete
    assert run.table().equals(expected)
    assert Totals.of(run.about, run.batches()) == summary.totals


@given(lengths=st.lists(st.integers(0, 35), max_size=60), limit=st.integers(1, 7))
def test_chunks_are_bounded_and_lose_nothing(lengths: list[int], limit: int) -> None:
    corpus: list[Record] = [Payload("a", n, "g", "é" * size) for n, size in enumerate(lengths, 1)]
    corpus.insert(len(corpus) // 2, BadRecord("a", 0, "r"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK_RECORDS", limit)
        patch.setattr(module, "CHUNK_BYTES", 50)
        cut = list(chunks(corpus))

    assert list(itertools.chain(*cut)) == corpus
    for chunk in cut:
        sizes = [2 * len(record.text) for record in chunk if isinstance(record, Payload)]
        assert 0 < len(chunk) <= limit
        assert sum(sizes) <= 50 or len(chunk) == 1


def read_until(after: int) -> Iterator[Record]:
    yield from itertools.islice(records(COUNT), after)
    raise OSError("the disk is gone")


@pytest.mark.rest
@pytest.mark.parametrize("workers", [1, 2])
def test_a_cancelled_run_keeps_what_is_done(path: Path, expected: pa.Table, workers: int) -> None:
    seen: list[Progress] = []
    watching: Any = {"progress": seen.append, "cancelled": lambda: len(seen) == 3}
    summary = measure(records(COUNT), path, workers=workers, **watching)

    assert not summary.complete
    assert not path.exists()
    assert summary.totals.records == 150
    kept = open_run(summary.output)
    assert not kept.about["complete"]
    assert kept.table().equals(expected.slice(0, 150))

    assert measure(records(COUNT), path, workers=1).resumed == 150
    assert open_run(path).table().equals(expected)


def test_what_this_process_measures_while_it_is_stopped_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []

    def measure_slowly(chunk: list[Record], settings: Settings) -> bytes:
        begun.append(len(chunk))
        return measure_part(chunk, settings)

    monkeypatch.setattr("toon.measuring.workers.measure_part", measure_slowly)
    summary = measure(records(COUNT), path, workers=1, cancelled=lambda: len(begun) == 2)

    assert (summary.complete, summary.totals.records) == (False, 100)


def test_a_run_cancelled_at_once_is_an_empty_run(path: Path) -> None:
    summary = measure(records(9), path, workers=2, cancelled=lambda: True)

    assert open_run(summary.output).table().num_rows == summary.totals.records == 0


def interrupt(path: Path, after: int = 220) -> None:
    with pytest.raises(OSError, match="gone"):
        measure(read_until(after), path, workers=1)


@pytest.mark.rest
def test_changed_records_are_measured_again(path: Path) -> None:
    interrupt(path)
    changed = list(records(COUNT))
    changed[60] = Payload("log.jsonl", 61, "changed", '{"changed":true}')
    summary = measure(changed, path, workers=1)

    assert summary.resumed == 150
    assert open_run(path).table(["group"])["group"][60].as_py() == "changed"


@pytest.mark.rest
def test_other_settings_reuse_nothing(path: Path) -> None:
    interrupt(path)
    assert measure(records(COUNT), path, workers=1, tokenizers=["chars4"]).resumed == 0


@pytest.mark.rest
def test_a_damaged_part_is_measured_again(path: Path, expected: pa.Table) -> None:
    interrupt(path)
    parts = sorted(path.with_name("run.parquet.parts").iterdir())
    assert len(parts) == 4
    parts[1].write_bytes(parts[1].read_bytes()[:100])
    changed = bytearray(parts[2].read_bytes())
    for at in range(500, 900, 100):
        changed[at] ^= 1
    parts[2].write_bytes(changed)

    assert measure(records(COUNT), path, workers=1).resumed == 100
    assert open_run(path).table().equals(expected)


@pytest.mark.rest
def test_a_part_that_is_changed_before_the_end_is_not_taken(path: Path, expected: pa.Table) -> None:
    parts = path.with_name("run.parquet.parts")

    def change(progress: Progress) -> None:
        if progress.records == COUNT:
            part = sorted(parts.glob("*.part"))[3]
            part.write_bytes(part.read_bytes().replace(b"PAR1", b"PAR2"))

    with pytest.raises(OSError, match="parts was changed meanwhile: the same command mends it"):
        measure(records(COUNT), path, workers=1, progress=change)
    assert not path.exists()

    assert measure(records(COUNT), path, workers=1).resumed == COUNT - 50
    assert open_run(path).table().equals(expected)


@pytest.mark.rest
def test_two_runs_into_one_output_do_not_touch_each_other(path: Path, expected: pa.Table) -> None:
    parts = path.with_name("run.parquet.parts")
    refused: list[str] = []

    def disturb(_: Progress) -> None:
        before = {part.name: part.read_bytes() for part in parts.iterdir()}
        with pytest.raises(OSError, match="is being measured by") as error:
            measure(records(COUNT), path, workers=1)
        refused.append(str(error.value).partition(" since ")[0])
        assert {part.name: part.read_bytes() for part in parts.iterdir()} == before

    measure(records(COUNT), path, workers=1, progress=disturb)

    held = f"{path} is being measured by process {os.getpid()} on {platform.node()}"
    assert refused == [held] * (COUNT // 50)
    assert open_run(path).table().equals(expected)
    assert [file.name for file in path.parent.iterdir()] == ["run.parquet"]


@pytest.mark.rest
def test_a_run_replaces_an_earlier_one_only_when_it_is_complete(path: Path) -> None:
    measure(records(60), path, workers=1)
    interrupt(path)
    assert open_run(path).about["records"] == 60
    measure(records(80), path, workers=1)
    assert open_run(path).about["records"] == 80


@pytest.mark.rest
def test_progress_tells_how_much_is_kept(path: Path) -> None:
    interrupt(path)
    seen: list[Progress] = []
    measure(records(COUNT), path, workers=1, progress=seen.append)

    corpus = list(records(COUNT))
    sizes = [len(record.text.encode()) if isinstance(record, Payload) else 0 for record in corpus]
    assert [step.records for step in seen] == list(range(50, COUNT + 1, 50))
    assert seen[-1].bad == sum(isinstance(record, BadRecord) for record in corpus)
    assert seen[-1].bytes == sum(sizes)
    assert (seen[-1].new_records, seen[-1].new_bytes) == (200, sum(sizes[200:]))
    assert [step.seconds for step in seen] == sorted(step.seconds for step in seen)


@pytest.mark.rest
def test_row_groups_are_bounded_and_keep_the_texts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.measuring.checkpoints.GROUP_ROWS", 100)
    measure(records(COUNT), path, workers=1, keep_payloads=True)

    assert [batch.num_rows for batch in open_run(path).batches()] == [100] * 4
    texts = [r.text if isinstance(r, Payload) else None for r in records(COUNT)]
    assert open_run(path).table(["text"])["text"].to_pylist() == texts


def test_wrong_arguments_are_errors_before_anything_is_measured(path: Path) -> None:
    with pytest.raises(ValueError, match="0 workers can measure nothing"):
        measure(read_until(0), path, workers=0)
    with pytest.raises(ValueError, match="No format is named 'tonl'"):
        measure(read_until(0), path, formats=["tonl"])
    with pytest.raises(IsADirectoryError, match="is a folder; a run is a file"):
        measure(read_until(0), path.parent)
    assert list(path.parent.iterdir()) == []


def test_joining_asks_each_checkpoint_for_its_size_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding up all sizes after each one would take a night's run hours."""
    asked = []
    read, concat = kept.pq.read_table, kept.pa.concat_tables

    class Sized:
        def __init__(self, source: Any) -> None:
            self.table = read(source)
            self.num_rows = self.table.num_rows

        @property
        def nbytes(self) -> int:
            asked.append(self)
            return int(self.table.nbytes)

    def concat_sized(tables: list[Sized]) -> Any:
        return concat([run.table for run in tables])

    monkeypatch.setattr(kept.pq, "read_table", Sized)
    monkeypatch.setattr(kept.pa, "concat_tables", concat_sized)
    chunk, settings = list(records(1)), Settings.of(["o200k_base"], ["toon"])
    part = measure_part(chunk, settings)
    with closing(Checkpoints(tmp_path / "run.parquet", settings)) as checkpoints:
        for _ in range(30):
            checkpoints.keep(checkpoints.find(chunk)[0], part)
        noted, output = note(Account(), "o200k_base"), tmp_path / "run.parquet"
        totals = checkpoints.join(output, complete=True, started="", finished="", noted=noted)

    assert totals.records == 30
    assert len(asked) == 30


SMALL, LARGE = "[1]", "[1,2,3,4,5]"


def send(model: str | None, text: str = SMALL) -> Payload:
    return Payload("a", 1, "g", text, None, model)


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ([[send("gpt-5"), send("gpt-5"), send("claude-opus-4-8", LARGE)]], "claude-opus-4-8"),
        ([[send("unheard-of", LARGE), send("gpt-5")]], "gpt-5"),
        ([[send("gpt-5")], [send("o3"), send("o3")]], "o3"),
        ([[send(None), BadRecord("a", 2, "no JSON")], []], None),
    ],
)
def test_the_model_of_most_bytes_is_taken_of_those_that_can_be_counted(
    files: list[list[Record]], name: str | None
) -> None:
    assert find_logged_model(map(iter, files), len(files)) == name


def test_each_of_many_files_is_looked_at_and_none_is_read_whole() -> None:
    long = iter([send("gpt-5")] * 9_999)
    files = [long, *([send("o3", LARGE)] for _ in range(600))]
    assert find_logged_model(files, len(files)) == "o3"
    assert len(list(long)) == 9_979
