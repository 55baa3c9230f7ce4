"""``POST /api/v1/convert`` and ``/stats``: texts, what they lost, figures, and every refusal."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.conftest import ROOT
from tests.http.client import assert_headers, error_of
from tests.strategies import damaged, values
from toon.cli import main
from toon.compact.errors import QueryError
from toon.costs.compare import compare
from toon.costs.document import Document
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.http.payloads import convert, header_list
from toon.http.replies import Call, Reply
from toon.records.query import QueryParams
from toon.tokenizers import TOKENIZERS
from toon.values.json_text import parse_json

ROWS = '{"a":[{"b":1,"c":"x"},{"b":2,"c":"é"}]}'
TABLE = "a[2]{b,c}:\n  1,x\n  2,é"
SAMPLES = sorted((ROOT / "samples").glob("*.json"))


def send(client: TestClient, path: str, body: str | bytes) -> Any:
    answer = client.post(f"/api/v1/{path}", content=body)
    assert_headers(answer)
    return answer


def read_refusal(client: TestClient, path: str, body: str | bytes, status: int) -> dict[str, Any]:
    answer = send(client, path, body)
    assert answer.status_code == status, answer.text
    return error_of(answer)


def convert_text(text: str, source: str, target: str, **more: str) -> Reply:
    pairs = [("from", source), ("to", target), *more.items()]
    return convert(Call(QueryParams(pairs), text.encode()))


# -- convert ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "body", "text", "media_type"),
    [
        ("", ROWS, TABLE, "text/toon; charset=utf-8"),
        ("?from=json&to=toon&delimiter=pipe&indent=4", ROWS,
         "a[2|]{b|c}:\n    1|x\n    2|é", "text/toon; charset=utf-8"),
        ("?to=toon-3&delimiter=tab", '{"a":[1,2],"b":"#"}', "a[2\t]: 1\t2\nb: #",
         "text/toon; charset=utf-8"),
        ("?to=json", TABLE, ROWS, "application/json"),
        ("?from=toon&to=json&indent=4", "a:\n    b: 1", '{"a":{"b":1}}', "application/json"),
        ("?to=json-python", "[1,2]", "[1, 2]", "application/json"),
        ("?to=yaml", ROWS, "a:\n- b: 1\n  c: x\n- b: 2\n  c: é", "application/yaml"),
        ("?to=xml", '{"b":"x"}', "<root>\n  <b>x</b>\n</root>", "application/xml"),
        ("?to=csv", '[{"b":"x"}]', "b\nx", "text/csv; charset=utf-8; header=present"),
        ("?to=pipe", '[{"b":1}]', "| b |\n| 1 |", "text/plain; charset=utf-8"),
        ("?from=yaml&to=json", "- 1.50\n- 1e400", "[1.5,1e+400]", "application/json"),
    ],
)  # fmt: skip
def test_a_text_in_another_format(
    client: TestClient, query: str, body: str, text: str, media_type: str
) -> None:
    answer = send(client, f"convert{query}", body)

    assert (answer.status_code, answer.text) == (200, text)
    assert answer.headers["content-type"] == media_type
    assert answer.headers["x-lossy"] == "false"
    assert "x-losses" not in answer.headers


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("\ufeff[1]", "json"),
        (TABLE, "toon"),
        ("| b | c |\n| 1 | 2 |", "pipe"),
        ("<a><b>1</b></a>", "xml"),
    ],
)
def test_what_a_text_is_recognised_as(client: TestClient, text: str, format: str) -> None:
    answer = send(client, "convert?to=json", text)

    assert answer.status_code == 200
    assert answer.headers["x-format-from"] == format


def test_what_was_odd_about_the_text_is_said(client: TestClient) -> None:
    answer = send(client, "convert", '{"k\u2028é":1,"k\u2028é":9007199254740993}')

    assert answer.headers["x-lossy"] == "false"
    assert answer.headers["x-notices"] == (
        r'line 1, column 10: key "k\u2028\xe9" appears again in one object: the last value counts'
        "; line 1, column 16: integer 9007199254740993 is beyond 2^53: kept exactly here, but "
        "readers with 64-bit floats (JavaScript) may change it"
    )


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_losses_are_those_that_the_comparison_finds(sample: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    value = parse_json(text).value
    for row in compare(Document.of(value), tokenizers=["chars4"]):
        if row["tokens"] is None:
            with pytest.raises(QueryError) as error:
                convert_text(text, "json", row["format"])
            assert error.value.status == 422
            assert error.value.message == row["reason"]
            continue
        reply = convert_text(text, "json", row["format"])
        lost = bool(row["losses"]) or not row["round_trips"]
        assert reply.text == FORMATS[row["format"]].dumps(value)
        assert reply.headers["X-Lossy"] == ("true" if lost else "false"), row["format"]
        assert ("X-Losses" in reply.headers) == lost


@pytest.mark.rest
@given(values, st.sampled_from(["auto", *FORMATS]), st.sampled_from(list(FORMATS)), st.data())
def test_any_text_is_converted_or_refused(
    value: Any, source: str, target: str, data: st.DataObject
) -> None:
    try:
        text = FORMATS["toon" if source == "auto" else source].dumps(value)
    except NotApplicable:
        text = "a: 1"
    status, headers = 200, {}
    try:
        headers = dict(convert_text(data.draw(damaged(text)), source, target).headers)
    except QueryError as error:
        status = error.status

    assert status in (400, 422) or headers["X-Lossy"] in ("true", "false")
    assert all(value.isascii() and value.isprintable() for value in headers.values())


# -- headers that list -----------------------------------------------------------------------


@given(st.lists(st.text(max_size=400), min_size=1, max_size=20))
def test_a_list_is_safe_in_a_header_and_says_how_much_more_there_is(phrases: list[str]) -> None:
    header = header_list(phrases)

    assert header.isascii()
    assert header == "" or header.isprintable()
    assert len(header) < 1_100
    if "more" not in header[-9:]:
        assert len(header) >= len("; ".join(phrases)) or len(phrases) == 1


def test_a_long_list_to_the_letter() -> None:
    assert header_list(["a\r\nSet-Cookie: b"]) == r"a\r\nSet-Cookie: b"
    assert header_list(["x" * 600, "y" * 500, "z"]) == "x" * 600 + "; and 2 more"
    assert header_list(["x" * 2_000]) == "x" * 1_000 + "..."


# -- refusals --------------------------------------------------------------------------------


def test_a_damaged_body_is_refused_with_its_place(client: TestClient) -> None:
    body = "a[2]{b,c}:\n  1,2\n  3,4,5"
    for query in ("", "?from=toon&to=json&count=cl100k_base"):
        assert read_refusal(client, f"convert{query}", body, 400) == {
            "code": "INVALID_BODY",
            "message": "row has 3 cells, header declares 2",
            "details": {"line": 3, "column": 7, "source": "  3,4,5", "source_column": 7},
            "hint": "an unquoted comma? A cell that holds the delimiter must be quoted",
        }
    assert read_refusal(client, "stats", '{"a": nul}', 400) == {
        "code": "INVALID_BODY",
        "message": "expected a value, found 'n'",
        "details": {"line": 1, "column": 7, "source": '{"a": nul}', "source_column": 7},
        "hint": 'text stands in double quotes: "nul"',
    }


@pytest.mark.parametrize(
    ("query", "body", "message"),
    [
        ("", b"", "no JSON here: the text is empty"),
        ("", b"[1", "expected , or a closing bracket, found the end of the text"),
        ("", b"\xff", "the body is not UTF-8: invalid start byte at byte 0"),
        ("?from=csv", b"a,b\n1", "row 1 has 1 cell, the header 2"),
        ("?from=xml", b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
         "XML that declares entities is not read"),
        ("?from=toon", b"a: 1\nb", "expected key: value, found a line without a colon"),
    ],
)  # fmt: skip
def test_a_body_that_is_not_of_its_format(
    client: TestClient, query: str, body: bytes, message: str
) -> None:
    error = read_refusal(client, f"convert{query}", body, 400)

    assert error["code"] == "INVALID_BODY"
    assert error["message"] == message


@pytest.mark.parametrize(
    ("query", "body", "error"),
    [
        ("to=csv", '{"a":1}',
         ("under 'a' is a number, not an array of rows", {"to": "csv"})),
        ("from=compact", "{}",
         ("one way: lines are written for a reader", {"from": "compact"})),
        ("to=toon", "[" * 300 + "]" * 300, ("nested deeper than 256 levels", None)),
        ("to=json&from=xml", "<a>" * 2_000 + "</a>" * 2_000, ("nested too deeply for this", {})),
    ],
)  # fmt: skip
def test_a_format_that_cannot_carry_it(
    client: TestClient, query: str, body: str, error: tuple[str, Any]
) -> None:
    refusal = read_refusal(client, f"convert?{query}", body, 422)

    assert (refusal["code"], refusal["message"]) == ("NOT_APPLICABLE", error[0])
    assert error[1] is None or refusal["details"] == error[1]


FORMAT_NAMES = ", ".join(FORMATS)


@pytest.mark.parametrize(
    ("path", "name", "value", "message", "hint"),
    [
        ("convert?from=jsn", "from", "jsn", f"from is not one of auto, json, {FORMAT_NAMES}", None),
        ("convert?to=auto", "to", "auto", f"to is not one of json, {FORMAT_NAMES}", None),
        ("convert?indent=0", "indent", "0", "indent is not a whole number from 1 to 16", None),
        ("convert?indent=2.0", "indent", "2.0", "indent is not a whole number from 1 to 16", None),
        ("convert?to=yaml&indent=4", "indent", "4", "indent is for TOON, on either side", None),
        ("convert?delimiter=semicolon", "delimiter", "semicolon",
         "delimiter is not one of comma, tab, pipe", None),
        ("convert?to=toon-tab&delimiter=tab", "delimiter", "tab",
         "delimiter is for to=toon and to=toon-3, not toon-tab", None),
        ("convert?form=json", "form", "json", "there is no parameter 'form'",
         "there are from, to, delimiter, indent, count"),
        ("convert?to=csv&to=xml", "to", ["csv", "xml"], "to is given 2 times", None),
        ("stats?format=tooon", "format", "tooon", "no format is named 'tooon'",
         f"there are: {FORMAT_NAMES}"),
        ("stats?tokenizer=gpt9", "tokenizer", "gpt9", "no tokenizer is named 'gpt9'",
         f"there are: {', '.join(TOKENIZERS)}"),
        ("stats?model=gpt5", "model", "gpt5", "no model is named 'gpt5'",
         "near it: gpt-5, gpt-5.5, gpt-5.4, gpt-5.3, gpt-5.2"),
        ("stats?model=gpt.%20o3", "model", "gpt. o3", "no model is named 'gpt. o3'",
         "near it: gpt-5.3, gpt-4o"),
        ("stats?tokenizers=claude", "tokenizers", "claude", "there is no parameter 'tokenizers'",
         "there are model, tokenizer, format, all, together, explain, explained_cached, count"),
    ],
)  # fmt: skip
def test_a_parameter_that_cannot_be(
    client: TestClient, path: str, name: str, value: Any, message: str, hint: str | None
) -> None:
    error = read_refusal(client, path, "1", 400)

    assert (error["code"], error["message"]) == ("INVALID_QUERY", message)
    assert error["details"] == {"parameter": name, "value": value}
    assert error.get("hint") == hint


# -- stats -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "query"),
    [
        ("--tokenizer cl100k_base,claude_3", "tokenizer=cl100k_base&tokenizer=claude_3"),
        ("--format csv,toon", "format=csv&format=toon"),
        ("--all", "all=true"),
        ("--model claude-haiku-4.5,gpt-5 --tokenizer cl100k_base",
         "tokenizer=cl100k_base&model=claude-haiku-4.5&model=gpt-5"),
    ],
)  # fmt: skip
def test_stats_are_those_of_the_command_line(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: str, query: str
) -> None:
    file = tmp_path / "rows.json"
    file.write_text(ROWS, encoding="utf-8")
    assert main(["stats", str(file), "--json", *options.split()]) == 0
    printed = json.loads(capsys.readouterr().out)

    answer = send(client, f"stats?{query}", ROWS).json()
    assert list(answer) == ["rows", "verdict"]
    assert [{"file": str(file), **row} for row in answer["rows"]] == printed["rows"]
    assert answer["verdict"] == printed["verdict"]


def test_stats_of_chosen_formats(client: TestClient) -> None:
    query = "stats?format=csv&format=toon&format=csv&count=llama3"
    answer = send(client, query, '{"a":[{"b":1}],"a":[{"b":1,"c":true}]}')

    assert {row["format"]: row["round_trips"] for row in answer.json()["rows"]} == {
        "as-typed": True, "json-pretty": True, "json-python": True, "json-compact": True,
        "csv": False, "toon": True,
    }  # fmt: skip
    assert answer.json()["verdict"]["format"] in ("toon", "json-compact")
    assert answer.headers["x-token-count-tokenizer"] == "llama3"
    assert answer.headers["x-notices"].startswith('line 1, column 16: key "a" appears again')


@patch("toon.http.payloads.PAGE_CHARACTERS", 10)
def test_stats_of_a_long_text_prove_what_the_answer_needs(client: TestClient) -> None:
    for query, left in (("", True), ("?all=true", False)):
        rows = client.post(f"/api/v1/stats{query}", content=ROWS).json()["rows"]
        assert any(row["tokens"] and row["round_trips"] is None for row in rows) is left
