"""The table of benchmarks."""

import re
from pathlib import Path

from tests.benchmarks.table import HEAD, LINES, Line

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


def test_a_row_says_the_ratios_and_whether_they_keep_to_the_bound() -> None:
    slow, fast = (Line("counting", "guessing", unit, 1.5) for unit in ("as long", "as fast"))

    assert [
        slow.row("counting", [1.5]),
        slow.row("counting", [1.2, 1.6]),
        fast.row("counting", [1.6, 1.5]),
    ] == [
        f"| counting | guessing | {ratio} | {bound} | `python -m tests.benchmarks.counting` |\n"
        for ratio, bound in (
            ("1.50 times as long", "at most 1.5"),
            ("1.20 to 1.60 times as long", "at most 1.5, missed"),
            ("1.50 to 1.60 times as fast", "at least 1.5"),
        )
    ]
