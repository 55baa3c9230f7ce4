"""``GET /api/v1/...``: lists, single records, changes and the index, as a client sees them."""

from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.http.client import assert_headers, error_of
from toon.codec.reading import decode
from toon.compact import DOMAINS
from toon.costs.models import MODELS
from toon.formats import FORMATS
from toon.records.query import respond
from toon.tokenizers import TOKENIZERS

NOTE = "6871f5dd-3240-419e-a1b2-4dedcdb67f78"


def get(client: TestClient, path: str) -> Any:
    answer = client.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.text
    assert_headers(answer)
    return answer


# -- lists -----------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(
    "query",
    [
        "limit=2&format=compact",
        "limit=30&offset=5",
        "limit=3&fields=id&format=toon",
        "q=a%26b&q=no+such&format=compact",
        "since=2026-02-18T14:00:00Z&format=compact",
    ],
)
def test_a_list_is_what_the_library_answers(client: TestClient, domain: str, query: str) -> None:
    expected = respond(domain, parse_qsl(query))
    answer = client.get(f"/api/v1/{domain}?{query}")

    assert (answer.status_code, answer.text) == (expected.status, expected.text())
    assert answer.headers["content-type"].startswith("text/toon") == expected.is_toon


def test_the_clock_is_the_samples_own_unless_another_is_asked_for(client: TestClient) -> None:
    line = '📌 "Meeting 17 February" (work, launch) [{}] id:6871f5dd'
    for query, age in (("", "7m ago"), ("&now=2026-03-01T00:00:00%2B02:00", "1w ago")):
        page = get(client, f"/notes?format=compact&limit=1{query}").json()
        assert page["lines"] == [line.format(age)]
    moved = get(client, "/events?date=tomorrow&now=2026-02-17&format=compact").json()
    assert moved["summary"] == "6 events (tomorrow)"


# -- one record, index -----------------------------------------------------------------------


def test_one_record_is_whole(client: TestClient) -> None:
    answer = get(client, f"/notes/{NOTE}?format=compact&fields=title&limit=x")

    assert answer.text == respond("notes", {}, record_id=NOTE).text()
    assert answer.json()["data"]["id"] == NOTE
    assert decode(get(client, f"/notes/{NOTE}?format=toon").text) == answer.json()


@pytest.mark.parametrize("path", ["", "/"])
def test_the_index_names_every_route_that_answers(client: TestClient, path: str) -> None:
    index = get(client, path).json()

    assert [format["name"] for format in index["formats"]] == list(FORMATS)
    assert {entry["name"]: entry["exact"] for entry in index["tokenizers"]} == {
        name: tokenizer.exact for name, tokenizer in TOKENIZERS.items()
    }
    assert [entry["name"] for entry in index["models"]] == list(MODELS)
    assert next(entry for entry in index["models"] if entry["name"] == "claude-opus-4.8") == {
        "name": "claude-opus-4.8",
        "label": "Claude Opus 4.8",
        "provider": "Anthropic",
        "tokenizer": "claude_4_8",
        "grade": "reconstructed, unchecked",
        "evidence": "ctok 1.3 rebuilt it from counts of the service; not compared with the service "
        "here.",
        "frame": 6,
        "price": "anthropic/claude-opus-4-8",
    }
    routes = {(route["method"], route["path"]): route for route in index["routes"]}
    assert list(routes) == [
        ("GET", "/api/v1/{domain}"),
        ("GET", "/api/v1/{domain}/{id}"),
        ("POST", "/api/v1/convert"),
        ("POST", "/api/v1/stats"),
    ]
    assert routes["GET", "/api/v1/{domain}"]["domain"] == list(DOMAINS)
    for name in routes["GET", "/api/v1/{domain}"]["parameters"]:
        answer = client.get("/api/v1/notes", params={name: "\x00"})
        assert answer.status_code == (200 if name == "q" else 400), name
    for path in ("/api/v1/convert", "/api/v1/stats"):
        for name in routes["POST", path]["parameters"]:
            assert client.post(path, params={name: "no such"}).status_code == 400, name


# -- errors ----------------------------------------------------------------------------------

#: How a URL's parameters are read; every other refusal is in ``tests/records/test_query.py``.
ERRORS = [
    ("limit=1e1&format=toon", "limit", "1e1", "limit is not a whole number from 1 to 100"),
    ("limit=1&limit=2", "limit", ["1", "2"], "limit is given 2 times"),
    ("tz=Mars%0A&format=compact", "tz", "Mars\n", "tz is not a time zone: 'Mars\\n'"),
    ("now=soon", "now", "soon", "now is not a timestamp: 'soon'"),
    ("now=9999-12-31&date=tomorrow", "now", "9999-12-31", "now is not a timestamp: '9999-12-31'"),
    ("now=2026-02-18&now=2026-02-19", "now", ["2026-02-18", "2026-02-19"],
     "now is given 2 times"),
    ("count=gpt9", "count", "gpt9", "count names no tokenizer: 'gpt9'"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "name", "value", "message"), ERRORS)
def test_a_query_that_cannot_be_answered(
    client: TestClient, query: str, name: str, value: Any, message: str
) -> None:
    answer = client.get(f"/api/v1/notes?{query}")

    assert answer.status_code == 400
    error = error_of(answer)
    assert error["code"] == "INVALID_QUERY"
    assert error["message"] == message
    assert error["details"] == {"parameter": name, "value": value}


@pytest.mark.parametrize("path", ["/tasks", "/tasks/1", "/notes/", "/notes/a/b", "//", "/é%2F"])
def test_a_path_that_is_not_there(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/v1{path}?format=compact", follow_redirects=False)

    assert answer.status_code == 404
    error = error_of(answer)
    assert error["code"] == "NOT_FOUND"
    assert error["hint"] == "GET /api/v1/ lists what there is"


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("POST", "", "GET, HEAD"),
        ("OPTIONS", f"/notes/{NOTE}", "GET, HEAD"),
        ("GET", "/convert", "POST"),
        ("DELETE", "/stats", "POST"),
    ],
)
def test_a_method_that_is_not_there(client: TestClient, method: str, path: str, allow: str) -> None:
    answer = client.request(method, f"/api/v1{path}")

    assert answer.status_code == 405
    assert answer.headers["allow"] == allow
    assert error_of(answer) == {
        "code": "METHOD_NOT_ALLOWED",
        "message": f"/api/v1{path} does not take {method}",
        "details": {},
        "hint": f"it takes {allow}",
    }


# -- headers ---------------------------------------------------------------------------------

paths = st.sampled_from([*DOMAINS, "", "tasks", "convert", f"notes/{NOTE}", "notes/nope"])
queries = st.dictionaries(
    st.sampled_from(["format", "limit", "offset", "since", "fields", "date", "q", "now", "tag"]),
    st.sampled_from(["compact", "toon", "3", "today", "2026-02-18T14:00:00Z", "id", "work", "é\n"]),
    max_size=3,
)


@pytest.mark.rest
@given(paths, queries, st.sampled_from([None, *TOKENIZERS]))
def test_every_answer_says_what_it_costs_and_head_says_the_same(
    client: TestClient, path: str, query: dict[str, str], count: str | None
) -> None:
    url = f"/api/v1/{path}"
    params = query if count is None else {**query, "count": count}
    answer, head = client.get(url, params=params), client.head(url, params=params)

    assert_headers(answer)
    assert answer.headers["x-token-count-tokenizer"] == (count or "o200k_base")
    if answer.status_code != 405:
        assert head.headers == answer.headers
        assert head.status_code == answer.status_code
