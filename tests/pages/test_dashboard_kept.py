"""Runs that are opened again: what the server keeps of them, for how long, and where."""

import errno
import os
import sys

import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.dashboard.life import GONE
from pages.parts.dashboard.open_run import SAMPLE_RUN, OpenRun
from tests.pages.conftest import new_session, open_tab
from tests.pages.static import cards, details, verdict
from tests.pages.test_dashboard import LINES, finish, read, upload
from toon.server import SERVER
from toon.server.runs import Runs

pytestmark = pytest.mark.rest

PAGE = "dashboard.py"


def address(app: AppTest) -> list[str]:
    """What the parameter ``run`` of the address holds."""
    token = app.query_params.get("run", [])
    return [token] if isinstance(token, str) else list(token)


def reload(token: str) -> AppTest:
    """A new session at the address of a run."""
    app = new_session()
    app.query_params["run"] = token
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def test_a_saved_run_is_kept_too(app: AppTest) -> None:
    upload(app, "mine.jsonl", LINES)
    finish(app)
    saved = app.session_state.dashboard_run.path.read_bytes()
    (measured_run,) = address(app)
    other = new_session()
    other.switch_page(PAGE).run()
    upload(other, "saved.parquet", saved)

    (token,) = address(other)
    assert token != measured_run
    assert read(reload(token).caption[0]).startswith("saved.parquet: measured payloads.")


def test_a_changed_bit_is_said_where_its_column_is_drawn(app: AppTest) -> None:
    data = bytearray(SAMPLE_RUN.read_bytes())
    chunks = pq.read_metadata(SAMPLE_RUN).row_group(0)
    columns = {
        chunks.column(at).path_in_schema: chunks.column(at) for at in range(chunks.num_columns)
    }
    data[columns["values"].data_page_offset + 99] ^= 1
    upload(app, "mine.parquet", bytes(data))

    assert cards(app)
    assert "CRC checksum verification failed" in read(app.error[0])
    assert "4 caveats" in details(app)  # what stands below it


def test_a_full_disk_is_said_of_a_saved_run(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    upload(app, "saved.parquet", SAMPLE_RUN.read_bytes())

    assert not app.exception
    reason = "saved.parquet cannot be opened: it cannot be written: No space left on device."
    assert read(app.error[0]) == reason


@pytest.mark.parametrize("token", ["unknown", "../../etc/passwd", "x" * 5000])
def test_an_unknown_run_is_said_and_the_sample_stays(token: str) -> None:
    app = reload(token)

    assert [read(item) for item in app.warning] == [GONE]
    assert verdict(app)[1].startswith("An example, a made-up shop's four weeks.")
    assert address(app) == []


def test_a_run_that_is_dropped_while_it_is_shown_is_said(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(app, "mine.jsonl", LINES)
    finish(app)
    monkeypatch.setattr(SERVER, "runs", Runs())
    app.run()

    assert GONE in [read(item) for item in app.warning]
    assert not cards(app)


def test_whoever_opens_a_tab_or_a_row_looks_at_the_run(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookers = []

    def look(self: OpenRun) -> bool:
        lookers.append(sys._getframe(1).f_code.co_name)
        return True

    monkeypatch.setattr(OpenRun, "look", look)
    open_tab(app, "Calls", "dashboard")

    # Streamlit runs the last two alone, without the page.
    assert lookers == ["find_run", "draw_tabs", "_draw_table"]


def test_a_look_keeps_a_run(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    upload(app, "mine.jsonl", LINES)
    finish(app)
    opened: OpenRun = app.session_state.dashboard_run
    runs = SERVER.runs
    now = runs._clock()
    for hours, is_there in [(1.9, True), (3.8, True), (5.9, False)]:
        monkeypatch.setattr(runs, "_clock", lambda hours=hours: now + hours * 3600)
        assert (opened.look(), opened.path.exists()) == (is_there, is_there)
    assert OpenRun("the sample", SAMPLE_RUN).look()
