"""The code keeps its own rules: ruff and strict mypy, as configured in the dotfiles."""

import ast
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from tests.conftest import ROOT
from tests.test_rooms import read_modules


@pytest.mark.rest
@pytest.mark.parametrize(
    "command", [["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]], ids=" ".join
)
def test_the_tools_find_nothing(command: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False
    )

    assert result.returncode == 0, result.stdout + result.stderr


def source_files(*suffixes: str) -> list[Path]:
    files = [
        path
        for folder in ("toon", "pages", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in suffixes and not {"node_modules", "built"} & {*path.parts}
    ]
    assert len(files) > 40
    return files


def test_files_stay_short_enough_to_read() -> None:
    """A file cut in two that import each other is no shorter: ``test_rooms`` finds those."""
    files = source_files(".py", ".js")

    assert [path.name for path in files if path.read_text().count("\n") > 400] == []


@pytest.mark.rest
def test_functions_stay_short_enough_to_read() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}: {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in source_files(".py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {name: lines for name, lines in lengths.items() if lines > 60} == {}
    assert median(lengths.values()) <= 10


def test_charts_name_their_channels() -> None:
    """Altair takes several milliseconds for each that it has to find the class of."""
    unnamed = [
        f"{module}:{node.lineno}"
        for module, tree in read_modules("pages").items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (
            ast.unparse(node.func) in {"alt.value", "alt.condition"}
            or (
                ast.unparse(node.func).endswith(".encode")
                and any(map(_is_shorthand, node.keywords))
            )
        )
    ]

    assert unnamed == []


def _is_shorthand(channel: ast.keyword) -> bool:
    given = channel.value.elts if isinstance(channel.value, ast.List) else [channel.value]
    return any(isinstance(value, ast.Constant) for value in given)
