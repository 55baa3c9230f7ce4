"""A running server and a real browser; without a browser the tests are skipped, except in CI."""

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Frame,
    Locator,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.browser.lab import HARNESS, Lab
from tests.conftest import ROOT
from tests.processes import Process

#: Guards against a hang, and nothing else: under load a large text takes seconds.
PATIENCE = 90_000  # milliseconds
expect.set_options(timeout=PATIENCE)

SYSTEM_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: The same engine without a window: an eighth less work for the processor. Tests prefer it;
#: benchmarks and pictures are of what people have.
WINDOWLESS = "chromium-headless-shell"
BROWSER_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    # Widths of letters as in a window: without a window they would be whole pixels.
    "--font-render-hinting=none",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name but this machine's leads anywhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
#: CSS pixels of the window.
SIZE: Final[ViewportSize] = {"width": 1400, "height": 900}
#: Seconds a server may take to be ready, on a machine that does much else, and to stop.
STARTED_WITHIN = 180
STOPPED_WITHIN = 10

Serve = Callable[..., str]
#: Ports that were given: a server may listen at its own only after others have asked for theirs.
GIVEN: set[int] = set()


def free_port() -> int:
    """A new port nothing listens on, and below those that connections take while servers start.

    Each worker has ports of its own: another's server may not listen yet.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    while True:
        port = 20_000 + worker % 6 * 2_000 + secrets.randbelow(2_000)
        if port in GIVEN:
            continue
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            GIVEN.add(port)
            return port


def wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Returns once the server answers; fails with its output if it does not."""
    deadline = time.monotonic() + STARTED_WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
            return
        time.sleep(0.05)
    pytest.fail(f"the server did not start:\n{log.read_text()}")


class Server(NamedTuple):
    """Where it listens, the file that all of its output goes to, and its process."""

    url: str
    log: Path
    pid: int


@contextmanager
def served(app: Path, *flags: str, port: int | None = None, root: Path = ROOT) -> Iterator[Server]:
    """Runs a Streamlit app from the root of a checkout, at a free port unless one is given."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(app), *flags]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    command += ["--browser.gatherUsageStats", "false", "--server.port", str(port)]
    url = f"http://localhost:{port}"
    # A file, not a pipe: a full pipe that nobody reads would stop the server.
    with (
        tempfile.NamedTemporaryFile(suffix=".log") as log,
        tempfile.NamedTemporaryFile(suffix=".writes") as writes,
    ):
        env = {**os.environ, "TOON_WRITES": writes.name}
        process = Process(command, cwd=root, env=env, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until_ready(process, url, Path(log.name))
            yield Server(url, Path(log.name), process.pid)
        finally:
            process.terminate()
            try:
                process.wait(STOPPED_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        assert unexpected(Path(writes.name)) == []


def unexpected(notes: Path) -> list[str]:
    """What a server wrote besides runs and bytecode: files could hold a text."""
    here = re.escape(tempfile.gettempdir())
    expected = re.compile(
        "|".join(
            [
                rf"{here}/toon-kept-",
                r".*/__pycache__/",
                rf"{here}/[a-z0-9_]{{8}}\Z",  # Python tries whether it can write there
                r"/dev/null\Z|[0-9]+\Z",  # a descriptor that is open already
            ]
        )
    )
    return [path for path in notes.read_text().splitlines() if not expected.match(path)]


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """``serve(app, *flags)`` runs an app until the end of the session, and gives its address."""
    with ExitStack() as stack:

        @cache
        def start(app: Path, *flags: str) -> str:
            return stack.enter_context(served(app, *flags)).url

        yield start


@pytest.fixture(scope="session")
def app_server(serve: Serve) -> str:
    """The address of the real app."""
    return serve(ROOT / "app.py")


def system_browser(*preferred: str) -> str | None:
    """The path of an installed browser; None leaves the choice to Playwright."""
    found = (shutil.which(name) for name in (*preferred, *SYSTEM_BROWSERS))
    return next((path for path in found if path), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A system browser, or else Playwright's own."""
    with ExitStack() as stack:
        try:
            playwright = stack.enter_context(sync_playwright())
            browser = playwright.chromium.launch(
                executable_path=system_browser(WINDOWLESS),
                args=BROWSER_ARGS,
                timeout=1_000 * STARTED_WITHIN,
            )
        except Exception as error:  # Playwright's own program may miss a library of the system
            reason = f"no browser: {str(error).splitlines()[0]}"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        yield browser
        browser.close()


@pytest.fixture
def problems() -> list[str]:
    """What went wrong in the page; a test that provokes something may empty the list."""
    return []


@contextmanager
def hearing(page: Page, **hear: Callable[..., None]) -> Iterator[None]:
    """Listens to events of a page: ``hearing(page, pageerror=note)``."""
    for event, listener in hear.items():
        page.on(event, listener)
    try:
        yield
    finally:
        for event, listener in hear.items():
            page.remove_listener(event, listener)


def make_new(page: Page, origins: set[str]) -> None:
    """Forgets what a test left in a page and in what the browser keeps for these origins."""
    for other in page.context.pages:
        if other != page:
            other.close()
    page.unroute_all()
    page.context.clear_permissions()
    page.emulate_media(color_scheme="light")
    page.mouse.move(0, 0)
    browser = page.context.new_cdp_session(page)
    for origin in origins:
        page.goto(f"{origin}/_stcore/health")  # pages write once more when they are left
        page.evaluate("() => sessionStorage.clear()")
        kept = {"origin": origin, "storageTypes": "local_storage,indexeddb"}
        browser.send("Storage.clearDataForOrigin", kept)
    browser.detach()
    page.goto("about:blank")
    page.context.clear_cookies()


@pytest.fixture(scope="session")
def spare(browser: Browser) -> Iterator[list[Page]]:
    """The page that the next test gets, if the last one left a page that can be as new."""
    pages: list[Page] = []
    yield pages
    for page in pages:
        page.context.close()


@pytest.fixture
def page(browser: Browser, problems: list[str], spare: list[Page]) -> Iterator[Page]:
    """A page that nothing is known of, 1400 x 900; the test fails if anything went wrong.

    That is an error in the console, one that nobody caught, or a request that leaves this machine.
    It may have been another test's before, because a browser is four times as fast where it has
    compiled the scripts already. Scripts of a test are added by ``with page.add_init_script``.
    """
    page = spare.pop() if spare else browser.new_context(accept_downloads=True).new_page()
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size(SIZE)
    origins: set[str] = set()

    def on_address(frame: Frame) -> None:
        if frame.url.startswith("http"):
            origins.add("{0.scheme}://{0.netloc}".format(urlsplit(frame.url)))

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(f"console: {message.text}")

    def on_request(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname != "localhost":
            problems.append(f"request to another host: {request.url}")

    def on_error(error: Error) -> None:
        problems.append(f"uncaught: {error}")

    hear = {"console": on_console, "pageerror": on_error, "request": on_request}
    with hearing(page, framenavigated=on_address, **hear):
        yield page
    found = [*problems]
    try:
        make_new(page, origins)
        spare.append(page)
    except Error:  # its server is gone
        page.context.close()
    assert found == []


@pytest.fixture
def area(page: Page, app_server: str) -> Locator:
    """The JSON editor of the playground, with the first answer above it."""
    page.goto(app_server)
    expect(page.locator(".answer[data-state=fresh]")).to_be_visible()
    return page.get_by_label("JSON editor")


@pytest.fixture
def lab(page: Page, serve: Serve) -> Lab:
    """The editor's harness, its server as fast and as friendly as it gets."""
    lab = Lab(page, serve(HARNESS))
    lab.control(hold=0)
    lab.rest()
    lab.control(delay=0, notices=0, round_trip=1)
    return lab
