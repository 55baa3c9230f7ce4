"""The payload that pages share: parsed once, and cached under its key within bounds."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.caches import ENTRIES
from pages.parts.payload import parse, work_on, work_on_value
from tests.conftest import ROOT
from tests.pages.conftest import open_payload, open_tab
from toon.advisor import field_costs
from toon.bounded import Bounds, run
from toon.costs.explanation import ALONE
from toon.costs.headline import picture
from toon.errors import TextError
from toon.playground import panes
from toon.playground.panes import Options

pytestmark = pytest.mark.slow

in_no_time = partial(run, bounds=Bounds(0.001))
LATE = "not done in 0.001 seconds, the limit that TOON_WORK_SECONDS sets"
PARTS = sorted((ROOT / "pages").rglob("*.py"))


def test_a_payload_is_parsed_once_for_all_pages(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = []

    def read(*asked: Any) -> Any:
        parsed.append(asked)
        return panes_read(*asked)

    panes_read = panes.read
    monkeypatch.setattr(panes, "read", read)
    text = json.dumps({"once": [1, 2, 3]})
    for page in ("compare", "dialects", "advisor"):
        open_payload(app, text, page)

    assert [asked[:2] for asked in parsed].count(("json", text)) == 1


def test_a_text_has_another_key_under_other_options() -> None:
    payloads = [
        parse("toon", "a: 1", Options()),
        parse("toon", "a: 1", Options(indent=4)),
        parse("toon", "a: 1", Options(strict=False)),
        parse("toon", "a: 2", Options()),
    ]

    assert len({payload.key for payload in payloads}) == 4


@pytest.mark.parametrize(("side", "text"), [("json", ""), ("json", "{"), ("toon", " \n")])
def test_what_the_editors_cannot_read_is_no_payload(side: panes.Side, text: str) -> None:
    with pytest.raises(TextError):
        parse(side, text, Options())


def test_every_cache_stands_in_one_place_and_has_a_bound() -> None:
    assert all(bound > 0 for bound in ENTRIES.values())
    users = [path.name for path in PARTS if "st.cache_" in path.read_text(encoding="utf-8")]
    assert users == ["caches.py"]


@pytest.mark.parametrize("page", ["compare", "advisor"])
def test_work_that_passes_a_limit_is_said_and_the_text_kept(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    text = json.dumps({f"{page} {number}": number for number in range(2_000)})
    open_payload(app, text, "pipeline")
    app.session_state.payload = (("json", text, Options()), parse("json", text, Options()))
    monkeypatch.setattr("pages.parts.payload.run", in_no_time)
    app.switch_page(f"{page}.py").run()

    (error,) = app.error
    assert error.value.replace("\\", "") == LATE
    assert app.session_state.source["text"] == text


def test_work_of_a_tab_that_passes_a_limit_is_said_there(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_payload(app, json.dumps({"of a tab": "word " * 4_200}), "compare")
    assert not app.error
    monkeypatch.setattr("pages.parts.payload.run", in_no_time)
    open_tab(app, "Delimiters and indents")

    (error,) = app.error
    assert error.value.replace("\\", "") == f"{LATE}."


def test_a_worker_gives_what_the_page_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    data = parse("json", json.dumps([{"a": 1, "b": "x"}] * 20), Options())
    find = partial(picture, tokenizer="o200k_base", explaining=ALONE)
    here = work_on(data, find), work_on_value(data, field_costs)
    monkeypatch.setattr("pages.parts.payload.SMALL_CHARACTERS", 0)

    assert (work_on(data, find), work_on_value(data, field_costs)) == here
