"""The command line: what goes to which stream, and with which status."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

import toon
from toon.cli import main, output
from toon.codec import parts
from toon.costs.models import MODELS
from toon.formats import FORMATS
from toon.playground.foreign import read_pasted
from toon.tokenizers import TOKENIZERS


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds a payload, and rows."""
    monkeypatch.chdir(tmp_path)
    Path("rows.json").write_text('[{"id":1,"name":"1e5"},{"id":2,"name":"é"}]', encoding="utf-8")
    Path("payload.json").write_text('{"a":[{"b":1,"c":"x,y"},{"b":2,"c":"é"}]}', encoding="utf-8")


def test_encode_and_decode_through_files() -> None:
    arguments = ["--delimiter", "pipe", "--indent", "4", "-o", "payload.toon"]
    assert main(["encode", "payload.json", *arguments]) == 0
    text = Path("payload.toon").read_text(encoding="utf-8")
    assert text == "a[2|]{b|c}:\n    1|x,y\n    2|é"
    assert main(["decode", "payload.toon", "--indent", "4", "-o", "back.json"]) == 0
    assert json.loads(Path("back.json").read_text()) == json.loads(
        Path("payload.json").read_text(encoding="utf-8")
    )


def test_decode_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a: 1e400\nb: 1.50")))

    assert main(["decode", "--compact"]) == 0
    assert capsysbinary.readouterr().out == b'{"a":1e+400,"b":1.5}'


def test_a_bad_text_is_said_with_its_place_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.toon").write_text("a[2]{b,c}:\n  1,2\n  3,4,5\n")

    assert main(["decode", "bad.toon"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "bad.toon: line 3, column 7: row has 3 cells, header declares 2\n"
        "    3,4,5\n"
        "        ^\n"
        "hint: an unquoted comma? A cell that holds the delimiter must be quoted\n"
    )


def test_lenient_reads_what_strict_refuses(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("short.toon").write_text("a[3]: 1,2")

    assert main(["decode", "short.toon"]) == 1
    assert main(["decode", "--lenient", "--compact", "short.toon"]) == 0
    assert capsysbinary.readouterr().out == b'{"a":[1,2]}'


LOGS: Final = '{"a":1,"b":"x"}\n\n{"a":2,"b":"y\\u00e9"}\n'


def test_json_lines_are_the_array_that_the_playground_makes_of_them(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    for text in (LOGS, "\ufeff" + LOGS.replace("\n", "\r\n"), LOGS.rstrip()):
        Path("log.jsonl").write_bytes(text.encode())
        assert main(["encode", "log.jsonl", "-o", "log.toon"]) == 0
        assert b"JSON Lines: read as an array of 2 values" in capsysbinary.readouterr().err
        assert Path("log.toon").read_text(encoding="utf-8") == "[2]{a,b}:\n  1,x\n  2,yé"
        assert toon.decode(Path("log.toon").read_bytes()) == json.loads(
            read_pasted("lines", text).text
        )

    assert main(["decode", "--lines", "log.toon"]) == 0
    assert capsysbinary.readouterr().out == '{"a":1,"b":"x"}\n{"a":2,"b":"yé"}\n'.encode()


@pytest.mark.parametrize("lines", [[], ["--lines"]])
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_files_in_blocks_are_read_as_whole_ones(
    monkeypatch: pytest.MonkeyPatch, block: int, lines: list[str]
) -> None:
    value = [{"id": n, "name": f"né {n}", "tags": [n] * (n % 3)} for n in range(40)]
    monkeypatch.setattr(output, "BLOCK_BYTES", block)
    monkeypatch.setattr(parts, "BLOCK_LINES", block)
    Path("rows.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")

    assert main(["encode", "rows.json", "-o", "rows.toon"]) == 0
    assert Path("rows.toon").read_text(encoding="utf-8") == toon.encode(value)
    assert main(["decode", *lines, "rows.toon", "-o", "back.json"]) == 0
    assert main(["encode", "back.json", "-o", "again.toon"]) == 0
    assert Path("again.toon").read_bytes() == Path("rows.toon").read_bytes()


def test_an_error_at_the_end_of_a_long_file_leaves_the_old_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"  {n},x\n" for n in range(9000))
    Path("long.toon").write_text(f"[9001]{{a,b}}:\n{rows}  9000\n")
    Path("bad.toon").write_bytes(f"[9001]{{a,b}}:\n{rows}  9000,\xff".encode("latin-1"))
    Path("back.json").write_text("old")
    monkeypatch.setattr(output, "BLOCK_BYTES", 1000)

    assert main(["decode", "long.toon", "-o", "back.json"]) == 1
    assert "line 9002, column 7: row has 1 cell, header declares 2" in capsys.readouterr().err
    assert main(["decode", "bad.toon", "-o", "back.json"]) == 1
    assert f"not UTF-8: invalid start byte at byte {len(rows) + 20}" in capsys.readouterr().err
    assert Path("back.json").read_text() == "old"
    assert main(["decode", "long.toon"]) == 1
    assert capsys.readouterr().out.startswith('[\n  {\n    "a": 0,\n')


@pytest.mark.parametrize("command", ["encode", "stats"])
def test_what_other_readers_would_change_is_said_on_standard_error(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("twice.json").write_text('{"a":1,"a":2}')

    assert main([command, "twice.json"]) == 0
    assert 'line 1, column 8: key "a" appears again' in capsys.readouterr().err


DAMAGED: Final = {
    "empty.json": b"",
    "latin.json": b"\xff",
    "half.json": b'["\\ud800"]',
    "wide.json": "{}".encode("utf-16"),
    "log.jsonl": f'{LOGS}{{"a":}}\n'.encode(),
    "object.toon": b"a: 1",
    "object.json": b'{"a":1}',
    "bad.tron": b"[A(1,2)]",
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("encode empty.json", "the text is empty"),
        ("encode latin.json", "not UTF-8"),
        ("encode half.json", "lone surrogate"),
        ("encode wide.json", "wide.json: not UTF-8: UTF-16: save it as UTF-8\n"),
        ("encode log.jsonl", "log.jsonl: line 4, column 6: expected a value, found '}'"),
        ("decode --lines object.toon",
         "the root is not an array: JSON Lines are the elements of one"),
        ("encode object.json --format csv", "object.json: under 'a' is a number, not"),
        ("decode rows.json --format compact", "rows.json: one way: lines are written for a"),
        ("decode bad.tron --format tron", "bad.tron:"),
        ("encode nowhere.json", "toon: nowhere.json: No such file or directory\n"),
        ("encode payload.json -o /nowhere/at/all.toon",
         "toon: /nowhere/at/all.toon cannot be written: No such file or directory\n"),
        ("encode payload.json --fold-keys", "key folding and path expansion are of 3.3"),
        ("encode payload.json --filter-preset other",
         "Unknown filter preset: 'other'. Available presets: google"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_status_1(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    for name, content in DAMAGED.items():
        Path(name).write_bytes(content)

    assert main(arguments.split()) == 1
    assert message in capsys.readouterr().err


_NO_FORMAT = f"argument --format: No format is named {{}}. There are: {', '.join(FORMATS)}"
_NO_TOKENIZER = f"--tokenizer: No tokenizer is named {{}}. There are: {', '.join(TOKENIZERS)}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("encode --delimiter semicolon", "invalid choice"),
        ("encode --indent 0", "argument --indent: invalid choice"),
        ("encode --indent 17", "argument --indent: invalid choice"),
        ("encode --indent 99999999999999999999", "argument --indent: invalid choice"),
        ("encode --delimitr tab", "toon encode: error: unrecognized arguments: --delimitr"),
        ("measure a -o b.csv", "-o/--output: a run is a Parquet file, not b.csv: write b.parquet"),
        ("measure a -o c/b", "-o/--output: no file c/b can be written: no such folder"),
        ("stats --tokenizer qwen3, payload.json", _NO_TOKENIZER.format("''")),
        (
            "measure a -o b --model gpt-5,claude-haiku",
            "--model: No model is named 'claude-haiku'. Near it: claude-3-haiku, claude-haiku-5.5, "
            "claude-haiku-4.5, claude-3.5-haiku-latest, claude-opus-5\n",
        ),
        ("stats --model payload.json", f"There are: {', '.join(MODELS)}"),
        ("stats --format toon,nonsense payload.json", _NO_FORMAT.format("'nonsense'")),
        ("stats --together all payload.json", "must be 1 or more, or none"),
        (
            "stats --explained-cached 90 payload.json",
            "the share of prompts that read the note from the cache must be 0 to 1",
        ),
        ("measure --explain toon a -o b", "a note is written FORMAT=TEXT, not 'toon'"),
        ("encode --format nope payload.json", "No format is named 'nope'. There are: json-pretty"),
        ("measure payload.json", "-o/--output"),
        ("measure payload.json -o run.parquet --workers 2 --scheduler tcp://a:1",
         "not allowed with argument"),
        ("measure payload.json -o run.parquet --report a.pdf",
         "a.pdf ends in none of .html, .md, .csv"),
        ("measure payload.json -o run.parquet --report none/a.html",
         "none/a.html can be written: no such folder"),
        ("budget rows.json", "name a budget"),
        ("budget rows.json --max-tokens -1", "name a budget"),
        ("budget rows.json --against a", "--save and --against are of --mcp"),
        ("budget --mcp --max-vs toon 0% -- x", "with --mcp, limits are --max-tokens"),
        ("budget rows.json --max-vs jason -1%", "No format is named 'jason'"),
        ("budget rows.json --max-vs toon less", "'less' is no change such as -10%"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_status_2(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())

    assert caught.value.code == 2
    assert message in capsys.readouterr().err
    assert not Path("run.parquet").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        "--tokenizer o200k_base,cl100k_base payload.json",
        "--tokenizer o200k_base --tokenizer cl100k_base payload.json",
        "payload.json --tokenizer o200k_base,cl100k_base",
        "--tokenizer=o200k_base,cl100k_base,o200k_base payload.json",
    ],
)
def test_an_option_takes_names_with_commas_and_may_be_given_again(
    capsys: pytest.CaptureFixture[str], arguments: str
) -> None:
    assert main(["stats", "--json", "--format", "toon", *arguments.split()]) == 0

    rows = json.loads(capsys.readouterr().out)["rows"]
    counted = [(row["file"], row["tokenizer"]) for row in rows if row["format"] == "toon"]
    assert counted == [("payload.json", "o200k_base"), ("payload.json", "cl100k_base")]


def test_stats_of_several_files_has_a_verdict_for_each_that_it_can_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("other.json").write_text("[[1],[2]]")

    assert main(["stats", "gone.json", *2 * ["payload.json"], "other.json", "--json"]) == 1
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert "gone.json" in err
    assert list(result["verdict"]["files"]) == ["payload.json", "other.json"]
    counted = [row["file"] for row in result["rows"] if row["format"] == "json-compact"]
    assert counted == ["payload.json", "other.json"]


def test_the_older_version_both_ways(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("nested.json").write_text('{"a":{"b":{"c":[{"d":1,"e":{"f":2}}]}}}')

    assert main(["encode", "nested.json", "--spec", "3.3", "--fold-keys", "-o", "nested.toon"]) == 0
    assert Path("nested.toon").read_text() == "a.b.c[1]:\n  - d: 1\n    e.f: 2"
    assert main(["decode", "nested.toon", "--spec", "3.3", "--expand-paths", "--compact"]) == 0
    assert capsysbinary.readouterr().out == Path("nested.json").read_bytes()


def test_a_terminal_sees_what_is_being_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    assert main(["stats", "payload.json", "payload.json"]) == 0
    err = capsys.readouterr().err
    assert "counting payload.json (2 of 2)" in err
    assert err.endswith("\r\x1b[K")


def test_filters_and_those_of_a_preset_drop_fields_before_anything_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.json").write_text('{"etag":1,"items":[{"etag":2,"s":1},{"etag":3,"s":2}]}')

    assert main(["encode", "a.json", "--filter", "*.etag"]) == 0

    printed = capsys.readouterr()
    assert printed.out == "items[2]{s}:\n  1\n  2"
    assert printed.err == "a.json: 3 fields dropped by filters\n"
    Path("a.json").write_text('{"kind":"x","id":1,"a":2}')
    assert main(["encode", "a.json", "--filter", "a", "--filter-preset", "google"]) == 0
    assert capsys.readouterr().out == "id: 1"


# -- other formats than TOON -----------------------------------------------------------------


def test_what_a_format_loses_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", "rows.json", "--format", "csv"]) == 0
    out, err = capsys.readouterr()

    assert out == FORMATS["csv"].dumps(json.loads(Path("rows.json").read_bytes()))
    assert err.startswith("rows.json: ")
    assert "rows.json: reading it back: " in err
    assert main(["encode", "rows.json", "--format", "tron"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["decode", "rows.json", "--format", "tron", "--lines"]) == 0


def test_toon_by_name_is_toon_with_all_of_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["encode", "rows.json", "--delimiter", "tab", "--indent", "4"]
    assert main([*asked, "--format", "toon"]) == main(asked) == 0
    out = capsys.readouterr().out

    assert out[: len(out) // 2] == out[len(out) // 2 :]
    assert "[2\t]" in out


@pytest.mark.parametrize(
    "asked", ["encode --delimiter tab", "encode --fold-keys", "decode --expand-paths"]
)
def test_an_option_of_toon_is_refused_by_name_with_another_format(
    asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, option, *given = asked.split()
    with pytest.raises(SystemExit) as caught:
        main([command, "rows.json", "--format", "tron", option, *given])

    assert caught.value.code == 2
    message = f"error: argument {option}: is for TOON, not for tron\n"
    assert capsys.readouterr().err.endswith(message)
