"""``python -m toon measure``: what it says of the files, and the wrappers that it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_measure import LOG, RUN, measure
from tests.traffic.envelopes.test_sessions_and_gateways import codex
from tests.traffic.reading import lines, session
from tests.traffic.test_bills import CODEX
from toon.analysis import Filter, load
from toon.analysis.filters import select
from toon.analysis.money import observe_rate
from toon.measuring.table import open_run

ROW = '[{"id":1,"ok":true},{"id":2,"ok":false}]'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_log_of_chats_says_where_its_payloads_lay_and_what_was_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    messages = [{"role": "tool", "name": "get", "content": text} for text in (ROW, "two words")]
    LOG.write_text(json.dumps({"model": "m-1", "messages": messages}) + "\n[]\n")
    assert measure(LOG, "-o", RUN, "--workers", 1, "--json") == 0

    out, err = capsys.readouterr()
    summary = json.loads(out)
    assert summary["read_as"] == [
        {
            "source": "log.jsonl",
            "kind": "chat",
            "label": "chat-completion log",
            "path": "messages[].content",
            "payloads": 1,
            "skipped": 2,
            "bad": 0,
            "beginning": ROW,
        }
    ]
    assert summary["skipped"] == {"records": 2, "tokens": 2, "uncounted": 1}
    assert (summary["usages"], summary["conversations"]) == ([], None)
    assert summary["tokenizers"]["o200k_base"]["as-typed"]["tokens"] == 18
    assert (
        "skipped, no JSON payload: 2 records, 10.0\u202f% of the tokens without those of 1" in err
    )
    assert open_run(RUN).about["read_as"] == summary["read_as"]
    assert open_run(RUN).table(["model"])["model"].to_pylist() == ["m-1", None, None]


def test_a_wrapper_is_refused_with_the_commands_that_would_read_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    LOG.write_text(json.dumps({"at": 1, "out": {"raw": ROW}}) + "\n")
    Path("good.json").write_text(ROW)
    assert measure(LOG, "good.json", "-o", RUN) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[1:] == [
        f"  out.raw, seen 1 time, for instance {ROW}",
        "    python -m toon measure log.jsonl -o run.parquet --payload out.raw",
        '  out, seen 1 time, for instance {"raw": ' + json.dumps(ROW) + "}",
        "    python -m toon measure log.jsonl -o run.parquet --payload out",
    ]
    assert not RUN.exists()


def test_many_files_are_summed_up_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        Path(f"{number}.json").write_text(ROW.replace(",{", ",\n\t{"))
    assert measure(*(f"{number}.json" for number in range(12)), "-o", RUN, "--workers", 1) == 0

    first, *_ = capsys.readouterr().out.splitlines()
    begins = '[{"id":1,"ok":true}, {"id":2,"ok":false}'
    assert first == f"read as JSON document: 12 payloads; the first begins {begins}…"


def test_the_bill_of_sessions_says_what_a_conversation_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """GPT-5 Codex takes 1.25 US$ for 10^6 tokens of input, 0.125 of cached ones and 10 of output.

    Both sessions have 18,500 of input with 8,960 cached and 340 of output; the first calls again
    with 9,000 and 300.
    """
    answer = codex("response_item", type="function_call_output", call_id="t", output=ROW)
    used = {"input_tokens": 9_000, "cached_input_tokens": 0, "output_tokens": 300}
    info = {"last_token_usage": used, "total_token_usage": {**used, "input_tokens": 27_500}}
    third = codex("event_msg", type="token_count", info=info)
    LOG.write_text(lines(*CODEX, answer, third))
    Path("other.jsonl").write_text(lines(codex("session_meta", id="s3"), *CODEX[1:], answer))
    assert measure(LOG, "other.jsonl", "-o", RUN, "--workers", 1, "--json") == 0

    summary = json.loads(capsys.readouterr().out)
    other = (9_540 * 1.25 + 8_960 * 0.125 + 340 * 10) / 10**6
    first = other + (9_000 * 1.25 + 300 * 10) / 10**6
    assert [row["calls"] for row in summary["usages"]] == [5]
    assert summary["conversations"] == {
        "number": 2,
        "more": False,
        "mean": {"calls": 2.5, "input": 23_000, "dollars": pytest.approx((first + other) / 2)},
        "largest": {"calls": 3, "input": 27_500, "dollars": pytest.approx(first)},
    }


def test_what_is_skipped_was_sent_at_its_time_too() -> None:
    """The month is made of the window in which anything was sent, not of the payloads' alone."""
    texts = ("nothing was found", ROW, "nothing again")
    chats = [[{"role": "tool", "name": "get", "content": text}] for text in texts]
    days = [{"created_at": f"2026-04-{day:02}T00:00:00Z"} for day in (1, 2, 30)]
    LOG.write_text(
        lines(*({"messages": messages, **day} for messages, day in zip(chats, days, strict=True)))
    )
    assert measure(LOG, "-o", RUN, "--workers", 1) == 0

    rows = load(open_run(RUN))
    rate = observe_rate(rows, select(rows, Filter()).measured, Filter())
    assert rate is not None
    assert rate.window == 29 * 86_400


def test_results_that_the_log_has_cut_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    messages = [{"role": "tool", "name": "get", "content": text} for text in (ROW, ROW[:-3])]
    LOG.write_text(json.dumps({"model": "m-1", "messages": messages}))
    assert measure(LOG, "-o", RUN, "--workers", 1) == 0

    assert capsys.readouterr().err.splitlines()[-2:] == [
        "skipped, no JSON payload: 1 record, whose tokens are not counted",
        "cut off by the log: 1 result; figures are of whole ones alone",
    ]


def test_bodies_that_were_not_read_have_no_share_of_the_tokens(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def entry(mime: str, text: str) -> dict[str, Any]:
        request = {"method": "GET", "url": f"https://a.example/{mime}"}
        return {"request": request, "response": {"content": {"mimeType": mime, "text": text}}}

    page = entry("text/html", "<p>words" * 900)
    har = {"log": {"entries": [page, page, entry("application/json", ROW)]}}
    Path("log.har").write_text(json.dumps(har))
    assert measure("log.har", "-o", RUN, "--workers", 1) == 0

    err = capsys.readouterr().err
    assert err == "skipped, no JSON payload: 2 records, whose tokens are not counted\n"


def test_a_log_is_counted_for_the_model_that_it_names_unless_another_is_chosen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("named.jsonl").write_bytes(session("claude-opus-4-8"))
    assert measure("named.jsonl", "-o", RUN, "--workers", 1, "--report", "report.md") == 0
    out, err = capsys.readouterr()
    assert err == "model from your log: claude-opus-4-8; --model chooses another\n"
    assert "\nClaude Opus 4.8, reconstructed, unchecked\n" in out
    report = Path("report.md").read_text("utf-8")
    assert "| Model | Claude Opus 4.8 |" in report

    assert measure("named.jsonl", "-o", RUN, "--workers", 1, "--model", "gpt-5") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert open_run(RUN).about["tokenizers"].keys() == {"o200k_base"}
