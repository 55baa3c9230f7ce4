"""``python -m toon ask``: dry run, a run, going on after Ctrl-C or a kill, and each refusal."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.processes import Process
from tests.reading.scripted import KEY, PEOPLE, Act, Call, Refuse, Say, perfect, plan_of, serving
from tests.words import COMPACT
from toon.cli import main
from toon.reading.run import UNDER_WAY, read_run

PLAN = plan_of(6)


def kept_so_far() -> int:
    """Records of the file, read at once: it is replaced meanwhile."""
    return len(read_run(BytesIO(Path("run.parquet").read_bytes())).records)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds the payload; the environment holds a key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    Path("people.json").write_text(json.dumps(PEOPLE))


def options(url: str, *more: str) -> list[str]:
    common = ["--model", "small", "--questions", "6", "--count-by", "gpt-5"]
    return ["ask", "people.json", "--base-url", f"{url}/v1", *common, "-o", "run.parquet", *more]


def test_a_dry_run_shows_questions_prompts_and_cost_and_opens_no_socket(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert main(options("http://localhost:9", "--dry-run", "--explain")) == 0
    out, error = capsys.readouterr()
    assert error == ""
    plan = plan_of(6, is_explained=True)
    for question in plan.questions:
        assert f"{question.answer}  {question.text}\n" in out
    first, second = list(plan.prompts())[:2]
    assert f"--- the first prompt in json-compact\n{first.text}\n" in out
    assert f"--- the first prompt in toon\n{second.text}\n" in out
    assert "Tokens by GPT-5, exact; formats are explained." in out
    assert re.search(rf"json-compact +6 +{plan.tokens['json-compact']:,}  –", out)
    assert "At most 3,072 tokens of answers, 256 each." in out
    assert "At most 3.4 cents" in out
    assert not Path("run.parquet").exists()


@pytest.mark.parametrize("names", ["toon,yaml,toon", "toon yaml", "toon --formats yaml"])
def test_formats_are_named_with_commas_or_one_by_one(
    capsys: pytest.CaptureFixture[str], names: str
) -> None:
    assert main(["ask", "people.json", "--dry-run", "--formats", *names.split()]) == 0

    prompts = re.findall(r"--- the first prompt in (\S+)\n", capsys.readouterr().out)
    assert prompts == ["json-compact", "toon", "yaml"]


def test_where_no_estimate_holds_nothing_is_planned(capsys: pytest.CaptureFixture[str]) -> None:
    russian = [{"id": n, "name": "несколько слов о реке и городе"} for n in range(40)]
    Path("people.json").write_text(json.dumps(russian, ensure_ascii=False), encoding="utf-8")

    more = ("--dry-run", "--count-by", "claude-haiku-4.5")
    assert main(options("http://localhost:9", *more)) == 1
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("No estimate within ±12\u202f% for this text: ")


def test_a_run_prints_what_came_of_it_and_keeps_it(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(perfect(PLAN)) as server:
        assert main(options(server.url)) == 0
    out, error = capsys.readouterr()

    assert error == f"12 prompts to {server.url}/v1, with the key in OPENAI_API_KEY\n"
    lines = out.replace("\u202f", " ").splitlines()
    assert lines[0] == "small, 6 questions, formats not explained; our tokens by GPT-5, exact"
    assert re.match(
        r"json-compact +6 +6 +100 % +61 % to 100 % +– +– +– +60 \(−9\d\.\d %\)", lines[2]
    )
    assert re.match(r"toon +6 +6 +100 % +61 % to 100 % +±0.0 +−39.0 to \+39.0 +1.00 ", lines[3])
    assert lines[4].startswith(f"TOON: no difference from {COMPACT} was seen (±0.0 points")
    assert "kind of question  json-compact  toon" in out
    plan = "To see 5 points in toon: at least 157 questions, 314 requests, about 3,768 tokens"
    assert f"{plan}, ≈\u00a01 cent; up to 508 questions where answers differ more often" in out
    assert "wrong" not in out
    run = read_run("run.parquet")
    assert (len(run.records), run.meta.stopped) == (12, "")


def test_wrong_answers_stand_beside_their_questions(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(lambda call: Say("\x1b[31mno")) as server:
        assert main(options(server.url)) == 0
    out = capsys.readouterr().out

    question = PLAN.questions[0]
    assert f"  json-compact: {question.text} '\\x1b[31mno', right is {question.answer!r}\n" in out
    assert "  and 2 more, all in the run\n" in out
    assert "\x1b" not in out


def test_a_reached_budget_keeps_the_answers_and_resume_asks_for_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with serving(perfect(PLAN)) as server:
        assert main(options(server.url, "--budget-requests", "5")) == 1
        error = capsys.readouterr().err
        assert error.splitlines()[1:] == [
            "The budget of 5 requests does not cover another request.",
            "5 answers are kept in run.parquet",
            "the same command with --resume goes on from there",
        ]
        assert main(options(server.url)) == 1
        assert "run.parquet is there: --resume goes on with it" in capsys.readouterr().err
        assert main(options(server.url, "--resume")) == 0
        assert "7 prompts to" in (error := capsys.readouterr().err)
        assert "5 answers in run.parquet stay" in error
        assert len(server.calls) == 12
        assert main(options(server.url, "--resume", "--seed", "2")) == 1
        assert capsys.readouterr().err == "The run has another seed: 1 there, 2 here.\n"


def test_a_fatal_fault_is_one_sentence_without_the_key(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(lambda call: Refuse(401, f"No such key: {KEY}")) as server:
        assert main(options(server.url)) == 1
    out, error = capsys.readouterr()

    assert f"{server.url}/v1 refuses the key: 401, No such key: …." in error
    assert KEY not in out + error
    assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["people.json"], 2, "--base-url, --model, -o must be given; --dry-run shows what"),
        (["none.json", "--dry-run"], 1, "No such file or directory"),
        (["small.json", "--dry-run", "--questions", "20"], 1, "and 20 are needed"),
        (["people.json", "--base-url", "x", "--model", "m", "-o", "a"], 1, "x is no address"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.json").write_text('{"a": 1}')

    assert main(["ask", *arguments]) == status
    assert words in capsys.readouterr().err


def test_dollars_without_a_price_begin_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(options("http://localhost:9", "--count-by", "o200k_base", "--budget-dollars", "1"))
        == 1
    )
    assert "No price is known" in capsys.readouterr().err
    assert not Path("run.parquet").exists()


@pytest.mark.parametrize(
    "option", [["--formats", "toon,tonn"], ["--questions", "0"], ["--seed", "x"], ["-o", "no/a"]]
)
def test_a_wrong_option_is_refused(option: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["ask", "people.json", "--dry-run", *option])
    assert ended.value.code == 2


def start(url: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}"}
    arguments = [*options(url, "--concurrency", "1"), "--timeout", "120"]
    command = [sys.executable, "-m", "toon", *arguments]
    return Process(command, env=environment, stderr=subprocess.PIPE, text=True)


@pytest.mark.rest
def test_ctrl_c_waits_for_what_is_under_way_and_resume_asks_for_the_rest() -> None:
    is_held, go_on = threading.Event(), threading.Event()

    def script(call: Call) -> Act:
        if call.number == 9:
            is_held.set()
            go_on.wait(120)
        return perfect(PLAN)(call)

    with serving(script) as server, start(server.url) as process:
        assert is_held.wait(120)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert "12 prompts to" in process.stderr.readline()
        assert process.stderr.readline().startswith("stopping when the requests under way")
        go_on.set()
        error = process.communicate()[1]
        assert process.returncode == 130
        assert error.startswith("Stopped as you asked.\n10 answers are kept in run.parquet\n")
        assert main(options(server.url, "--resume")) == 0
        assert len(server.calls) == 12
    assert all(one.is_right for one in read_run("run.parquet").records)


@pytest.mark.rest
def test_a_killed_command_has_kept_all_but_a_few_answers_and_resume_says_what_it_repeats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    is_kept, go_on = threading.Event(), threading.Event()

    def script(call: Call) -> Act:
        while call.number == 9 and kept_so_far() < 8:
            go_on.wait(0.1)
        if call.number == 9:
            is_kept.set()
            go_on.wait(120)
        return perfect(PLAN)(call)

    with serving(script) as server, start(server.url) as process:
        assert is_kept.wait(120)
        process.kill()
        process.communicate()
        go_on.set()
        kept = read_run("run.parquet")
        assert (len(kept.records), kept.meta.stopped) == (8, UNDER_WAY)
        assert main(options(server.url, "--resume")) == 0
        error = capsys.readouterr().err
        assert "What was sent after run.parquet was written last is sent again" in error
        assert len(server.calls) == 10 + 4
    assert all(one.is_right for one in read_run("run.parquet").records)
