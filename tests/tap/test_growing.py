"""A file that grows: its lines as they come, what is measured of them, and the run they make."""

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.tap.tapping import call
from toon.analysis import load
from toon.measuring.measure import Settings
from toon.measuring.run import measure
from toon.measuring.table import open_run
from toon.tap.calls import Calls, note_line
from toon.tap.follow import Follower, GrowingFile
from toon.tap.growing_run import GrowingRun
from toon.tap.lines import Line
from toon.tap.log import Log
from toon.traffic import read_paths

SETTINGS = Settings.of(["o200k_base"], ["toon"], keep_payloads=True)


def calls(count: int, first: int = 0) -> list[bytes]:
    """The lines of a recording of so many calls."""
    made: list[bytes] = []
    session = Calls(made.append)
    for id in range(first, first + count):
        rows = json.dumps([{"id": id, "n": n, "name": f"n{n % 3}"} for n in range(5 + id % 7)])
        result = {"content": [{"type": "text", "text": rows}]}
        answer = json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode()
        asked = call(id, f"tool {id % 3}").strip()
        session.take(Line(asked, len(asked), 1.8e9 + id), 0)
        session.take(Line(answer, len(answer), 1.8e9 + id + 0.5), 1)
    return made


@contextmanager
def following(
    path: Path, folder: Path
) -> Iterator[tuple[Follower, GrowingRun, Callable[[], None]]]:
    """Who follows a file, its run, and a function that measures all that is there by now."""
    follower, run = Follower(path, SETTINGS), GrowingRun(folder, SETTINGS)
    with closing(follower.tables()) as tables:
        yield follower, run, lambda: [*map(run.add, iter(lambda: next(tables), None))].clear()


def test_lines_come_whole_however_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    with closing(GrowingFile(path)) as file:
        assert file.read() == b""
        path.write_bytes(b"one\ntw")
        assert (file.read(), file.read(), file.left) == (b"one\n", b"", 0)
        with path.open("ab") as more:
            more.write(b"o\nthree\nfo")
        assert file.left == 10
        monkeypatch.setattr("toon.tap.follow.BATCH_BYTES", 3)
        assert (file.read(), file.read(), file.read()) == (b"two\n", b"three\n", b"")


def test_a_file_that_somebody_begins_anew_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"one\ntwo\nthr")
    with closing(GrowingFile(path)) as file:
        assert file.read() == b"one\ntwo\n"
        assert file.read() == b""
        path.write_bytes(b"1\n")
        assert file.read() == b"1\n"


@pytest.mark.parametrize("seen", [True, False], ids=["meanwhile", "before"])
def test_files_that_were_closed_are_read_before_the_last(tmp_path: Path, seen: bool) -> None:
    log = Log(tmp_path / "t.jsonl", most=40, kept=100)
    lines = [b"line %d\n" % n for n in range(100)]
    got = b""
    with closing(GrowingFile(log.path)) as file:
        for line in lines:
            log.append(line)
            got += file.read() if seen else b""
        assert file.left + file.consumed == sum(map(len, lines))
        while more := file.read():
            got += more
        assert (file.missed, file.left) == (0, 0)

    assert got == b"".join(lines)
    assert len(list(tmp_path.iterdir())) > 10
    log.close()


def test_files_that_were_removed_before_they_were_read_are_counted(tmp_path: Path) -> None:
    log = Log(tmp_path / "t.jsonl", most=10, kept=2)
    with closing(GrowingFile(log.path)) as file:
        log.append(b"line 0\n")
        assert file.read() == b"line 0\n"
        for n in range(1, 9):
            log.append(b"line %d\n" % n)
        got = b"".join(iter(file.read, b""))

    assert got == b"line 6\nline 7\nline 8\n"
    assert file.missed == 5
    log.close()


def test_the_half_line_of_a_tap_that_was_killed_ends_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"three\nfo")
    log = Log(path)
    log.append(b"four\n")
    log.close()

    assert path.read_bytes() == b"three\nfo\nfour\n"


@pytest.mark.rest
def test_a_run_that_grew_is_the_run_of_all(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    snapshots = []
    with following(path, tmp_path) as (follower, run, catch_up):
        for step in range(4):
            with path.open("ab") as file:
                file.write(b"".join(calls(30, 30 * step)))
                file.write(note_line(1.8e9, f"note {step}"))
            catch_up()
            snapshots.append(run.write(follower.account))

    options: Any = {"workers": 1, "formats": ["toon"], "keep_payloads": True}
    measure(read_paths([str(path)]), tmp_path / "whole.parquet", **options)
    grown, whole = (open_run(at) for at in (snapshots[-1].path, tmp_path / "whole.parquet"))
    assert grown.table().drop(["source"]).to_pylist() == whole.table().drop(["source"]).to_pylist()
    assert (grown.about["records"], grown.about["errors"]) == (124, 4)
    assert [load(open_run(snapshot.path)).bad.size for snapshot in snapshots] == [31, 62, 93, 124]
    assert grown.file.metadata.num_row_groups == 1


def test_a_file_of_a_run_lasts_as_long_as_somebody_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(calls(3)))
    with following(path, tmp_path) as (follower, run, catch_up):
        catch_up()
        first: Any = run.write(follower.account)
        run.link(tmp_path / "run.parquet")
        second = run.write(follower.account)
    assert first.path.exists()
    gone = first.path
    del first
    gc.collect()

    assert not gone.exists()
    assert second.path.exists()
    assert open_run(tmp_path / "run.parquet").about["records"] == 3


def test_the_name_of_a_call_is_known_in_a_later_batch(tmp_path: Path) -> None:
    """Other logs than the tap's tell the name of a tool before its result."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(call(1, "find"))
    result = {"content": [{"type": "text", "text": "[1, 2]"}]}
    with following(path, tmp_path) as (follower, run, catch_up):
        catch_up()
        with path.open("a") as file:
            file.write(json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}) + "\n")
        catch_up()
        written = run.write(follower.account)

    rows = open_run(written.path).table(["group", "record"]).to_pylist()
    assert rows == [{"group": "find", "record": 2}]


@pytest.mark.rest
def test_a_follower_that_is_far_behind_catches_up_with_processes(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    lines = calls(4_000)
    path.write_bytes(b"".join(lines))
    assert path.stat().st_size > 2_000_000
    with following(path, tmp_path) as (follower, run, catch_up):
        catch_up()

        assert run.totals.payloads == 4_000
        assert follower.file.left == 0
