"""What ``toon tap`` refuses."""

from pathlib import Path

import pytest

from toon.cli import main


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--listen", "9000"], "name either a COMMAND after --, or both --listen and --upstream"),
        (["--listen", "x", "--upstream", "http://127.0.0.1"],
         "toon tap: x is no address such as 127.0.0.1:9000"),
        (["--listen", "0", "--upstream", "ftp://127.0.0.1"],
         "toon tap: ftp://127.0.0.1 is no URL of an upstream, such as https://example.com"),
        (["--listen", "0", "--upstream", "http://u:sk-very-secret@127.0.0.1"],
         "toon tap: the URL of an upstream has a host and a path, and no more"),
    ],
)  # fmt: skip
def test_what_the_command_refuses(
    options: list[str], error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tap", "-o", str(tmp_path / "t.jsonl"), *options]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == error
