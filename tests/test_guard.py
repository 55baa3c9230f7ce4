"""Nothing of the suite leaves this machine: what tries is refused, and the suite fails."""

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.browser.conftest import unexpected
from tests.conftest import ROOT

LEAVES = """
import asyncio, socket, urllib.request

def leave_1(): socket.create_connection(("198.51.100.1", 80))
def leave_2(): socket.getaddrinfo("example.com", 443)
def leave_3(): socket.socket(type=socket.SOCK_DGRAM).sendto(b"", ("198.51.100.1", 1))
def leave_4(): socket.gethostbyname("example.com")
def leave_5(): urllib.request.urlopen("http://example.com")
def leave_6(): socket.socket(socket.AF_INET6).connect(("2001:db8::1", 80))
def leave_7(): socket.socket(type=socket.SOCK_DGRAM).connect(("198.51.100.1", 1))
def leave_8(): asyncio.run(asyncio.open_connection("example.com", 80))

for number in range(1, 9):
    try:
        globals()[f"leave_{number}"]()
    except OSError as error:
        print(number, "the tests stay on this machine" in str(error))

with socket.create_server(("127.0.0.1", 0)) as server:
    with socket.create_connection(("localhost", server.getsockname()[1])):
        print("loopback")
try:
    socket.socket(socket.AF_UNIX).connect("/nowhere")
except FileNotFoundError:
    print("unix")
"""

TRIES = """
import socket
def test_it():
    try:
        socket.getaddrinfo("example.com", 443)
    except OSError:
        pass
"""


def test_every_way_out_is_refused_and_noted(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    run = subprocess.run(
        [sys.executable, "-c", LEAVES],
        env={**os.environ, "TOON_EGRESS": str(notes)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout.split() == [*(w for n in range(1, 9) for w in (f"{n}", "True")),
                                  "loopback", "unix"]  # fmt: skip
    assert len(notes.read_text().splitlines()) == 8
    assert "in tests/test_guard.py::test_every_way_out" in notes.read_text()


def test_files_that_a_server_writes_are_noted_and_judged(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    name = f"toon-kept-{secrets.token_hex(8)}"  # another run of the suite has its own
    allowed, text = Path(tempfile.gettempdir(), name), tmp_path / "text"
    program = f"open({str(allowed)!r}, 'w'); open({str(text)!r}, 'a'); open({str(text)!r}).read()"
    env = {**os.environ, "TOON_WRITES": str(notes)}
    subprocess.run([sys.executable, "-c", program], env=env, check=True)
    allowed.unlink()

    assert notes.read_text().splitlines() == [str(allowed), str(text)]
    assert unexpected(notes) == [str(text)]


@pytest.mark.rest
def test_a_suite_in_which_something_tried_to_leave_fails(tmp_path: Path) -> None:
    """In a worker, which leaves it to the first process to say so."""
    test = tmp_path / "test_tries.py"
    test.write_text(TRIES)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    run = subprocess.run(
        [*command, "-p", "tests.conftest", "-n", "1", "--rootdir", tmp_path, test],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key != "TOON_EGRESS"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 passed" in run.stdout
    assert "requests left this machine:\nsocket.getaddrinfo 'example.com'" in run.stdout
