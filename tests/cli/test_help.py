"""What is said without any input: help, the version, what shells complete."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

import toon
from tests.conftest import ROOT
from toon.cli import main, new_parser


@pytest.mark.parametrize(
    ("arguments", "taught"),
    [
        ([], "examples:"),
        (["decode"], "--lenient"),
        (["stats"], "--tokenizer"),
        (["measure"], "PYTHONPATH=. dask worker"),
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
    assert "None" not in out


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version_loads_nothing_that_reads_other_options(option: str) -> None:
    program = (
        "import sys; from toon.cli import main; "
        f"sys.exit(main(['{option}']) or 'argparse' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT)

    assert (shown.returncode, shown.stdout.decode()) == (0, f"token-lab {toon.__version__}\n")


def test_shells_complete_the_names_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """As shtab asks for, which makes scripts for shells of :func:`toon.cli.new_parser`."""
    monkeypatch.setitem(sys.modules, "shtab", SimpleNamespace(FILE="files"))
    (commands,) = new_parser()._subparsers._group_actions  # type: ignore[union-attr]
    completed = {
        name: [action.dest for action in parser._actions if hasattr(action, "complete")]
        for name, parser in commands.choices.items()  # type: ignore[union-attr]
    }

    assert completed == {
        "encode": ["file", "output"], "decode": ["file", "output"], "stats": ["files"],
        "budget": ["files", "save", "against"], "measure": ["paths", "output", "report"],
        "questions": ["files"], "reading": ["files"], "mcp": [], "tap": ["output"],
    }  # fmt: skip
