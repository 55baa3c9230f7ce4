"""Behind nginx: two replicas, configured as ``.github/deploy`` says, and one server that is not.

A visitor speaks Streamlit's protocol as a browser does, so that it can see who answers; all else is
a real browser.
"""

import asyncio
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, Server, free_port, served, wait_until_ready
from tests.browser.lab import expect_text, go_to, paste_over
from tests.processes import Process
from tests.visitor import Failed, Visitor, visit
from tests.words import YOUR_TEXT

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
DOOR = Path(__file__).parent / "harness" / "door.py"


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


async def type_text(visitor: Visitor, text: str) -> tuple[str, str]:
    """Types as a person does; the replica that has the text, and the text's id."""
    converted = await visitor.convert(text)
    ids = {"json": converted["id"], "toon": converted["to"]["id"]}
    await visitor.measure(**{f"{side}_id": name for side, name in ids.items()})
    await visitor.report({**ids, "side": "json", "valid": True})
    return str(visitor.http.cookies["lab_replica"]), ids["json"]


async def holders(replicas: Replicas, document: str) -> set[str]:
    """The replicas that have a text in memory."""
    found = set()
    async with httpx2.AsyncClient(trust_env=False) as http:
        for name, server in replicas.running.items():
            answer = await http.get(f"{server.url}/api/measure", params={"json": document})
            if "missing" not in answer.json():
                found.add(name)
    return found


async def answering(replicas: Replicas) -> set[str]:
    """The replicas at which new browsers arrive, until there are two, or twenty browsers did."""
    found: set[str] = set()
    async with AsyncExitStack() as browsers:
        for number in range(20):
            other = await browsers.enter_async_context(visit(replicas.url))
            name, theirs = await type_text(other, f'{{"theirs": {number}}}')
            assert {name} == await holders(replicas, theirs)
            found.add(name)
            if len(found) == 2:
                break
    return found


def test_a_browser_stays_at_its_replica_and_takes_its_text_along_when_that_is_killed(
    page: Page, replicas: Replicas, problems: list[str]
) -> None:
    """First a visitor that sees who answers, then a real browser whose user types on."""

    async def journey() -> None:
        seen: list[bytes] = []
        async with visit(replicas.url, seen.append) as visitor:
            first, document = await type_text(visitor, TEXT)
            assert {first} == await holders(replicas, document)
            assert await answering(replicas) == {"1", "2"}
            for spaces in range(1, 5):
                first_again, document = await type_text(visitor, TEXT + spaces * " ")
                assert {first, first_again} == await holders(replicas, document)

            replicas.kill(first)
            with pytest.raises(Failed, match="the connection was lost"):
                await visitor.open("Compare")
            async with visit(replicas.url, seen.append, visitor.http.cookies) as again:
                await again.bring_back(TEXT)
                assert again.editor.data["document"]["text"] == TEXT
                second, document = await type_text(again, TEXT)
                assert {first, second} == {"1", "2"}
                # The replica that is back is not asked: it has neither the session nor the text.
                replicas.start(first)
                for spaces in range(1, 5):
                    second_again, document = await type_text(again, TEXT + spaces * "\n")
                    assert {second, second_again} == await holders(replicas, document)

    # Its own thread: a browser test before this one leaves an event loop in the main thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, journey()).result()

    page.goto(replicas.url)
    paste_over(page.get_by_label("JSON editor"), TEXT)
    used = next(each for each in page.context.cookies() if each["name"] == "lab_replica")
    replicas.kill(used["value"])
    page.keyboard.type("  ")

    expect(page.get_by_role("combobox", name="Sample", exact=True)).to_have_attribute(
        "placeholder", YOUR_TEXT, timeout=100_000
    )
    go_to(page, "Compare")
    words = f"The payload of the playground: {YOUR_TEXT}, {len(TEXT) + 2} characters"
    expect(page.get_by_text(words)).to_be_visible()
    page.goto("about:blank")
    problems.clear()  # what was asked of the killed one failed


def test_the_page_says_which_settings_let_its_proxy_in_until_it_is(
    page: Page, problems: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last start also names who may hold the page in a frame: another server's page.

    It is of the app; the others, which let nobody in, are of its door alone.
    """
    port, upstream, hub = free_port(), free_port(), free_port()
    url = f"http://localhost:{port}/lab/"
    configuration = STRIPPING.format(port=port, upstream=upstream, hub=hub)

    def said(address: str) -> str:
        page.goto(address)
        return page.locator("pre").first.inner_text().removesuffix(" streamlit run app.py")

    with served(DOOR, port=upstream), proxied(tmp_path, configuration, url[:-1]):
        name, token = said(url).split("=")
        assert name == "TOON_TOKEN"
        monkeypatch.setenv(name, token)
    with served(DOOR, port=upstream), proxied(tmp_path, configuration, url[:-1]):
        name, host = said(f"{url}?token={token}").split("=")
        assert (name, host) == ("TOON_HOSTS", f"localhost:{port}")
        monkeypatch.setenv(name, host)
    page.goto("about:blank")
    problems.clear()
    outside = f"http://localhost:{hub}"
    monkeypatch.setenv("TOON_FRAMES", outside)
    with served(ROOT / "app.py", port=upstream), proxied(tmp_path, configuration, url[:-1]):
        for address, place in ((url, page), (outside, page.frame_locator("iframe"))):
            page.goto(address)
            paste_over(place.get_by_label("JSON editor"), TEXT)
            expect_text(place.get_by_label("TOON editor"), "mine[2]: 1,2")
        page.goto("about:blank")
