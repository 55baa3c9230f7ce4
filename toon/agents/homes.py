"""The homes of agents' sessions: one line for each agent, from its maker's code or documents.

Sources:

- Claude Code: its documentation of ``CLAUDE_CONFIG_DIR``; ``~/.config/claude`` and several homes
  with commas between are what ryoppippi/ccusage reads, ``docs/guide/environment-variables.md``;
- Codex: openai/codex, ``codex-rs/rollout``: ``CODEX_HOME``, ``sessions``, ``archived_sessions``;
- Gemini CLI: its reference of the configuration (``GEMINI_CLI_HOME`` holds a ``.gemini``);
- Qwen Code: docs.specstory.com/integrations/qwen-code (``QWEN_RUNTIME_DIR`` goes before
  ``QWEN_HOME``), getagentseal/codeburn, ``docs/providers/qwen.md``;
- opencode: its ``packages/opencode/src/global/index.ts``: XDG's folders on every system;
- Copilot's terminal: docs.github.com, "Copilot CLI configuration directory" (``COPILOT_HOME``);
- Copilot in editors: microsoft/vscode, ``chatSessionStore.ts`` for a user's files and
  ``userDataPath.ts`` for that folder (``VSCODE_PORTABLE``, ``VSCODE_APPDATA``);
- Cline, Roo and Kilo: the ids of their extensions, as codeburn's ``docs/providers`` and the crate
  lore-cli read them; Cline's own folder (``CLINE_DIR``, ``CLINE_DATA_DIR``) is codeburn's too;
- goose: block/goose, ``crates/goose/src/config/paths.rs`` (``GOOSE_PATH_ROOT``);
- Continue: continuedev/continue, ``core/util/paths.ts`` (``CONTINUE_GLOBAL_DIR``);
- Amp and Droid: ccusage's documents and codeburn's ``docs/providers/droid.md``;
- pi: badlogic/pi-mono, ``packages/coding-agent/README.md`` (``PI_CODING_AGENT_DIR``);
- LM Studio: general knowledge.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A coding agent: the folders where it keeps files (homes), and which of these are sessions.

    ``variables`` are names of environment variables, each with the path below its value; the first
    one that is set counts, else ``homes`` do, or ``windows`` on Windows. ``$data``, ``$config`` and
    ``$roaming`` are the system's folders, ``$editors`` the user's folders of VS Code and its forks.
    In the patterns of ``sessions``, ``*`` is part of a name and ``**`` any folders. Each file is a
    session, or with ``folder`` each folder of files of the first pattern. Sessions in a
    ``database`` are not read; ``export`` is the command that writes them as a file.
    """

    name: str
    label: str
    variables: tuple[str, ...] = ()
    homes: tuple[str, ...]
    windows: tuple[str, ...] = ()
    sessions: tuple[str, ...]
    folder: bool = False
    database: str = ""
    export: str = ""


_TASKS: Final = "tasks/*/api_conversation_history.json"


def _extension(name: str, label: str, id: str) -> Agent:
    """Return the Agent for the VS Code extension ``id``, which keeps a folder for each task."""
    sessions = (f"globalStorage/{id}/{_TASKS}",)
    return Agent(name=name, label=label, homes=("$editors",), sessions=sessions)


AGENTS: Final = (
    Agent(
        name="claude-code", label="Claude Code", variables=("CLAUDE_CONFIG_DIR",),
        homes=("~/.claude", "$config/claude"), sessions=("projects/**/*.jsonl",),
    ),
    Agent(
        name="codex", label="Codex", variables=("CODEX_HOME",), homes=("~/.codex",),
        sessions=("sessions/**/rollout-*.json*", "archived_sessions/**/rollout-*.json*"),
    ),
    Agent(
        name="gemini-cli", label="Gemini CLI", variables=("GEMINI_CLI_HOME/.gemini",),
        homes=("~/.gemini",), sessions=("tmp/*/chats/**/*.json*",),
    ),
    Agent(
        name="qwen-code", label="Qwen Code", variables=("QWEN_RUNTIME_DIR", "QWEN_HOME"),
        homes=("~/.qwen",),
        sessions=("projects/*/chats/**/*.jsonl", "projects/*/subagents/**/*.jsonl"),
    ),
    Agent(
        name="opencode", label="opencode", homes=("$data/opencode",), folder=True,
        sessions=("storage/message/*/*.json", "storage/part/*/*.json"),
        database="opencode*.db", export="opencode export",
    ),
    Agent(
        name="copilot-cli", label="Copilot CLI", variables=("COPILOT_HOME",),
        homes=("~/.copilot",),
        sessions=("session-state/*/events.jsonl", "session-state/*.jsonl"),
    ),
    Agent(
        name="copilot-chat", label="Copilot in VS Code", homes=("$editors",),
        sessions=(
            "workspaceStorage/*/chatSessions/*.json*",
            "globalStorage/emptyWindowChatSessions/*.json*",
        ),
    ),
    _extension("cline", "Cline", "saoudrizwan.claude-dev"),
    Agent(
        name="cline-cli", label="Cline CLI", variables=("CLINE_DATA_DIR", "CLINE_DIR/data"),
        homes=("~/.cline/data",), sessions=(_TASKS,),
    ),
    _extension("roo", "Roo Code", "rooveterinaryinc.roo-cline"),
    _extension("kilo", "Kilo Code", "kilocode.kilo-code"),
    Agent(
        name="goose", label="goose", variables=("GOOSE_PATH_ROOT/data",), homes=("$data/goose",),
        windows=("$roaming/Block/goose/data",), sessions=("sessions/*.jsonl",),
        database="sessions/*.db", export="goose session export",
    ),
    Agent(
        name="continue", label="Continue", variables=("CONTINUE_GLOBAL_DIR",),
        homes=("~/.continue",), sessions=("sessions/*-*.json",),
    ),
    Agent(name="amp", label="Amp", homes=("$data/amp",), sessions=("threads/T-*.json",)),
    Agent(
        name="droid", label="Droid", homes=("~/.factory",), sessions=("sessions/**/*.jsonl",),
    ),
    Agent(
        name="pi", label="pi", variables=("PI_CODING_AGENT_DIR",), homes=("~/.pi/agent",),
        sessions=("sessions/**/*.jsonl",),
    ),
    Agent(
        name="lm-studio", label="LM Studio", homes=("~/.lmstudio",),
        sessions=("conversations/**/*.json",),
    ),
)  # fmt: skip

#: VS Code and its forks, by the names of their folders; then those of their servers.
_EDITORS: Final = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Trae", "Kiro")
_SERVERS: Final = (".vscode-server", ".vscode-server-insiders", ".cursor-server")


def homes_of(
    agent: Agent, environment: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> list[str]:
    """Return the folders where an agent may keep sessions: by ``environment``, else by default."""
    for variable in agent.variables:
        name, _, below = variable.partition("/")
        if value := environment.get(name, "").strip():
            several = [value] if os.path.isdir(value) else value.split(",")
            return [os.path.join(os.path.expanduser(each.strip()), below) for each in several]
    places = agent.windows if agent.windows and platform == "win32" else agent.homes
    return [home for place in places for home in _expand(place, environment, platform)]


def user_home(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Return the path of the user's home from the environment, or the system's if none is set."""
    names = ("USERPROFILE", "HOME") if platform == "win32" else ("HOME",)
    named = filter(None, map(environment.get, names))
    return next(named, None) or os.path.expanduser("~")


def _expand(place: str, environment: Mapping[str, str], platform: str) -> Iterator[str]:
    home = user_home(environment, platform)
    first, _, rest = place.partition("/")
    if first == "$editors":
        yield from _editors(home, environment, platform)
        return
    defaults = {
        "$data": ("XDG_DATA_HOME", ".local/share"),
        "$config": ("XDG_CONFIG_HOME", ".config"),
        "$roaming": ("APPDATA", "AppData/Roaming"),
    }
    name, default = defaults.get(first, ("", ""))
    yield os.path.join(environment.get(name) or os.path.join(home, default), rest)


def _editors(home: str, environment: Mapping[str, str], platform: str) -> Iterator[str]:
    """Yield the folders in which VS Code, its forks and their servers keep a user's files."""
    if portable := environment.get("VSCODE_PORTABLE"):
        yield os.path.join(portable, "user-data", "User")
    if platform == "darwin":
        folder = os.path.join(home, "Library", "Application Support")
    else:
        named = "$roaming" if platform == "win32" else "$config"
        (folder,) = _expand(named, environment, platform)
    for editor in _EDITORS:
        yield os.path.join(environment.get("VSCODE_APPDATA") or folder, editor, "User")
    for server in _SERVERS:
        yield os.path.join(home, server, "data", "User")
