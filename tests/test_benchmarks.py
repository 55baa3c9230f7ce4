"""The table of benchmarks, and the cluster that one of them simulates."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks import table
from tests.benchmarks.cluster_model import Costs, model, simulate
from tests.benchmarks.table import HEAD, LINES, Line, Row, measured, rows_of, updated
from tests.conftest import ROOT

COUNTING = Line("counting", "guessing", "as long", 1.5)
SECONDS = st.floats(0, 10)
COSTS = st.builds(Costs, SECONDS, SECONDS, SECONDS)


def test_every_benchmark_that_returns_ratios_has_its_lines() -> None:
    paths = (ROOT / "tests" / "benchmarks").glob("*.py")
    returning = re.compile(r"^def main\(.*\) -> Ratios:", re.MULTILINE)

    assert {path.stem for path in paths if returning.search(path.read_text())} == LINES.keys()


def test_the_readme_has_a_row_of_each_line_in_its_words() -> None:
    readme = table.README.read_text(encoding="utf-8")
    rows = readme.split(HEAD)[1].split("\n\n")[0].splitlines()
    expected = [(name, line) for name, lines in LINES.items() for line in lines]

    for row, (name, line) in zip(rows, expected, strict=True):
        what, against, ratio, bound, command = row.strip("| ").split(" | ")
        ratios = [float(figure) for figure in re.findall(r"\d+\.\d\d", ratio)]
        unknown = Row(line.what, line.against, "not measured", line.bound_text())
        assert Row(what, against, ratio, bound) == (measured(line, ratios) if ratios else unknown)
        assert command == f"`python -m tests.benchmarks.{name}`"


def test_a_row_says_the_ratios_and_whether_they_keep_to_the_bound() -> None:
    fast = COUNTING._replace(unit="as fast")

    assert [
        measured(COUNTING, [1.5]).text("counting"),
        measured(COUNTING, [1.2, 1.6]).text("counting"),
        measured(fast, [1.6, 1.5]).text("counting"),
        measured(fast._replace(bound=None), [0.4]).text("counting"),
    ] == [
        f"| counting | guessing | {ratio} | {bound} | `python -m tests.benchmarks.counting` |\n"
        for ratio, bound in (
            ("1.50 times as long", "at most 1.5"),
            ("1.20 to 1.60 times as long", "at most 1.5, missed"),
            ("1.50 to 1.60 times as fast", "at least 1.5"),
            ("0.40 times as fast", "none"),
        )
    ]


def test_what_cannot_run_is_a_row_that_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LINES, "missing", (COUNTING,))
    # A test of pages before this one may have left theirs, which a new process would run.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))

    assert rows_of("missing") == [
        Row(
            "counting",
            "guessing",
            "not run: No module named 'tests.benchmarks.missing'",
            "at most 1.5",
        )
    ]


def test_what_was_not_run_keeps_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {name: (COUNTING._replace(what=name),) for name in ("new", "kept", "failed", "unknown")}
    monkeypatch.setattr(table, "LINES", lines)
    old = {name: measured(line, [9]).text(name) for name, (line,) in lines.items()}
    readme = f"# Fast\n\n{HEAD}{old['kept']}{old['failed']}{old['new']}\nThe end.\n"
    new = measured(lines["new"][0], [1])
    failed = Row("failed", "guessing", "not run: no browser", "at most 1.5")

    assert updated(readme, {"new": [new], "failed": [failed]}) == (
        f"# Fast\n\n{HEAD}{new.text('new')}{old['kept']}{old['failed']}"
        "| unknown | guessing | not measured | at most 1.5 |"
        " `python -m tests.benchmarks.unknown` |\n\nThe end.\n"
    )


@pytest.mark.parametrize(
    ("durations", "workers", "costs", "seconds"),
    [
        ([1, 1, 1, 1], 2, Costs(0, 0, 0), 2),
        ([3, 1, 1, 1], 2, Costs(0, 0, 0), 3),
        ([1], 2, Costs(0, 2, 4), 7),
        ([1, 1], 2, Costs(0, 2, 0), 4),  # assigned at 1 and 2, done at 2 and 3, reported at 3 and 4
        ([1, 1], 2, Costs(0, 0, 2), 4),  # sent at 1 and 2, kept from 2 to 3 and from 3 to 4
        ([9, 1, 1, 1, 1], 1, Costs(0, 0, 0), 13),
        ([9, *[1] * 9], 2, Costs(0, 0, 0), 12),  # until the first is kept, only four more are sent
    ],
)
def test_simulated_seconds(
    durations: list[float], workers: int, costs: Costs, seconds: float
) -> None:
    assert simulate(durations, workers, costs) == seconds


@given(durations=st.lists(SECONDS, min_size=1), workers=st.integers(1, 9), costs=COSTS)
def test_nobody_is_faster_than_their_work(
    durations: list[float], workers: int, costs: Costs
) -> None:
    seconds = simulate(durations, workers, costs)
    tasks, work = len(durations), sum(durations)
    scheduling, coordinating = tasks * costs.scheduler, tasks * costs.coordinator

    least = max(work / workers, *durations, scheduling, coordinating)
    assert least * (1 - 1e-9) <= seconds <= (work + scheduling + coordinating) * (1 + 1e-9)


@given(tasks=st.integers(1, 50), workers=st.integers(1, 9), costs=COSTS)
def test_the_formula_is_the_simulation_of_equal_tasks(
    tasks: int, workers: int, costs: Costs
) -> None:
    simulated = simulate([costs.worker] * tasks, workers, costs)

    assert abs(model(tasks, workers, costs) - simulated) <= 2 * sum(costs) + 1e-9
