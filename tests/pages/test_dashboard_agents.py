"""The dashboard reads the sessions of agents on one's own machine, and on no other."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.dashboard import agents
from tests.homes import write_homes
from tests.pages.conftest import serve_at, table_with
from tests.pages.static import verdict
from tests.pages.test_dashboard_following import job, payloads
from tests.tap.tapping import wait

pytestmark = pytest.mark.rest

PAGE = "dashboard.py"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home of somebody with five agents, whose last sessions ended just now."""
    write_homes(tmp_path, end=datetime.now(UTC))
    monkeypatch.setenv("HOME", str(tmp_path))
    agents._list_sessions.clear()


def buttons(app: AppTest) -> list[Any]:
    return [element for element in app.button if element.key == "dashboard_agents"]


def captions(app: AppTest) -> str:
    return "\n".join(element.value for element in app.caption)


def test_one_press_reads_what_changed_in_the_chosen_days(app: AppTest) -> None:
    assert "18 sessions, 0.7 MB, of the last 30 days" in captions(app)
    agents_named = "Claude Code, Codex, Gemini CLI, opencode, Copilot CLI, Copilot in"
    assert agents_named in buttons(app)[0].help
    app.session_state[agents._KEY] = "7 days"
    app.run()
    assert "12 sessions, 0.4 MB, of the last 7 days" in captions(app)

    buttons(app)[0].click().run()
    wait(lambda: job(app).done)
    app.run()

    assert payloads(app) == "84"
    text = "\n".join(element.value for element in app.markdown)
    assert "Read agents' sessions of the last 7 days: 104 records." in text
    assert verdict(app) == (
        "Send query of postgres as TOON, tab: saves ≈\u00a0$0.05",
        "Formats can touch 14\u202f% of this bill. Agents lost 9 points of accuracy with TOON in "
        "one study.",
        [
            ("$1.37", "spent, as billed"),
            ("≈\u00a0$0.07", "saved by all 5 tools: 5\u202f% of the bill"),
        ],
    )
    tools = ["query · postgres", "list_issues · github", "search_code · github"]
    tools += ["get_pull_request · github", "list_tables · postgres"]
    assert table_with(app, "Paid again later")["Tool"].tolist() == tools
    (more,) = (element for element in app.toggle if element.label == "Show 5 more")
    more.set_value(True).run()
    tools += ["Read", "Bash", "shell", "read_file", "run_shell_command"]
    assert table_with(app, "Paid again later")["Tool"].tolist() == tools
    assert not app.exception


@pytest.mark.parametrize(
    ("address", "names"),
    [("0.0.0.0", ""), ("localhost", "lab.example.org"), ("localhost", "localhost:9000")],
)
def test_a_server_for_others_neither_lists_nor_reads_a_home_whatever_a_client_sends(
    monkeypatch: pytest.MonkeyPatch, app: AppTest, address: str, names: str
) -> None:
    """The client knows the button from a time when the server was its user's own."""
    (button,) = buttons(app)
    app.session_state[agents._KEY] = "all"
    serve_at(monkeypatch, address)
    monkeypatch.setenv("TOON_HOSTS", names)
    looked = list[object]()
    for name in ("list_sessions", "_list_sessions", "sort_files", "Measuring"):
        monkeypatch.setattr(agents, name, lambda *given: looked.append(given))

    button.click().run()

    assert (looked, buttons(app)) == ([], [])
    assert "dashboard_following" not in app.session_state
    assert "Claude Code" not in captions(app)
