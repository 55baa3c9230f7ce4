"""The door: which hosts, pages and keys it lets in, what bodies may hold, and what it adds."""

from __future__ import annotations

import asyncio
import http.client
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from tests.browser.conftest import served
from tests.conftest import ROOT
from toon.http import bodies, door, waiting
from toon.http.door import Door, Lock, lock_for, page_policy
from toon.http.waiting import Waiting

TOKEN = "0123456789abcdef"
UNLOCKED = Lock()
HERE = ("127.0.0.1", 40_000)
AWAY = ("192.0.2.7", 40_000)
LAB = frozenset({"lab.example.org"})


# -- a request without a server ----------------------------------------------------------------


class FakeClock(asyncio.SelectorEventLoop):
    """A loop on which waiting takes no time: its clock is set to when the next thing is due."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        select: Callable[[float | None], Any] = self._selector.select  # type: ignore[attr-defined]

        def skip(timeout: float | None) -> Any:
            self.now += timeout or 0
            return select(0 if timeout else timeout)

        self._selector.select = skip  # type: ignore[attr-defined]

    def time(self) -> float:
        return self.now


class Answer(NamedTuple):
    """What came back, and the query that the server's access log shows."""

    status: int
    headers: dict[str, str]
    text: str
    logged: str


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how many bytes it got, accepts every WebSocket and says which Origin that had."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept", "headers": scope["headers"]})
        return
    if scope["path"] == "/fault":
        await Request(scope, receive).body()
        raise RuntimeError("a fault of the app")
    size = len(await Request(scope, receive).body())
    own = {"Content-Security-Policy": "default-src 'none'"} if scope["path"] == "/own" else None
    await PlainTextResponse(f"{size} bytes", headers=own)(scope, receive, send)


def door_for(lock: Lock = UNLOCKED, body_bytes: int = 100) -> Door:
    return Door(app, lock, body_bytes, "default-src 'self'")


def scope_of(path: str, headers: list[tuple[str, str]]) -> Scope:
    path, _, query = path.partition("?")
    names = [name for name, _ in headers]
    host = [] if "host" in names else [("host", "localhost:8501")]
    raw = [(name.encode(), value.encode("latin-1")) for name, value in host + headers]
    scope = {"type": "http", "method": "GET", "scheme": "http", "server": HERE, "client": HERE}
    about = {"path": path, "query_string": query.encode(), "headers": raw}
    return {**scope, **about}


async def ask(
    asked: Door, path: str = "/", *headers: tuple[str, str], body: Any = (), **more: Any
) -> Answer:
    """Sends a request whose body comes in the chunks of ``body``; None is one that never comes."""
    chunks = iter(body)
    sent: list[Message] = []

    async def receive() -> Message:
        chunk = next(chunks, b"")
        if chunk is None:
            await asyncio.get_running_loop().create_future()
        if isinstance(chunk, dict):
            return chunk
        return {"type": "http.request", "body": chunk, "more_body": chunk != b""}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {**scope_of(path, list(headers)), **more}
    await asked(scope, receive, send)
    start = sent[0] if sent else {"status": 0}
    status = start.get("status", 101 if start["type"] == "websocket.accept" else 403) if sent else 0
    found = {name.decode(): value.decode() for name, value in start.get("headers", ())}
    text = b"".join(part.get("body", b"") for part in sent).decode()
    return Answer(status, found, text, scope["query_string"].decode())


def answer(asked: Door, path: str = "/", *headers: tuple[str, str], **more: Any) -> Answer:
    with asyncio.Runner(loop_factory=FakeClock) as runner:
        return runner.run(ask(asked, path, *headers, **more))


# -- names -------------------------------------------------------------------------------------

OURS = ["localhost", "localhost:8501", "LocalHost:1", "localhost.", "127.0.0.1:8501", "127.9.9.9"]
OURS += ["[::1]", "[::1]:8501", "[0:0:0:0:0:0:0:1]", "lab.example.org", "LAB.Example.org.:443"]
FOREIGN = ["", "evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "evil-localhost"]
FOREIGN += ["user@localhost", "localhost@evil.test", "localhost:80@evil.test", "localhost/evil"]
FOREIGN += [
    "localhost evil.test",
    "localhost,evil.test",
    "localhost:",
    "localhost:x",
    "localhost..",
]
FOREIGN += ["0.0.0.0", "192.0.2.7", "0x7f.1", "0177.0.0.1", "2130706433", "[::]", "[fe80::1]"]
FOREIGN += ["::1", "[::1", "x.lab.example.org", "localhost\u00e9", "[::ffff:192.0.2.7]"]


@pytest.mark.parametrize("host", OURS)
def test_our_names_are_let_in(host: str) -> None:
    lock = Lock(LAB)

    assert answer(door_for(lock), "/", ("host", host)).status == 200
    assert answer(door_for(lock), "/", ("origin", f"http://{host}")).status == 200
    assert answer(door_for(lock), "/", ("origin", f"https://{host}"), method="POST").status == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_other_names_are_refused(host: str) -> None:
    lock = Lock(LAB)
    by_name = answer(door_for(lock), "/", ("host", host))
    by_page = answer(door_for(lock), "/", ("origin", f"http://{host}"))

    assert (by_name.status, by_name.text.count("\n")) == (403, 1)
    assert "TOON_HOSTS" in by_name.text
    assert by_page.status == 403
    assert answer(door_for(lock), "/", ("host", host), type="websocket").status == 403


@given(st.from_regex(r"[a-z0-9-]{1,9}", fullmatch=True))
def test_what_only_contains_a_name_of_ours_is_no_name_of_ours(more: str) -> None:
    for name in ("localhost", "127.0.0.1", "lab.example.org"):
        for other in (f"{more}.{name}", f"{more}{name}", f"{name}.{more}", f"{more}@{name}"):
            assert not Lock(LAB).knows(other)


@pytest.mark.parametrize("hosts", [[], ["localhost", "evil.test"], ["localhost", "localhost"]])
def test_a_request_has_one_host(hosts: list[str]) -> None:
    headers = [(b"host", host.encode()) for host in hosts]

    assert answer(door_for(), headers=headers).status == 403


@pytest.mark.parametrize("origin", ["null", "", "file://", "ws://localhost", "http://localhost/x"])
def test_an_origin_is_a_page_of_ours(origin: str) -> None:
    assert answer(door_for(), "/", ("origin", origin)).status == 403
    ours = ("origin", "http://localhost")
    assert answer(door_for(), "/", ours, ("origin", origin)).status == 403
    assert answer(door_for(), "/", ("origin", origin), type="websocket").status == 403


@pytest.mark.parametrize(
    ("path", "method", "mode", "status"),
    [
        ("/", "GET", "navigate", 200),
        ("/compare", "HEAD", "navigate", 200),
        ("/apiary", "GET", "navigate", 200),
        ("/compare", "POST", "navigate", 403),
        ("/static/x.js", "GET", "no-cors", 403),
        ("/api", "GET", "navigate", 403),
        ("/api/measure", "GET", "no-cors", 403),
        ("/_stcore/upload_file/a/b", "PUT", "cors", 403),
    ],
)
def test_another_site_may_link_to_a_page(path: str, method: str, mode: str, status: int) -> None:
    site = ("sec-fetch-site", "cross-site")

    assert answer(door_for(), path, site, ("sec-fetch-mode", mode), method=method).status == status
    here = ("sec-fetch-site", "same-origin")
    assert answer(door_for(), path, here, ("sec-fetch-mode", mode), method=method).status == 200


def test_the_origin_of_a_page_is_judged_once() -> None:
    given = answer(door_for(), "/", ("origin", "http://localhost:3000"), type="websocket")

    assert (given.status, given.headers) == (101, {"host": "localhost:8501"})


def test_no_more_pages_are_open_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "OPEN_PAGES", 1)
    second: list[int] = []

    async def while_open(scope: Scope, receive: Receive, send: Send) -> None:
        second.append((await ask(asked, type="websocket")).status)
        await app(scope, receive, send)

    asked = Door(while_open, Lock(), 100, "")

    assert [answer(asked, type="websocket").status for _ in range(2)] == [101, 101]
    assert second == [403, 403]


# -- the token ---------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "::1"])
def test_this_machine_alone_needs_no_token(address: str) -> None:
    lock = lock_for(address, {"TOON_HOSTS": " localhost, 127.0.0.1:80,"})

    assert lock.token is None
    assert answer(door_for(lock)).status == 200


@pytest.mark.parametrize(
    ("address", "hosts"),
    [("0.0.0.0", ""), ("::", ""), ("192.0.2.7", ""), ("localhost", "lab.example.org"), (None, "")],
)
def test_each_start_has_a_new_token_once_others_can_come(address: str | None, hosts: str) -> None:
    locks = [lock_for(address, {"TOON_HOSTS": hosts}) for _ in range(2)]
    tokens = {lock.token or "" for lock in locks}

    assert len(tokens) == 2
    assert min(map(len, tokens)) == 32
    assert {answer(door_for(lock)).status for lock in locks} == {401}


def test_the_operator_sets_hosts_and_token() -> None:
    environment = {"TOON_HOSTS": "Lab.example.org:443, [FE80::1]", "TOON_TOKEN": TOKEN}

    assert lock_for("::1", environment) == Lock(LAB | {"fe80::1"}, TOKEN)
    assert lock_for("0.0.0.0", {"TOON_TOKEN": "off"}) == Lock(is_open=True)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("TOON_HOSTS", "a,http://b", "must list hosts such as lab.example.org, not 'http://b'"),
        ("TOON_TOKEN", "short", "must have 16 or more letters, digits and -._~, or be off"),
        ("TOON_TOKEN", "a b" * 9, "must have 16 or more letters, digits and -._~, or be off"),
    ],
)
def test_a_setting_that_cannot_be_is_said_at_start(name: str, value: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} {message}$"):
        lock_for("localhost", {name: value})


@pytest.mark.parametrize(
    "given",
    [
        ("x-other", "x"),
        ("authorization", TOKEN),
        ("authorization", f"Basic {TOKEN}"),
        ("authorization", f"Bearer {TOKEN}x"),
        ("authorization", "Bearer \u00e9"),
        ("cookie", f"toon_token_8501={TOKEN}"),
        ("cookie", "toon_token_8501=\u00e9"),
    ],
)
def test_without_the_token_nobody_is_let_in(given: tuple[str, str]) -> None:
    asked = door_for(Lock(LAB, TOKEN))
    refused = answer(asked, "/api/v1/", given)

    assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert refused.text.startswith("This server needs its token: ")
    assert answer(asked, "/", given, type="websocket").status == 403
    assert answer(asked, f"/?token={TOKEN}", given, method="POST").status == 401
    assert answer(asked, "/?token=wrong", given).status == 401
    assert answer(asked, "/_stcore/health", given).status == 200


def test_a_program_sends_the_token() -> None:
    asked = door_for(Lock(LAB, TOKEN))

    for scheme in ("Bearer ", "bearer "):
        assert answer(asked, "/api/v1/", ("authorization", scheme + TOKEN)).status == 200


def test_an_address_with_the_token_lets_a_browser_in_for_good() -> None:
    asked = door_for(Lock(LAB, TOKEN))
    entered = answer(asked, f"/a/b%20c?x=1&token={TOKEN}&y=%C3%A9")
    cookie, *flags = entered.headers["set-cookie"].split("; ")

    assert (entered.status, entered.headers["location"]) == (303, "./b%2520c?x=1&y=%C3%A9")
    assert sorted(flags) == ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=lax"]
    assert cookie.startswith("toon_token_8501=")
    assert TOKEN not in cookie
    assert answer(asked, "/", ("cookie", f"other=1; {cookie}")).status == 200
    assert answer(asked, "/", ("cookie", cookie), type="websocket").status == 101
    assert answer(door_for(Lock(LAB, TOKEN[::-1])), "/", ("cookie", cookie)).status == 401


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/", "./"),
        ("//evil.test", "./evil.test"),
        ("//evil.test/", "./"),
        ("/\\evil.test", "./%5Cevil.test"),
        ("/x:y", "./x%3Ay"),
    ],
)
def test_the_token_leads_to_no_other_site(path: str, location: str) -> None:
    entered = answer(door_for(Lock(LAB, TOKEN)), f"{path}?token={TOKEN}")

    assert entered.headers["location"] == location


def test_https_keeps_the_cookie_to_itself() -> None:
    host = ("host", "lab.example.org")
    entered = answer(door_for(Lock(LAB, TOKEN)), f"/?token={TOKEN}", host, scheme="https")

    assert entered.headers["set-cookie"].startswith("toon_token=")
    assert "; Secure" in entered.headers["set-cookie"]


def test_the_access_log_has_no_token() -> None:
    for token in (TOKEN, "wrong"):
        asked = answer(door_for(Lock(LAB, TOKEN)), f"/?a=1&token={token}&b=2")

        assert asked.logged == "a=1&b=2"


@pytest.mark.parametrize("end", ["server", "client"])
@pytest.mark.parametrize("other", [AWAY, ("/run/lab.sock", None), None, ("::ffff:192.0.2.7", 1)])
def test_who_comes_from_elsewhere_unexpectedly_is_refused(end: str, other: Any) -> None:
    """An ASGI server may listen elsewhere than Streamlit's settings say."""
    assert answer(door_for(), **{end: other}).status == 401
    assert answer(door_for(Lock(is_open=True)), **{end: other}).status == 200
    assert answer(door_for(), **{end: ("::ffff:127.0.0.1", 1)}).status == 200


# -- headers -----------------------------------------------------------------------------------


def test_every_answer_has_the_headers() -> None:
    for asked in (door_for(), door_for(Lock(LAB, TOKEN))):
        assert (
            answer(asked).headers.items()
            >= {
                "content-security-policy": "default-src 'self'",
                "cross-origin-opener-policy": "same-origin",
                "cross-origin-resource-policy": "same-origin",
                "referrer-policy": "same-origin",
                "x-content-type-options": "nosniff",
                "x-frame-options": "DENY",
            }.items()
        )


def test_a_stricter_policy_stays() -> None:
    assert answer(door_for(), "/own").headers["content-security-policy"] == "default-src 'none'"


def test_the_policy_lets_nothing_out_and_names_the_scripts_of_the_page() -> None:
    policy = page_policy("<script>a</script><script src='b'></script><script>\nb</script>")

    assert "http" not in policy
    assert "*" not in policy
    assert (
        "script-src 'self' blob: 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=' "
        "'sha256-Xnnsn4hC6mnrIBEELTIdgicgZJ7JECYXQJF+uIBRxyY='; style-src"
    ) in policy


# -- bodies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [[("content-length", "101")], [("content-length", "5")], []])
def test_a_body_has_a_size(length: list[tuple[str, str]]) -> None:
    asked = door_for()
    refused = answer(asked, "/", *length, method="POST", body=[b"x" * 60, b"x" * 41])

    assert (refused.status, refused.headers["connection"]) == (413, "close")
    assert refused.text.startswith("A body has at most 100 bytes here, ")
    assert answer(asked, method="POST", body=[b"x" * 60, b"x" * 40]).text == "100 bytes"


@pytest.mark.parametrize("came", [[], [b"x"], [b"x"] * 50])
def test_a_body_has_a_time(came: list[bytes]) -> None:
    refused = answer(door_for(), method="POST", body=[*came, None])

    assert refused.status == 408
    assert refused.text == "A body has to arrive within 120 seconds, TOON_BODY_SECONDS.\n"


def test_the_answer_to_a_whole_body_may_take_longer() -> None:
    async def works(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        await asyncio.sleep(1_000)
        await app(scope, receive, send)

    assert answer(Door(works, Lock(), 100, "")).status == 200


def test_all_bodies_together_have_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODIES_BYTES", 250)
    asked = door_for()

    async def crowd() -> list[Answer]:
        slow = [ask(asked, method="POST", body=[b"x" * 90, None]) for _ in range(4)]
        declared = ask(asked, "/", ("content-length", "90"), method="POST", body=[b"x" * 90])
        return await asyncio.gather(*slow, declared)

    with asyncio.Runner(loop_factory=FakeClock) as runner:
        first, second, *beyond = runner.run(crowd())
        after = runner.run(ask(asked, method="POST", body=[b"x" * 90]))

    assert (first.status, second.status) == (408, 408)
    assert [one.status for one in beyond] == [503, 503, 503]
    assert {one.headers["retry-after"] for one in beyond} == {"5"}
    assert "TOON_BODIES_BYTES" in beyond[0].text
    assert after.text == "90 bytes"


@pytest.mark.parametrize("end", [b"", None, {"type": "http.disconnect"}, b"x" * 90])
@pytest.mark.parametrize("path", ["/", "/fault"])
def test_however_a_body_ends_its_bytes_are_given_back(
    monkeypatch: pytest.MonkeyPatch, path: str, end: Any
) -> None:
    monkeypatch.setattr(bodies, "BODIES_BYTES", 100)
    asked = door_for()
    for _ in range(3):
        with suppress(RuntimeError):
            answer(asked, path, method="POST", body=[b"x" * 90, end])

    assert answer(asked, method="POST", body=[b"x" * 90]).text == "90 bytes"


def test_an_answer_that_has_begun_is_not_answered_again() -> None:
    async def begins(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 207, "headers": []})
        await Request(scope, receive).body()

    assert answer(Door(begins, Lock(), 100, ""), method="POST", body=[b"x" * 101]).status == 207


# -- connections -------------------------------------------------------------------------------


class Connection:
    """One of HTTP as uvicorn has it: its last request, answered in full or not."""

    def __init__(self, *answered: bool) -> None:
        self.cycle = SimpleNamespace(response_complete=answered[0]) if answered else None


def test_connections_that_ask_nothing_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "WAITING_CONNECTIONS", 2)
    monkeypatch.setattr(waiting, "HEAD_SECONDS", 10)
    page, works, silent, kept = object(), Connection(False), Connection(), Connection(True)
    watched = Waiting()
    everyone = [page, works, silent, kept]

    assert watched.overdue(everyone, 0) == []
    kept.cycle = Connection(True).cycle  # it asked something meanwhile
    assert watched.overdue(everyone, 9) == []
    assert watched.overdue(everyone, 10) == [silent]
    assert watched.overdue([page, works, kept], 18) == []
    assert watched.overdue([page, works, kept, Connection(), Connection()], 18.5) == [kept]
    assert watched.overdue([silent], 30) == []


# -- the real server ---------------------------------------------------------------------------

#: Notes every address that the server asks for or connects to.
RECORD = """
import sys
def note(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
        with open({path!r}, "a") as record:
            print(event, args[-1] if event == "socket.connect" else args, file=record)
sys.addaudithook(note)
"""
PROBE = """import socket; socket.getaddrinfo("127.0.0.1", 1)"""


@contextmanager
def recorded(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Path]:
    """The file in which processes that start meanwhile note what they look up."""
    record = folder / "record"
    (folder / "sitecustomize.py").write_text(RECORD.format(path=str(record)))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    subprocess.run([sys.executable, "-c", PROBE], check=True)
    assert "127.0.0.1" in record.read_text()
    record.write_text("")
    yield record


def knock(port: int, **headers: str) -> int:
    """The status with which the server answers a WebSocket."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "streamlit"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with closing(connection):
        connection.request("GET", "/_stcore/stream", headers=upgrade | key | headers)
        return connection.getresponse().status


@pytest.mark.slow
def test_a_server_for_others_asks_nobody_and_lets_nobody_wait(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOON_HOSTS", "lab.example.org")
    monkeypatch.setenv("TOON_HEAD_SECONDS", "1")
    with (
        recorded(monkeypatch, tmp_path) as record,
        served(ROOT / "app.py", "--server.address", "0.0.0.0") as server,
    ):
        port = int(server.url.rpartition(":")[2])
        (token,) = re.findall(rf"http://localhost:{port}/\?token=(\S+)", server.log.read_text())
        key = {"Authorization": f"Bearer {token}"}

        assert knock(port, **key, Origin="http://evil.test") == 403
        assert knock(port, **key, Host="evil.test") == 403
        assert knock(port) == 403
        assert knock(port, **key) == 101
        # Neither this machine's name nor that of the request: Streamlit would look up its own.
        assert knock(port, **key, Origin="https://lab.example.org") == 101
        with socket.create_connection(("127.0.0.1", port), timeout=30) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\nHost: local")
            assert slow.recv(1) == b""
        with urllib.request.urlopen(f"{server.url}/_stcore/health") as health:
            assert health.headers["x-frame-options"] == "DENY"

        assert record.read_text() == ""
