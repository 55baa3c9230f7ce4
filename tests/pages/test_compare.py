"""Compare and its tab Formats: the ranking, the row that opens, and where old addresses lead."""

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pages.parts.markdown import escape_markdown
from pages.parts.places import PLACES, redirects
from tests.pages.conftest import editor_options, open_payload, open_sample, press, table_with
from tests.pages.static import details, short_table_with, short_tables
from tests.words import COMPACT, PRETTY, PROVEN, VS_COMPACT, first
from toon.costs import prices
from toon.costs.compare import compare, label, measured_rows, objection
from toon.costs.document import Document
from toon.costs.models import MODELS
from toon.formats import FORMATS, NOT_TAKEN
from toon.tokenizers import get

TABS = ("Formats", "Compact lines", "Send less", "Models")


def headers(app: AppTest) -> list[str]:
    return [header.value for header in app.header]


def read(app: AppTest) -> str:
    return "\n".join(element.value for element in [*app.caption, *app.markdown, *app.error])


def test_what_may_be_sent_is_ranked_with_its_money_and_toon_has_one_row(app: AppTest) -> None:
    open_sample(app, "uniform-rows", "compare")

    table = table_with(app, "A month")
    assert table["Format"].tolist() == [
        "TOON, tab", "JSON by columns", "TOON 3.3", "TRON", COMPACT, "YAML", "your JSON",
    ]  # fmt: skip
    assert table["Tokens"].tolist() == sorted(table["Tokens"])
    rows = table.set_index("Format")
    assert rows.loc["TOON, tab"].tolist() == [
        858,
        pytest.approx(858 / 2128 - 1),
        "$343.20",
        f"{PROVEN}, recommended",
    ]
    assert rows.loc["TRON", "Comes back"] == f"{PROVEN}, not tested with a model"
    assert rows.loc["your JSON", "Comes back"] == "sent today"
    app.segmented_control(key="formats_against").set_value("json-compact").run()
    assert table_with(app, "A month")[VS_COMPACT][0] == pytest.approx(858 / 1318 - 1)


def test_an_untested_format_that_saves_a_tenth_is_a_line_below(app: AppTest) -> None:
    open_sample(app, "emails", "compare")
    rows = table_with(app, "Comes back").set_index("Format")["Comes back"]
    assert rows[COMPACT] == f"{PROVEN}, recommended"
    assert rows["JSON by columns"] == f"{PROVEN}, not tested with a model"
    words = "JSON by columns would be 284 fewer (−22\u202f%), not tested with any model."
    assert words in [caption.value for caption in app.caption]


def test_all_other_formats_are_behind_a_switch_with_the_reason(app: AppTest) -> None:
    value = open_sample(app, "tickets", "compare")
    able = set(table_with(app, "Comes back")["Format"])
    refused = {label(row): objection(row) for row in compare(Document.of(value)) if objection(row)}
    assert able.isdisjoint(refused)

    app.toggle(key="formats_more").set_value(True).run()
    rows = table_with(app, "Comes back").set_index("Format")["Comes back"]
    assert set(rows.index) == able | refused.keys() | {PRETTY, "Python-default JSON"}
    assert rows["VibeMCP"].startswith("✗ loses 8 arrays joined with |; ")
    assert rows["VibeMCP, lossless"] == f"{PROVEN}, not recommended"
    assert rows["Compact lines"].startswith("not applicable: ")
    assert list(details(app).values()) == [[f"{name}: {why}" for name, why in NOT_TAKEN.items()]]


@pytest.mark.rest
def test_each_row_opens_to_what_the_format_is_and_its_text(app: AppTest) -> None:
    value = open_sample(app, "tickets", "compare")
    app.toggle(key="formats_more").set_value(True).run()
    for row in measured_rows(compare(Document.of(value))):
        if row["format"] in ("toon-tab", "toon-pipe"):
            continue  # of the delimiters the cheapest has a row
        press(app, "Format", label(row))

        format = FORMATS[row["format"]]
        assert headers(app) == [first(format.label)]
        assert escape_markdown(format.about) in read(app)
        assert (reason := objection(row)) is None or escape_markdown(reason) in read(app)
        assert app.code[0].value == format.dumps(value)
    press(app, "Format", "Compact lines")
    assert not app.code
    assert "Not recommended: not applicable: " in read(app)


def test_a_row_of_toon_opens_to_its_delimiters_its_note_and_its_code(app: AppTest) -> None:
    open_sample(app, "uniform-rows", "compare")
    press(app, "Format", "TOON, tab")

    rows = short_table_with(app, "Delimiter")
    assert set(rows["Delimiter"]) == {"comma", "tab", "pipe"}
    assert rows[["Delimiter", "Indent", "Tokens"]].to_numpy().tolist()[4] == ["tab", 2, 820]
    bars, *_ = json.loads(app.get("vega_lite_chart")[-1].proto.spec)["layer"]
    _, end = bars["encoding"]["x"]["scale"]["domain"]
    assert end > 1_318  # where the line of minified JSON stands
    assert "names 2\u202f%, punctuation 21\u202f%, whitespace 9\u202f%, values 68\u202f%" in read(
        app
    )
    assert app.text_area[0].value.startswith("The data is TOON")
    assert f"38 tokens once, 38 a payload: worth it from 1 payload in a prompt, {VS_COMPACT}." in (
        read(app)
    )
    assert any('delimiter="\\t"' in code.value for code in app.code)


@pytest.mark.rest
def test_an_own_note_is_carried_through_every_figure(app: AppTest) -> None:
    open_sample(app, "weather", "compare")
    press(app, "Format", "TOON")
    ours = app.text_area[0].value
    app.text_area[0].set_value("The data is TOON.").run()

    assert table_with(app, "A month").set_index("Format").loc["TOON", "Tokens"] == 158
    app.switch_page("playground.py").run()
    assert editor_options(app)["explain"] == ["toon=The data is TOON."]

    app.switch_page("compare.py").run()
    app.text_area[0].set_value("").run()
    assert app.text_area[0].value == ours
    assert table_with(app, "A month").set_index("Format").loc["TOON", "Tokens"] == 214


def test_what_other_readers_would_change_is_said_with_the_round_trip(app: AppTest) -> None:
    open_sample(app, "edge-numbers", "compare")

    refused = "toon-format refuses it: 1 number beyond 64-bit floats"
    rows = table_with(app, "Comes back").set_index("Format")
    assert rows.loc["TOON", "Comes back"].startswith(f"✓ proven by our reader; {refused}")
    press(app, "Format", "TOON")
    assert escape_markdown(refused) in read(app)


@pytest.mark.rest
def test_a_typed_dialect_is_measured_and_shown_as_typed(app: AppTest) -> None:
    tickets = [{"id": f"T-{i}", "title": f"Title {i}"} for i in range(6)]
    open_payload(app, typed := FORMATS["ticket"].dumps(tickets), "compare", side="toon")

    row = table_with(app, "A month").set_index("Format").loc["your Ticket (TOON/1)"]
    assert row["vs yours"] == 0
    assert row["A month"].startswith("$")
    press(app, "Format", "your Ticket (TOON/1)")
    assert app.code[0].value == typed


@pytest.mark.rest
@pytest.mark.parametrize("name", ["llama-3", "llama3"])
def test_without_a_price_tokens_alone_are_shown(app: AppTest, name: str) -> None:
    open_sample(app, "weather", "compare")
    app.selectbox(key="model").select(name).run()

    why = prices.price_notice(MODELS[name]) if name in MODELS else "A tokenizer alone has no price."
    assert why is not None
    assert escape_markdown(why) in read(app)
    assert "A month" not in table_with(app, "Comes back").columns


@pytest.mark.parametrize("tab", ["", "Send less", "Models"])
def test_nothing_to_compare_is_one_sentence(app: AppTest, tab: str) -> None:
    open_payload(app, "{}", "compare", tab)

    assert app.info[0].value.rstrip(".") == "Nothing to compare: the payload is an empty object"
    assert not [*app.dataframe, *short_tables(app), *app.header, *app.error]


@pytest.mark.parametrize("tab", TABS)
def test_a_payload_that_cannot_be_read_sends_back_to_the_playground(app: AppTest, tab: str) -> None:
    open_payload(app, "{", "compare", tab)

    assert app.error[0].value == "The payload of the playground cannot be read."
    assert app.code[0].value.splitlines() == [
        'line 1, column 2: expected a "name", found the end of the text',
        "  {",
        "   ^",
        "hint: the text may be cut off: } would close what is open",
    ]


@pytest.mark.parametrize("tab", ["Formats", "Compact lines", "Send less"])
def test_a_model_that_nobody_can_count_says_why(app: AppTest, tab: str) -> None:
    open_sample(app, "weather", "compare", tab)
    app.selectbox(key="model").select("grok-4.5").run()

    (error,) = app.error
    assert error.value == escape_markdown(get("ask-service").evidence)
    assert not [*app.header, *app.dataframe, *short_tables(app)]


def test_an_old_address_leads_to_its_tab_with_what_it_asks_for(app: AppTest) -> None:
    client = TestClient(Starlette(routes=redirects("/lab")), follow_redirects=False)
    led = {name: client.get(f"/lab/{name}?run=4").headers["location"] for name in PLACES}
    assert led == {
        "send-less": "compare?run=4&tab=Send+less",
        "advisor": "compare?run=4&tab=Send+less",
        "compact": "compare?run=4&tab=Compact+lines",
        "dialects": "compare?run=4&tab=Formats",
        "pipeline": "dashboard?run=4&tab=Context",
        "reading": "evidence?run=4",
    }
    assert {place.tab for place in PLACES.values() if place.page == "compare"} < set(TABS)

    app.query_params["tab"] = "Send less"
    open_payload(app, "[1, 2]", "compare", tab=None)
    assert [tab.label for tab in app.tabs] == list(TABS)
    assert "tokens" in headers(app)[0]
