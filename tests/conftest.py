"""Hypothesis profiles, the guard against requests that leave this machine, and shared test data."""

from __future__ import annotations

import asyncio
import os
import re
import runpy
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

#: The line that marks a whole file, where one line does.
_MARKED = re.compile(r"^pytestmark = .*", re.MULTILINE)

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile("quick", max_examples=10, deadline=None)
#: The same examples in every run: what fails is the change, not the day's luck. More of them would
#: find the same in every run; "search" is for what nobody has found.
settings.register_profile("ci", max_examples=40, deadline=None, derandomize=True)
#: Other examples in every run, to look for what nobody thought of.
settings.register_profile("search", max_examples=250, deadline=None)
settings.register_profile(
    "large", max_examples=60_000, deadline=None, suppress_health_check=list(HealthCheck)
)


def python_path(*folders: Path) -> str:
    """A value of ``PYTHONPATH``: the folders, and what it held."""
    return os.pathsep.join([*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])])


#: ``tests/guard/sitecustomize.py`` watches every process that is started with this environment.
GUARD = ROOT / "tests" / "guard"
if "TOON_EGRESS" not in os.environ:
    os.environ["TOON_EGRESS"] = tempfile.mkstemp(prefix="toon-egress-")[1]
    os.environ["PYTHONPATH"] = python_path(GUARD)
    runpy.run_path(str(GUARD / "sitecustomize.py"))


def pytest_configure(config: pytest.Config) -> None:
    """Few examples where slow tests are left out; ``HYPOTHESIS_PROFILE`` names another profile."""
    profile = "quick" if "not slow" in config.option.markexpr else "ci"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", profile))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Does not import a file that is marked as a whole with what ``-m "not …"`` leaves out."""
    expression = config.option.markexpr
    if not re.fullmatch(r"not \w+( and not \w+)*", expression) or not collection_path.is_file():
        return None
    text = collection_path.read_text(encoding="utf-8")
    marks = re.findall(r"pytest\.mark\.(\w+)", "".join(_MARKED.findall(text)))
    return True if set(marks) & set(expression.split()) else None


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """Three workers on two cores: those with a browser wait for it most of their time."""
    cores = yield
    return cores if "not browser" in config.option.markexpr else cores * 3 // 2


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Playwright's event loop counts as running between its calls; other tests have their own."""
    uses_browser = "browser" in getattr(item, "fixturenames", ())
    loop = None if uses_browser else asyncio._get_running_loop()
    if loop is None:
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails the run if something wanted to leave this machine; workers leave that to the first."""
    if hasattr(session.config, "workerinput"):
        return
    notes = Path(os.environ["TOON_EGRESS"])
    if left := notes.read_text(encoding="utf-8"):
        print(f"\nrequests left this machine:\n{left}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    notes.unlink()


needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared test data is not beside this checkout"
)


def shared_files(pattern: str) -> list[Any]:
    """The files of the shared test data that match, to parametrise a test with.

    Without that data there is one parameter, which is skipped. No match is an error.
    """
    if not SHARED.is_dir():
        return [pytest.param(Path(), marks=needs_shared, id="absent")]
    files = sorted(SHARED.glob(pattern))
    assert files, f"no {pattern} in {SHARED}"
    return files
