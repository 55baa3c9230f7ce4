"""Sessions are read as they are when they are opened, the newest first, and nothing beside them."""

import io
import json
import os
from collections import Counter
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest

from tests.homes import BESIDE, write_homes
from toon.agents.listing import SessionFile, list_sessions, sort_files
from toon.agents.measuring import Measuring, find_model
from toon.agents.sessions import read_sessions
from toon.measuring.measure import Settings
from toon.reports.read_as import read_as_lines
from toon.traffic import sniff
from toon.traffic.account import Account
from toon.traffic.payload import BadRecord, Payload, Record

WHOLE = "the last line of {} (only half is there: it is being written, or a crash cut it off)"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    write_homes(tmp_path)
    return tmp_path


def files() -> list[SessionFile]:
    return sort_files(list_sessions())


def read(sessions: list[SessionFile], account: Account) -> list[Record]:
    return list(chain.from_iterable(read_sessions(sessions, account)))


def payloads(records: list[Record]) -> int:
    return sum(isinstance(record, Payload) for record in records)


def notes(account: Account) -> list[str]:
    return list(read_as_lines(list(account.rows.values()), quoting=False))


def test_every_session_is_read_and_nothing_that_lies_beside_them(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[str]()
    plain = os.open

    def note(path: str, *given: int) -> int:
        opened.append(os.path.relpath(path, home))
        return plain(path, *given)

    monkeypatch.setattr(os, "open", note)
    account = Account()
    records = read(files(), account)

    assert Counter(item.source.split("/")[1] for item in records if isinstance(item, Payload)) == {
        ".claude": 40, ".codex": 40, ".gemini": 40, ".local": 40, ".copilot": 40, ".config": 10,
    }  # fmt: skip
    assert len(opened) == 125
    assert set(opened).isdisjoint(BESIDE)
    assert {key.model: tally.calls for key, tally in account.usages.rows.items()} == {
        "claude-opus-4-5-20251101": 50, "gpt-5.1-codex": 50, "gemini-2.5-pro": 50,
        "claude-sonnet-4-5": 50, "claude-sonnet-4.5": 50,
    }  # fmt: skip
    assert find_model(files()) == "claude-opus-4-5-20251101"
    assert Counter(item.model for item in records if isinstance(item, Payload)) == {
        "claude-opus-4-5-20251101": 40, "gpt-5.1-codex": 40, "gemini-2.5-pro": 40,
        "claude-sonnet-4-5": 40, "claude-sonnet-4.5": 40, "copilot/gpt-5": 10,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("end", "line"),
    [
        ("", ""), ("\n", ""), ('\n{"type": "user", "mess', f"left out: {WHOLE}"),
        ('\n{"type": "user", "text": "' + 200_000 * "x", f"left out: {WHOLE}"),
    ],
    ids=["no line feed at its end", "whole", "half a line", "half a line of 200 kB"],
)  # fmt: skip
def test_half_a_line_at_the_end_is_left_out_and_named(home: Path, end: str, line: str) -> None:
    sessions = files()[:1]
    path = Path(sessions[0].path)
    assert path.parent.parent.name == "projects"
    path.write_text(path.read_text().rstrip("\n") + end)
    account = Account()

    assert payloads(read(sessions, account)) == 8
    name = f"~/{path.relative_to(home)}"
    assert notes(account)[1:] == ([line.format(name)] if line else [])


def test_a_session_in_which_half_a_line_is_all_holds_nothing(home: Path) -> None:
    sessions = files()[:1]
    Path(sessions[0].path).write_text('{"type": "us')
    account = Account()

    assert read(sessions, account) == []
    assert len(notes(account)) == 1


def test_a_document_that_a_crash_cut_off_is_a_bad_record(home: Path) -> None:
    path = next(Path(file.path) for file in files() if "/chats/" in file.path)
    path.write_bytes(path.read_bytes()[:3_000])

    (bad,) = read([SessionFile(str(path), 1, 1)], Account())

    assert isinstance(bad, BadRecord)
    assert bad.source == f"~/{path.relative_to(home)}"
    assert bad.reason == "line 43: string is not closed"


def test_what_is_added_while_a_session_is_read_is_left_out_and_named(home: Path) -> None:
    sessions = files()[:1]
    path = Path(sessions[0].path)
    text = path.read_text()
    account = Account()
    (records,) = read_sessions(sessions, account)
    first = next(records)
    with path.open("a") as file:
        file.write(text)

    assert payloads([first, *records]) == 8
    name = f"~/{path.relative_to(home)}"
    assert notes(account)[1:] == [f"left out: what was added to {name} (it grew while it was read)"]


def test_what_became_a_link_or_is_gone_is_named_and_not_opened(home: Path) -> None:
    sessions = files()[:2]
    for path, target in zip((file.path for file in sessions), ("auth.json", None), strict=True):
        os.unlink(path)
        if target:
            os.symlink(home / ".codex" / target, path)
    account = Account()

    assert read(sessions, account) == []
    names = ", ".join(f"~/{os.path.relpath(file.path, home)}" for file in sessions)
    assert notes(account) == [f"left out: {names} (cannot be opened any more)"]


def test_a_file_of_another_kind_is_no_payload(home: Path) -> None:
    path = home / ".gemini/tmp/shop/chats/list.json"
    path.write_text(json.dumps({"rows": [{"x": 1}, {"x": 2}]}))
    account = Account()

    assert read([SessionFile(str(path), 1, 1)], account) == []
    beside = "left out: ~/.gemini/tmp/shop/chats/list.json (beside sessions, and none)"
    assert notes(account) == [beside]


def test_lines_of_an_indented_session_are_not_parsed_one_by_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (part, *_) = (file.path for file in files() if "/part/" in file.path)
    parsed = list[object]()
    module = import_module("toon.traffic.sniff")
    plain = module.parse
    monkeypatch.setattr(module, "parse", lambda text: parsed.append(text) or plain(text))

    sniff(io.BytesIO(Path(part).read_bytes()), "part.json")

    assert len(parsed) < 4


@pytest.mark.rest
def test_what_is_left_never_grows_and_all_is_measured(home: Path) -> None:
    sessions = files()[:12]
    measuring = Measuring(sessions, Settings.of(["o200k_base"], ["toon"]))
    before, left = measuring.bytes, list[int]()
    tables = [left.append(measuring.left) or table for table in measuring.tables()]

    assert left == sorted(left, reverse=True)
    assert (measuring.bytes, measuring.left, measuring.consumed) == (before, 0, before)
    assert sum(table.num_rows for table in tables) == measuring.records
    first = next(iter(read_sessions(sessions)))
    assert tables[0]["source"][0].as_py() == next(first).source
