"""Logs of Inspect and results of promptfoo, read back."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.asked import (
    PEOPLE,
    inspect_log,
    only_toon,
    packed,
    packed_again,
    promptfoo_results,
)
from tests.words import COMPACT
from toon.cli import main
from toon.errors import RunError
from toon.reading.logs import read_logs
from toon.reading.results import summarise
from toon.reading.statistics import Share
from toon.reading.tasks import make_tasks

BOTH = [inspect_log(format) for format in ("json-compact", "toon")]
EVALS = [(f"{number}.eval", packed(log)) for number, log in enumerate(BOTH)]


def sentence(*files: tuple[str, bytes]) -> str:
    with pytest.raises(RunError) as refused:
        read_logs(files)
    return str(refused.value)


def as_json(log: dict[str, Any]) -> bytes:
    return json.dumps(log).encode()


def test_every_kind_of_log_says_the_same() -> None:
    kinds = [
        EVALS,
        [(name, packed_again(data)) for name, data in EVALS],
        [(f"{number}.json", as_json(log)) for number, log in enumerate(BOTH)],
        [("results.json", as_json(promptfoo_results()))],
    ]
    for files in kinds:
        (reading,) = read_logs(files)
        base, toon = summarise(reading.records).formats
        assert (base.format, base.share) == ("json-compact", Share(0, 20))
        assert toon.share == Share(20, 20)
        assert (toon.input_tokens, toon.output_tokens) == (2000, 100)
        assert toon.tokens_per_right == 105
        assert toon.paired == (0, 20, 0, 0)
        assert reading.notes == []
    assert reading.model == "echo"


def test_what_has_no_answer_says_why_and_counts_no_tokens() -> None:
    def script(row: dict[str, str], format: str) -> str | None:
        return None if row["id"] == "1-1" else only_toon(row, format)

    for file, why in (
        (as_json(inspect_log("toon", script)), "RuntimeError('rate limit')"),
        (as_json(promptfoo_results(script)), "API error: 429"),
    ):
        (reading,) = read_logs([("log", file)])
        (first,) = (x for x in reading.records if (x.question, x.format) == ("1-1", "toon"))
        said = (first.reply, first.is_right, first.error, first.input_tokens)
        assert said == (None, None, why, None)
        toon = summarise(reading.records).formats[-1]
        assert (toon.share, toon.unanswered) == (Share(19, 19), 1)


def test_an_empty_answer_is_none_and_says_what_stopped_it() -> None:
    log = inspect_log("toon")
    log["samples"][0]["output"] = {"completion": "", "choices": [{"stop_reason": "max_tokens"}]}
    (reading,) = read_logs([("a.json", as_json(log))])

    assert reading.records[0].reply is None
    assert reading.records[0].error == "no text, max_tokens"


def test_a_log_that_is_not_whole_says_how_it_ended() -> None:
    for status, words in (("cancelled", "was cancelled"), ("error", "ended with an error")):
        log = {**inspect_log("toon"), "status": status}
        log["samples"] = log["samples"][:7]
        (reading,) = read_logs([("a.eval", packed(log))])
        assert reading.notes == [f"a.eval {words}; 7 answers came."]
    (reading,) = read_logs([("a.eval", packed(inspect_log("toon"), has_ended=False))])
    assert reading.notes == ["a.eval has not ended; 20 answers came."]


def test_of_what_is_asked_again_the_first_answer_counts() -> None:
    log = inspect_log("toon")
    log["samples"] += [{**one, "epoch": 2, "scores": {"graded": {"value": "I"}}} for one in
                       log["samples"]]  # fmt: skip
    (reading,) = read_logs([("a.json", as_json(log)), ("b.json", as_json(inspect_log("toon")))])

    assert summarise(reading.records).formats[0].share == Share(20, 20)
    note = "a.json asked more than once: the first answers count; 40 answers came."
    assert reading.notes == [note]


def test_a_log_that_goes_on_fills_what_had_no_answer() -> None:
    failed = inspect_log("toon", lambda row, format: None)
    (reading,) = read_logs([("a.json", as_json(failed)), ("b.json", as_json(BOTH[1]))])

    assert summarise(reading.records).formats[0].share == Share(20, 20)


def test_each_model_has_its_own_answers() -> None:
    other = inspect_log("toon")
    other["eval"] = {**other["eval"], "model": "openai/gpt-5"}
    readings = read_logs([*EVALS, ("other.json", as_json(other))])

    counts = {one.model: len(one.records) for one in readings}
    assert counts == {"mockllm/model": 40, "openai/gpt-5": 20}


def test_what_is_no_log_of_questions_is_one_sentence() -> None:
    neither = "x is no log of Inspect and no results of promptfoo."
    for garbage in (b"", b"\xff\xfe", b"[1]", b"{}", b'"eval"', b"[" * 100_000,
                    b'{"eval": {}}', b'{"results": 1}'):  # fmt: skip
        assert sentence(("x", garbage)) == neither
    other = inspect_log("toon")
    other["eval"] = {"task": "gsm8k", "model": "m", "metadata": None}
    assert sentence(("x.eval", packed(other))) == (
        "x.eval is a log of the task 'gsm8k', not of questions that toon questions wrote."
    )
    results = promptfoo_results()
    results["results"]["results"][0]["testCase"] = {"vars": {}}
    assert sentence(("x.json", as_json(results))) == (
        "x.json has results of other prompts, not of questions that toon questions wrote."
    )
    assert sentence(("x.eval", EVALS[0][1][:-30])).startswith("x.eval is damaged")
    empty = {**inspect_log("toon"), "samples": []}
    assert sentence(("x.eval", packed(empty))) == "x.eval has no answer."
    cancelled = {**empty, "status": "cancelled"}
    assert sentence(("x.eval", packed(cancelled))) == "x.eval has no answer: it was cancelled."


def test_logs_of_other_questions_are_not_mixed() -> None:
    tasks = make_tasks([PEOPLE], ["toon"], 20, seed=2)
    other = as_json(inspect_log("toon", tasks=tasks))

    assert sentence(EVALS[0], ("other.json", other)) == (
        "0.eval and other.json have different questions: read them apart."
    )


@given(place=st.integers(0, 10**6), byte=st.integers(0, 255), is_packed=st.booleans())
def test_a_damaged_log_gives_records_or_one_sentence(
    place: int, byte: int, is_packed: bool
) -> None:
    good = packed_again(EVALS[1][1]) if is_packed else as_json(BOTH[1])
    data = bytearray(good)
    data[place % len(data)] = byte
    with suppress(RunError):
        (reading,) = read_logs([("a", bytes(data))])
        assert all(one.reply is None or one.is_right is not None for one in reading.records)


def test_the_command_says_what_was_seen_and_what_could_have_been(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(row: dict[str, str], format: str) -> str | None:
        return None if row["id"] == "1-2" else only_toon(row, format)

    for format in ("json-compact", "toon"):
        log = inspect_log(format, script)
        (tmp_path / f"{format}.eval").write_bytes(packed(log))
    files = [str(file) for file in sorted(tmp_path.iterdir())]
    assert main(["reading", *files]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[0] == f"mockllm/model read TOON better (+100.0 points) than {COMPACT}"
    assert [line.split() for line in lines[2:4]] == [
        ["json-compact", "0", "19", "0", "%", "0", "%", "to", "17", "%", "–", "–", "–", "1",
         "1,900", "95", "–"],
        ["toon", "19", "19", "100", "%", "83", "%", "to", "100", "%", "+100.0", "+76.2", "to",
         "+100.0", "below", "0.001", "1", "1,900", "95", "105"],
    ]  # fmt: skip
    assert lines[4] == (
        f"TOON had more right answers than {COMPACT}: +100.0 points (95 % interval +76.2 to "
        "+100.0, p below 0.001, 19 questions)."
    )
    assert lines[-3:] == [
        "no answer",
        "  json-compact, 1 question: RuntimeError('rate limit')",
        "  toon, 1 question: RuntimeError('rate limit')",
    ]
    assert main(["reading", files[1]]) == 0
    alone = f"There are answers in TOON alone: add the log of {COMPACT}, asked the same."
    assert alone in capsys.readouterr().out


def test_the_command_refuses_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.eval").write_bytes(b"nothing")
    assert main(["reading", str(tmp_path / "x.eval")]) == 1
    assert capsys.readouterr().err == ("x.eval is no log of Inspect and no results of promptfoo\n")
    assert main(["reading", str(tmp_path / "none.eval")]) == 1
    assert capsys.readouterr().err.endswith("none.eval: No such file or directory\n")
