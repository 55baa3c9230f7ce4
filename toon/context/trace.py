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

from typing import Any, Final, Literal, NamedTuple, NoReturn

from toon.codec.numbers import exact_number
from toon.codec.reading import decode
from toon.errors import TextError, clip
from toon.formats.json import JSON_PRETTY
from toon.values.json_text import parse_json

ActionKind = Literal["task", "tool_call", "hand_off"]

#: For each kind, the key that holds the subject of the step.
_SUBJECTS: Final[dict[ActionKind, str]] = {"task": "task", "tool_call": "tool", "hand_off": "to"}


class TraceError(TextError):
    """Raised for JSON or TOON that is no agent's run; the message starts with the faulty path."""


class TraceStep(NamedTuple):
    """One step in an agent's recorded run; ``subject`` is its task, tool or receiving agent."""

    kind: ActionKind
    agent: str
    subject: str
    content: Any
    arguments: Any


def read_steps(trace: Any) -> list[TraceStep]:
    """Read the steps of an agent's recorded run from its JSON value.

    Raises:
        TraceError: Something is missing, unknown or of another type.
    """
    _check_keys(trace, "$", {"name", "steps"}, set())
    _text(trace, "name", "$")
    if not isinstance(trace["steps"], list):
        _fail("$.steps", f"expected a list, found {_kind(trace['steps'])}")
    return [_step(step, f"$.steps[{i}]") for i, step in enumerate(trace["steps"])]


def read_run(text: str, *, is_toon: bool) -> str:
    """Return an agent's recorded run, given as JSON or TOON text, as JSON text; check its steps.

    Raises:
        TextError: The text is not JSON or TOON, with the place; or not a trace, with the path; or
            it has no step.
    """
    value = decode(text, parse_float=exact_number) if is_toon else parse_json(text).value
    if not read_steps(value):
        raise TraceError("$.steps: there are no steps to replay")
    return JSON_PRETTY.dumps(value) if is_toon else text


def _step(value: Any, path: str) -> TraceStep:
    if not isinstance(value, dict):
        _fail(path, f"expected an object, found {_kind(value)}")
    kind: Any = value.get("kind")
    if not isinstance(kind, str) or kind not in _SUBJECTS:
        _fail(f"{path}.kind", f"expected {' or '.join(_SUBJECTS)}, found {_kind(kind)}")
    subject = _SUBJECTS[kind]
    optional = {"at", "arguments"} if kind == "tool_call" else {"at"}
    _check_keys(value, path, {"kind", "agent", subject, "content"}, optional)
    texts = {key: _text(value, key, path) for key in ("agent", subject, "at") if key in value}
    return TraceStep(kind, texts["agent"], texts[subject], value["content"], value.get("arguments"))


def _check_keys(value: Any, path: str, required: set[str], optional: set[str]) -> None:
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
