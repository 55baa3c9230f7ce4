"""``encode`` and ``decode`` with ``--format``: any format of the table, and what is refused."""

import json
from pathlib import Path

import pytest

from toon.cli import main
from toon.formats import FORMATS


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.json").write_text('[{"id":1,"name":"1e5"},{"id":2,"name":"é"}]', encoding="utf-8")


def test_what_a_format_loses_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", "rows.json", "--format", "csv"]) == 0
    out, err = capsys.readouterr()

    assert out == FORMATS["csv"].dumps(json.loads(Path("rows.json").read_bytes()))
    assert err.startswith("rows.json: ")
    assert "rows.json: reading it back: " in err
    assert main(["encode", "rows.json", "--format", "tron"]) == 0
    assert capsys.readouterr().err == ""


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


@pytest.mark.parametrize(
    ("asked", "status", "message"),
    [
        ("encode one.json --format csv", 1, "one.json: under 'a' is a number, not"),
        ("decode rows.json --format compact", 1, "rows.json: one way: lines are written for a"),
        ("decode rows.json --format tron --lines", 0, ""),
        ("decode bad.tron --format tron", 1, "bad.tron:"),
    ],
)
def test_what_cannot_be_done_is_said_by_the_file(
    asked: str, status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("one.json").write_text('{"a":1}')
    Path("bad.tron").write_text("[A(1,2)]")

    assert main(asked.split()) == status
    assert message in capsys.readouterr().err
