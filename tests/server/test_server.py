"""One place starts what the server keeps, and ends it."""

import os
import tempfile
from pathlib import Path

import pytest

from toon.bounded import Task
from toon.server import Server
from toon.server.runs import Folder


def test_a_server_ends_what_it_has_started_and_leaves_nothing_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / "toon-kept-by-a-killed-one"
    left.mkdir()
    server = Server()
    server.start(int)
    assert not left.exists()

    folder = Folder()
    folder.file.write_text("a run")
    server.runs.keep("mine", folder)
    worker = Task(server.pool).run(os.getpid)
    os.kill(worker, 0)

    server.end()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    assert list(tmp_path.iterdir()) == []
