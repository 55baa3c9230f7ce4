"""The tour without a browser: each step is a state, and its figure is the one answer's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import look, payload, tour
from pages.parts.tour import SAMPLE, STOPS
from tests.conftest import ROOT
from tests.pages.conftest import open_payload
from tests.words import YOUR_TEXT
from toon.advisor.measure import best_combination
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.headline import headline
from toon.costs.models import choose
from toon.costs.prices import Traffic
from toon.costs.typed import Typed
from toon.wording import count

pytestmark = pytest.mark.slow

TEXT = (ROOT / "samples" / f"{SAMPLE}.json").read_text(encoding="utf-8")
PAGES = ["playground", "compare", "compare", "advisor", "compare"]


def taken(app: AppTest, number: int) -> str:
    """Opens a step by its address; gives what its bar says."""
    app.query_params["tour"] = str(number)
    app.switch_page(f"{PAGES[number - 1]}.py").run()
    assert not app.exception
    return bar(app)


def bar(app: AppTest) -> str:
    (said,) = (item.value for item in app.markdown if item.value.startswith("**Step "))
    return str(said).replace("\\", "")


def test_every_step_says_the_figures_of_the_one_answer(app: AppTest) -> None:
    value, typed = json.loads(TEXT), Typed(TEXT)
    answer = headline(Document.of(value, typed), choose("gpt-5"), Explaining(), Traffic(100_000))
    best = best_combination(Document.of(value, typed))
    today = answer["bars"][0]
    said = [taken(app, number) for number in range(1, 6)]

    assert [text.partition(".** ")[0] for text in said] == [
        "**Step 1 of 5: a payload",
        "**Step 2 of 5: its bill",
        "**Step 3 of 5: where it goes",
        "**Step 4 of 5: what helps",
        "**Step 5 of 5: what it is worth",
    ]
    assert f"{len(TEXT):,} characters are {today['figure']} tokens to GPT-5." in said[0]
    assert f"{answer['lead']}." in said[1]
    assert "Values are 26\u202f% of your JSON and 68\u202f% of TOON, tab;" in said[2]
    assert f"{count(best['cost'])} of {today['figure']} tokens are enough" in said[3]
    assert f"What to send {answer['money']}." in said[4]


@pytest.mark.parametrize("number", range(1, 6))
def test_every_step_opens_from_a_cold_link_in_its_state(app: AppTest, number: int) -> None:
    taken(app, number)
    stop = STOPS[number - 1]

    assert app.session_state.source["text"] == TEXT
    if stop.tab:
        assert app.session_state[f"{stop.page}_tab"] == stop.tab


def test_the_end_of_the_tour_gives_back_what_was_open(app: AppTest) -> None:
    open_payload(app, '{"mine": 1}', "playground", YOUR_TEXT)
    taken(app, 1)
    app.button(key="tour_end").click().run()

    assert app.session_state.source == {"side": "json", "text": '{"mine": 1}'}
    assert app.session_state.document["name"] == YOUR_TEXT
    assert not any(item.value.startswith("**Step ") for item in app.markdown)


def test_what_was_typed_on_the_tour_stays_at_its_end(app: AppTest) -> None:
    taken(app, 1)
    app.session_state.source = {"side": "json", "text": "[1, 2, 3]"}
    app.run()
    assert "9 characters are 9 tokens" in bar(app)
    app.button(key="tour_end").click().run()

    assert app.session_state.source["text"] == "[1, 2, 3]"


def brought(app: AppTest, monkeypatch: pytest.MonkeyPatch, text: str) -> AppTest:
    """The browser brings a text, which Python takes before it runs the page."""

    wear = look.wear

    def take() -> None:
        patch.setattr(look, "wear", wear)  # a page may lead to another one, and is run again
        given: Any = {"sample": False, "kept": "an id"}
        if not tour.hold("json", text, YOUR_TEXT, **given):
            payload.open_document("json", text, YOUR_TEXT, **given)
        wear()

    with monkeypatch.context() as patch:
        patch.setattr(look, "wear", take)
        return app.run()


@pytest.mark.parametrize("number", range(1, 6))
def test_what_the_browser_brings_back_waits_for_the_end(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    app = AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=60)
    said = taken(app, number)
    brought(app, monkeypatch, '{"mine": 1}')
    assert (bar(app), app.session_state.source["text"]) == (said, TEXT)

    app.button(key="tour_end").click().run()
    assert not app.exception
    assert app.session_state.source == {"side": "json", "text": '{"mine": 1}'}
    assert app.session_state.document["kept"] == "an id"


def test_what_is_opened_on_the_tour_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    app = AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=60)
    taken(app, 1)
    brought(app, monkeypatch, '{"mine": 1}')
    brought(app, monkeypatch, "[1, 2, 3]")

    assert "9 characters are 9 tokens" in bar(app)


@pytest.mark.parametrize("number", [None, 1])
def test_nothing_waits_where_the_tour_did_not_come_first(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, number: int | None
) -> None:
    if number:
        taken(app, number)
    brought(app, monkeypatch, "[1, 2, 3]")

    assert app.session_state.source["text"] == "[1, 2, 3]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "The text in the playground cannot be read."),
        ("[]", "Nothing to compare: the payload is an empty array."),
        ("[" * 300 + "]" * 300, "Keep your JSON."),
    ],
)
def test_a_step_without_figures_says_why(app: AppTest, text: str, said: str) -> None:
    taken(app, 2)
    app.session_state.source = {"side": "json", "text": text}
    app.run()

    assert said in bar(app)


@pytest.mark.parametrize("asked", ["0", "6", "-1", "two", "1e9", "²"])
def test_a_step_that_is_none_starts_no_tour(app: AppTest, asked: str) -> None:
    app.query_params["tour"] = asked
    app.run()

    assert not any(item.value.startswith("**Step ") for item in app.markdown)


def test_a_step_follows_the_model_and_marks_estimates(app: AppTest) -> None:
    def said_of(model: str, number: int) -> Any:
        app.session_state.model = model
        return taken(app, number)

    assert "tokens to Claude Haiku 4.5" in said_of("claude-haiku-4.5", 1)
    assert "are ≈" in bar(app)
    assert "to the tokenizer qwen3" in said_of("qwen3", 1)
    assert "No price is known for this model." in said_of("qwen3", 5)
