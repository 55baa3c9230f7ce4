"""URL templates: which ids are folded, and the laws of folding."""

import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.traffic.urls import fold_segment, fold_url, shorten_names


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("https://api.example.com/v1/users/42/tags?x=1#y", "api.example.com/v1/users/{id}/tags"),
        ("http://me:pw@API.Example.com:8080", "api.example.com:8080/"),
        ("HTTPS://[::1]:80/a", "[::1]:80/a"), ("/a/b/", "/a/b/"),
        ("wss://x.example/socket", "x.example/socket"), ("data:application/json,{}", "data:"),
        ("https//me:pw@a.example:80/x", "https//{id}/x"), ("https:/me:pw@a.example/x", "/{id}/x"),
        ("chrome-extension://abc/x.js", "chrome-extension:"), ("https://[x", "(unreadable URL)"),
        ("https://a b/x", "(unreadable URL)"), ("https://a:99999/x", "(unreadable URL)"), ("", "/"),
    ],
)  # fmt: skip
def test_url_templates(url: str, template: str) -> None:
    assert fold_url(url) == template


@pytest.mark.parametrize(
    ("segment", "folded"),
    [
        ("42", "{id}"), ("user-42", "{id}"), ("ORD_00123", "{id}"), ("2026-03-02", "{id}"),
        ("10.1", "{id}"), ("p1234", "{id}"), ("cus_9s6XKzkNRiz8i3", "{id}"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "{id}"), ("5f3a9c1e", "{id}"), ("deadbeefdeadbeef", "{id}"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc123", "{id}"), ("qXbYdZfAhBjClDnE", "{id}"),
        ("ana@example.com", "{id}"), ("hello%20world", "{id}"), ("日本", "{id}"), ("a,b", "{id}"),
        ("x=y", "{id}"), ("a" * 41, "{id}"), ("42.json", "{id}.json"), ("42:cancel", "{id}:cancel"),
        ("list;sid=9", "list"), ("Maria-Gonzalez", "{id}"), ("{id}", "{id}"), ("{name}", "{id}"),
        ("O-Brien", "{id}"), ("J-Smith.json", "{id}.json"), ("van-Dyke", "{id}"),
        ("DeLa_Cruz", "{id}"), ("MARIA-GONZALEZ", "{id}"), ("Maria~Gonzalez2", "{id}"),
    ],
)  # fmt: skip
def test_ids_and_free_text_are_folded(segment: str, folded: str) -> None:
    assert fold_segment(segment) == folded


ids = st.one_of(
    st.integers(0).map(str),
    st.uuids().map(str),
    st.uuids().map(lambda u: u.hex),
    st.binary(min_size=20, max_size=20).map(bytes.hex),
    st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=24, max_size=26).map(lambda t: f"01{t}"),
    st.emails(),
    st.dates().map(str),
)
words = st.sampled_from(["users", "orders", "v1", "items", "search-results", "api"])


@given(st.lists(st.one_of(words, st.just(0)), min_size=1), st.data())
def test_urls_that_differ_in_ids_share_a_template(path: list[Any], data: st.DataObject) -> None:
    def url() -> str:
        segments = [
            data.draw(ids).replace("/", "%2F").replace("?", "%3F").replace("#", "%23")
            if word == 0 else word for word in path
        ]  # fmt: skip
        return f"https://api.example.com/{'/'.join(segments)}?at={uuid.uuid4()}"

    expected = "/".join(["api.example.com", *("{id}" if word == 0 else word for word in path)])
    template = fold_url(url())
    if len(expected) <= 300:
        assert template == expected
    assert template == fold_url(url())


@given(st.text())
def test_folding_any_text_is_stable_and_keeps_no_query(text: str) -> None:
    template = fold_url(f"https://example.com/{text}?SECRET=SECRET")

    assert "SECRET" not in template
    assert template.isprintable()
    assert fold_url(f"https://{template}") == template or "…" in template
    assert fold_url(text).isprintable()


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["GET api.acme.io/v2/users", "GET api.acme.io/v2/users/{id}"], ["/users", "/users/{id}"]),
        (["GET a.io/v2/x", "POST a.io/v2/x"], ["GET /x", "POST /x"]),
        (["GET a.io/v1/x", "GET a.io/v12/x"], ["/v1/x", "/v12/x"]),
        (["tool: search", "tool: list"], ["search", "list"]),
        (["GET /v1/x", "tool: list"], ["GET /v1/x", "tool: list"]),
        (["GET a.io/x", "(none)"], ["GET a.io/x", "(none)"]), (["GET a.io/x"], ["GET a.io/x"]),
        ([], []),
    ],
)  # fmt: skip
def test_short_names_leave_out_what_all_share(names: list[str], short: list[str]) -> None:
    assert shorten_names(names) == dict(zip(names, short, strict=True))


@given(st.lists(st.from_regex(r"(GET|PUT|tool:)( [ab/]{0,6})?", fullmatch=True), unique=True))
def test_short_names_are_as_different_as_the_names(names: list[str]) -> None:
    short = shorten_names(names)

    assert list(short) == names
    assert len(set(short.values())) == len(names)
    assert all(name.endswith(short[name].rpartition(" ")[2]) for name in names)
