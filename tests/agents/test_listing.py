"""The sessions that are there are known by names and facts alone, and nothing outside is found."""

import io
import os
from pathlib import Path
from typing import NoReturn

import pytest

from tests.homes import END, write_homes
from toon.agents.homes import AGENTS, find_homes
from toon.agents.listing import (
    LINK,
    SECRET,
    SPECIAL,
    STRANGER,
    UNREADABLE,
    list_sessions,
    notes,
    rows,
    sort_files,
    subtract_days,
)

MADE = [
    ("Claude Code", "5", "0.2", "2026-07-23", "2026-11-20"),
    ("Codex", "5", "0.2", "2026-07-23", "2026-11-20"),
    ("Gemini CLI", "5", "0.2", "2026-07-23", "2026-11-20"),
    ("opencode", "5", "0.2", "2026-07-23", "2026-11-20"),
    ("Copilot CLI", "5", "0.3", "2026-07-23", "2026-11-20"),
    ("Copilot in VS Code", "5", "0.1", "2026-07-23", "2026-11-20"),
    ("all", "30", "1.1", "2026-07-23", "2026-11-20"),
]


def home(name: str, platform: str = "linux", **environment: str) -> list[str]:
    (agent,) = (agent for agent in AGENTS if agent.name == name)
    homes = find_homes(agent, {"HOME": "/home/ada", **environment}, platform)
    return [path.replace(os.sep, "/").rstrip("/") for path in homes]


@pytest.mark.parametrize(
    ("homes", "expected"),
    [
        (home("claude-code"), ["/home/ada/.claude", "/home/ada/.config/claude"]),
        (home("claude-code", CLAUDE_CONFIG_DIR="/a, /b"), ["/a", "/b"]),
        (home("codex", CODEX_HOME="/c"), ["/c"]),
        (home("gemini-cli", GEMINI_CLI_HOME="/g"), ["/g/.gemini"]),
        (home("qwen-code", QWEN_HOME="/q", QWEN_RUNTIME_DIR="/r"), ["/r"]),
        (home("opencode", "win32"), ["/home/ada/.local/share/opencode"]),
        (home("opencode", XDG_DATA_HOME="/data"), ["/data/opencode"]),
        (home("copilot-cli", COPILOT_HOME="/c"), ["/c"]),
        (home("copilot-chat")[:2], [
            "/home/ada/.config/Code/User", "/home/ada/.config/Code - Insiders/User"]),
        (home("copilot-chat", "darwin")[3:4], [
            "/home/ada/Library/Application Support/Cursor/User"]),
        (home("copilot-chat", "win32", APPDATA="/roaming")[2:3], ["/roaming/VSCodium/User"]),
        (home("copilot-chat", VSCODE_PORTABLE="/p")[0:1], ["/p/user-data/User"]),
        (home("cline-cli", CLINE_DIR="/c"), ["/c/data"]),
        (home("goose", "win32", APPDATA="/roaming"), ["/roaming/Block/goose/data"]),
        (home("goose", "darwin"), ["/home/ada/.local/share/goose"]),
        (home("codex", "win32", USERPROFILE="/users/ada"), ["/users/ada/.codex"]),
        (home("continue", CONTINUE_GLOBAL_DIR="/c"), ["/c"]),
        (home("pi", PI_CODING_AGENT_DIR="/p"), ["/p"]),
    ],
)  # fmt: skip
def test_homes_are_where_the_agents_look(homes: list[str], expected: list[str]) -> None:
    assert homes == expected


def test_sessions_are_counted_by_agent_and_nothing_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_homes(tmp_path)

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("opened")

    for owner, name in ((os, "open"), (io, "open"), (io, "FileIO"), (Path, "open")):
        monkeypatch.setattr(owner, name, refuse)
    monkeypatch.setattr("builtins.open", refuse)
    listings = list_sessions({"HOME": str(tmp_path)})

    assert rows(listings) == MADE
    assert list(notes(listings)) == []


def test_of_the_last_days_the_newest_come_first(tmp_path: Path) -> None:
    write_homes(tmp_path)
    listings = list_sessions({"HOME": str(tmp_path)})

    for days, sessions in ((7, 12), (30, 18), (90, 24), (None, 30)):
        asked = [listing.select_since(subtract_days(END.timestamp(), days)) for listing in listings]
        assert sum(listing.sessions for listing in asked) == sessions
        times = [file.modified for file in sort_files(asked)]
        assert times == sorted(times, reverse=True)


def test_what_is_not_read_is_counted_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_homes(tmp_path, ages=[1])
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "other.jsonl").write_text("{}")
    projects, chats = tmp_path / ".claude/projects", tmp_path / ".gemini/tmp/shop/chats"
    chats.mkdir(parents=True, exist_ok=True)
    (projects / "out").symlink_to(outside)
    (projects / "to.jsonl").symlink_to(outside / "other.jsonl")
    (projects / "circle").symlink_to(projects)
    (chats / "my-token.json").write_text("{}")
    os.mkfifo(chats / "pipe.json")
    (locked := projects / "locked.jsonl").write_text("{}")
    locked.chmod(0)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    (tmp_path / ".local/share/opencode/opencode.db").write_text("")

    listings = {listing.agent.name: listing for listing in list_sessions({"HOME": str(tmp_path)})}

    assert dict(listings["claude-code"].passed) == {LINK: 3, UNREADABLE: 1}
    assert dict(listings["gemini-cli"].passed) == {SECRET: 1, SPECIAL: 1}
    assert (listings["claude-code"].sessions, listings["gemini-cli"].sessions) == (1, 1)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert sorted(notes(listings.values())) == [
        "Claude Code: 1 is not read (it cannot be read), such as ~/.claude/projects/locked.jsonl",
        "Claude Code: 3 are not read (a link, which is not followed), such as "
        f"~/.claude/projects/{listings['claude-code'].examples[LINK].rpartition('/')[2]}",
        "Gemini CLI: 1 is not read (may hold credentials), such as "
        "~/.gemini/tmp/shop/chats/my-token.json",
        "Gemini CLI: 1 is not read (no regular file), such as ~/.gemini/tmp/shop/chats/pipe.json",
        "opencode keeps sessions in a database, which is not read: opencode export writes them as "
        "files (~/.local/share/opencode/opencode.db)",
    ]


def test_a_home_of_another_user_is_named_and_not_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_homes(tmp_path, ages=[1])
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    monkeypatch.setattr(os, "scandir", None)

    listings = list_sessions({"HOME": str(tmp_path)})

    assert {reason for listing in listings for reason in listing.passed} == {STRANGER}
    assert sort_files(listings) == []
