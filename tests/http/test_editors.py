"""The routes of the editors, as a client sees them."""

import asyncio
import json
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from tests.conftest import ROOT
from toon.advisor.next import NO_STEPS
from toon.bounded import Bounds, Pool
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.costs.headline import headline
from toon.costs.models import choose
from toon.costs.prices import Traffic
from toon.drawing import DRAWINGS
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT, minify
from toon.http import editors
from toon.playground.panes import Documents
from toon.server import SERVER
from toon.tokenizers import TOKENIZERS, get

ORDERS = (ROOT / "samples" / "uniform-rows.json").read_text(encoding="utf-8")
EMAILS = (ROOT / "samples" / "emails.json").read_text(encoding="utf-8")


def test_convert_then_measure_by_id(client: TestClient) -> None:
    answer = client.post("/api/convert?from=json", content='{"a":[{"b":1},{"b":2}]}')
    converted = answer.json()

    assert converted["ok"]
    assert answer.headers["cache-control"] == "no-store"
    assert converted["to"]["text"] == "a[2]{b}:\n  1\n  2"
    ids = f"json={converted['id']}&toon={converted['to']['id']}"
    measured = client.get(f"/api/measure?{ids}&tokenizer=cl100k_base&runs=tokens").json()
    assert measured["toon"]["characters"] == 16
    assert sum(measured["toon"]["runs"]) == 16
    assert measured["round_trip"]["ok"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("from=ini", "from must be one of json, toon"),
        ("delimiter=semicolon", "delimiter must be one of comma, tab, pipe"),
        ("indent=17", "indent must be 1 to 16"),
        ("indent=1_0", "indent must be 1 to 16"),
        ("strict=maybe", "strict must be one of true, false"),
    ],
)
def test_a_query_that_cannot_be_is_said_to_be(client: TestClient, query: str, message: str) -> None:
    answer = client.post(f"/api/convert?{query}", content="1")

    assert answer.status_code == 400
    assert message in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "route",
    ["measure?json", "answer?json", "sent?json", "next?json", "answer?python", "tokens?text"],
)
def test_an_unknown_id_is_named_so_that_the_text_can_be_sent_again(
    client: TestClient, route: str
) -> None:
    assert client.get(f"/api/{route}=lost").json() == {"missing": ["lost"]}


def test_a_body_over_the_limit_is_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editors, "EDITOR_BYTES", 1_000_000)

    answer = client.post("/api/convert", content=b" " * 1_000_001)
    assert answer.status_code == 413
    assert answer.json()["error"]["message"] == "larger than 1 MB"


def test_bytes_that_are_no_text_a_wrong_method_and_an_unknown_path(client: TestClient) -> None:
    assert client.post("/api/convert", content=b"\xff").status_code == 400
    assert client.get("/api/convert").status_code == 405
    assert client.get("/api/nothing").status_code == 404


# -- texts written anew --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "text", "written"),
    [
        ("indented", '{"a":[1.0]}', '{\n  "a": [\n    1.0\n  ]\n}'),
        ("minified", '{ "a": [1.0] }', '{"a":[1.0]}'),
        ("lines", "1\n2", "[\n1,\n2\n]"),
        ("python", "('é',)", '[\n  "é"\n]'),
    ],
)
def test_a_text_is_rewritten(client: TestClient, way: str, text: str, written: str) -> None:
    answer = client.post(f"/api/rewrite?as={way}", content=text.encode())

    assert answer.json() == {"ok": True, "text": written}


def test_what_was_pasted_is_what_is_sent_today(client: TestClient) -> None:
    text = "{'a': [1, 2], 'b': None}"
    pasted = client.post("/api/convert?from=python", content=text).json()

    assert SERVER.documents.get(pasted["id"]) == text
    assert json.loads(SERVER.documents.get(pasted["shown"]) or "") == {"a": [1, 2], "b": None}
    answer = client.get(f"/api/answer?python={pasted['id']}").json()
    assert answer["bars"][0]["label"] == "your Python"
    assert client.get(f"/api/next?python={pasted['id']}").status_code == 200


def test_an_unreadable_text_is_answered_with_what_makes_json_of_it(client: TestClient) -> None:
    text = r"{'a': '\a'}"

    offers = client.post("/api/convert?from=json", content=text).json()["error"]["offers"]
    assert [offer["label"] for offer in offers] == [
        "Convert Python literal",
        "Convert JavaScript literal",
    ]
    for offer in offers:
        assert client.post(f"/api/rewrite?as={offer['name']}", content=text).json()["ok"]


# -- the answer and the next steps -------------------------------------------------------------


def ask(client: TestClient, route: str, text: str, query: str = "") -> Any:
    name = client.post("/api/convert?from=json", content=text).json()["id"]
    return client.get(f"/api/{route}?json={name}{query}").json()


def test_the_answer_is_the_headline_of_the_text(client: TestClient) -> None:
    text = '[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]'
    query = "&model=claude-haiku-4-5&together=none&explain=toon=Lines."
    month = "&calls=7&cached_share=0.25&batch=true"
    explaining, traffic = Explaining(None, (("toon", "Lines."),)), Traffic(7, 0.25, True)
    value = [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]

    expected = headline(
        Document.of(value, Typed(text)), choose("claude-haiku-4.5"), explaining, traffic
    )
    assert expected["nothing"] is None
    answer = ask(client, "answer", text, query + month)
    assert answer == {**expected, "drawn": DRAWINGS["bars"](expected)}
    for name, draw in DRAWINGS.items():
        assert ask(client, "answer", text, f"{query}{month}&draw={name}")["drawn"] == draw(expected)


@pytest.mark.parametrize("text", ['[{"id": 1, "name": "Ada"}]', "[1, 2]", ORDERS])
def test_what_is_sent_costs_what_the_answer_says(client: TestClient, text: str) -> None:
    answer = ask(client, "answer", text)
    sent = ask(client, "sent", text)["text"]

    note, gap, rest = sent.partition("\n\n")
    assert bool(gap) == (" and note" in answer["copy"])
    tokens = get("o200k_base").count(rest if gap else sent)
    bar = next(bar for bar in answer["bars"] if bar["format"] == answer["best"])
    assert tokens == bar["cost"] - bar["explanation"]
    if gap:
        extra = get("o200k_base").count(note) - get("o200k_base").count(JSON_COMPACT.explanation)
        assert extra == bar["explanation"]


def test_minified_json_and_an_untested_format_can_be_had_in_place_of_what_to_send(
    client: TestClient,
) -> None:
    assert ask(client, "sent", ORDERS, "&as=minified")["text"] == minify(ORDERS)
    assert ask(client, "sent", ORDERS, "&as=untested") == ask(client, "sent", ORDERS)
    columns = FORMATS["json-columns"]
    text = columns.dumps(json.loads(EMAILS))
    note = Explaining().text("json-columns", columns.uses(text))
    assert ask(client, "sent", EMAILS, "&as=untested")["text"] == f"{note}\n\n{text}"
    refused = ask(client, "sent", ORDERS, "&as=toon")["error"]["message"]
    assert refused == "as must be one of best, minified, untested"


def test_next_steps_are_those_of_the_text(client: TestClient) -> None:
    nulls = json.dumps([{"id": number, "note": None} for number in range(12)])
    assert [step["page"] for step in ask(client, "next", nulls)["next"]] == ["playground"]
    assert [step["label"] for step in ask(client, "next", "[1, 2]")["next"]] == ["All 8 formats"]


@pytest.mark.parametrize("route", ["answer", "sent", "next"])
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("&model=gpt5", "No model is named 'gpt5'. Near it: "),
        ("&together=0", "payloads in a prompt must be 1 or more"),
        ("&explained_cached=2", "the share of prompts that read the note from the cache"),
        ("&indent=0", "indent must be 1 to 16"),
        ("&calls=-1", "calls must be 0 to 1000000000000"),
        ("&cached_share=1.5", "cached_share must be 0 to 1"),
        ("&batch=yes", "batch must be one of false, true"),
    ],
)
def test_a_wrong_question_is_refused(
    client: TestClient, route: str, query: str, message: str
) -> None:
    assert ask(client, route, "[1]", query)["error"]["message"].startswith(message)


def test_where_two_texts_hold_the_same(client: TestClient) -> None:
    converted = client.post("/api/convert?from=json", content='{"é":[1,"😀"]}').json()
    ids = f"json={converted['id']}&toon={converted['to']['id']}"

    assert client.get(f"/api/places?{ids}").json() == {
        "json": [1, 4, 1, 0, 6, 7, 2, 1, 8, 12, 3, 2],
        "toon": [0, 3, 1, 0, 8, 9, 2, 1, 10, 12, 3, 2],
        "parents": [0, 0, 1, 1],
        "steps": ["", "é", "[0]", "[1]"],
    }
    assert client.get(f"/api/places?{ids}&indent=0").status_code == 400


def test_every_token_with_its_id(client: TestClient) -> None:
    name = client.post("/api/convert?from=json", content='"𝔘 y"').json()["id"]

    assert client.get(f"/api/tokens?text={name}&tokenizer=o200k_base").json() == {
        "none": None,
        "runs": [1, 2, 2, 1],
        "ids": [1, [[43120, "f0 9d"], [242, "94"], [246, "98"]], 342, 1],
    }
    quarters = client.get(f"/api/tokens?text={name}&tokenizer=chars4").json()
    reason = f"No tokens to show. {TOKENIZERS['chars4'].evidence}"
    assert quarters == {"none": reason, "runs": [], "ids": []}
    assert client.get(f"/api/tokens?text={name}&tokenizer=no").status_code == 400


def test_what_is_pointed_at_may_be_lost_or_too_long(client: TestClient) -> None:
    long = "7" * 500_001
    converted = client.post("/api/convert?from=json", content=f'"{long}"').json()
    ids = f"json={converted['id']}&toon={converted['to']['id']}"

    assert client.get(f"/api/places?json={converted['id']}").json() == {"missing": [""]}
    answer = client.get(f"/api/places?{ids}")
    assert answer.status_code == 413
    assert answer.json()["error"]["message"] == "more than 1,000,000 characters"


def test_a_client_that_leaves_while_it_sends_is_no_fault() -> None:
    messages = [
        {"type": "http.request", "body": b"[1,", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return messages.pop(0)

    scope = {"type": "http", "method": "POST", "query_string": b"", "headers": [], "path": "/"}
    route = next(route for route in editors.EDITORS if route.path == "/convert")
    assert asyncio.run(route.endpoint(Request(scope, receive))).status_code == 400


@pytest.mark.rest
def test_texts_that_are_not_small_get_the_same_answers_from_a_worker(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a worker finds stands where the next question looks."""

    def answers(text: str) -> list[Any]:
        converted = client.post("/api/convert", content=text).json()
        toon = converted["to"]["id"]
        both = f"json={converted['id']}&toon={toon}"
        paths = (f"measure?{both}", f"places?{both}", f"answer?{both}", f"next?{both}")
        tokens = client.get(f"/api/tokens?text={toon}").json()
        replies = [client.get(f"/api/{path}").json() for path in paths]
        rewritten = client.post("/api/rewrite?as=indented", content=text).json()
        return [converted, tokens, *replies, rewritten]

    here = answers('[{"a":1},{"a":2}]')
    monkeypatch.setattr(SERVER, "documents", Documents())
    for module in ("toon.http.editors.SMALL_CHARACTERS", "toon.http.editors.SMALL_TO_COMPARE"):
        monkeypatch.setattr(module, 0)
    monkeypatch.setattr("toon.http.work.call_here", None)

    assert answers('[{"a":1},{"a":2}]') == here
    refused = client.post("/api/convert", content="[1,").json()
    assert refused["error"]["line"] == 1
    unknown = client.get(f"/api/tokens?text={here[0]['id']}&tokenizer=none")
    assert unknown.status_code == 400


def test_a_limit_that_was_passed_is_told_in_the_editors(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = Pool(1, bounds=Bounds(0.001))  # its process has yet to start
    monkeypatch.setattr(SERVER, "pool", pool)
    monkeypatch.setattr("toon.http.editors.SMALL_CHARACTERS", 0)
    answer = client.post("/api/convert", content="[1]")

    assert answer.status_code == 422
    assert answer.json()["error"]["message"] == (
        "not done in 0.001 seconds, the limit that TOON_WORK_SECONDS sets"
    )


def test_where_nobody_counts_the_answer_says_why(client: TestClient) -> None:
    name = client.post("/api/convert?from=json", content='{"a": 1}').json()["id"]
    answer = client.get(f"/api/answer?json={name}&model=grok-4.7").json()

    assert answer["lead"].startswith("Only its service counts for this model")
    assert (answer["best"], answer["drawn"]) == ("", "")
    assert client.get(f"/api/next?json={name}&model=grok-4.7").json() == NO_STEPS
