"""The table of benchmarks."""

import re
from pathlib import Path

from tests.benchmarks.table import HEAD, LINES

FOLDER = Path(__file__).parent / "benchmarks"


def test_every_benchmark_that_returns_ratios_has_its_lines() -> None:
    returning = re.compile(r"^def main\(.*\) -> Ratios:", re.MULTILINE)
    found = {path.stem for path in FOLDER.glob("*.py") if returning.search(path.read_text())}

    assert found == LINES.keys()


def test_the_readme_has_a_row_of_each_line_in_its_words() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = readme.split(HEAD)[1].splitlines(keepends=True)
    expected = [(name, line) for name, lines in LINES.items() for line in lines]

    for row, (name, line) in zip(rows, expected, strict=True):
        ratios = re.findall(r"(\d+\.\d\d)(?: to | times)", row)
        assert line.row(name, [float(ratio) for ratio in ratios]) == row
