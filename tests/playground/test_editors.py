"""What the editors are told: conversions, errors, notices, figures, round trips, tokens."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TRICKY, strings, values
from toon.costs.explanation import ALONE
from toon.formats import FORMATS
from toon.layout.spans import utf16_runs_of_kinds
from toon.playground import editors
from toon.playground.editors import tokens
from toon.playground.panes import Options, Pane, Side
from toon.tokenizers import TOKENIZERS
from toon.wording import NOT_COUNTED

O200K = "o200k_base"
PLAIN = Options()
ROWS = '[{"id":1,"name":"a"},{"id":2,"name":"b"}]'


def convert(side: Side, text: str, options: Options = PLAIN) -> Any:
    return editors.convert(Pane(side, text, options))


def measure(side: Side, text: str, tokenizer: str, runs: editors.Runs) -> Any:
    """The figures of one side alone."""
    return editors.measure(Pane(side, text, Options()), None, tokenizer, runs)[side]


def round_trip(json_text: str, toon_text: str, options: Options = PLAIN) -> tuple[bool | None, str]:
    """Whether the TOON decodes to the JSON that was typed, and what is said of it."""
    return editors.round_trip(Pane("json", json_text, options), toon_text)


def bill(side: Side, text: str) -> Any:
    return editors.bill(Pane(side, text, Options()).document, PLAIN, O200K, ALONE)


def test_options_are_used_both_ways() -> None:
    options = Options("pipe", 4)
    text = convert("json", ROWS, options)["text"]

    assert text == "[2|]{id|name}:\n    1|a\n    2|b"
    assert convert("toon", text, options)["ok"]
    assert not convert("toon", text, Options("pipe", 8))["ok"]


def test_an_error_comes_with_all_its_facts() -> None:
    assert convert("json", '{\n  "a": tru\n}') == {
        "ok": False,
        "error": {
            "message": "expected a value, found 't'",
            "line": 2,
            "column": 8,
            "source": '  "a": tru',
            "hint": 'text stands in double quotes: "tru"',
            "source_column": 8,
            "offers": [],
        },
        "notices": [],
    }


def test_the_source_line_of_an_error_is_cut_to_what_can_be_shown() -> None:
    error = convert("json", '["' + "x" * 100_000 + '", oops]')["error"]

    assert error["column"] == 100_006
    assert len(error["source"]) < 100
    assert error["source"][error["source_column"] - 1 :] == "oops]"


@pytest.mark.parametrize(
    ("side", "text", "message"),
    [
        ("json", "  \n", "no JSON here: the text is empty"),
        ("toon", "  \n", "no TOON here: the text is empty"),
        (
            "json",
            "[" * 300 + "]" * 300,
            f"${'[0]' * 13}…{'[0]' * 10}: nested deeper than 256 levels",
        ),
        ("json", "[1e-99999999999999999999]", "number 1e-99999999999999999999 is out of range"),
        ("toon", "a: 1e99999999999999999999", "number 1e99999999999999999999 is out of range"),
    ],
    ids=["no JSON", "no TOON", "too deep", "a tiny number", "a huge number"],
)
def test_what_has_no_other_text_is_an_error(side: Any, text: str, message: str) -> None:
    assert convert(side, text)["error"]["message"] == message


def test_numbers_other_readers_change_are_named_on_the_toon_side() -> None:
    text = 'a: 9007199254740993\nb: "9007199254740993"\nc[2]: 1e400,x9007199254740993\nd: -0'

    notices = convert("toon", text)["notices"]
    assert [(n["line"], n["column"], n["message"].split(":")[0]) for n in notices] == [
        (1, 4, "integer 9007199254740993 is beyond 2^53"),
        (3, 7, "number 1e400 does not fit a 64-bit float"),
        (4, 4, "-0 is written as 0"),
    ]


def test_leniency_says_what_it_mended() -> None:
    text = "a: 1\na: 2"

    assert not convert("toon", text)["ok"]
    lenient = convert("toon", text, Options(strict=False))
    assert lenient["text"] == '{\n  "a": 2\n}'
    assert lenient["notices"] == [
        {
            "message": "read leniently; strict: key 'a' appears twice in one object",
            "line": 2,
            "column": 1,
        }
    ]


def test_figures_of_one_pane() -> None:
    assert measure("json", '{"é":1}', O200K, "kinds") == {
        "tokens": 5,
        "words": "5 tokens",
        "tokenizer": "o200k_base",
        "characters": 7,
        "bytes": 8,
        "runs": [2 << 2 | 1, 1 << 2 | 0, 2 << 2 | 1, 1 << 2 | 3, 1 << 2 | 1],
    }


@pytest.mark.parametrize(
    ("json_text", "toon_text", "proof"),
    [
        (ROWS, "[2]{id,name}:\n  1,a\n  2,b", (True, "decoding it gives the JSON back")),
        ("{}", "", (True, "decoding it gives the JSON back")),
        ('{"a": "1"}', "a: 1", (False, "decoding it loses: type of 1 value")),
        (
            "[1e400]",
            "[1]: 1e400",
            (
                True,
                "decoding it gives the JSON back; toon-format refuses it: 1 number beyond 64-bit "
                "floats",
            ),
        ),
        (
            '[{"a":1,"b":2},{"b":3,"a":4}]',
            "[2]{a,b}:\n  1,2\n  4,3",
            (True, "equal; only the order of keys differs: key order of 1 object"),
        ),
        ("{", "a: 1", (None, "")),
    ],
)
def test_a_round_trip_is_said(json_text: str, toon_text: str, proof: tuple[Any, str]) -> None:
    assert round_trip(json_text, toon_text) == proof


def test_the_bill_adds_up() -> None:
    rows = {row["format"]: row for row in bill("json", ROWS)}

    assert list(rows) == ["as-typed", "json-compact", "toon"]
    for row in rows.values():
        parts = row["breakdown"]
        kinds = ("names", "punctuation", "whitespace", "values")
        assert sum(parts[kind] for kind in kinds) == row["tokens"]
        assert row["cost"] == row["tokens"] + row["note"]
    compact, toon = rows["json-compact"], rows["toon"]
    assert (compact["note"], toon["note"]) == (0, 37)
    assert rows["as-typed"]["chars"] == len(ROWS)


@given(values, st.sampled_from(["comma", "tab", "pipe"]), st.integers(1, 8))
def test_what_is_converted_converts_back(value: Any, delimiter: str, indent: int) -> None:
    options = Options(delimiter, indent)
    shown = FORMATS["json-pretty"].dumps(value)
    text = convert("json", shown, options)["text"]

    back = convert("toon", text, options)
    if text:
        assert round_trip(back["text"], text, options)[0]


def test_the_empty_object_is_a_value_like_any_other() -> None:
    assert convert("json", "{}")["text"] == ""
    assert bill("json", "{}")[-1]["tokens"] == 0


def test_a_dialect_is_laid_out_and_billed_as_what_it_is() -> None:
    text = "TOON/1 T{id:a-1,t:Fix,s:td}"
    layout = FORMATS["ticket"].layout(text)

    runs = measure("toon", text, O200K, "kinds")["runs"]
    rows = bill("toon", text)

    assert runs == utf16_runs_of_kinds(text, layout)
    assert [rows[0]["format"], rows[-1]["format"], rows[-1]["written_in"]] == [
        editors.IN_EDITOR,
        "as-typed",
        "ticket",
    ]
    assert rows[-1]["breakdown"]["names"] > 0


@pytest.mark.parametrize("runs", ["kinds", "tokens", "none"])
def test_what_is_not_counted_is_converted_and_proven(runs: str) -> None:
    figures = editors.measure(Pane("json", '{"a": 1}', Options()), "a: 1", "ask-service", runs)

    for side in ("json", "toon"):
        assert (figures[side]["tokens"], figures[side]["words"]) == (None, NOT_COUNTED)
        assert ("runs" in figures[side]) == (runs == "kinds")
    assert figures["round_trip"]["ok"]


texts = st.lists(st.one_of(strings, st.sampled_from(TRICKY)), max_size=6).map("".join)
EXACT = [name for name, tokenizer in TOKENIZERS.items() if tokenizer.exact]


@pytest.mark.rest
@pytest.mark.parametrize("name", EXACT)
@given(text=texts)
def test_runs_and_parts_are_the_text(name: str, text: str) -> None:
    shown = tokens(text, name)
    units = text.encode("utf-16-le")
    ids = []
    at = 0
    for run, known in zip(shown["runs"], shown["ids"], strict=True):
        piece = units[2 * at : 2 * (at + run)].decode("utf-16-le")
        at += run
        if isinstance(known, list):
            assert bytes.fromhex("".join(part for _, part in known)) == piece.encode()
            ids += [id for id, _ in known]
        else:
            ids.append(known)
    assert at * 2 == len(units)
    expected = TOKENIZERS[name].ids(text)
    count = TOKENIZERS[name].lengths(text).size
    assert ids == ([None] * count if expected is None else expected.tolist())
