"""The playground page without a browser: what Python shows for a document and the controls."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.samples import sample_payloads, sample_titles
from tests.conftest import ROOT
from tests.pages.conftest import document, editor_options
from tests.pages.static import short_tables
from tests.words import COMPACT, YOUR_TEXT
from toon.costs.models import MODELS
from toon.limits import DEFAULT_MODEL
from toon.tokenizers import EXACT

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.json"))


def columns_of(app: AppTest) -> dict[str, str]:
    """The texts whose tokens are split by kind, with all tokens of each."""
    (table,) = (body for item in app.get("html") if "<th" in (body := item.proto.body))
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in table.split("<tr>")]
    (tokens,) = (line[1:] for line in cells if line and line[0] == "all tokens")
    return dict(zip(cells[1][1:], tokens, strict=True))


def shown_name(app: AppTest) -> str:
    """What the sample box says the editors hold."""
    return app.selectbox(key="sample").placeholder


@pytest.mark.rest
def test_the_sample_box_names_what_the_editors_hold(app: AppTest) -> None:
    orders = app.session_state.source["text"]
    app.session_state.source = {"side": "json", "text": orders + " "}
    app.run()
    assert (shown_name(app), app.selectbox(key="sample").value) == (YOUR_TEXT, None)

    app.selectbox(key="sample").select("uniform-rows").run()  # the one that was shown before
    assert (shown_name(app), app.selectbox(key="sample").value) == ("Sample: orders", None)
    assert app.session_state.source["text"] == orders

    for name in ("shaped payload", "event-log", "world-text, record 3"):
        app.session_state.document = document("[1]\r\n", name)
        app.session_state.source = {"side": "json", "text": "[1]\n"}
        app.run()
        assert shown_name(app) == ("event log" if name == "event-log" else name)
    app.session_state.waiting = True
    app.run()
    assert shown_name(app) == YOUR_TEXT


def test_every_sample_says_what_it_shows_and_winners_take_turns(app: AppTest) -> None:
    first, second, *offered = [
        name.replace("\u202f", " ") for name in app.selectbox(key="sample").options
    ]

    assert (first, second) == ("Paste your JSON", "Open a file…")
    assert len(offered) == len(SAMPLES)
    assert offered[:4] == [
        "orders · Send TOON −60 %",
        "arrays of arrays · Minify it, and keep JSON −32 %",
        "keyed objects · Send TOON −57 %",
        "calendar events · Minify it, and keep JSON −25 %",
    ]


def test_the_line_that_says_what_this_is_goes_with_the_sample(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Nothing leaves this machine unasked." in introductions(app)[0]
    monkeypatch.setenv("TOON_HOSTS", "lab.example.org")
    assert "What you give it goes to this server" in introductions(app.run())[0]
    app.session_state.source = {"side": "json", "text": "[1]"}
    assert not introductions(app.run())


def introductions(app: AppTest) -> list[str]:
    """The lines for somebody who has never heard of TOON."""
    bodies = [item.proto.body for item in app.get("html")]
    return [body for body in bodies if "class='introduction'" in body]


@pytest.mark.rest
def test_the_first_sample_is_there_at_once(app: AppTest) -> None:
    assert shown_name(app) == "Sample: orders"
    assert [tab.label for tab in app.tabs] == ["Where the tokens go", "In your code"]
    assert columns_of(app) == {"your JSON": "2,128", COMPACT: "1,318", "TOON": "876"}
    assert app.get("vega_lite_chart")


def test_the_answer_in_the_editors_is_asked_for_with_the_choices_of_every_page(
    app: AppTest,
) -> None:
    asked = editor_options(app)
    assert (asked["model"], asked["together"], asked["explain"]) == (DEFAULT_MODEL, "1", [])
    assert asked["traffic"] == {"calls": 100_000, "cached_share": 0.0, "batch": False}

    app.slider(key="explained_cached").set_value(90).run()
    assert editor_options(app)["explained_cached"] == 0.9
    app.number_input(key="explained_together").set_value(2).run()
    app.selectbox(key="model").select("gemma3").run()
    app.session_state.wordings = {"toon": "Lines."}
    app.session_state.calls, app.session_state.cached = 7, 50
    app.run()
    asked = editor_options(app)
    assert (asked["model"], asked["together"]) == ("gemma3", "2")
    assert asked["explain"] == ["toon=Lines."]
    assert asked["traffic"] == {"calls": 7, "cached_share": 0.5, "batch": False}

    app.toggle(key="explained_none").set_value(True).run()
    assert editor_options(app)["together"] == "none"
    assert app.number_input(key="explained_together").disabled


def test_nothing_of_an_old_text_stands_below_the_empty_pane_that_the_first_entry_opens(
    app: AppTest,
) -> None:
    app.selectbox(key="sample").select("paste").run()
    assert (shown_name(app), app.session_state.source["text"]) == (YOUR_TEXT, "")
    for text in ("", '{"a": '):  # nor what was there before it
        app.session_state.source = {"side": "json", "text": text}
        app.run()
        assert [*short_tables(app), *app.header, *app.warning] == []


def test_an_edit_on_the_toon_side_is_measured(app: AppTest) -> None:
    app.session_state.source = {"side": "toon", "text": "a: 1"}
    app.run()

    assert columns_of(app) == {"JSON in the editor": "9", COMPACT: "5", "your TOON": "4"}


@pytest.mark.rest
def test_figures_of_the_text_before_a_large_one_are_marked_on_every_page(app: AppTest) -> None:
    app.session_state.waiting = True
    for page in ("playground", "compare"):
        app.switch_page(f"{page}.py").run()
        assert [item.value for item in app.warning] == [
            "What stands below is about the text before. Press Measure in the playground to "
            "measure the large one."
        ], page


def test_the_options_say_what_counts_and_how_that_is_known(app: AppTest) -> None:
    listed = app.selectbox(key="model").options
    assert [name for name in listed if " alone: " not in name] == listed[: len(MODELS)]
    assert listed[len(MODELS)] == "Tokenizer alone: o200k_base"
    assert listed[-1] == f"Tokenizer alone: {EXACT[-1]}"
    assert not [name for name in listed if "chars4" in name]
    assert app.caption[0].value == (
        "Tokenizer o200k\\_base. The maker's library counts it so. tiktoken 0.14, OpenAI's own "
        "library, counts it with o200k\\_base."
    )
    app.selectbox(key="model").select("claude-haiku-4.5").run()

    assert app.caption[0].value.endswith(
        f" {MODELS['claude-haiku-4.5'].source} A call has 7 tokens more, its frame."
    )


def page_with_the_key() -> None:
    """What the editors do when the key for the next sample is pressed."""
    import streamlit as st

    from pages.parts import payload
    from pages.parts.playground.controls import open_next_sample

    payload.start()
    st.button("next", on_click=open_next_sample)
    st.text(st.session_state.document["name"])


def test_the_key_for_the_next_sample_goes_round_all_of_them() -> None:
    app = AppTest.from_function(page_with_the_key, default_timeout=60).run()
    names = [app.text[0].value]
    for _ in sample_titles():
        names.append(app.button[0].click().run().text[0].value)

    assert names == [*sample_titles(), names[0]]
    assert app.session_state.source["text"] == sample_payloads()[names[0]]
