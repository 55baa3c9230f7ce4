"""The tap before a command: what goes through it, and what is recorded of it."""

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.tap import tapping
from tests.tap.tapping import call, groups, ids, notes, recorded, start
from toon.tap.lines import END, OPEN
from toon.tap.log import Log
from toon.tap.recorder import Recorder

pytestmark = pytest.mark.rest


#: Sends everything back as it comes.
_MIRROR = (
    "import os\nwhile data := os.read(0, 1 << 16):\n    while data: data = data[os.write(1, data):]"
)


def test_a_call_is_one_line_with_request_and_answer_and_the_status_is_the_servers(
    tmp_path: Path,
) -> None:
    output = tmp_path / "traffic.jsonl"
    with start(output) as tap:
        out, errors = tap.communicate(call(1) + call("b", "read"))

    assert tap.returncode == 7
    assert [json.loads(line)["id"] for line in out.splitlines()] == [1, "b"]
    assert errors.decode() == (
        f"toon tap: nothing that is sent is changed; calls recorded in {output}\n"
    )
    assert ids(output) == [1, "b"]
    assert [line["seconds"] >= 0 for line in recorded(output)] == [True, True]
    assert groups(output) == ["search", "read"]


@pytest.mark.parametrize("seed", range(3))
def test_bytes_at_random_splits_come_through_as_they_were(tmp_path: Path, seed: int) -> None:
    """Whatever they are: messages, halves of them, blank lines, bytes that are no text."""
    chance = random.Random(seed)
    made = [b"{}", b"\n", b"\r\n", b"\xff\xfe\x00", b'"', call(1), b"[" * 3_000, b" ", b"\n\n"]
    sent = b"".join(chance.choice(made) for _ in range(2_000)) + call(2)[:-9]
    with start(tmp_path / "traffic.jsonl", *tapping.PYTHON, _MIRROR) as tap:

        def feed() -> None:
            at = 0
            while at < len(sent):
                size = chance.choice((1, 7, 100, 5_000, 70_000))
                tap.stdin.write(sent[at : at + size])
                tap.stdin.flush()
                at += size
            tap.stdin.close()

        client = threading.Thread(target=feed)
        client.start()
        out = tap.stdout.read()
        client.join()

    assert out == sent
    assert tap.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP])
def test_a_signal_reaches_the_server_and_ends_the_tap_as_it_ends_the_server(
    tmp_path: Path, number: signal.Signals
) -> None:
    program = (
        "import signal, time\nfor n in (1, 2, 10, 15): signal.signal(n, signal.SIG_DFL)\n"
        "print('ready', flush=True)\ntime.sleep(60)"
    )
    with start(tmp_path / "traffic.jsonl", *tapping.PYTHON, program) as tap:
        assert tap.stdout.readline() == b"ready\n"
        tap.send_signal(number)
        tap.wait()

    assert tap.returncode == -number


@pytest.mark.parametrize(
    ("server", "status", "error"),
    [
        ("./not-there", 127, "./not-there: No such file or directory"),
        ("/", 126, "/: Permission denied"),
    ],
)
def test_a_command_that_cannot_be_started(
    tmp_path: Path, server: str, status: int, error: str
) -> None:
    with start(tmp_path / "traffic.jsonl", server) as tap:
        _, errors = tap.communicate()

    assert tap.returncode == status
    assert errors.decode().splitlines()[-1] == f"toon tap: {error}"


def test_a_client_that_vanishes_is_seen_by_the_server(tmp_path: Path) -> None:
    """A server that writes to nobody gets the signal that it would get from a bare pipe."""
    program = (
        "import signal, os, time\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\n"
        "while True: os.write(1, b'x' * 1000); time.sleep(0.01)"
    )
    with start(tmp_path / "traffic.jsonl", *tapping.PYTHON, program) as tap:
        assert tap.stdout.read(10) == b"x" * 10
        tap.stdout.close()
        tap.wait(90)

    assert tap.returncode == -signal.SIGPIPE


def test_a_server_that_stops_reading_is_seen_by_the_client(tmp_path: Path) -> None:
    program = "import os, sys, time; os.close(0); print('closed', flush=True); time.sleep(60)"
    with start(tmp_path / "traffic.jsonl", *tapping.PYTHON, program) as tap:
        assert tap.stdout.readline() == b"closed\n"

        def feed() -> None:
            while True:
                os.write(tap.stdin.fileno(), b"x" * 1_000)

        with pytest.raises(BrokenPipeError):
            feed()
        tap.kill()


def test_what_is_no_answer_is_said_in_the_record(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    program = (
        "import sys, time\nfor line in sys.stdin: pass\n"
        "sys.stdout.write('starting up\\n{\"id\": 1}\\n'"
        ' + \'{"jsonrpc": "2.0", "id": 9, "result": {}}\\n\''
        ' + "[" * 3000 + "\\n" + \'{"jsonrpc": "2.0", "id": 1, "res\')'
    )
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
    sent = call(1) + call(2) + json.dumps(cancelled).encode() + b"\n"
    with start(output, *tapping.PYTHON, program) as tap:
        tap.communicate(sent)

    assert notes(output) == [
        "not JSON: 11 bytes from the server",
        "no message of JSON-RPC: 9 bytes from the server",
        "an answer to no request that was recorded, id 9",
        "nested too deeply: 3,000 bytes from the server",
        "half a message: 32 bytes from the server",
        "tools/call search (id 1): no answer",
    ]
    calls = [line for line in recorded(output) if line["tap"] == "mcp"]
    assert [(one["exchange"][0]["id"], one.get("cancelled")) for one in calls] == [
        (2, True),
        (1, None),
    ]
    assert groups(output) == []


def test_a_message_beyond_the_limit_is_passed_on_and_named(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    program = (
        "import json, sys\nfor line in sys.stdin:\n    id = json.loads(line)['id']\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': id, 'result': 'x' * (300_000 * (id == 1))}))"
    )
    with start(output, *tapping.PYTHON, program, TOON_RECORD_BYTES="100000") as tap:
        out, _ = tap.communicate(call(1) + call(2))

    assert [len(line) for line in out.splitlines()] == [300_041, 41]
    assert notes(output) == [
        "tools/call search (id 1): 300,041 bytes in one message from the server, more than 100,000,"
        " the limit TOON_RECORD_BYTES"
    ]
    assert ids(output) == [2]


def test_a_batch_is_taken_apart(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    program = (
        "import json, sys\nfor line in sys.stdin:\n    print(json.dumps([{'jsonrpc': '2.0',"
        " 'id': each['id'], 'result': {'a': 1.50}} for each in json.loads(line)]))"
    )
    batch = b"[" + call(1).strip() + b" , " + call(2).strip() + b"]\r\n"
    with start(output, *tapping.PYTHON, program) as tap:
        tap.communicate(batch)

    assert ids(output) == [1, 2]


def test_a_full_file_is_closed_and_the_oldest_are_removed(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    options = ["--file-bytes", "5000", "--files", "2"]
    with start(output, options=options) as tap:
        tap.communicate(b"".join(call(n) for n in range(20)))

    sizes = {file.name: file.stat().st_size for file in sorted(tmp_path.iterdir())}
    assert all(0 < size <= 5_000 for size in sizes.values())
    numbers = [name.split(".")[1] for name in sizes]
    assert numbers == ["000003", "000004", "jsonl"]
    assert ids(output) == list(range(20))[-len(ids(output)) :]


def test_two_taps_write_one_file(tmp_path: Path) -> None:
    output = tmp_path / "traffic.jsonl"
    many = b"".join(call(n) for n in range(200))
    options = ["--file-bytes", "20000", "--files", "99"]
    with start(output, options=options) as one, start(output, options=options) as other:
        feeding = threading.Thread(target=other.communicate, args=(many,))
        feeding.start()
        one.communicate(many)
        feeding.join()

    assert sorted(ids(output)) == sorted([*range(200), *range(200)])
    assert len(list(tmp_path.iterdir())) > 10


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full and /proc are Linux's")
class TestFaults:
    def test_a_full_disk_leaves_the_traffic_alone_and_is_said_once(self) -> None:
        with start(Path("/dev/full")) as tap:
            out, errors = tap.communicate(b"".join(call(n) for n in range(50)))

        assert len(out.splitlines()) == 50
        assert tap.returncode == 7
        assert errors.decode().splitlines()[1:] == [
            "toon tap: /dev/full: No space left on device: calls go on unrecorded until it can be"
        ]

    def test_calls_missed_without_a_disk_are_named_when_it_is_back(self, tmp_path: Path) -> None:
        folder = tmp_path / "later"
        output = folder / "traffic.jsonl"
        with start(output) as tap:
            tap.stdin.write(call(1) + call(2, "read"))
            tap.stdin.flush()
            assert tap.stderr.readline()
            assert b"No such file or directory" in tap.stderr.readline()
            folder.mkdir()
            tapping.wait(lambda: not self._send(tap, 3) and output.exists())
            tap.communicate()

        first = notes(output)[0]
        assert first.startswith("search of 20")
        assert first.endswith(" could not be written")
        assert 3 in ids(output)

    @staticmethod
    def _send(tap: subprocess.Popen[bytes], id: int) -> None:
        assert tap.stdin is not None
        assert tap.stdout is not None
        tap.stdin.write(call(id))
        tap.stdin.flush()
        tap.stdout.readline()

    def test_a_recording_that_hangs_leaves_the_traffic_alone(self, tmp_path: Path) -> None:
        """Another process holds the file's lock: what is beyond the queue is lost and named."""
        output = tmp_path / "traffic.jsonl"
        with start(output, TOON_TAP_BYTES="200000") as tap:
            self._send(tap, 0)
            tapping.wait(output.exists)
            tapping.wait(lambda: ids(output) == [0])
            with output.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                for n in range(1, 601):
                    self._send(tap, n)
            tapping.wait(lambda: len(ids(output)) > 50)
            for n in range(601, 611):
                self._send(tap, n)
            _, errors = tap.communicate()

        numbers = ids(output)
        assert numbers[:50] == list(range(50))
        assert numbers[-5:] == [606, 607, 608, 609, 610]
        assert len(numbers) < 600
        assert any("bytes from the server were not recorded" in note for note in notes(output))
        assert errors.decode().splitlines()[1:] == [
            "toon tap: the recorder is 200,000 bytes behind: traffic goes on unrecorded until it"
            " has caught up; the file will name the calls that are open"
        ]

    def test_a_recording_that_hangs_at_the_end_is_given_up(self, tmp_path: Path) -> None:
        output = tmp_path / "traffic.jsonl"
        with start(output, TOON_TAP_SECONDS="1") as tap:
            self._send(tap, 0)
            tapping.wait(lambda: output.exists() and ids(output) == [0])
            with output.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                self._send(tap, 1)
                _, errors = tap.communicate()

        assert tap.returncode == 7
        assert errors.decode().splitlines()[1:] == [
            "toon tap: the recording does not go on; the last calls are not recorded"
        ]

    def test_a_fault_in_recording_ends_neither_traffic_nor_recording(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("toon.tap.recorder.TAP_SECONDS", 60)
        sentences: list[str] = []
        lines: list[bytes] = []
        log = cast(Log, SimpleNamespace(append=lines.append, path=Path("t")))
        recorder = Recorder(log, sentences.append, is_http=True)
        recorder.put(OPEN, 0, b"no json")
        recorder.put(OPEN, 2, b'{"method": "GET", "path": "/a"}')
        recorder.put(END, 3, b"{}")
        recorder.close()

        assert sentences == ["a part of the traffic is not recorded: JSONDecodeError"]
        assert [json.loads(line)["path"] for line in lines] == ["/a"]
