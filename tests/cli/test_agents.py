"""``toon measure --agents``: what it lists before it reads, and what it then measures."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.homes import write_homes
from toon.cli import main
from toon.measuring.table import open_run

FAST = ["--workers", "1", "--tokenizer", "o200k_base", "--format", "toon"]
LISTED = """\
Agent               Sessions   MB       First  Last
Claude Code                5  0.2  2026-07-23  2026-11-20
Codex                      5  0.2  2026-07-23  2026-11-20
Gemini CLI                 5  0.2  2026-07-23  2026-11-20
opencode                   5  0.2  2026-07-23  2026-11-20
Copilot CLI                5  0.3  2026-07-23  2026-11-20
Copilot in VS Code         5  0.1  2026-07-23  2026-11-20
all                       30  1.1  2026-07-23  2026-11-20
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.rest
def test_all_sessions_are_listed_then_measured_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_homes(tmp_path)

    assert main(["measure", "--agents", "--since", "all", "--report", "r.csv", *FAST]) == 0

    out, err = capsys.readouterr()
    assert err == f"{LISTED}skipped, no JSON payload: 50 records, 0.3 % of the tokens\n".replace(
        "0.3 %", "0.3\u202f%"
    )
    assert "agents.parquet: 210 payloads" in out
    assert Path("r.csv").exists()
    sources = open_run(Path("agents.parquet")).table(["source"])["source"].to_pylist()
    assert sources[0].startswith("~/.")


def test_sessions_of_the_last_days_are_asked_for_in_days(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_homes(tmp_path, end=datetime.now(UTC), ages=[0.5, 20], turns=2)

    assert main(["measure", "--agents", "--since", "1d", "-o", "day.parquet", *FAST]) == 0
    out, err = capsys.readouterr()
    assert "of all, which --since all measures: 12 sessions" in err
    assert "day.parquet: 12 payloads" in out


def test_where_no_session_is_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "--agents"]) == 1
    assert capsys.readouterr().err == (
        "no sessions of agents that changed in the last 30 days are here\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--agents log.jsonl", "--agents takes neither PATH nor --payload nor --group"),
        ("--agents --payload x", "--agents takes neither PATH nor --payload nor --group"),
        ("--agents --since 30", "argument --since: 30 is neither days such as 30d nor all"),
        ("log.jsonl -o r.parquet --since 7d", "--since belongs to --agents"),
        ("", "the following arguments are required: PATH, -o/--output"),
    ],
)
def test_what_does_not_go_with_agents_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["measure", *arguments.split()])
    assert caught.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(message)
