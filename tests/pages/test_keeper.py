"""State files that are uploaded: what they open, and what of them is left out."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import faults, keeper
from pages.parts.markdown import escape_markdown
from tests.conftest import ROOT
from tests.pages import conftest
from tests.pages.conftest import new_session


def upload(app: AppTest, text: str) -> None:
    conftest.upload(app, text.encode())


def test_a_hostile_or_newer_state_is_data_resets_the_rest_and_says_what_was_left_out(
    app: AppTest,
) -> None:
    app.session_state.cached = 50
    evil = "![a](https://evil.example/a.png)"
    options = {"source": "x", "model": "<script>", "calls": 7, evil: 1}
    state = {"tokenLab": 9, "side": "json", "text": "[1]", "name": "**x**", "options": options}
    upload(app, json.dumps(state))

    assert app.session_state.source == {"side": "json", "text": "[1]"}
    assert (app.session_state.calls, app.session_state.cached) == (7, 0)
    assert evil not in app.warning[1].value
    assert [item.value for item in app.warning] == [
        escape_markdown("A newer version wrote this. What is known here was opened."),
        escape_markdown(f"Left out, because unknown or out of range here: source, model, {evil}."),
    ]


def test_a_demo_opened_before_its_page_was_drawn_gets_the_slides_in_a_second_run() -> None:
    page = AppTest.from_string(
        "import streamlit as st\n"
        "from pages.parts import keeper\n"
        "st.session_state.runs = st.session_state.get('runs', 0) + 1\n"
        "keeper.offer_deck(lambda: 'slides')\n",
        default_timeout=60,
    )
    page.session_state.deck = {"asked": 7, "slides": ""}
    page.run()

    assert page.session_state.runs == 2
    assert page.session_state.deck == {"asked": 7, "slides": "slides"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"tokenLab": 1.5}', "This is not a state of the token lab."),
        ('{"tokenLab": 1, "side": "json"}', "This state holds no text."),
    ],
)
def test_a_state_without_a_text_replaces_nothing(app: AppTest, text: str, sentence: str) -> None:
    upload(app, text)

    orders = (ROOT / "samples" / "uniform-rows.json").read_text("utf-8")
    assert app.session_state.source["text"] == orders
    assert [item.value for item in app.warning] == [escape_markdown(sentence)]


@pytest.mark.parametrize(
    "text",
    ['{"tokenLab": 1, ', '{"tokenLab": 1, "x": ' + "[" * 200_000, '{"app": "tokenLab", "v": 1}'],
    ids=["cut off", "too deep", "a payload that names the lab"],
)
def test_what_is_no_whole_state_is_shown_as_the_text_it_is(app: AppTest, text: str) -> None:
    upload(app, text)

    assert app.session_state.source["text"] == text


def test_a_part_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(page: str) -> None:
        raise KeyError("/a/path/of/the/server")

    monkeypatch.setattr(keeper, "mount", fail)
    app = new_session()

    assert "path" not in app.exception[0].message
    assert app.exception[0].stack_trace == []
    assert len(app.title) == 1
    assert app.selectbox(key="sample")


def test_what_failed_is_said_with_a_way_on_and_without_what_it_says() -> None:
    def script() -> None:
        from pages.parts import faults

        faults.show_fault(KeyError("/a/path/of/the/server"))
        faults.show_fault(KeyError("twice in one run"))

    app = AppTest.from_function(script, default_timeout=60).run()
    assert not app.exception
    assert [error.value for error in app.error] == [faults.FAULT] * 2
    assert [button.label for button in app.button] == ["Try again"] * 2
