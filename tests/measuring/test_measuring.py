"""The row of one payload: the figures of ``compare``, or an error."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import values
from toon.codec.text import MAX_DEPTH
from toon.costs.compare import compare
from toon.costs.document import Document, Typed
from toon.formats import FORMATS
from toon.layout.spans import KINDS
from toon.measuring.measure import (
    DEFAULT_FORMATS,
    Settings,
    measure_record,
    measure_records,
)
from toon.traffic.payload import BadRecord, Payload
from toon.values.json_text import parse_json

TOKENIZERS = ["o200k_base", "qwen3", "claude_4_8"]
EVERYTHING = Settings.of(TOKENIZERS, FORMATS)
PLAIN = Settings.of(["o200k_base"], DEFAULT_FORMATS)

json_texts = st.builds(
    lambda value, options: json.dumps(value, **options),
    values,
    st.sampled_from([{}, {"ensure_ascii": False}, {"indent": 2}, {"separators": (",", ":")}]),
)


def measure_row(text: str, settings: Settings = PLAIN) -> dict[str, Any]:
    """The cells of the row of a payload that are not null."""
    row = measure_record(Payload("f.json", 1, "g", text), settings)
    return {name: cell for name, cell in row.items() if cell is not None}


@pytest.mark.rest
@settings(max_examples=40)
@given(text=json_texts)
def test_the_figures_are_those_of_compare(text: str) -> None:
    cells = measure_row(text, EVERYTHING)

    document = Document.of(parse_json(text).value, Typed(text))
    rows = compare(document, formats=EVERYTHING.formats, tokenizers=TOKENIZERS)
    for row in rows:
        assert cells.get(f"{row['tokenizer']}.{row['format']}") == row["tokens"]
        if row["format"] != "as-typed":
            assert cells.get(f"round_trips.{row['format']}") == row["round_trips"]
            uses = None if row["tokens"] is None else " ".join(row["uses"])
            assert cells.get(f"uses.{row['format']}") == uses
    compact = next(row for row in rows if row["format"] == "json-compact")
    assert [cells[kind] for kind in KINDS] == [compact["breakdown"][kind] for kind in KINDS]


def test_a_row_in_full() -> None:
    payload = Payload("log.jsonl", 7, "GET /a", '{"é": [1,2]}', 12.5)

    assert measure_record(payload, Settings.of(["chars4"], ["toon", "csv"], True)) == {
        "source": "log.jsonl", "record": 7, "group": "GET /a", "time": 12.5, "turn": None,
        "model": None, "bytes": 13, "text": '{"é": [1,2]}',
        "names": 0.5, "punctuation": 2.0, "whitespace": 0.0, "values": 0.5,
        "chars4.as-typed": 3, "chars4.json-compact": 3, "chars4.json-pretty": 8, "chars4.toon": 3,
        "round_trips.json-compact": True, "round_trips.json-pretty": True, "round_trips.toon": True,
        "uses.json-compact": "", "uses.json-pretty": "", "uses.toon": "arrays quotes",
        "comparable": True, "best": "json-compact",
    }  # fmt: skip


def test_a_format_that_came_back_by_chance_is_never_the_best() -> None:
    row = measure_row('[{"a":"x","b":"y"},{"a":"z","b":"w"}]', EVERYTHING)

    assert row["round_trips.csv"]
    assert row["o200k_base.csv"] < row["o200k_base.toon"]
    assert row["best"] != "csv"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "no JSON here: the text is empty"),
        ('{"a":1,}', "line 1, column 7: comma after the last item"),
        ('"\ud800"', "line 1, column 2: lone surrogate U+D800: UTF-8 cannot carry it"),
        ("[" * 100_000, f"nested deeper than {MAX_DEPTH} levels"),
    ],
)
def test_a_text_that_is_not_json_has_an_error_and_no_figures(text: str, error: str) -> None:
    row = measure_row(text)

    assert error in row.pop("error")
    size = len(text.encode(errors="surrogatepass"))
    assert row == {"source": "f.json", "record": 1, "group": "g", "bytes": size}


@pytest.mark.rest
@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1, 900, 5_000])
def test_deep_nesting_is_measured_or_refused_never_a_crash(depth: int) -> None:
    row = measure_row("[" * depth + "]" * depth, EVERYTHING)

    assert ("error" in row) != ("best" in row)


def test_a_bad_record_keeps_its_place_and_reason() -> None:
    place = {"source": "a.har", "record": 3, "time": None, "group": None, "turn": None}

    assert measure_records([BadRecord("a.har", 3, "no body")], PLAIN) == [
        {**place, "error": "no body"}
    ]


def test_names_are_checked_and_baselines_are_always_measured() -> None:
    assert Settings.of(["llama3"], ["toon"]).formats == ("json-compact", "json-pretty", "toon")
    with pytest.raises(ValueError, match=r"No format is named 'tonl'\. There are: json-pretty"):
        Settings.of(["llama3"], ["tonl"])
    with pytest.raises(ValueError, match="No tokenizer is named 'gpt9'"):
        Settings.of(["gpt9"], [])
    with pytest.raises(ValueError, match="no tokenizer to count with"):
        Settings.of([], [])
