"""The dashboard follows a file that grows."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.dashboard import following
from tests.pages.conftest import new_session, serve_at
from tests.pages.static import cards
from tests.pages.test_dashboard import LINES, finish, headline, metric, notes, open_form, upload
from tests.tap.tapping import wait
from tests.tap.test_growing import calls

pytestmark = pytest.mark.rest

PAGE = "dashboard.py"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "traffic.jsonl"
    path.write_bytes(b"".join(calls(5)))
    return path


def open_page(**query: str) -> AppTest:
    """The page in a new session, whose address names the query."""
    app = new_session()
    for name, value in query.items():
        app.query_params[name] = value
    return app.switch_page(PAGE).run()


def job(app: AppTest) -> following.Following:
    job: following.Following = app.session_state.dashboard_following
    return job


def follow(app: AppTest, path: Path) -> None:
    open_form(app)
    app.text_input(key="dashboard_follow_path").input(str(path)).run()
    app.button(key="dashboard_follow").click().run()
    wait(lambda: job(app).board.records)
    app.run()
    assert not app.exception


def add(app: AppTest, path: Path, count: int, first: int) -> None:
    before = job(app).board.records
    with path.open("ab") as file:
        file.write(b"".join(calls(count, first)))
    wait(lambda: job(app).board.records == before + count)


def payloads(app: AppTest) -> str:
    return str(next(card.figure for card in cards(app) if card.name == "Payloads"))


def end(app: AppTest) -> None:
    app.button(key="dashboard_unfollow").click().run()
    wait(lambda: job(app).done)


def test_a_month_of_a_few_minutes_says_what_it_is_made_of_and_choices_stay_as_calls_come(
    app: AppTest, log: Path
) -> None:
    follow(app, log)
    assert "the times lie within less than a minute: give the payloads a month" in notes(app)
    key = f"dashboard_format_{app.session_state.dashboard_run.number}"
    app.selectbox(key=key).set_value("json-pretty").run()
    add(app, log, 180, 5)
    app.run()

    assert app.selectbox(key=key).value == "json-pretty"

    rate = "2,629,800 a month, observed over 3 minutes: 2027-01-15 08:00 to 2027-01-15 08:03 UTC"
    assert rate in notes(app)
    assert headline(app) == "Switch 3 of 3 tools: saves 8,659 tokens (−30.5 %)"
    assert metric(app, "Today")[0].endswith(" tokens")
    end(app)


def test_the_address_shows_what_is_followed_to_another_session(app: AppTest, log: Path) -> None:
    follow(app, log)
    other = open_page(run=job(app).board.token or "")
    assert payloads(other) == "5"
    assert job(other) is job(app)
    end(app)
    later = open_page(run=job(app).board.token or "")
    assert payloads(later) == "5"


def test_another_run_takes_its_place(app: AppTest, log: Path) -> None:
    follow(app, log)
    upload(app, "log.jsonl", LINES)
    finish(app)
    assert payloads(app) == "6"


@pytest.mark.parametrize(
    ("address", "files", "offered"),
    [("0.0.0.0", "", False), ("0.0.0.0", "{log}", True)],
    ids=["none is named", "one is named"],
)
def test_a_server_for_others_follows_what_its_operator_names(
    monkeypatch: pytest.MonkeyPatch, log: Path, address: str, files: str, offered: bool
) -> None:
    monkeypatch.setenv("TOON_FOLLOW", files.format(log=log))
    serve_at(monkeypatch, address)
    app = open_page()
    if offered:
        wait(lambda: job(app).board.snapshot)
        app.run()
        assert payloads(app) == "5"
    open_form(app)
    assert not [box for box in app.text_input if box.key == "dashboard_follow_path"]
    assert bool([box for box in app.selectbox if box.key == "dashboard_follow_file"]) == offered
    if offered:
        end(app)
