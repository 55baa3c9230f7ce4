"""Runs that are opened again: what the server keeps of them, for how long, and where."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pages.parts.dashboard.opened import RUNS, SAMPLE_RUN, Opened
from pages.parts.dashboard.source import LIFE
from pages.parts.runs import kept
from pages.parts.runs.kept import Folder, Runs, keep_in_memory, sweep
from tests.conftest import ROOT, python_path
from tests.pages.conftest import new_session, open_tab
from tests.pages.test_dashboard import LINES, headline, measured, said, upload
from toon.files import LockedFolder
from toon.measuring.table import KEY

pytestmark = pytest.mark.slow

PAGE = "dashboard.py"


def address(app: AppTest) -> list[str]:
    """What the parameter ``run`` of the address holds."""
    found = app.query_params.get("run", [])
    return [found] if isinstance(found, str) else list(found)


def loaded_again(token: str) -> AppTest:
    """A new session at the address of a run."""
    app = new_session()
    app.query_params["run"] = token
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def test_a_measured_run_is_there_after_a_refresh(app: AppTest) -> None:
    assert address(app) == []
    upload(app, "mine.jsonl", LINES)
    measured(app)
    (token,) = address(app)
    again = loaded_again(token)

    assert headline(again) == headline(app)
    assert said(again.caption[0]).startswith("mine.jsonl: measured payloads.")
    assert address(again) == [token]

    app.session_state.dashboard_source = True
    app.run()
    app.button(key="dashboard_sample").click().run()
    assert address(app) == []
    assert said(app.caption[0]).startswith("corpus.jsonl.gz")


def test_a_saved_run_is_kept_too(app: AppTest) -> None:
    upload(app, "mine.jsonl", LINES)
    measured(app)
    saved = app.session_state.dashboard_run.path.read_bytes()
    (measured_run,) = address(app)
    other = new_session()
    other.switch_page(PAGE).run()
    upload(other, "saved.parquet", saved)

    (token,) = address(other)
    assert token != measured_run
    assert said(loaded_again(token).caption[0]).startswith("saved.parquet: measured payloads.")


def test_a_damaged_column_is_said_where_it_is_drawn(app: AppTest, tmp_path: Path) -> None:
    table = pq.read_table(SAMPLE_RUN)
    place = table.schema.get_field_index("values")
    lacking = table.set_column(place, "values", pa.nulls(len(table), pa.float64()))
    damaged = tmp_path / "damaged.parquet"
    about = {KEY: pq.read_metadata(SAMPLE_RUN).metadata[KEY]}
    pq.write_table(lacking.replace_schema_metadata(about), damaged)
    upload(app, "damaged.parquet", damaged.read_bytes())
    assert [said(error) for error in app.error] == []

    open_tab(app, "Kinds, spread and time", "dashboard")
    assert [said(error) for error in app.error] == [
        "this is not a whole run: a payload has no values."
    ]
    assert said(app.caption[0]).endswith("This run has no checksums: damage may go unnoticed.")


def test_a_changed_bit_is_said_where_its_column_is_drawn(app: AppTest) -> None:
    data = bytearray(SAMPLE_RUN.read_bytes())
    chunks = pq.read_metadata(SAMPLE_RUN).row_group(0)
    columns = {
        chunks.column(at).path_in_schema: chunks.column(at) for at in range(chunks.num_columns)
    }
    data[columns["values"].data_page_offset + 99] ^= 1
    upload(app, "mine.parquet", bytes(data))
    assert [said(error) for error in app.error] == []

    open_tab(app, "Kinds, spread and time", "dashboard")
    assert [said(error) for error in app.error] == [
        "mine.parquet is damaged: its column values is not as it was written; take another copy, "
        "or measure again."
    ]
    data[-9] ^= 1
    upload(app, "mine.parquet", bytes(data))
    assert "mine.parquet cannot be opened: it is damaged: its end is not" in said(app.error[0])


def test_a_full_disk_is_said_of_a_saved_run(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    upload(app, "saved.parquet", SAMPLE_RUN.read_bytes())

    assert not app.exception
    reason = "saved.parquet cannot be opened: it cannot be written: No space left on device. "
    assert said(app.error[0]) == f"{reason}What was open stays open."


@pytest.mark.parametrize("token", ["unknown", "../../etc/passwd", "x" * 5000])
def test_an_unknown_run_is_said_and_the_sample_stays(token: str) -> None:
    app = loaded_again(token)

    assert [said(item) for item in app.warning] == [LIFE.gone]
    assert said(app.caption[0]).startswith("corpus.jsonl.gz")
    assert address(app) == []


def test_a_run_that_is_dropped_while_it_is_shown_is_said(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(app, "mine.jsonl", LINES)
    measured(app)
    monkeypatch.setattr(RUNS, "_clock", lambda: float("inf"))
    app.run()

    assert LIFE.gone in [said(item) for item in app.warning]
    assert said(app.caption[0]).startswith("corpus.jsonl.gz")


def test_whoever_opens_a_tab_or_a_row_looks_at_the_run(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookers = []

    def look(self: Opened) -> bool:
        lookers.append(sys._getframe(1).f_code.co_name)
        return True

    monkeypatch.setattr(Opened, "look", look)
    open_tab(app, "Payloads", "dashboard")

    # Streamlit runs the last two alone, without the page.
    assert lookers == ["find", "draw_tabs", "_draw_table"]


def test_a_look_keeps_a_run(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    upload(app, "mine.jsonl", LINES)
    measured(app)
    opened: Opened = app.session_state.dashboard_run
    now = RUNS._clock()
    for hours, is_there in [(1.9, True), (3.8, True), (5.9, False)]:
        monkeypatch.setattr(RUNS, "_clock", lambda hours=hours: now + hours * 3600)
        assert (opened.look(), opened.path.exists()) == (is_there, is_there)
    assert Opened("the sample", SAMPLE_RUN).look()


def test_the_oldest_run_goes_first_and_its_files_with_it() -> None:
    now = 0.0
    runs = Runs(most=2, seconds=100, clock=lambda: now)
    folders = [Folder() for _ in range(3)]
    tokens = []
    for folder in folders[:2]:
        tokens.append(runs.keep("a run", folder))
    now = 60
    assert runs.get(tokens[0]) is not None  # now the other one is the oldest
    tokens.append(runs.keep("a run", folders[2]))
    assert [folder.path.exists() for folder in folders] == [True, False, True]
    assert runs.get(tokens[1]) is None

    now = 160
    runs.drop_old()
    assert [folder.path.exists() for folder in folders] == [False, False, False]
    assert runs.get(tokens[0]) is None
    assert len(set(tokens)) == 3


def test_an_old_run_is_dropped_though_nobody_asks() -> None:
    runs, folder = Runs(seconds=0.08), Folder()
    gone = threading.Event()
    removed, folder.remove = folder.remove, lambda: (removed(), gone.set())  # type: ignore[method-assign]
    runs.keep("a run", folder)

    assert gone.wait(10)
    assert not folder.path.exists()


HOLD = """
from pages.parts.runs.kept import Folder
folder = Folder()
(folder.path / "run.parquet").write_text("secret")
print(folder.path, flush=True)
input()
"""


def test_what_a_killed_server_left_is_swept_and_what_a_living_one_holds_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mine = Folder()
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": python_path(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        assert process.stdout is not None
        theirs = Path(process.stdout.readline().strip())
        sweep()
        assert (mine.path.exists(), (theirs / "run.parquet").exists()) == (True, True)

        process.send_signal(signal.SIGKILL)
        process.wait()
        assert theirs.exists()
        sweep()
        assert (mine.path.exists(), theirs.exists()) == (True, False)
    mine.remove()
    assert list(tmp_path.glob(f"{kept._PREFIX}*")) == []


def test_nothing_that_a_stranger_lays_among_the_runs_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a link to a folder of ours."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in ("lock", "a"):
        (mine / name).write_text(name)
    (tmp_path / f"{kept._PREFIX}link").symlink_to(mine)
    (tmp_path / f"{kept._PREFIX}file").write_text("")
    sweep()
    assert {path.name: path.read_text() for path in mine.iterdir()} == {"lock": "lock", "a": "a"}
    assert len(list(tmp_path.iterdir())) == 3

    left = tmp_path / f"{kept._PREFIX}left"
    left.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
    sweep()
    assert left.exists()


def test_without_locks_runs_are_kept_and_none_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("toon.files.fcntl.flock", flock)
    folder = Folder()
    sweep()
    assert folder.path.exists()
    folder.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_swept_before_it_is_locked_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [tmp_path / "swept", tmp_path / "new"]
    for path in made:
        path.mkdir()
    holder = LockedFolder(made[0])
    monkeypatch.setattr(tempfile, "mkdtemp", lambda prefix: str(made.pop(0)))
    folder = Folder()
    assert folder.path == tmp_path / "new"
    folder.remove()
    holder.remove()
    assert list(tmp_path.iterdir()) == []


STOP = """
import resource, signal
from pages.parts.runs.kept import keep_in_memory, stop_with_terminal
resource.setrlimit(resource.RLIMIT_CORE, (1, resource.getrlimit(resource.RLIMIT_CORE)[1]))
signal.signal(signal.SIGHUP, getattr(signal, "%s"))
signal.signal(signal.SIGTERM, lambda *_: print("stopped in order"))
keep_in_memory()
stop_with_terminal()
signal.raise_signal(signal.SIGHUP)
print(resource.getrlimit(resource.RLIMIT_CORE)[0])
"""


@pytest.mark.parametrize(("before", "said"), [("SIG_DFL", ["stopped in order"]), ("SIG_IGN", [])])
def test_a_closed_terminal_stops_the_server_in_order_and_no_core_is_written(
    before: str, said: list[str]
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", STOP % before], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert run.stdout.splitlines() == [*said, "0"]


def test_an_upload_of_any_size_stays_in_memory() -> None:
    on_disk: list[bool] = []

    async def take(request: Request) -> Response:
        async with request.form() as form:
            upload = form["file"]
            assert isinstance(upload, UploadFile)
            assert upload.size == 3_000_000
            on_disk.append(not upload._in_memory)
        return Response()

    keep_in_memory()
    client = TestClient(Starlette(routes=[Route("/", take, methods=["POST"])]))
    client.post("/", files={"file": b"x" * 3_000_000})

    assert on_disk == [False]
