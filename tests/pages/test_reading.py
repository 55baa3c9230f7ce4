"""Reading without a browser: what is known, the questions, asking an endpoint on loopback."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_payload, open_tab, table_with
from toon.playground.state import OPTIONS

pytestmark = pytest.mark.slow

PAGE = "reading.py"


def test_the_questions_have_their_answers_before_anything_is_asked(app: AppTest) -> None:
    open_tab(app, "Questions", "reading")

    table = table_with(app, "Question")
    assert len(table) == 60
    assert table.iloc[0].tolist()[:2] == []
    again = app.number_input(key="reading_seed").set_value(7).run()
    assert table_with(again, "Question")["Question"].tolist() != table["Question"].tolist()


def test_a_payload_that_is_too_small_says_so(app: AppTest) -> None:
    open_payload(app, '{"a":1}', "reading")
    open_tab(app, "Questions", "reading")

    assert "questions with one clear answer, and 20 are needed" in app.info[0].value
    assert not app.dataframe


def test_no_browser_keeps_the_key() -> None:
    assert not any(name.startswith("reading") for name in OPTIONS)
