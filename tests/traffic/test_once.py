"""A result of a session counts once, and beside the sessions of an agent nothing else is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.traffic.reading import lines, read_all, short, zipped
from tests.traffic.test_language import ASKED, MORE, ROWS, SAID, TOOL
from toon.traffic import read_paths
from toon.traffic.account import Account
from toon.traffic.payload import Payload


def claude(uuid: str, session: str, id: str, text: str) -> dict[str, Any]:
    result = {"type": "tool_result", "tool_use_id": id, "content": text}
    message = {"role": "user", "content": [result]}
    return {"type": "user", "sessionId": session, "uuid": uuid, "message": message}


RANDOM = "toolu_01A09q90qw90lq917835lq9"


@pytest.mark.parametrize(
    ("events", "texts"),
    [
        ([("u", "s", "t1", ROWS), ("u", "s", "t1", ROWS)], [ROWS]),  # written again
        ([("u", "s", "t1", ROWS), ("u", "r", "t1", ROWS)], [ROWS]),  # resumed
        ([("u", "s", RANDOM, ROWS), ("v", "r", RANDOM, "[1]")], [ROWS]),  # rewritten
        ([("u", "s", "t1", ROWS), ("v", "s", "t1", MORE)], [ROWS, MORE]),  # ids that repeat
        ([("u", "s", "t1", ROWS), ("v", "r", "t1", ROWS)], [ROWS, ROWS]),  # of two sessions
    ],
)
def test_a_copy_of_a_session_counts_once(
    events: list[tuple[str, str, str, str]], texts: list[str], tmp_path: Path
) -> None:
    first, second = (claude(*event) for event in events)
    for name, event in (("a", first), ("b", second)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(event))

    assert [record[2] for record in short(lines(first, second))] == texts
    records = read_paths([str(tmp_path)])
    assert [record.text for record in records if isinstance(record, Payload)] == texts


def test_requests_count_each_time_that_they_were_sent() -> None:
    assert len(read_all(lines(*[{"messages": [ASKED, TOOL]}] * 2))) == 2


def test_beside_sessions_nothing_else_is_read(tmp_path: Path) -> None:
    session = claude("u", "s", "t1", ROWS)
    files = {
        "w/S.jsonl": session,
        "w/sessions-index.json": {"entries": []},
        "w/S/subagents/agent.meta.json": {"agentType": "x"},
        "history.jsonl": {"display": "list"},
        "settings.json": {"theme": "dark"},
        "auth.json": {"OPENAI_API_KEY": "hunter2hunter2"},
    }
    for name, value in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(value))
    account = Account()

    assert [record.text for record in read_paths([str(tmp_path)], account=account)] == [ROWS]
    kinds = [row.kind for row in account.rows.values()]
    assert sorted(kinds) == ["beside"] * 4 + ["claude_code", "credentials"]
    assert not any("hunter2" in row.beginning for row in account.rows.values())
    packed = zipped({name: json.dumps(value) for name, value in files.items()})
    assert [record[2] for record in short(packed)] == [ROWS]


def test_settings_alone_are_a_payload_and_so_is_a_history_that_is_a_log(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"theme": "dark"}')
    (tmp_path / "a.json").write_text("[1]")
    assert len(list(read_paths([str(tmp_path)]))) == 2

    (tmp_path / "history.jsonl").write_text(lines({"messages": [ASKED, TOOL]}))
    payloads = [item.text for item in read_paths([str(tmp_path)]) if isinstance(item, Payload)]
    assert ROWS in payloads


def test_an_archive_that_is_one_log_is_judged_whole() -> None:
    sample = {"id": 1, "epoch": 1, "messages": [SAID, ASKED, TOOL], "scores": {}}
    files = {"header.json": {"status": "success"}, "samples/1.json": sample, "summaries.json": [1]}

    packed = zipped({name: json.dumps(value) for name, value in files.items()})
    assert [record[2] for record in short(packed, "log.eval")] == [ROWS]


@pytest.mark.parametrize("damaged", [None, 1, [1], [{}], [{"source": 1}], [{"other": ""}]])
def test_rows_of_a_foreign_run_that_are_damaged_are_left_out(damaged: Any) -> None:
    account = Account()
    read_all(lines([1]), account=account)
    (sound,) = account.facts()
    more = damaged if isinstance(damaged, list) else []
    wrong = [{**sound, key: None} for key in sound]

    assert Account.from_facts(damaged) == []
    assert Account.from_facts([*more, sound, *wrong]) == list(account.rows.values())
