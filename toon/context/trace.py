"""A record of what agents did: tasks, tool calls and hand-offs, as JSON or TOON.

A trace looks like this::

    {"name": "Market report",
     "steps": [
       {"kind": "task", "agent": "Researcher", "task": "Find trends", "content": "Find …"},
       {"kind": "tool_call", "agent": "Researcher", "tool": "search",
        "arguments": {"query": "agents"}, "content": {"results": []}},
       {"kind": "hand_off", "agent": "Researcher", "to": "Writer", "content": {"findings": []}}]}

``content`` is what the step adds to the context: any JSON value, or text. The text may itself
be JSON, as tools return it. ``arguments`` is optional, and so is ``at``, an ISO 8601 time, which
every step may have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from toon.codec.normalise import normalise
from toon.codec.numbers import exact_number
from toon.codec.reading import decode
from toon.errors import TextError, clip
from toon.files import write_file
from toon.formats.json import JSON_PRETTY
from toon.formats.toon import ToonFormat
from toon.values.json_text import parse_json

if TYPE_CHECKING:
    from toon.codec.text import Delimiter

ActionKind = Literal["task", "tool_call", "hand_off"]

#: For each kind, the key that holds the subject of the step.
_SUBJECTS: Final[dict[ActionKind, str]] = {"task": "task", "tool_call": "tool", "hand_off": "to"}


class TraceError(TextError):
    """JSON or TOON that is not a trace; the message starts with the path of the problem."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One action of an agent. ``subject`` is the task, the tool, or the receiving agent."""

    kind: ActionKind
    agent: str
    subject: str
    content: Any
    arguments: Any = None
    at: str | None = None

    def as_value(self) -> dict[str, Any]:
        """The step as a plain JSON value, as in the trace."""
        value = {"kind": self.kind, "agent": self.agent, _SUBJECTS[self.kind]: self.subject}
        if self.arguments is not None:
            value["arguments"] = self.arguments
        if self.at is not None:
            value["at"] = self.at
        return {**value, "content": self.content}


class ExecutionTrace:
    """The steps of a run, in order.

    ``clock`` returns the time of each recorded step, such as ``lambda: datetime.now(UTC)``;
    without a clock, no times are recorded. Contents are copied: later changes do not affect them.
    """

    def __init__(self, name: str, *, clock: Callable[[], datetime] | None = None) -> None:
        self.name = name
        self.steps: list[TraceStep] = []
        self._clock = clock

    def task(self, agent: str, task: str, content: Any) -> None:
        """Records that ``agent`` was given ``task``; ``content`` is its text or data.

        Raises:
            EncodeError: The content has no JSON form; the other recording methods raise it too.
        """
        self._record("task", agent, task, content)

    def tool_call(self, agent: str, tool: str, content: Any, arguments: Any = None) -> None:
        """Records a call of ``tool``: its ``arguments``, and its output as ``content``."""
        self._record("tool_call", agent, tool, content, normalise(arguments, path="$.arguments"))

    def hand_off(self, agent: str, to: str, content: Any) -> None:
        """Records that ``agent`` handed ``content`` to the agent ``to``."""
        self._record("hand_off", agent, to, content)

    def _record(
        self, kind: ActionKind, agent: str, subject: str, content: Any, arguments: Any = None
    ) -> None:
        at = None if self._clock is None else self._clock().isoformat()
        copied = normalise(content, path="$.content")
        self.steps.append(TraceStep(kind, agent, subject, copied, arguments, at))

    def to_value(self) -> dict[str, Any]:
        """The trace as a plain JSON value."""
        return {"name": self.name, "steps": [step.as_value() for step in self.steps]}

    def to_json(self, path: str | Path | None = None) -> str:
        """Indented JSON; also written to ``path`` if one is given.

        Raises:
            OSError: The file cannot be written.
        """
        return _export(JSON_PRETTY.dumps(self.to_value()), path)

    def to_toon(self, path: str | Path | None = None, *, delimiter: Delimiter = ",") -> str:
        """TOON; also written to ``path`` if one is given.

        Raises:
            OSError: The file cannot be written.
            EncodeError: A content, with the trace around it, is nested more than 256 levels deep.
        """
        return _export(ToonFormat("toon", "TOON", delimiter).dumps(self.to_value()), path)

    @classmethod
    def from_json(cls, text: str) -> ExecutionTrace:
        """Reads what :meth:`to_json` wrote.

        Raises:
            TextError: The text is not JSON, with the place; or not a trace, with the path.
        """
        return cls.from_value(parse_json(text).value)

    @classmethod
    def from_toon(cls, text: str) -> ExecutionTrace:
        """Reads what :meth:`to_toon` wrote.

        Raises:
            TextError: The text is not TOON, with the place; or not a trace, with the path.
        """
        return cls.from_value(decode(text, parse_float=exact_number))

    @classmethod
    def from_value(cls, value: Any) -> ExecutionTrace:
        """Reads a trace from its plain value.

        Raises:
            TraceError: Something is missing, unknown or of another type.
        """
        _keys(value, "$", {"name", "steps"}, set())
        trace = cls(_text(value, "name", "$"))
        if not isinstance(value["steps"], list):
            _fail("$.steps", f"expected a list, found {_kind(value['steps'])}")
        trace.steps = [_step(step, f"$.steps[{i}]") for i, step in enumerate(value["steps"])]
        return trace


def read_run(text: str, *, is_toon: bool) -> str:
    """The JSON of a trace with steps, from its JSON or TOON.

    Raises:
        TextError: As for :meth:`ExecutionTrace.from_json`; or it has no step.
    """
    trace = ExecutionTrace.from_toon(text) if is_toon else ExecutionTrace.from_json(text)
    if not trace.steps:
        raise TraceError("$.steps: there are no steps to replay")
    return trace.to_json() if is_toon else text


def _export(text: str, path: str | Path | None) -> str:
    if path is not None:
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            write_file(Path(path), text.encode())
        except OSError as error:
            message = f"the trace cannot be written: {error.strerror}"
            raise OSError(error.errno, message, str(path)) from error
    return text


def _step(value: Any, path: str) -> TraceStep:
    if not isinstance(value, dict):
        _fail(path, f"expected an object, found {_kind(value)}")
    kind: Any = value.get("kind")
    if not isinstance(kind, str) or kind not in _SUBJECTS:
        _fail(f"{path}.kind", f"expected {' or '.join(_SUBJECTS)}, found {_kind(kind)}")
    subject = _SUBJECTS[kind]
    optional = {"at", "arguments"} if kind == "tool_call" else {"at"}
    _keys(value, path, {"kind", "agent", subject, "content"}, optional)
    return TraceStep(
        kind,
        _text(value, "agent", path),
        _text(value, subject, path),
        value["content"],
        value.get("arguments"),
        _text(value, "at", path) if "at" in value else None,
    )


def _keys(value: Any, path: str, required: set[str], optional: set[str]) -> None:
    if not isinstance(value, dict):
        _fail(path, f"expected an object, found {_kind(value)}")
    for key in sorted(required - value.keys()):
        _fail(path, f"{key!r} is missing")
    for key in value:
        if key not in required | optional:
            _fail(path, f"unknown key {key!r}; there are {', '.join(sorted(required | optional))}")


def _text(value: dict[str, Any], key: str, path: str) -> str:
    text = value[key]
    if not isinstance(text, str):
        _fail(f"{path}.{key}", f"expected a text, found {_kind(text)}")
    return text


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value)) or clip(repr(value), 1, 40)[0]


def _fail(path: str, message: str) -> NoReturn:
    hint = 'a run is {"name": "…", "steps": […]}; the bundled runs show every kind of step'
    raise TraceError(f"{path}: {message}", hint=hint)
