"""What every test starts from: nothing inherited, nothing that leaves this machine, shared data."""

import asyncio
import atexit
import os
import re
import runpy
import shutil
import signal
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["tests.sizes"]

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
#: Variables that would change what a program does or prints.
_INHERITED = re.compile(
    r"(TOON|STREAMLIT|TIKTOKEN|XDG|LC|DASK|MPL|JUPYTER)_|PYTHON|LANG|(TERM|COLUMNS|LINES|CDPATH)$"
    # What names the home of an agent: no test reads the sessions of whoever runs it.
    r"|(CLAUDE|CODEX|GEMINI|QWEN|COPILOT|CLINE|GOOSE|CONTINUE|PI|VSCODE)_"
    r"|(NO|FORCE)_COLOR|.*_API_KEY$|(https?|all|no)_proxy$",
    re.IGNORECASE,
)
#: A user may name these.
_KEPT = ("TOON_SPEC",)


def python_path(*folders: Path) -> str:
    """A value of ``PYTHONPATH``: the folders, and what it held."""
    return os.pathsep.join([*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])])


def _forget_the_surroundings() -> None:
    """Make all that processes inherit the same everywhere, for this one and those that it starts.

    A shell lets what it starts in the background ignore SIGINT. ``.pypirc``, caches and Streamlit's
    settings lie in a home, and this machine's may not be writable.
    """
    for name in list(os.environ):
        if _INHERITED.match(name) and name not in _KEPT:
            del os.environ[name]
    home = tempfile.mkdtemp(prefix="toon-home-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ |= {"HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80"}


#: ``tests/guard/sitecustomize.py`` watches every process that is started with this environment.
GUARD = ROOT / "tests" / "guard"
if "TOON_EGRESS" not in os.environ:
    _forget_the_surroundings()
    os.environ["TOON_EGRESS"] = tempfile.mkstemp(prefix="toon-egress-")[1]
    os.environ["PYTHONPATH"] = python_path(GUARD)
    runpy.run_path(str(GUARD / "sitecustomize.py"))
os.umask(0o022)
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(time, "tzset"):  # not on Windows
    time.tzset()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Three workers on two cores: those with a browser wait for it most of their time."""
    return (yield) * 3 // 2


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
