"""Behind nginx: two replicas, configured as ``.github/deploy`` says, and one server that is not."""

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, Server, free_port, served, wait_until_ready
from tests.browser.lab import (
    FRESH,
    expect_payload,
    expect_text,
    go_to,
    paste_over,
    wait_for_the_run,
)
from tests.processes import Process

pytestmark = pytest.mark.rest

CONFIGURATION = ROOT / ".github" / "deploy" / "nginx.conf"
#: What Debian has around it, without its folders.
AROUND = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/token-lab.conf;
}}
"""
#: Takes a prefix from the path, and keeps the port to itself; another server's page has a frame.
STRIPPING = """
server {{
    listen {port};
    location /lab/ {{
        proxy_pass http://127.0.0.1:{upstream}/;
        proxy_http_version 1.1;
        proxy_set_header Host $host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection upgrade;
        proxy_set_header X-Forwarded-For $remote_addr;
    }}
}}
server {{
    listen {hub};
    default_type text/html;
    return 200 "<iframe src='http://localhost:{port}/lab/' width=1200 height=800></iframe>";
}}
"""
TEXT = '{"mine": [1, 2]}'
#: The server's name of a text in the JSON editor, once it has the text.
KNOWN = """text => {
    const { ids, work } = Object.values(window.__tokenLabEditors)[0];
    return work.text === text && ids.json;
}"""
#: Notes that the connection was lost, however soon there is another.
NOTE_LOSS = """app => {
    const look = () => {
        window.wasAway ||= app.dataset.testConnectionState !== "CONNECTED";
    };
    const attributeFilter = ["data-test-connection-state"];
    new MutationObserver(look).observe(app, { attributes: true, attributeFilter });
}"""


def nginx() -> str:
    """The path of nginx; without it the tests are skipped, except in CI."""
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None and os.environ.get("CI"):
        pytest.fail("no nginx")
    return found or pytest.skip("no nginx")


@contextmanager
def proxied(folder: Path, configuration: str, url: str) -> Iterator[None]:
    """Runs nginx, through which a server that runs already answers at ``url``."""
    program, log = nginx(), folder / "nginx.log"
    (folder / "token-lab.conf").write_text(configuration, "utf-8")
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder), "utf-8")
    command = [program, "-e", "stderr", "-c", str(folder / "nginx.conf")]
    with log.open("wb") as output:
        process = Process(command, stdout=output, stderr=output)
    try:
        wait_until_ready(process, url, log)
        yield
    finally:
        process.terminate()
        process.wait()


class Replicas(NamedTuple):
    """The address of nginx, the replicas by their name in the cookie, and how to start one."""

    url: str
    running: dict[str, Server]
    start: Callable[[str], None]

    def kill(self, name: str) -> None:
        os.kill(self.running.pop(name).pid, signal.SIGKILL)


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[Replicas]:
    """Two replicas with nginx before them, for one test: what it kills stays away."""
    folder = tmp_path / "nginx"
    folder.mkdir()
    ports = {"80": free_port(), "8501": free_port(), "8502": free_port()}
    text = CONFIGURATION.read_text("utf-8")
    text = re.sub(r"(?<=listen )80\b|\b850[12]\b", lambda found: str(ports[found[0]]), text)
    text = text.replace("/var/log/nginx/token-lab.log", "stderr")
    running: dict[str, Server] = {}
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOON_TOKEN", "off")  # they see nginx, and would ask for one

        def start(name: str) -> None:
            server = served(ROOT / "app.py", port=ports[f"850{name}"])
            running[name] = stack.enter_context(server)

        start("1")
        start("2")
        url = f"http://localhost:{ports['80']}"
        stack.enter_context(proxied(folder, text, url))
        yield Replicas(url, running, start)


def type_text(page: Page, text: str) -> tuple[str, str]:
    """Types as a person does; the replica that has the browser, and the text's id."""
    paste_over(page.get_by_label("JSON editor"), text)
    document: str = page.wait_for_function(KNOWN, arg=text).json_value()
    expect(page.locator(FRESH)).to_have_count(1)
    cookies = {each["name"]: each["value"] for each in page.context.cookies()}
    return cookies["lab_replica"], document


def holders(replicas: Replicas, document: str) -> set[str]:
    """The replicas that have a text in memory."""
    found = set()
    for name, server in replicas.running.items():
        answer = httpx2.get(f"{server.url}/api/measure", params={"json": document}, timeout=60)
        if "missing" not in answer.json():
            found.add(name)
    return found


def test_a_browser_stays_at_its_replica_and_takes_its_text_along_when_that_is_killed(
    page: Page, replicas: Replicas, problems: list[str]
) -> None:
    page.goto(replicas.url)
    expect(page.locator(FRESH)).to_have_count(1)
    first, document = type_text(page, TEXT)
    assert {first} == holders(replicas, document)
    new = [httpx2.get(replicas.url).cookies["lab_replica"] for _ in range(20)]
    assert {*new} == {"1", "2"}
    for spaces in range(1, 3):
        first_again, document = type_text(page, TEXT + spaces * " ")
        assert {first, first_again} == holders(replicas, document)

    app = page.get_by_test_id("stApp")
    app.evaluate(NOTE_LOSS)
    replicas.kill(first)
    page.keyboard.type("  ")
    page.wait_for_function("() => window.wasAway", timeout=100_000)
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=100_000)
    wait_for_the_run(page)
    go_to(page, "Compare")
    expect_payload(page, f"{TEXT}    ")

    # The replica that is back is not asked: it has neither the session nor the text.
    replicas.start(first)
    go_to(page, "Playground")
    expect(page.locator(FRESH)).to_have_count(1)
    for spaces in range(1, 3):
        second, document = type_text(page, TEXT + spaces * "\n")
        assert {"1", "2"} - {first} == {second} == holders(replicas, document)
    page.goto("about:blank")
    problems.clear()  # what was asked of the killed one failed


def test_the_page_says_which_settings_let_its_proxy_and_a_frame_in_until_it_is(
    page: Page,
    app_server: str,
    problems: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that runs already says the first ones; the last start has all that were said."""
    port, upstream, hub = free_port(), free_port(), free_port()
    url, outside = f"http://localhost:{port}/lab/", f"http://localhost:{hub}"
    inside = page.frame_locator("iframe")

    def behind(server: str) -> AbstractContextManager[None]:
        running = urlsplit(server).port
        return proxied(tmp_path, STRIPPING.format(port=port, upstream=running, hub=hub), url[:-1])

    def said(address: str) -> list[str]:
        page.goto(address)
        pre = (inside if address == outside else page).locator("pre").first
        return pre.inner_text().removesuffix(" streamlit run app.py").split("=")

    with behind(app_server):
        name, token = said(url)
        assert name == "TOON_TOKEN"
        monkeypatch.setenv(name, token)
        assert said(outside) == ["TOON_FRAMES", outside]
        expect(inside.get_by_text(f"A page at {outside} holds this one in a frame")).to_be_visible()
    with served(ROOT / "app.py", port=upstream) as server, behind(server.url):
        assert said(f"{url}?token={token}") == ["TOON_HOSTS", f"localhost:{port}"]
        monkeypatch.setenv("TOON_HOSTS", f"localhost:{port}")
    page.goto("about:blank")
    problems.clear()
    monkeypatch.setenv("TOON_FRAMES", outside)
    with served(ROOT / "app.py", port=upstream) as server, behind(server.url):
        for address, place in ((url, page), (outside, inside)):
            page.goto(f"{url}_stcore/health")
            # A page that brings back what was kept replaces what is pasted meanwhile.
            page.evaluate("() => [localStorage, sessionStorage].forEach((each) => each.clear())")
            page.goto(address)
            paste_over(place.get_by_label("JSON editor"), TEXT)
            expect_text(place.get_by_label("TOON editor"), "mine[2]: 1,2")
        page.goto("about:blank")
