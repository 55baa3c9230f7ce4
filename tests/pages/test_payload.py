"""The payload that pages share: parsed once, and cached under its key within bounds."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.payload import ask, ask_value
from tests.pages.conftest import open_payload
from toon.advisor import field_costs
from toon.bounded import Bounds, Pool
from toon.costs.document import Document
from toon.costs.explanation import ALONE
from toon.costs.headline import picture
from toon.playground import panes
from toon.playground.panes import Documents, Options, Pane
from toon.server import SERVER
from toon.values.json_text import parse_json

IN_NO_TIME = Bounds(0.001)
LATE = "not done in 0.001 seconds, the limit that TOON_WORK_SECONDS sets"


def test_a_payload_is_parsed_once_for_all_pages(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = []

    def read(asked: str) -> Any:
        parsed.append(asked)
        return parse_json(asked)

    monkeypatch.setattr(panes, "parse_json", read)
    text = json.dumps({"once": [1, 2, 3]})
    for tab in ("Formats", "Compact lines", "Send less", "Models"):
        open_payload(app, text, "compare", tab)

    assert parsed.count(text) == 1


def test_a_text_has_another_key_under_other_options() -> None:
    documents = Documents()
    panes = [
        documents.open("toon", "a: 1", Options()),
        documents.open("toon", "a: 1", Options(indent=4)),
        documents.open("toon", "a: 1", Options(strict=False)),
        documents.open("toon", "a: 2", Options()),
    ]

    assert len({pane.key for pane in panes}) == 4


@pytest.mark.rest
@pytest.mark.parametrize("tab", ["Formats", "Send less"])
def test_work_that_passes_a_limit_is_said_and_the_text_kept(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tab: str
) -> None:
    text = json.dumps({f"{tab} {number}": number for number in range(2_000)})
    open_payload(app, text, "dashboard")
    app.session_state.pane = pane = Pane("json", text, Options())
    ask(pane, Document.explain_nothing)
    monkeypatch.setattr(SERVER, "pool", Pool(bounds=IN_NO_TIME))
    app.session_state.compare_tab = tab
    app.switch_page("compare.py").run()

    (error,) = app.error
    assert error.value.replace("\\", "") == LATE
    assert app.session_state.source["text"] == text


def test_a_worker_gives_what_the_page_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure() -> tuple[object, ...]:
        pane = Pane("json", json.dumps([{"a": 1, "b": "x"}] * 20), Options())
        return ask(pane, picture, "o200k_base", ALONE), ask_value(pane, field_costs)

    here = measure()
    monkeypatch.setattr("toon.playground.panes.SMALL_CHARACTERS", 0)

    assert measure() == here
