"""The suite in two sizes: what the README's line runs, and with ``--rest`` what that leaves out.

Left out is what is marked ``rest``. Laws of Hypothesis run in both: with 10 examples by the
README's line, with 40 in the rest; one that says itself how many runs once. What a run left out,
and what it skipped because something is missing on this machine, stands at its end: a line each,
with a count.
"""

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

#: What the rest runs of a file: tests that are marked, and laws.
_RUN_BY_REST: Final = re.compile(r"\bmark\.rest\b|@given\b")
#: The line that marks a whole file.
_MARKED: Final = re.compile(r"^pytestmark = (\[\n    )?.*\bmark\.rest\b", re.MULTILINE)
_GUIDE: Final = Path(__file__).parent.parent / ".github" / "CONTRIBUTING.md"
_COMMAND: Final = re.compile(r"^pip install -r tests/rest\.txt .*", re.MULTILINE)

settings.register_profile("line", max_examples=10, deadline=None, derandomize=True)
#: The same examples in every run: what fails is the change, not the day's luck.
settings.register_profile("rest", max_examples=40, deadline=None, derandomize=True)
#: Other examples in every run, to look for what nobody thought of.
settings.register_profile("search", max_examples=250, deadline=None)
settings.register_profile(
    "large", max_examples=60_000, deadline=None, suppress_health_check=list(HealthCheck)
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rest", action="store_true", help="run what the README's line leaves out")


def pytest_configure(config: pytest.Config) -> None:
    """Load few examples for the README's line; ``HYPOTHESIS_PROFILE`` names another profile."""
    profile = "rest" if config.option.rest else "line"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", profile))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Keep each size from importing files of which it would run nothing."""
    is_test = collection_path.match("test_*.py") and collection_path.is_file()
    if not is_test or collection_path in _named(config):
        return None
    text = collection_path.read_text(encoding="utf-8")
    is_other = not _RUN_BY_REST.search(text) if config.option.rest else _MARKED.search(text)
    return True if is_other else None


def _named(config: pytest.Config) -> set[Path]:
    """Return the files that the command names: those run whole, whatever their marks."""
    names = (Path(name.partition("::")[0]).resolve() for name in config.args)
    return {path for path in names if path.is_file()}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if named := _named(config):
        chosen = [item for item in items if item.path in named]
    elif config.option.rest:
        chosen = [item for item in items if _is_rest(item) or _is_law(item)]
    else:
        chosen = [item for item in items if not _is_rest(item)]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    # What takes longest is begun first: at the end everybody would wait for it.
    items[:] = sorted(chosen, key=lambda item: "[mypy]" not in item.name)


def _is_rest(item: pytest.Item) -> bool:
    return item.get_closest_marker("rest") is not None


def _is_law(item: pytest.Item) -> bool:
    """Return whether the rest has more examples of it: not where it says itself how many."""
    law = getattr(item, "obj", None)
    is_pinned = hasattr(law, "_hypothesis_internal_settings_applied")
    return is_hypothesis_test(law) and not is_pinned


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    """Print no letter for a skipped test: :func:`pytest_terminal_summary` counts them."""
    return (
        ("skipped", "", "SKIPPED") if report.skipped and not hasattr(report, "wasxfail") else None
    )


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what was not run: a line for each thing that is missing here, one for the other size."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
    )
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"not run, {reason}: {count}")
    if not config.option.rest and not _named(config):
        command = _COMMAND.search(_GUIDE.read_text(encoding="utf-8"))
        terminalreporter.write_line(
            "not run, the rest (faults, clusters, memory, wheels, every journey in a browser, "
            f"more examples of each law): {command and command[0]}"
        )
