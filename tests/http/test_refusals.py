"""What the door says to who is refused, and what it puts into pages so that they say it."""

import json
import re
from html import escape
from typing import Any

import pytest

from tests.http.asgi import answer, app, door_for
from toon.http.door import Door
from toon.http.lock import Lock, lock_for
from toon.http.page import CHECK

TOKEN = "0123456789abcdef"
AWAY = ("192.0.2.7", 40_000)
BROWSER = ("accept", "text/html,*/*;q=0.8")
PROXY = ("x-forwarded-host", "lab.example.org:8443")
ELSEWHERE = ("origin", "https://lab.example.org:8443")


@pytest.mark.parametrize(
    ("path", "headers", "more", "seen", "setting"),
    [
        ("", [("host", "lab.example.org:80")], {}, "asked as lab.", "TOON_HOSTS=lab.example.org"),
        ("", [("host", "[FE80::1]:80")], {}, "as [FE80::1]:80 and", "TOON_HOSTS=[fe80::1]"),
        ("", [("host", "upstream"), PROXY], {}, "as upstream and",
         "TOON_HOSTS=lab.example.org,upstream"),
        ("", [ELSEWHERE], {}, "as localhost:8501: if", "TOON_HOSTS=lab.example.org"),
        ("", [("host", "localhost"), ("origin", "http://LOCALHOST:8080")], {},
         "at http://LOCALHOST:8080 asked this server as localhost: ", "TOON_HOSTS=localhost:8080"),
        ("", [PROXY], {}, "header x-forwarded-host", "TOON_TOKEN="),
        ("", [], {"http_version": "1.0"}, "through a proxy (HTTP/1.0)", "TOON_TOKEN="),
        ("", [("sec-fetch-site", "none")], {}, "a proxy (no keep-alive)", "TOON_TOKEN="),
        ("", [], {"client": AWAY}, "came from 192.0.2.7, and", "TOON_TOKEN="),
        ("/proxy/absolute/8501/", [], {}, "no page below /proxy/absolute/8501: ",
         "STREAMLIT_SERVER_BASE_URL_PATH=proxy/absolute/8501"),
        ("/lab/", [("via", "x")], {}, "below /lab: ", "STREAMLIT_SERVER_BASE_URL_PATH=lab"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_was_seen_and_which_setting_lets_just_that_in(
    path: str, headers: list[tuple[str, str]], more: dict[str, Any], seen: str, setting: str
) -> None:
    url = path or "/api/v1/"
    lock = Lock(is_open=("via", "x") in headers)
    page = answer(door_for(lock), url, BROWSER, *headers, **more)
    pre = re.findall("<pre>(.*)", page.text)[0].removesuffix("</pre>")

    assert page.status in (401, 403, 404)
    assert seen in page.text
    assert pre.startswith(setting)
    if not path:
        error = json.loads(answer(door_for(), url, *headers, **more).text)["error"]
        assert escape(error["message"]) in page.text
        assert error["details"]["setting"].startswith(setting)
    # A server that is started so lets it in, or has only the token left to ask for.
    settings = dict(one.split("=") for one in pre.split(" ")[:-3])
    base = settings.pop("STREAMLIT_SERVER_BASE_URL_PATH", None)
    lock = lock_for("localhost", {"TOON_TOKEN": TOKEN} | settings)
    key = ("authorization", f"Bearer {lock.token}")
    begun = Door(app, lock, 100, "", f"/{base}" if base else "")
    assert answer(begun, url, BROWSER, *headers, key, **more).status == 200


def test_a_proxy_may_have_a_page_of_this_machine_at_its_own_port() -> None:
    lock = lock_for("localhost", {"TOON_HOSTS": "Localhost:8080,[::1]:80"})

    assert lock.token is None
    for origin, status in {
        "http://localhost:8080": 200,
        "http://[::1]": 200,
        "http://localhost:8081": 403,
        "http://127.0.0.1:8080": 403,
        "http://localhost": 403,
    }.items():
        assert answer(door_for(lock), "/", ("origin", origin)).status == status


@pytest.mark.parametrize("host", ["<b>", "x" * 300, "<b>:80"])
def test_a_hostile_header_is_shown_as_text(host: str) -> None:
    named = ("x-forwarded-host", "lab.example.org")
    page = answer(door_for(), "/", BROWSER, ("host", host), named)
    origin = answer(door_for(), "/", BROWSER, ("origin", "http://<b>"))

    assert "<b>" not in page.text + origin.text
    assert "x" * 254 not in page.text


@pytest.mark.parametrize(
    ("path", "accept", "is_page"),
    [
        ("/", BROWSER[1], True), ("/compare", BROWSER[1], True), ("/", "*/*", False),
        ("/favicon.png", BROWSER[1], False), ("/media/x.html", BROWSER[1], False),
        ("/api/v1/", BROWSER[1], False),
    ],
)  # fmt: skip
def test_a_page_begins_with_the_check(path: str, accept: str, is_page: bool) -> None:
    page = answer(door_for(), path, ("accept", accept))

    assert page.text == (f"<html><head>{CHECK}\n<p><head>" if is_page else "0 bytes")
    assert page.headers.get("cache-control") == ("no-cache" if is_page else None)


def test_a_page_asks_whether_its_websocket_comes_through() -> None:
    door, origin = door_for(), ("origin", "http://localhost:8080")
    lost = answer(door, "/api/door", BROWSER, method="POST")

    assert answer(door, "/api/door", type="websocket").status == 101
    assert (lost.status, lost.headers["x-refusal"]) == (426, "NO_WEBSOCKET")
    assert answer(door, "/api/door", origin, type="websocket").status == 403
    assert answer(door, "/api/door", origin, BROWSER, method="POST").status == 403


def test_below_a_path_of_its_own_the_door_is_the_same() -> None:
    door = Door(app, Lock(token=TOKEN), 100, "", "/lab")
    key = ("authorization", f"Bearer {TOKEN}")

    assert answer(door, "/lab/_stcore/health").status == 200
    assert answer(door, "/_stcore/health").status == 401
    assert answer(door, "/lab/compare", BROWSER, key).status == 200
    assert answer(door, "/lab/api/v1/").text.startswith('{"error":')
    # Where there is no page of ours, Streamlit answers: it leads from /lab to /lab/.
    for path in ("/labs", "/lab"):
        assert answer(door, path, BROWSER, key).text == "0 bytes"


# -- frames ------------------------------------------------------------------

FRAMED = ("sec-fetch-dest", "iframe")
HUB = "https://hub.example.org"


def test_a_frame_says_how_to_allow_the_page_that_holds_it_and_is_shown_there() -> None:
    for lock in (Lock(), Lock(frames=("https://other.example.org",))):
        refused = answer(door_for(lock), "/", BROWSER, FRAMED, ("referer", f"{HUB}/notes/1?a=b"))
        setting = f"TOON_FRAMES={','.join((*lock.frames, HUB))}"

        assert refused.status == 403
        assert f"A page at {HUB} holds this one in a frame" in refused.text
        assert f"<pre>{setting} streamlit run app.py</pre>" in refused.text
        assert refused.headers["content-security-policy"].endswith("frame-ancestors *")
        allowed = lock_for("localhost", {"TOON_FRAMES": setting.partition("=")[2]})
        referer = ("referer", f"{HUB}/")
        assert answer(door_for(allowed), "/", BROWSER, FRAMED, referer).status == 200


def test_a_frame_of_our_own_and_one_that_hides_who_holds_it_are_left_to_the_browser() -> None:
    allowed = Lock(frames=(HUB,))
    for referer in ([], [("referer", "http://localhost:8501/compare")]):
        assert answer(door_for(allowed), "/", BROWSER, FRAMED, *referer).status == 200
    hidden = answer(door_for(), "/", BROWSER, FRAMED)
    assert hidden.status == 403
    assert "A page that does not say where it is holds this one in a frame" in hidden.text
    assert answer(door_for(), "/api/v1/", FRAMED).status == 200


@pytest.mark.parametrize("path", ["/_stcore/health", "/healthz"])
def test_who_watches_over_the_server_needs_neither_name_nor_token(path: str) -> None:
    door = door_for(Lock(token=TOKEN))

    assert answer(door, path, ("host", "10.0.0.5:8501")).status == 200
    assert answer(door, path, ("host", "10.0.0.5:8501"), method="POST").status == 403
