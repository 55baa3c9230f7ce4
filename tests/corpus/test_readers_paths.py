"""Dotted paths, and URL templates: which ids fold, and the laws of folding."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.corpus.paths import fold, steps, url_template, value_at


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (None, None), ("", None), (" ", None), ("$", ()), ("a", ("a",)), ("$.a.0", ("a", "0")),
        (r"a\.b.c\\", ("a.b", "c\\")), ("a b", ("a b",)), ("a.$", ("a", "$")), ("é", ("é",)),
    ],
)  # fmt: skip
def test_dotted_paths(path: str | None, expected: tuple[str, ...] | None) -> None:
    assert steps(path) == expected


@pytest.mark.parametrize("path", [".", "a.", ".a", "a..b", "$."])
def test_an_empty_step_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="has an empty step"):
        steps(path)


@given(st.lists(st.text(min_size=1).map(lambda s: s.replace(" ", "_")), min_size=1))
def test_any_key_can_be_written_as_a_step(keys: list[str]) -> None:
    path = ".".join(re.sub(r"([.\[\\])", r"\\\1", key) for key in keys)
    found = steps(f"$.{path}.end")

    assert found == (*keys, "end")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.1.b", 2), ("a.9", None), ("a.b", None), ("a.-1", None), ("c", None), ("a.1.b.x", None)],
)
def test_what_lies_at_a_path(path: str, expected: Any) -> None:
    assert value_at({"a": [0, {"b": 2}]}, steps(path) or ()) == expected


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("https://api.example.com/v1/users/42/tags?x=1#y", "api.example.com/v1/users/{id}/tags"),
        ("http://me:pw@API.Example.com:8080", "api.example.com:8080/"),
        ("HTTPS://[::1]:80/a", "[::1]:80/a"),
        ("/a/b/", "/a/b/"),
        ("wss://x.example/socket", "x.example/socket"),
        ("data:application/json,{}", "data:"),
        ("https//me:pw@a.example:80/x", "https//{id}/x"),
        ("https:/me:pw@a.example/x", "/{id}/x"),
        ("chrome-extension://abc/x.js", "chrome-extension:"),
        ("https://[x", "(unreadable URL)"),
        ("https://a b/x", "(unreadable URL)"),
        ("https://a:99999/x", "(unreadable URL)"),
        ("", "/"),
    ],
)  # fmt: skip
def test_url_templates(url: str, template: str) -> None:
    assert url_template(url) == template


@pytest.mark.parametrize(
    "segment",
    ["users", "v1", "v2.1", "v1beta1", "order-items", "user_profile", "getUserAccountInformation",
     "oauth2", "s3", "index.html", "swagger.json", "@me", "$batch", "~ops", "a.b", "models:predict",
     "content-management-v2", "OData", "x", ""],
)  # fmt: skip
def test_words_of_an_api_stay(segment: str) -> None:
    assert fold(segment) == segment


@pytest.mark.parametrize(
    ("segment", "folded"),
    [
        ("42", "{id}"), ("user-42", "{id}"), ("ORD_00123", "{id}"), ("2026-03-02", "{id}"),
        ("10.1", "{id}"), ("p1234", "{id}"), ("cus_9s6XKzkNRiz8i3", "{id}"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "{id}"), ("5f3a9c1e", "{id}"), ("deadbeefdeadbeef", "{id}"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc123", "{id}"), ("qXbYdZfAhBjClDnE", "{id}"),
        ("ana@example.com", "{id}"), ("hello%20world", "{id}"), ("日本", "{id}"), ("a,b", "{id}"),
        ("x=y", "{id}"), ("a" * 41, "{id}"), ("42.json", "{id}.json"), ("42:cancel", "{id}:cancel"),
        ("list;sid=9", "list"), ("{id}", "{id}"), ("{name}", "{id}"),
    ],
)  # fmt: skip
def test_ids_and_free_text_fold(segment: str, folded: str) -> None:
    assert fold(segment) == folded


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
    template = url_template(url())
    if len(expected) <= 300:
        assert template == expected
    assert template == url_template(url())


@given(st.text())
def test_folding_any_text_is_stable_and_keeps_no_query(text: str) -> None:
    template = url_template(f"https://example.com/{text}?SECRET=SECRET")

    assert "SECRET" not in template
    assert template.isprintable()
    assert url_template(f"https://{template}") == template or "…" in template
    assert url_template(text).isprintable()
