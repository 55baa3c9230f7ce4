"""Cards, short tables and boxes of HTML: what a browser gets, and that text stays text."""

from streamlit.testing.v1 import AppTest

from pages.parts.static import Card
from tests.pages.static import cards, details, short_tables

HOSTILE = "<img src=x onerror=alert(1)> & \"b\" 'c' **d** $e$"


def page() -> None:
    import streamlit as st

    from pages.parts.static import Card, draw_cards, draw_details
    from pages.parts.tables import draw_table

    text = st.session_state.text
    draw_cards([Card(text, text, text, "red", (text, text)), Card("Tokens", "5")])
    draw_details(text, [text, "b"])
    draw_table(
        [{text: text, "n": 1234, "vs": 0.5}, {text: None, "n": 1, "vs": -0.5}],
        counts=["n"],
        percents=["vs"],
    )


def test_text_of_a_user_is_shown_and_never_markup_and_a_loss_is_marked() -> None:
    app = AppTest.from_function(page, default_timeout=60)
    app.session_state.text = HOSTILE
    app.run()

    assert cards(app) == [
        Card(HOSTILE, HOSTILE, HOSTILE, "red", (HOSTILE, HOSTILE)),
        Card("Tokens", "5"),
    ]
    assert details(app) == {HOSTILE: [HOSTILE, "b"]}
    (table,) = short_tables(app)
    assert table.columns.tolist() == [HOSTILE, "n", "vs"]
    assert table.to_numpy().tolist() == [[HOSTILE, 1234, 0.5], ["–", 1, -0.5]]
    assert not [body for html in app.get("html") if "<img" in (body := html.proto.body)]
    drawn = app.get("html")[-1].proto.body
    assert drawn.count('"figure loss"') == 1
    assert '<td class="figure loss">+50.0\u202f%</td>' in drawn
