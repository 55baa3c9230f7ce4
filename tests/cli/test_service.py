"""``toon stats --service`` and ``toon measure --service``: what is sent, said and kept of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.services.server import KEY, Server, serving
from toon.cli import main
from toon.costs.models import Model
from toon.installed import EXTRAS
from toon.services import endpoint as endpoint_module
from toon.services.endpoint import Endpoint
from toon.tokenizers import get

SAMPLE = str(ROOT / "samples" / "weather.json")
LOG = Path("log.jsonl")
ASKING = ["--tokenizer", "claude_4_8", "--service", "anthropic", "--service-model", "c-1"]
RECORDS = ['{"id":1,"ok":true}', '{"id":2,"ok":false}', "{", "[1,2,3]"]


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds a log, and nothing was asked before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(endpoint_module, "COUNTS", {})
    LOG.write_text("\n".join(RECORDS))


@pytest.fixture
def anthropic(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Counts as Opus 4.8 does here, but one token more for TOON."""

    def count(text: str) -> int:
        return get("claude_4_8").count(text) + (not text.startswith("{"))

    with serving("anthropic", count) as server:
        for name, text in server.environment().items():
            monkeypatch.setenv(name, text)
        yield server


def test_without_the_option_nothing_is_asked(
    anthropic: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", SAMPLE, "--model", "claude-opus-4.8", "--json"]) == 0
    assert "service" not in json.loads(capsys.readouterr().out)
    assert anthropic.calls == []


def test_stats_says_what_goes_where_and_each_text_beside_our_count(
    anthropic: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--tokenizer", "claude_4_8", "--format", "toon", "--service", "anthropic"]
    assert main(["stats", SAMPLE, *options, "--service-model", "claude-opus-4-8"]) == 0

    out, err = capsys.readouterr()
    typed, minified, toon = anthropic.texts[1:]
    size = sum(len(text.encode()) for text in (typed, minified, toon))
    assert err == (
        f"3 texts of {size:,} bytes, and 'x' alone, to {anthropic.base}, with the key in"
        " ANTHROPIC_API_KEY\n"
    )
    assert typed == Path(SAMPLE).read_text()
    assert {call.body["model"] for call in anthropic.calls} == {"claude-opus-4-8"}
    here = {text: get("claude_4_8").count(text) for text in (typed, minified, toon)}
    block = out.replace("\u202f", " ").split("\n\n")[1]
    assert block == (
        f"{SAMPLE}  (here by claude_4_8, by Anthropic for claude-opus-4-8, 7 tokens of each call "
        "taken off: 'x' alone counts 8)\n"
        "text          here  service\n"
        f"as-typed       {here[typed]}      {here[typed]}  the service counts the same\n"
        f"json-compact   {here[minified]}      {here[minified]}  the service counts the same\n"
        f"toon           {here[toon]}      {here[toon] + 1}  1 token more "
        f"(+{100 / here[toon]:.1f} %)"
    )


def test_stats_as_json_has_the_counts_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = SAMPLE.replace("weather", "tickets")
    named = ["--service", "openai", "--service-model", "gpt-4o-2024-08-06"]
    with serving("openai", get("o200k_base").count) as server:
        for name, text in server.environment().items():
            monkeypatch.setenv(name, text)
        assert main(["stats", SAMPLE, "--json", "--format", "toon", *named]) == 0
        stats = json.loads(capsys.readouterr().out)
        assert main(["stats", SAMPLE, other, "--json", "--format", "toon", *named]) == 0
        two = json.loads(capsys.readouterr().out)

    assert stats["verdict"]["model"] == "gpt-4o"
    rows = {row["format"]: row["tokens"] for row in stats["rows"]}
    assert stats["service"] == {
        "maker": "OpenAI",
        "model": "gpt-4o-2024-08-06",
        "frame": 6,
        "tokenizer": "o200k_base",
        "texts": [
            {"text": name, "tokens": rows[name], "service_tokens": rows[name]}
            for name in ("as-typed", "json-compact", "toon")
        ],
    }
    assert two["service"]["files"].keys() == {SAMPLE, other}
    assert two["service"]["files"][SAMPLE] == stats["service"]


def test_a_model_that_only_its_service_counts_has_no_other_figure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    grok = Model("grok-9", "Grok 9", "xAI", "ask-service", price="x-ai/grok-9")
    monkeypatch.setattr("toon.costs.models.get", lambda name: grok)
    with serving("xai", lambda text: 5) as server:
        for name, text in server.environment().items():
            monkeypatch.setenv(name, text)
        arguments = ["stats", SAMPLE, "--model", "grok-9", "--service", "xai"]
        assert main(arguments) == 0
        assert capsys.readouterr().out == (
            f"{SAMPLE}  (by xAI for grok-9, 0 tokens of each call taken off: 'x' alone counts 1)\n"
            "text          here  service\n"
            "as-typed         –        5\n"
            "json-compact     –        5\n"
            "toon             –        5\n\n"
        )
        assert main([*arguments, "--json"]) == 0
        stats = json.loads(capsys.readouterr().out)
        assert (stats["rows"], stats["verdict"]) == ([], None)


def test_a_failure_is_said_and_leaves_our_own_figures(
    anthropic: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    anthropic.script = lambda number, call: anthropic.refuse(401, f"no such key: {KEY}")
    arguments = ["stats", SAMPLE, "--model", "claude-opus-4.8", "--service", "anthropic"]

    assert main([*arguments, "--json"]) == 1
    out, err = capsys.readouterr()
    assert "service" not in json.loads(out)
    assert json.loads(out)["rows"]
    assert err.splitlines()[-1] == (f"Anthropic at {anthropic.base} refuses (401): no such key: …")
    assert KEY not in out + err


def test_a_missing_extra_is_one_sentence(
    anthropic: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(EXTRAS, "service", ("no_such_library",))
    arguments = ["--model", "claude-opus-4.8", "--service", "anthropic"]
    assert main(["stats", SAMPLE, *arguments]) == 1
    line = "asking a service needs no_such_library: pip install 'token-lab[service]'\n"
    assert capsys.readouterr() == ("", line)


def measure(*arguments: str) -> int:
    return main(["measure", str(LOG), "-o", "run.parquet", "--format", "toon", *arguments])


def test_measure_asks_about_a_sample(anthropic: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(*ASKING) == 1  # for the record that is none

    out, err = capsys.readouterr()
    texts = [text for text in RECORDS if text != "{"]
    assert sorted(anthropic.texts) == sorted(["x", *texts])
    here = sum(get("claude_4_8").count(text) for text in texts)
    assert out.replace("\u202f", " ").splitlines()[-3:] == [
        "",
        "3 of 3 payloads as given, drawn at random, here by claude_4_8, by Anthropic for c-1, "
        "7 tokens of each call taken off: 'x' alone counts 8",
        f"{here + 1} tokens by the service, {here} here: 1 token more (+{100 / here:.1f} %); "
        "the same for 2",
    ]
    assert err.startswith(f"3 texts of {sum(map(len, texts))} bytes, and 'x' alone, to ")


@pytest.mark.rest
def test_measure_as_json_and_with_a_smaller_sample(
    anthropic: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    LOG.write_text("\n".join([RECORDS[0]] * 20 + [RECORDS[1]] * 20))
    assert measure(*ASKING, "--service-sample", "4", "--json") == 0

    counts: dict[str, Any] = json.loads(capsys.readouterr().out)["service"]
    assert (counts["payloads"], counts["texts"], counts["same"]) == (40, 4, 4)
    assert counts["tokens"] == counts["service_tokens"]
    assert len(anthropic.calls) <= 3  # the two that there are, and the frame
    with pytest.raises(SystemExit, match="2"):
        measure("--service-sample", "0")


@pytest.mark.rest
def test_a_service_that_fails_leaves_the_run_and_its_summary(
    anthropic: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    anthropic.script = lambda number, call: anthropic.refuse(500, "down")
    LOG.write_text(RECORDS[0])

    assert measure(*ASKING, "--json") == 1
    out, err = capsys.readouterr()
    assert "service" not in json.loads(out)
    assert err.endswith("refuses (500): down\n")
    assert Path("run.parquet").exists()
    Path("run.parquet").unlink()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert measure(*ASKING) == 1
    assert not Path("run.parquet").exists()


@pytest.mark.rest
def test_ctrl_c_while_the_service_counts_leaves_the_summary(
    anthropic: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave(endpoint: Endpoint, text: str) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Endpoint, "count", leave)
    LOG.write_text(RECORDS[0])
    assert measure(*ASKING, "--json") == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["complete"]
    assert err.endswith("interrupted before the service had counted all; the run is complete\n")


@pytest.mark.rest
def test_the_key_is_in_no_file_and_no_output(
    anthropic: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--model", "claude-opus-4.8", "--service", "anthropic"]
    report = ["--report", "r.html", "--report", "r.md", "--keep-payloads"]
    main(["stats", SAMPLE, *arguments])
    measure(*arguments, *report)
    anthropic.script = lambda number, call: anthropic.refuse(400, KEY)
    main(["stats", SAMPLE.replace("weather", "tickets"), *arguments])

    assert KEY in anthropic.calls[0].headers["x-api-key"]
    assert KEY not in "".join(capfd.readouterr())
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 4
    assert not any(KEY.encode() in path.read_bytes() for path in files)
