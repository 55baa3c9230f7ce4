"""``GET /api/v1/...``: lists, single records, changes and the index, as a client sees them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.conftest import ROOT
from tests.http.client import assert_headers, error_of
from toon.codec.reading import decode
from toon.compact import DOMAINS
from toon.costs.models import MODELS
from toon.formats import FORMATS
from toon.records.query import respond
from toon.tokenizers import TOKENIZERS

NOTE = "6871f5dd-3240-419e-a1b2-4dedcdb67f78"

#: domain -> what ``?format=compact&limit=2`` answers, up to its meta.
PAGES = {
    "events": '{"format":"compact","summary":"6 events (today)","lines":'
    '["📅 all-day: Papá\'s birthday 🔁 id:4f44cef0","09:00-09:15 Stand-up [Call] 🔁 id:5e32750a",'
    '"11:00-12:00 Harvest plan with the co-op [Room 4] id:3ba3bf0d",'
    '"13:15-13:45 Dentist [Praxis Dr. Wölfl] id:492657b5",'
    '"15:00-17:00 Write the grant report id:7f0a280c",'
    '"19:30-21:30 Choir [St. Olaf] 🔁 id:bb277ee3"],'
    '"ids":["4f44cef0-1875-4f5e-bf8a-cb2053d47648","5e32750a-eb47-4c17-b0e0-947dd69e2364",'
    '"3ba3bf0d-09c2-4ef4-8c76-a3c542b97596","492657b5-0cbc-4a1c-aba9-8f11c5e82f72",'
    '"7f0a280c-11ee-4760-9302-46cfbeb11b92","bb277ee3-2a36-4ad0-9feb-d75b7fdff0e1"],'
    '"meta":{"total":6,"limit":20,"offset":0,"has_more":false}}',
    "notes": '{"format":"compact","summary":"1-2 of 100 notes","lines":'
    '["📌 \\"Meeting 17 February\\" (work, launch) [7m ago] id:6871f5dd",'
    '"\\"Sunday\'s drive\\" (market) [11m ago] id:1666b1c5"],'
    '"ids":["6871f5dd-3240-419e-a1b2-4dedcdb67f78","1666b1c5-e2b4-43b2-b045-205ccf5d69f9"]',
    "emails": '{"format":"compact","summary":"1-2 of 100 emails","lines":'
    '["Mateo Rivas: \\"Tasting on Friday?\\" [INBOX] unread 11m ago id:7057b477",'
    '"Ilse Marchetti: \\"Proofs for the spring catalogue\\" [INBOX] unread ⭐ 📎 1h ago '
    'id:caf5c465"],'
    '"ids":["7057b477-231a-4ce9-8241-ad0af2f3e7c2","caf5c465-5607-499f-9a36-cdf97614c5ba"]',
    "contacts": '{"format":"compact","summary":"1-2 of 100 contacts","lines":'
    '["Joost Meijer — Depot Süd — joost@example.org id:81664daf",'
    '"Linnea Dahl — Dahl Bigård — linnea@example.com id:61abe16b"],'
    '"ids":["81664daf-dd6c-4490-8155-4275ccbad3d1","61abe16b-6e1d-4a07-ad51-90cc1487e2b9"]',
    "files": '{"format":"compact","summary":"1-2 of 100 files","lines":'
    '["price list 2026.xlsx (50KB) [xlsx] id:9007a42f",'
    '"tasting list.pdf (89.2KB) [pdf] id:3164b45c"],'
    '"ids":["9007a42f-7bde-457b-8f10-1e6d29e96139","3164b45c-7ab4-418d-b674-af26e18f8c09"]',
    "diary": '{"format":"compact","summary":"1-2 of 100 diary entries","lines":'
    '["2026-02-18 🙂 '
    '\\"Papá sounded well on the phone. He had already eaten half of...\\" (family) '
    'id:d8dce49c",'
    '"2026-02-18 🙂 '
    '\\"Second entry today, because Mateo writes that the co-op will...\\" (work) '
    'id:c1ab1030"],'
    '"ids":["d8dce49c-8381-499d-b225-fcc6dd0dc1b2","c1ab1030-ffe3-4f55-9322-fb96cf825ddf"]',
    "search": '{"format":"compact","summary":"1-2 of 100 results","lines":'
    '["[note] \\"Questions for the lawyer\\" — \\"Does the lease end by itself? Who pays for the '
    'gate? Is an e-mail enough as...\\" id:bf5793ef",'
    '"[email] \\"Lease: signed plan\\" — \\"Both have signed it. The strip along the brook stays '
    'out.\\" id:1c732bda"],'
    '"ids":["bf5793ef-927f-43e9-a0c6-556d275d4dff","1c732bda-969e-472a-8fc9-cb6b8fac68bb"]',
}


def got(client: TestClient, path: str) -> Any:
    answer = client.get(f"/api/v1{path}")
    assert answer.status_code == 200, answer.text
    assert_headers(answer)
    return answer


# -- lists -----------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_page_as_lines(client: TestClient, domain: str) -> None:
    query = "date=today" if domain == "events" else "limit=2"
    rest = ',"meta":{"total":100,"limit":2,"offset":0,"has_more":true}}'
    page = PAGES[domain] if domain == "events" else PAGES[domain] + rest

    assert got(client, f"/{domain}?{query}&format=compact").text == page


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_page_in_full_and_as_toon_with_the_same_structure(
    client: TestClient, domain: str
) -> None:
    path = ROOT / "samples" / "domains" / f"{domain}.json"
    bundled = {record["id"]: record for record in json.loads(path.read_text(encoding="utf-8"))}
    answer = got(client, f"/{domain}?limit=30&offset=5")
    written = got(client, f"/{domain}?limit=30&offset=5&format=toon")

    page = answer.json()
    assert list(page) == ["data", "meta"]
    assert page["meta"] == {"total": 100, "limit": 30, "offset": 5}
    same = [bundled[record["id"]] == record for record in page["data"] if record["id"] in bundled]
    assert domain == "events" or sum(same) > 3  # events come oldest first, and those are made up
    assert answer.headers["content-type"] == "application/json"
    assert written.headers["content-type"] == "text/toon; charset=utf-8"
    assert decode(written.text) == page


def test_chosen_fields_and_filters_in_the_order_they_were_asked_for(client: TestClient) -> None:
    assert got(client, "/contacts?fields=display_name&limit=1").text == (
        '{"data":[{"id":"81664daf-dd6c-4490-8155-4275ccbad3d1","display_name":"Joost Meijer"}],'
        '"meta":{"total":100,"limit":1,"offset":0}}'
    )
    asked = "/notes?tag=work&q=a%26b&tag=no+such&format=compact&limit=5"
    assert got(client, asked).text == (
        '{"format":"compact","summary":"0 notes (tag:work, q:\\"a&b\\", tag:no such)","lines":[],'
        '"ids":[],"meta":{"total":0,"limit":5,"offset":0,"has_more":false}}'
    )


def test_the_clock_is_the_samples_own_unless_another_is_asked_for(client: TestClient) -> None:
    line = '📌 "Meeting 17 February" (work, launch) [{}] id:6871f5dd'
    for query, age in (("", "7m ago"), ("&now=2026-03-01T00:00:00%2B02:00", "1w ago")):
        page = got(client, f"/notes?format=compact&limit=1{query}").json()
        assert page["lines"] == [line.format(age)]
    moved = got(client, "/events?date=tomorrow&now=2026-02-17&format=compact").json()
    assert moved["summary"] == "6 events (tomorrow)"


def test_changes_since_a_moment(client: TestClient) -> None:
    query = "since=2026-02-18T14:00:00Z&format=compact"
    changes = got(client, f"/notes?{query}").json()
    assert list(changes["data"]) == ["created", "updated", "deleted"]
    assert changes["meta"] == {"response_timestamp": "2026-02-18T14:30:00Z", "total_changes": 3}
    nothing = got(client, f"/notes?{query.replace('14:00', '14:30')}&now=2026-02-18T15:00:00Z")
    assert nothing.text == (
        '{"data":{"created":[],"updated":[],"deleted":[]},'
        '"meta":{"response_timestamp":"2026-02-18T15:00:00Z","total_changes":0}}'
    )


# -- one record, index -----------------------------------------------------------------------


def test_one_record_is_whole(client: TestClient) -> None:
    answer = got(client, f"/notes/{NOTE}?format=compact&fields=title&limit=x")

    assert answer.text == respond("notes", {}, record_id=NOTE).text()
    assert answer.json()["data"]["id"] == NOTE
    assert decode(got(client, f"/notes/{NOTE}?format=toon").text) == answer.json()


@pytest.mark.parametrize("path", ["", "/"])
def test_the_index_names_every_route_that_answers(client: TestClient, path: str) -> None:
    index = got(client, path).json()

    assert [format["name"] for format in index["formats"]] == list(FORMATS)
    assert {each["name"]: each["exact"] for each in index["tokenizers"]} == {
        name: tokenizer.exact for name, tokenizer in TOKENIZERS.items()
    }
    assert [each["name"] for each in index["models"]] == list(MODELS)
    assert next(each for each in index["models"] if each["name"] == "claude-opus-4.8") == {
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


def test_an_error_to_the_letter(client: TestClient) -> None:
    answer = client.get("/api/v1/notes/nope?format=compact")

    assert answer.status_code == 404
    assert_headers(answer)
    assert answer.text == (
        '{"error":{"code":"NOT_FOUND","message":"there is no record \'nope\'",'
        '"details":{"id":"nope"},'
        '"hint":"a line ends with the first eight characters of its id; ids has it in full"}}'
    )


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
        ("POST", "/", "GET, HEAD"),
        ("PATCH", f"/notes/{NOTE}", "GET, HEAD"),
        ("OPTIONS", "/notes", "GET, HEAD"),
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
