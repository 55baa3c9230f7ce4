"""``python -m toon measure``: what goes to which stream, with which status, and Ctrl-C."""

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.processes import Process
from tests.words import BADGES, ROUND_TRIPS
from toon.cli import main
from toon.cli.measure import progress_line
from toon.costs.explanation import ALONE, Explaining
from toon.errors import WriteError
from toon.measuring import run as run_module
from toon.measuring.run import Pace, Progress
from toon.measuring.table import open_run, read_explaining
from toon.traffic.payload import BadRecord

RECORDS = [
    {"tool": "a", "at": 1, "data": [{"id": 1, "ok": True}, {"id": 2, "ok": False}]},
    {"tool": "b", "at": 2, "data": {"x": {"y": [1]}}},
]
MANY = [{"id": number, "ok": True} for number in range(6)]

O200K = "o200k_base"
EXPLAINED = "note to the model included, payloads in a prompt:"
LOST = f"{ROUND_TRIPS['lossy']}: 1 of 1 payload did not come back"
PROVEN, APART = ROUND_TRIPS["proven"], BADGES["not-recommended"]
CLIMBED = "each as recommended 26 (±0, ±0.0 %)"
BEGINS = '[{"id": 1, "ok": true}, {"id": 2, "ok": …'
LOG, RUN = Path("log.jsonl"), Path("run.parquet")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds a log."""
    monkeypatch.chdir(tmp_path)
    LOG.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))


def measure(*arguments: object) -> int:
    return main(["measure", *map(str, arguments)])


@pytest.mark.rest
def test_a_run_and_its_summary(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--format", "toon,csv", "--tokenizer", "o200k_base,chars4", "--together", "50"]
    assert measure(LOG, "-o", RUN, "--payload", "data", "--group", "tool", *options) == 0

    assert open_run(RUN).table(["group"])["group"].to_pylist() == ["a", "b"]
    out, err = capsys.readouterr()
    assert err == ""
    assert (
        out.replace("\u202f", " ")
        == f"""\
{LOG}: read as JSON Lines, at data: 2 payloads; the first begins {BEGINS}
{RUN}: 2 payloads, 64 bytes
Per cents: {EXPLAINED} 50.

o200k_base
format               payloads  tokens  note  vs minified  vs pretty  round trip
as-typed                    2      33            +26.9 %    −41.1 %
json-compact                2      26                  –    −53.6 %  {PROVEN}
json-pretty                 2      56           +115.4 %          –  {PROVEN}
toon                        2      26    +1       +5.7 %    −50.9 %  {PROVEN}
each as recommended         2      26             ±0.0 %    −53.6 %  {PROVEN}

{APART}
csv                         1       9    ±0      −49.2 %    −74.6 %  {LOST}

chars4: Characters / 4, what other tools show
format           payloads  tokens  note  vs minified  vs pretty  round trip
as-typed                2      17            +21.4 %    −45.2 %
json-compact            2      14                  –    −54.8 %  {PROVEN}
json-pretty             2      31           +121.4 %          –  {PROVEN}
toon                    2      11    +1      −12.6 %    −60.5 %  {PROVEN}

{APART}
csv                     1       5    ±0      −48.4 %    −74.2 %  {LOST}

your JSON 33 → minified 26 (−7, −21.2 %) → {CLIMBED}: −21.2 % against your JSON
Recommended for each payload alone, of 2 tested lossless formats, by o200k_base: json-compact 2.
"""
    )


def test_the_setting_of_explanations_decides_what_is_best(
    capsys: pytest.CaptureFixture[str],
) -> None:
    LOG.write_text(f"{json.dumps({'data': MANY})}\n{json.dumps(RECORDS[1])}\n")

    def recommend(*options: str) -> str:
        assert measure(LOG, "-o", RUN, "--workers", 1, "--payload", "data", *options) == 0
        return capsys.readouterr().out.splitlines()[-1]

    assert recommend().endswith(": json-compact 2.")
    assert recommend("--together", "none").endswith(": toon 1, json-compact 1.")
    assert recommend("--explain", "toon=TOON.").endswith(": toon 1, json-compact 1.")
    assert read_explaining(open_run(RUN).about) == Explaining(1, (("toon", "TOON."),))
    recommend("--explained-cached", "1", "--model", "gpt-5")
    assert read_explaining(open_run(RUN).about) == Explaining(cached=1.0, rate=0.1)


def test_where_nothing_can_be_compared_one_sentence_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    LOG.write_text('{"data": {}}\n{"data": []}\n')
    measure(LOG, "-o", RUN, "--workers", 1, "--payload", "data")

    _, _, *lines = capsys.readouterr().out.splitlines()
    assert lines == ["Nothing to compare: every payload is empty or a single value."]


def test_what_cannot_be_measured_is_listed_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    with LOG.open("a") as file:
        file.write('{"tool":\n' * 12)
    gone = Path("gone.jsonl")
    assert measure(LOG, gone, "-o", RUN, "--workers", 1) == 1

    out, err = capsys.readouterr()
    assert "2 payloads" in out
    lines = err.splitlines()
    assert lines[0] == "not measured: 13 of 15 records"
    assert lines[1].startswith(f"  {LOG}, record 3: ")
    assert len(lines) == 12
    assert lines[11] == "  and 3 more, all in the run's column error"
    assert list(open_run(RUN).errors())[-1] == (str(gone), 1, "there is no such file or folder")


def test_where_there_is_no_file_there_is_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(Path("gone"), "-o", RUN) == 1

    assert "gone, record 1: there is no such file or folder" in capsys.readouterr().err
    assert list(Path().iterdir()) == [LOG]


def test_an_input_is_never_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    text = LOG.read_text()
    log, alias = LOG.rename("log.parquet"), Path("alias.parquet")
    alias.symlink_to(log)
    for output in (log, alias):
        assert measure(Path(), "-o", output) == 2
        assert capsys.readouterr().err == (
            f"{output} is one of the files to measure: name another output\n"
        )
    assert log.read_text() == text
    assert sorted(Path().iterdir()) == [alias, log]


def test_a_full_disk_is_reported_with_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise WriteError(errno.ENOSPC, os.strerror(errno.ENOSPC), f"{RUN}.parts/0.part")

    monkeypatch.setattr("toon.measuring.checkpoints.Checkpoints.keep", full)
    assert measure(LOG, "-o", RUN, "--workers", 1) == 1

    assert capsys.readouterr().err == f"toon: {RUN} cannot be written: No space left on device\n"


def test_a_device_is_no_output(capsys: pytest.CaptureFixture[str]) -> None:
    pipe = Path("pipe")
    os.mkfifo(pipe)
    assert measure(LOG, "-o", pipe) == 1

    assert capsys.readouterr().err == f"toon: {pipe} is a device or a pipe; a run is a file\n"
    assert pipe.is_fifo()


def test_texts_are_kept_only_when_asked_for() -> None:
    assert measure(LOG, "-o", RUN, "--workers", 1) == 0
    assert "text" not in open_run(RUN).table().column_names
    assert measure(LOG, "-o", RUN, "--workers", 1, "--keep-payloads") == 0
    texts = open_run(RUN).table(["text"])["text"].to_pylist()
    assert [json.loads(text) for text in texts] == RECORDS


def test_the_line_of_progress() -> None:
    step = Progress(1_000, 2, 3_200_000, 100, 200_000, 1.0, 1_000_000)

    line = "1,000 records, 3.2 MB, 0.2 MB/s, 100 records/s, 2 bad"
    assert progress_line(step, None) == line
    assert progress_line(step, Pace(10_000_000)).replace("\u202f", " ") == f"10 %, {line}"


def test_a_terminal_sees_the_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is of the bytes of the files, packed or not: all of them have been read in the end."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    Path("log.jsonl.gz").write_bytes(gzip.compress(LOG.read_bytes()))

    assert measure(LOG, "log.jsonl.gz", "-o", RUN, "--workers", 1) == 0
    err = capsys.readouterr().err
    assert "\x1b[K100\u202f%, 4 records, 0.0 MB, " in err
    assert err.startswith("\r\x1b[K0\u202f%, 0 records, 0.0 MB\r")
    assert err.endswith("\r\x1b[K")


def test_an_interruption_gives_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("toon.measuring.run.chunks", interrupted)
    assert measure(LOG, "-o", RUN) == 130

    assert capsys.readouterr().err == "interrupted; the same command goes on from what is kept\n"


@pytest.mark.rest
def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(tmp_path: Path) -> None:
    log, path = tmp_path / "log.jsonl", tmp_path / "run.parquet"
    row = json.dumps({"rows": [{"id": number, "name": f"n{number}"} for number in range(400)]})
    log.write_text("".join(f'{{"n": {number}, {row[1:]}\n' for number in range(600)))
    command = [sys.executable, "-m", "toon", "measure", str(log), "-o", str(path), "--workers", "2"]
    parts = tmp_path / "run.parquet.parts"

    with Process(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        while not list(parts.glob("*.part")):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()

    assert process.returncode == 130
    assert "the same command goes on from there" in err
    assert not path.exists()
    kept = open_run(parts / "so-far-run.parquet").about["records"]
    assert 0 < kept < 600

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    taken = int(done.stdout.splitlines()[1].split("; ")[1].split()[0].replace(",", ""))
    assert taken >= kept
    assert open_run(path).table(["record"])["record"].to_pylist() == list(range(1, 601))
    assert not parts.exists()


# -- reports ---------------------------------------------------------------------------------


def test_the_last_line_says_where_another_models_answer_differs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    samples = ROOT / "samples"
    options = ("-o", RUN, "--workers", 1, "--tokenizer", "o200k_base,claude_4_8")
    assert measure(samples / "weather.json", *options) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "Another format is to be sent in 1 of 1 group by Claude Opus 4.8, Sonnet 5 and later "
        "(claude_4_8) (weather: TOON)."
    )
    assert measure(samples / "deep-config.json", *options) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "The same is to be sent by Claude Opus 4.8, Sonnet 5 and later (claude_4_8)."
    )


def test_reports_are_written_of_a_complete_run() -> None:
    paths = [Path(name) for name in ("a.html", "b.MD", "c.csv")]
    wanted = [option for path in paths for option in ("--report", path)]
    assert measure(LOG, "-o", RUN, "--payload", "data", "--group", "tool", *wanted) == 0

    html, markdown, table = (path.read_text(encoding="utf-8") for path in paths)
    rows = open_run(RUN).table([f"{O200K}.toon", "uses.toon"]).to_pylist()
    total = sum(row[f"{O200K}.toon"] for row in rows)
    once = sum(ALONE.tokens("toon", frozenset(row["uses.toon"].split()), O200K) for row in rows)
    assert html.startswith("<!doctype html>")
    assert f"<td>All TOON</td><td>{total + once}</td>" in html
    assert f"| All TOON | {total + once} |" in markdown
    assert f"all,,toon,2,{total},{once}.0," in table


def test_a_stopped_run_has_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Path("a.html")
    stopped = partial(run_module.measure, cancelled=lambda: True)
    monkeypatch.setattr(
        run_module, "measure", lambda *_, **__: stopped([BadRecord("a", 1, "r")], RUN)
    )

    assert measure(LOG, "-o", RUN, "--report", target) == 130
    assert not target.exists()
