"""The door: which hosts, pages and keys it lets in, and what it adds to answers."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.http.asgi import HTML, answer, door_for
from toon.http.lock import Lock, allowed_files, lock_for, read_follow_option
from toon.http.page import add_check, page_policy

TOKEN = "0123456789abcdef"
AWAY = ("192.0.2.7", 40_000)
LAB = frozenset({"lab.example.org"})


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
    lock, header = Lock(LAB), ("host", host)

    assert answer(door_for(lock), "/", header).status == 200
    assert answer(door_for(lock), "/", header, ("origin", f"http://{host}")).status == 200
    page = ("origin", f"https://{host}")
    assert answer(door_for(lock), "/", header, page, method="POST").status == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_other_names_are_refused(host: str) -> None:
    lock = Lock(LAB)
    by_name = answer(door_for(lock), "/", ("host", host))
    by_page = answer(door_for(lock), "/", ("origin", f"http://{host}"))

    assert (by_name.status, by_name.text.count("\n")) == (403, 1)
    assert "header Host as the browser sent it" in by_name.text
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


NO_PAGES = ["null", "", "file://", "ws://localhost:8501", "http://localhost:8501/x"]
# Other servers on this machine.
NO_PAGES += ["http://localhost:3000", "http://localhost", "http://127.9.9.9:1"]
NO_PAGES += ["http://127.0.0.1:8501", "https://localhost:85010", "http://localhost:8501:80"]


@pytest.mark.parametrize("origin", NO_PAGES)
def test_an_origin_is_a_page_of_ours(origin: str) -> None:
    assert answer(door_for(), "/", ("origin", origin)).status == 403
    assert answer(door_for(Lock(frozenset({"localhost"}))), "/", ("origin", origin)).status == 403
    ours = ("origin", "http://localhost:8501")
    assert answer(door_for(), "/", ours, ("origin", origin)).status == 403
    assert answer(door_for(), "/", ("origin", origin), type="websocket").status == 403


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost", "localhost:80"),
        ("https://localhost", "localhost:443"),
        ("https://lab.example.org", "lab.example.org"),
        ("https://lab.example.org:8443", "lab.example.org"),
        ("https://LAB.example.org", "127.0.0.1:8501"),
    ],
)
def test_a_proxy_may_ask_under_another_name_or_port(origin: str, host: str) -> None:
    headers = ("origin", origin), ("host", host)

    assert answer(door_for(Lock(LAB)), "/", *headers, type="websocket").status == 101


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
    def status_of(site: str, *more: tuple[str, str]) -> int:
        marks = ("sec-fetch-site", site), ("sec-fetch-mode", mode), ("connection", "Keep-Alive")
        return answer(door_for(), path, *marks, *more, method=method).status

    ours = ("origin", "http://localhost:8501")
    assert (status_of("cross-site"), status_of("same-site"), status_of("cross-site", ours)) == (
        status,
    ) * 3
    assert (status_of("same-origin"), status_of("none"), status_of("same-site", ours)) == (200,) * 3


def test_the_origin_of_a_page_is_judged_once() -> None:
    given = answer(door_for(), "/", ("origin", "http://localhost:8501"), type="websocket")

    assert (given.status, given.headers) == (101, {"host": "localhost:8501"})


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

    lock = lock_for("::1", environment)
    assert lock == Lock(frozenset({"lab.example.org:443", "[fe80::1]"}), TOKEN)
    assert [lock.knows(host) for host in ("lab.example.org", "[fe80::1]:8501")] == [True, True]
    assert lock_for("0.0.0.0", {"TOON_TOKEN": "off"}) == Lock(is_open=True)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("TOON_HOSTS", "a,http://b", "must list hosts such as lab.example.org, not 'http://b'"),
        ("TOON_FRAMES", "https://hub.example.org/x",
         "must list origins such as https://hub.example.org, not 'https://hub.example.org/x'"),
        ("TOON_TOKEN", "short", "must have 16 or more letters, digits and -._~, or be off"),
        ("TOON_TOKEN", "a b" * 9, "must have 16 or more letters, digits and -._~, or be off"),
    ],
)  # fmt: skip
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
    door = door_for(Lock(LAB, TOKEN))
    refused = answer(door, "/api/v1/", given)

    assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert refused.text.startswith('{"error":{"code":"TOKEN_NEEDED","message":"This request lacks ')
    assert answer(door, "/", given, type="websocket").status == 403
    assert answer(door, f"/?token={TOKEN}", given, method="POST").status == 401
    assert answer(door, "/?token=wrong", given).status == 401
    assert answer(door, "/_stcore/health", given).status == 200


def test_a_program_sends_the_token() -> None:
    door = door_for(Lock(LAB, TOKEN))

    for scheme in ("Bearer ", "bearer "):
        assert answer(door, "/api/v1/", ("authorization", scheme + TOKEN)).status == 200


def test_an_address_with_the_token_lets_a_browser_in_for_good() -> None:
    door = door_for(Lock(LAB, TOKEN))
    entered = answer(door, f"/a/b%20c?x=1&token={TOKEN}&y=%C3%A9")
    cookie, *flags = entered.headers["set-cookie"].split("; ")

    assert (entered.status, entered.headers["location"]) == (303, "./b%2520c?x=1&y=%C3%A9")
    assert sorted(flags) == ["HttpOnly", "Max-Age=2592000", "SameSite=lax"]
    assert cookie.startswith("toon_token=")
    assert TOKEN not in cookie
    assert answer(door, "/", ("cookie", f"other=1; {cookie}")).status == 200
    assert answer(door, "/", ("cookie", cookie), type="websocket").status == 101
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
    for token in (f"token={TOKEN}", f"%74oken={TOKEN}", "token=wrong"):
        reply = answer(door_for(Lock(LAB, TOKEN)), f"/?a=1&{token}&b=2&tokens=3")

        assert reply.logged == "a=1&b=2&tokens=3"


@pytest.mark.parametrize("end", ["server", "client"])
@pytest.mark.parametrize("other", [AWAY, ("/run/lab.sock", None), None, ("::ffff:192.0.2.7", 1)])
def test_who_comes_from_elsewhere_unexpectedly_is_refused(end: str, other: Any) -> None:
    """An ASGI server may listen elsewhere than Streamlit's settings say."""
    assert answer(door_for(), **{end: other}).status == 401
    assert answer(door_for(Lock(is_open=True)), **{end: other}).status == 200
    assert answer(door_for(), **{end: ("::ffff:127.0.0.1", 1)}).status == 200


@pytest.mark.parametrize(
    "name",
    ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"],
)
def test_a_proxy_on_this_machine_needs_the_token(name: str) -> None:
    passed_on, key = (name, "192.0.2.7"), ("authorization", f"Bearer {TOKEN}")

    assert answer(door_for(), "/", passed_on).status == 401
    assert answer(door_for(), "/", passed_on, type="websocket").status == 403
    assert answer(door_for(Lock(LAB, TOKEN)), "/", passed_on, key).status == 200
    assert answer(door_for(Lock(is_open=True)), "/", passed_on).status == 200


def test_what_nginx_asks_by_default_needs_the_token() -> None:
    host = ("host", "127.0.0.1:8501")

    assert answer(door_for(), "/", host, ("connection", "close"), http_version="1.0").status == 401
    assert answer(door_for(), "/", host, http_version="1.1").status == 200


# -- headers -----------------------------------------------------------------------------------


def test_every_answer_has_the_headers() -> None:
    for door in (door_for(), door_for(Lock(LAB, TOKEN))):
        assert (
            answer(door).headers.items()
            >= {
                "content-security-policy": page_policy(add_check(HTML)),
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
    html = "<head><script>a</script><script src='b'></script><script>\nb</script>"
    policy = page_policy(add_check(html))
    scripts = [
        "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='",
        "'sha256-Xnnsn4hC6mnrIBEELTIdgicgZJ7JECYXQJF+uIBRxyY='; style-src",
    ]

    assert "; script-src 'self' blob: 'sha256-" in policy
    assert " ".join(scripts) in policy
    assert policy.count("sha256-") == 3  # and that of the check
    assert policy.endswith("; frame-ancestors 'none'")
    assert "http" not in policy
    assert "*" not in policy


def test_the_operator_names_whose_pages_may_hold_ours_in_a_frame() -> None:
    origins = ("https://hub.example.org", "http://localhost:8888")
    lock = lock_for("localhost", {"TOON_FRAMES": ", ".join(origins), "TOON_TOKEN": TOKEN})
    framed = answer(door_for(lock), f"/?token={TOKEN}", scheme="https")

    assert page_policy("", lock.frames).endswith(f"; frame-ancestors {' '.join(origins)}")
    assert "x-frame-options" not in framed.headers
    assert framed.headers["set-cookie"].endswith("SameSite=none; Secure")
    assert answer(door_for(lock), f"/?token={TOKEN}").headers["set-cookie"].endswith("SameSite=lax")


# -- files that grow -----------------------------------------------------------------------------

HERE, OTHERS = Lock(), Lock(token="0123456789abcdef")


@pytest.mark.parametrize(
    ("lock", "named", "allowed"),
    [
        (HERE, "", None),
        (HERE, "a.jsonl", (Path("a.jsonl"),)),
        (OTHERS, "", ()),
        (OTHERS, "a.jsonl, b.jsonl", (Path("a.jsonl"), Path("b.jsonl"))),
    ],
)
def test_a_server_for_others_follows_no_file_but_those_that_are_named(
    lock: Lock, named: str, allowed: tuple[Path, ...] | None
) -> None:
    assert allowed_files(lock, {"TOON_FOLLOW": named}) == allowed


def test_the_start_command_names_files_among_arguments_of_others() -> None:
    assert read_follow_option(["-n", "auto", "--follow", "a.jsonl", "x", "--follow=b.jsonl"]) == (
        "a.jsonl,b.jsonl"
    )
    assert read_follow_option(["app:app", "--port", "1"]) == ""
