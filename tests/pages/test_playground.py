"""The playground page without a browser: what Python shows for a document and the controls."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from toon.playground import panes

pytestmark = pytest.mark.slow

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.json"))


def figures_of(app: AppTest) -> Any:
    """The table of figures: the first on the page."""
    return app.dataframe[0].value


def test_the_first_sample_is_there_at_once(app: AppTest) -> None:
    assert app.selectbox(key="sample").value == "weather"
    assert app.subheader[0].value.startswith("TOON saves 31 o200k_base tokens")
    assert len(app.get("vega_lite_chart")) == 2 or len(app.get("arrow_vega_lite_chart")) == 2


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_shows_its_bill_and_its_proof(app: AppTest, sample: str) -> None:
    app.selectbox(key="sample").select(sample).run()

    assert any("Round trip proven" in item.value for item in app.markdown)
    figures = figures_of(app).set_index("Text")
    text = (ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8")
    assert figures.loc["JSON in the editor", "Characters"] == len(text)
    compact, toon = figures.loc["compact JSON", "Tokens"], figures.loc["TOON", "Tokens"]
    assert figures.loc["compact JSON", "in tokens"] == toon - compact
    word = "saves" if toon < compact else "costs"
    assert app.subheader[0].value.startswith(f"TOON {word} ")


def test_three_samples_at_least_are_shown_as_losses(app: AppTest) -> None:
    headlines = []
    for sample in ("event-log", "deep-config", "orders-with-items", "arrays-of-arrays"):
        app.selectbox(key="sample").select(sample).run()
        headlines.append(app.subheader[0].value)

    assert all("tokens more than compact JSON (+" in headline for headline in headlines)


def test_the_tokenizer_changes_the_figures(app: AppTest) -> None:
    before = figures_of(app)["Tokens"].tolist()
    app.selectbox(key="tokenizer").select("cl100k_base").run()

    assert figures_of(app)["Tokens"].tolist() != before
    assert "cl100k_base" in app.subheader[0].value


def test_an_edit_that_cannot_be_read_keeps_the_last_good_figures_and_says_so(app: AppTest) -> None:
    before = figures_of(app)["Tokens"].tolist()
    app.session_state.source = {"side": "json", "text": '{"a": '}
    app.run()

    assert figures_of(app)["Tokens"].tolist() == before
    assert app.warning[0].value == "The figures below are of the last good text."


def test_an_edit_on_the_toon_side_is_measured(app: AppTest) -> None:
    app.session_state.source = {"side": "toon", "text": "a: 1"}
    app.run()

    figures = figures_of(app).set_index("Text")
    assert figures.loc["TOON", "Characters"] == 4
    assert figures.loc["JSON in the editor", "Characters"] == len('{\n  "a": 1\n}')


def test_a_large_payload_is_counted_only_when_asked(app: AppTest) -> None:
    app.session_state.source = {"side": "json", "text": "[" + "1," * 600_000 + "1]"}
    app.run()

    assert not app.exception
    assert app.info[0].value == (
        "Large payload: 1,200,003 characters. Its tokens are counted when you ask."
    )
    app.button(key="measure_large").click().run(timeout=60)
    assert figures_of(app).set_index("Text").loc["JSON in the editor", "Bytes"] == 1_200_003


def test_the_page_adds_nothing_to_what_the_library_says(app: AppTest) -> None:
    text = (ROOT / "samples" / "weather.json").read_text(encoding="utf-8")
    toon_text = panes.convert("json", text, panes.Options())["text"]
    rows = panes.bill(text, toon_text, "o200k_base", panes.Options())["rows"]

    assert figures_of(app)["Tokens"].tolist() == [row["tokens"] for row in rows]


def test_a_control_changed_over_broken_text_keeps_the_last_good_figures(app: AppTest) -> None:
    app.session_state.source = {"side": "json", "text": '{"a":{"b":1}}'}
    app.run()
    app.session_state.source = {"side": "json", "text": "{"}
    app.run()
    app.segmented_control(key="indent").set_value(4).run()

    assert app.warning[0].value == "The figures below are of the last good text."


def test_the_empty_object_has_a_bill(app: AppTest) -> None:
    app.session_state.source = {"side": "json", "text": "{}"}
    app.run()

    assert figures_of(app).set_index("Text").loc["TOON", "Tokens"] == 0


def test_an_estimate_is_marked_wherever_it_stands(app: AppTest) -> None:
    assert not any("estimate" in item.value for item in app.caption)
    app.selectbox(key="tokenizer").select("chars4").run()

    assert "tokens (≈ an estimate, chars4)" in app.subheader[0].value
    assert any(item.value.startswith("≈ Tokens are estimates") for item in app.caption)
    assert any(item.value.startswith("chars4, an estimate.") for item in app.caption)
