"""A large text is read and worked on in workers; where they stop at a limit, a sentence says so."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import payload
from pages.parts.dashboard.context import replay_run
from tests.context.traces import call, trace
from tests.pages.conftest import forget, open_payload, open_tab
from toon.bounded import Bounds, Pool
from toon.costs.explanation import ALONE
from toon.formats import FORMATS
from toon.limits import SMALL_CHARACTERS
from toon.playground import panes
from toon.server import SERVER
from toon.tokenizers.open_models import OpenModelTokenizer

LATE = "not done in 0.001 seconds, the limit that TOON_WORK_SECONDS sets"
UNREAD = f"The payload of the playground was not read: {LATE}."
#: What every text of the payload below holds.
MARK = "Choir practice"
EVENT = {"id": "550e8400", "start_at": "2026-02-18T14:00:00Z", "location": "Room 4", "tags": []}
TEXT = json.dumps([EVENT | {"title": f"{MARK} {number}"} for number in range(180)])
TABS = {
    "playground": ("bill", ["Where the tokens go", "In your code"]),
    "compare": ("compare", ["Formats", "Compact lines", "Send less", "Models"]),
}


def limit_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker gives anything in time, and what one gave another test is forgotten."""
    forget()
    monkeypatch.setattr(SERVER, "pool", Pool(bounds=Bounds(0.001)))


def spy_on_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that are called here, in this process, on a text with the mark."""
    calls: list[str] = []

    def spy(owner: Any, name: str) -> None:
        function: Callable[..., Any] = getattr(owner, name)

        def spying(*args: Any, **options: Any) -> Any:
            given = function(*args, **options)
            texts = [text for text in (*args, given) if isinstance(text, str)]
            if any(len(text) > SMALL_CHARACTERS and MARK in text for text in texts):
                calls.append(f"{owner.__name__}.{name}")
            return given

        monkeypatch.setattr(owner, name, spying)

    for name in ("parse_json", "read_toon"):
        spy(panes, name)
    spy(OpenModelTokenizer, "count")
    for kind in {type(format) for format in FORMATS.values()}:
        for name in ("dumps", "loads", "uses", "layout"):
            spy(kind, name)
    return calls


@pytest.mark.parametrize(("tab", "calls"), [("Formats", 3), ("Send less", 4)])
def test_a_first_view_asks_workers_only_so_often(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tab: str, calls: int
) -> None:
    """Each call reads the text again."""
    asked: list[object] = []

    def count(*args: Any) -> Any:
        asked.append(args)
        return run_in_worker(*args)

    run_in_worker = payload.run_in_worker
    monkeypatch.setattr(payload, "run_in_worker", count)
    open_payload(app, f"{TEXT[:-1]}, {json.dumps(tab)}]", "compare", tab)

    assert len(asked) == calls


@pytest.mark.rest
@pytest.mark.parametrize("page", TABS)
def test_no_page_works_on_a_large_text_itself(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    calls = spy_on_texts(monkeypatch)
    open_payload(app, TEXT, page)
    folder, tabs = TABS[page]
    for tab in tabs:
        open_tab(app, tab, folder)

    assert not app.error
    assert "document" not in vars(app.session_state.pane)
    assert calls == []


def test_the_spy_sees_what_a_page_does_itself(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.playground.panes.SMALL_CHARACTERS", len(TEXT) + 1)
    calls = spy_on_texts(monkeypatch)
    open_payload(app, f"{TEXT} ", "compare")

    assert {"toon.playground.panes.parse_json", "JsonFormat.dumps"} <= set(calls)


@pytest.mark.rest
@pytest.mark.parametrize("tab", ["Formats", "Send less", "Models"])
def test_a_text_that_is_not_read_in_time_is_kept_and_the_page_says_why(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tab: str
) -> None:
    limit_time(monkeypatch)
    open_payload(app, TEXT, "compare", tab)

    assert [error.value.replace("\\", "") for error in app.error] == [UNREAD]
    assert app.session_state.source["text"] == TEXT
    monkeypatch.undo()
    app.run()
    assert not app.error


def test_the_playground_says_it_too(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_time(monkeypatch)
    open_payload(app, TEXT, "playground")
    app.session_state.source = {"side": "json", "text": TEXT}
    app.run()

    assert [error.value.replace("\\", "") for error in app.error] == [LATE]


def test_a_large_run_is_replayed_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    contents = ({"hits": [{"id": number, "title": MARK}] * 3} for number in range(150))
    text = json.dumps(trace(*(call("search", content, {"q": "x"}) for content in contents)))
    calls = spy_on_texts(monkeypatch)
    replay = replay_run(text, "o200k_base", "comma", False, ALONE)
    assert (len(replay["rows"]), calls) == (150, [])
