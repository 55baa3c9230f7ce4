"""What people who wait see of a run: the share that is done, and the time that is left."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.measuring.run import Pace, Progress, measure
from toon.traffic import read_paths
from toon.traffic.account import Account

SIZE = 1_000


def step(read: int, seconds: float, *, records: int = 10, new: int = 10) -> Progress:
    return Progress(records, new_records=new, seconds=seconds, read=read)


def test_the_share_moves_while_nothing_is_measured_and_time_is_said_when_it_is_known() -> None:
    pace = Pace(SIZE)
    for progress, read, words in [
        (Progress(), 0, "0 %"),
        (Progress(), 500, "5 %"),
        (step(50, 9.0), 800, "12 %"),
        (step(200, 20.0), 1_000, "28 %, about 80 seconds left"),
        (step(500, 60.0), 1_000, "55 %, about 60 seconds left"),
        (step(600, 300.0), 1_000, "64 %, about 60 seconds left"),  # 200 by that step
        (step(999, 310.0), 1_000, "99 %"),
        (step(SIZE, 311.0), 1_000, "100 %"),
    ]:
        pace.update(progress, read)
        assert pace.words.replace("\u202f", " ") == words


def test_what_an_earlier_attempt_has_measured_says_nothing_of_the_time_left() -> None:
    pace = Pace(SIZE)
    pace.update(step(500, 0.1, new=0))
    assert pace.left is None
    pace.update(step(750, 25.0, records=30, new=10))
    assert pace.left == pytest.approx(25.0)


@given(st.lists(st.tuples(*[st.integers(0, 2 * SIZE)] * 2, st.floats(0, 1e6)), max_size=9))
def test_the_share_never_falls_and_the_time_never_rises(
    steps: list[tuple[int, int, float]],
) -> None:
    pace, done, left = Pace(SIZE), [0.0], list[float]()
    for measured, read, seconds in steps:
        pace.update(step(measured, seconds), read)
        done.append(pace.done)
        left += [] if pace.left is None else [pace.left]

    assert done == sorted(done)
    assert done[-1] <= 1
    assert left == sorted(left, reverse=True)


def test_a_run_is_followed_by_the_bytes_of_its_files_as_they_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.traffic.streams.CHUNK", 100)
    text = "".join(json.dumps({"id": n, "name": "Ada" * 99}) + "\n" for n in range(600)).encode()
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"]
    files[0].write_bytes(text)
    files[1].write_bytes(gzip.compress(text))
    size, account, seen = sum(file.stat().st_size for file in files), Account(), list[int]()

    records = read_paths([str(tmp_path)], account=account)
    options: Any = {"formats": ["toon"], "progress": lambda step: seen.append(step.read)}
    measure(records, tmp_path / "run.parquet", workers=1, account=account, **options)

    assert seen == sorted(seen)
    assert len(set(seen)) > 3
    assert 0 < seen[0] < size / 3
    assert seen[-1] == account.bytes_read == size
