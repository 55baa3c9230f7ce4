"""The command line: what goes to which stream, and with which status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from toon.cli import main


@pytest.fixture
def payload(tmp_path: Path) -> Path:
    path = tmp_path / "payload.json"
    path.write_text('{"a":[{"b":1,"c":"x,y"},{"b":2,"c":"é"}]}', encoding="utf-8")
    return path


def test_encode_writes_the_document_and_nothing_more(
    payload: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["encode", str(payload)]) == 0

    out, err = capsysbinary.readouterr()
    assert out == 'a[2]{b,c}:\n  1,"x,y"\n  2,é'.encode()
    assert err == b""


def test_encode_and_decode_through_files(payload: Path, tmp_path: Path) -> None:
    toon_file, json_file = tmp_path / "payload.toon", tmp_path / "back.json"

    arguments = ["--delimiter", "pipe", "--indent", "4", "-o", str(toon_file)]
    assert main(["encode", str(payload), *arguments]) == 0
    assert toon_file.read_text(encoding="utf-8") == "a[2|]{b|c}:\n    1|x,y\n    2|é"
    assert main(["decode", str(toon_file), "--indent", "4", "-o", str(json_file)]) == 0
    assert json.loads(json_file.read_text()) == json.loads(payload.read_text())


def test_decode_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a: 1e400\nb: 1.50")))

    assert main(["decode", "--compact"]) == 0
    assert capsysbinary.readouterr().out == b'{"a":1E+400,"b":1.5}'


def test_a_bad_text_is_said_with_its_place_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toon"
    path.write_text("a[2]{b,c}:\n  1,2\n  3,4,5\n")

    assert main(["decode", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        f"{path}: line 3, column 7: row has 3 cells, header declares 2\n"
        "    3,4,5\n"
        "        ^\n"
        "hint: an unquoted comma? A cell that holds the delimiter must be quoted\n"
    )


def test_a_dialect_is_recognised_read_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pasted.toon"
    path.write_text("TOON/1 {ok:true}")

    assert main(["decode", "--compact", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out.strip() == '{"ok":true}'
    assert err == f"{path}: this is not TOON: it was recognised and read as Ticket (TOON/1)\n"


def test_lenient_reads_what_strict_refuses(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "short.toon"
    path.write_text("a[3]: 1,2")

    assert main(["decode", str(path)]) == 1
    assert main(["decode", "--lenient", "--compact", str(path)]) == 0
    assert capsysbinary.readouterr().out == b'{"a":[1,2]}'


def test_what_other_readers_would_change_is_said_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "twice.json"
    path.write_text('{"a":1,"a":2}')

    assert main(["encode", str(path)]) == 0
    assert 'line 1, column 8: key "a" appears again' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "the text is empty"), (b"\xff", "not UTF-8"), (b'["\\ud800"]', "lone surrogate")],
)
def test_what_cannot_be_read_is_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)

    assert main(["encode", str(path)]) == 1
    assert message in capsys.readouterr().err


def test_a_missing_file_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", "nowhere.json"]) == 1
    assert "nowhere.json" in capsys.readouterr().err


def test_a_wrong_option_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["encode", "--delimiter", "semicolon"])

    assert caught.value.code == 2
    assert "invalid choice" in capsys.readouterr().err


def test_stats_as_json(payload: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["o200k_base", "cl100k_base"]
    assert main(["stats", str(payload), "--tokenizer", *names, "--json"]) == 0

    result = json.loads(capsys.readouterr().out)
    assert {row["tokenizer"] for row in result["rows"]} == set(names)
    assert result["verdict"]["format"] in {row["format"] for row in result["rows"]}


def test_stats_goes_on_after_a_file_it_cannot_read(
    payload: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(tmp_path / "gone.json"), str(payload), str(payload)]) == 1

    out, err = capsys.readouterr()
    assert "gone.json" in err
    assert out.count("json-compact") == 1


def test_stats_of_several_files_has_a_verdict_for_each(
    payload: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.json"
    other.write_text("[[1],[2]]")

    assert main(["stats", str(payload), str(other), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result["verdict"]["files"]) == [str(payload), str(other)]


def test_it_runs_as_a_module() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "toon", "encode"],
        input=b'{"a": 1}',
        capture_output=True,
        check=True,
        cwd=ROOT,
    )

    assert result.stdout == b"a: 1"


def test_an_unknown_tokenizer_is_answered_with_those_there_are(
    payload: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(payload), "--tokenizer", "gpt9"]) == 1
    assert "o200k_base" in capsys.readouterr().err


def test_the_older_version_both_ways(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "nested.json"
    path.write_text('{"a":{"b":{"c":[{"d":1,"e":{"f":2}}]}}}')
    out = tmp_path / "nested.toon"

    assert main(["encode", str(path), "--spec", "3.3", "--fold-keys", "-o", str(out)]) == 0
    assert out.read_text() == "a.b.c[1]:\n  - d: 1\n    e.f: 2"
    assert main(["decode", str(out), "--spec", "3.3", "--expand-paths", "--compact"]) == 0
    assert capsysbinary.readouterr().out == path.read_bytes()


def test_options_of_the_older_version_alone_are_refused(
    payload: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", str(payload), "--fold-keys"]) == 1
    assert "key folding and path expansion are of 3.3" in capsys.readouterr().err


def test_a_terminal_sees_what_is_being_done(
    payload: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.chdir(payload.parent)

    assert main(["stats", payload.name, payload.name]) == 0
    err = capsys.readouterr().err
    assert "counting payload.json (2 of 2)" in err
    assert err.endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("arguments", "taught"),
    [
        ([], "examples:"),
        (["encode"], "--delimiter"),
        (["decode"], "--lenient"),
        (["stats"], "--tokenizer"),
        (["measure"], "examples:"),
    ],
)
def test_help_teaches(
    arguments: list[str], taught: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*arguments, "--help"])

    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert " ".join(["usage: python -m toon", *arguments]) in out
    assert taught in out


def test_stats_says_what_the_text_held_besides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "twice.json"
    path.write_text('{"a":1,"a":2}')

    assert main(["stats", str(path)]) == 0
    assert 'key "a" appears again' in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_status_1(
    payload: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", str(payload), "-o", "/nowhere/at/all.toon"]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_filters_drop_fields_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"etag":1,"items":[{"etag":2,"s":1},{"etag":3,"s":2}]}')

    assert main(["encode", str(file), "--filter", "*.etag"]) == 0

    printed = capsys.readouterr()
    assert printed.out.strip() == "items[2]{s}:\n  1\n  2"
    assert printed.err == f"{file}: 3 fields dropped by filters\n"


def test_an_unknown_preset_names_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"kind":"x","id":1}')

    assert main(["encode", str(file), "--filter-preset", "other"]) == 1
    assert "Unknown filter preset: 'other'. Available presets: google" in capsys.readouterr().err

    assert main(["encode", str(file), "--filter", "a", "--filter-preset", "google"]) == 0
    assert capsys.readouterr().out.strip() == "id: 1"


def test_stats_of_chosen_formats_have_the_baselines_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    file.write_text('[{"a":1},{"a":2}]')

    assert main(["stats", str(file), "--format", "toon", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["format"] for row in rows] == ["json-pretty", "json-python", "json-compact", "toon"]

    assert main(["stats", str(file), "--format", "nonsense"]) == 1
    assert "no format 'nonsense'" in capsys.readouterr().err
