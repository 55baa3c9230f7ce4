"""The dialects page: every panel, on payloads that fit many dialects and few."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.markdown import escape_markdown
from tests.pages.conftest import open_payload, open_sample, open_tab, table_with
from tests.pages.static import short_table_with
from tests.words import COMPACT, PRETTY, PROVEN, ROUND_TRIPS, VS_COMPACT
from toon.costs.compare import compare
from toon.costs.document import Document
from toon.evidence.claims import CLAIMS
from toon.formats import FORMATS, NOT_TAKEN
from toon.wording import IS_LOST, round_trip

CLAIMED, DROPPED = "Claims and measurements", "Drop fields first"


def test_tickets_are_shown_in_every_dialect_they_fit(app: AppTest) -> None:
    value = open_sample(app, "tickets", "dialects")
    tokens = {row["format"]: row["tokens"] for row in compare(Document.of(value))}

    table = short_table_with(app, "Format")
    assert table["Format"].tolist()[:8] == [
        PRETTY,
        COMPACT,
        "TOON",
        "TOON, tab",
        "TOON, pipe",
        "JSON by columns",
        "TRON",
        "Ticket (TOON/1)",
    ]
    shown = dict(zip(table["Format"], table["Tokens"], strict=True))
    assert shown["Ticket (TOON/1)"] == tokens["ticket"]
    assert table.set_index("Format")["Round trip"]["Ticket (TOON/1)"].startswith(
        f"{IS_LOST} loses "
    )
    assert [code.value for code in app.code][1] == FORMATS["toon"].dumps(value)


def test_the_cheapest_is_one_that_can_be_recommended(app: AppTest) -> None:
    open_sample(app, "uniform-rows", "dialects")
    assert any(
        line.value.startswith("TOON, tab is the cheapest that can be recommended: 858 tokens")
        for line in app.header
    )


def test_a_round_trip_has_the_words_that_it_has_on_the_other_page(app: AppTest) -> None:
    open_payload(app, '[{"a":"x"}]', "dialects")
    dialects = short_table_with(app, "Format").set_index("Format")["Round trip"]
    open_payload(app, '[{"a":"x"}]', "compare")
    formats = short_table_with(app, "Round trip").set_index("Format")["Round trip"]

    assert dialects["VibeMCP"] == round_trip(ROUND_TRIPS["not-promised"], ok=True)
    words = f"tokens with its note: comes back {ROUND_TRIPS['not-promised']}"
    assert any(words in item.value for item in app.markdown)
    assert dialects["TOON"] == formats["TOON"] == PROVEN


def test_each_dialect_has_a_line_and_so_has_what_was_not_taken(app: AppTest) -> None:
    open_payload(app, "1", "dialects")
    open_tab(app, "What they are", "dialects")

    lines = [item.value for item in app.markdown]
    labels = [format.label for format in FORMATS.values() if format.dialect]
    for name in [*labels, *(f"{name}, not taken" for name in NOT_TAKEN)]:
        assert sum(line.startswith(f"**{escape_markdown(name)}**: ") for line in lines) == 1


def test_a_single_value_has_its_texts_and_no_saving(app: AppTest) -> None:
    open_payload(app, '"text"', "dialects")

    assert app.info[0].value == "Nothing to compare: the payload is a single text."
    columns = ["Format", "Tokens", "Bytes", "Round trip"]
    assert short_table_with(app, "Format").columns.tolist() == columns
    assert [code.value for code in app.code][:2] == ['"text"', "text"]


def test_a_dialect_that_was_typed_is_measured_as_typed(app: AppTest) -> None:
    claim = next(claim for claim in CLAIMS if claim.system.startswith("Pipe tables"))
    typed, written = claim.write(claim.value), FORMATS["pipe"].dumps(claim.value)
    app.session_state.strict = False  # the document has lost its indentation
    open_payload(app, typed, "dialects", side="toon")

    table = short_table_with(app, "Format").set_index("Format")
    assert "Pipe tables" not in table.index
    row = table.loc["your Pipe tables"]
    assert (row["Tokens"], row["Bytes"]) == (214, len(typed.encode()))
    assert (row["Cost"], row["Note"]) == (214, 0)  # what is sent today needs no new note
    assert row[VS_COMPACT] == pytest.approx((214 - 224) / 224, abs=5e-4)
    assert row["Round trip"] == "sent today"
    assert table.loc["TOON", "Tokens"] == 205

    app.button_group(key=app.button_group[0].key).set_value(["pipe"]).run()
    assert typed in [code.value for code in app.code]
    assert written not in [code.value for code in app.code]


def test_what_does_not_fit_says_why(app: AppTest) -> None:
    open_sample(app, "weather", "dialects")

    assert any("Ticket (TOON/1): does not apply, " in caption.value for caption in app.caption)


def test_every_claim_stands_beside_its_measure(app: AppTest) -> None:
    open_sample(app, "weather", "dialects")
    open_tab(app, CLAIMED, "dialects")

    claims = table_with(app, "Its document")
    assert claims["System"].tolist() == [claim.system for claim in CLAIMS]
    assert claims["Claimed"].tolist()[0] == -0.46


@pytest.mark.rest
def test_fields_are_dropped_before_anything_is_written(app: AppTest) -> None:
    open_sample(app, "weather", "dialects")
    open_tab(app, DROPPED, "dialects")

    app.text_input(key="filter_patterns").set_value("forecast.summary, nothing").run()

    assert not app.exception
    assert any(line.value.startswith("5 fields are dropped: −") for line in app.header)
    assert any(caption.value == "Without effect here: nothing." for caption in app.caption)

    app.button(key="open_slimmed").click().run()
    assert "summary" in app.session_state.source["text"]
    assert len(json.loads(app.session_state.source["text"])["forecast"][0]) == 4
