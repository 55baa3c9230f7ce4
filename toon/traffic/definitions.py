"""Definitions of tools, which a client sends again with every request: the fixed bill.

Read are the ``tools`` of OpenAI (chat and Responses) and Anthropic, Gemini's
``functionDeclarations``, Bedrock's ``toolConfig`` and results of MCP's ``tools/list``, of which
clients send a model the name, the description and the input schema. Equal texts are kept once, with
a tally. Memory is bounded: definitions beyond the bound are only counted.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import orjson

from toon.errors import TextError
from toon.traffic.keys import dig, pick_keys, split_paths
from toon.traffic.language import WRAPPERS
from toon.traffic.locate import Node, name_group
from toon.traffic.slices import NotJson, cut_members, cut_slice
from toon.traffic.tools import descend, seek

#: Definitions that are kept, and characters of their texts; further ones are only counted.
MAX_DEFINITIONS: Final = 2_000
MAX_TEXT: Final = 32_000_000
#: Names of called tools that are kept. Beyond that any tool may have been called.
MAX_CALLED: Final = 50_000
MAX_CONVERSATIONS: Final = 50_000
#: Distinct times of requests that are kept; beyond that intervals tell no rate.
MAX_MOMENTS: Final = 10_000
_MAX_LISTS: Final = 500

_LISTS: Final = split_paths("tools toolconfig.tools functions")
_MARKS: Final = ('"tools"', '"functions"')
_DEEPEST: Final = 4
_GROUPED: Final = ("functiondeclarations",)
_INNER: Final = ("function", "toolspec", "custom")
#: Members of an MCP server's definition that clients send on to a model.
_SENT_ON: Final = ("name", "description", "inputSchema")


class Definition(NamedTuple):
    """A tool's definition as a model gets it: the tool's name, its MCP server or "", JSON text."""

    tool: str
    server: str
    text: str


@dataclass(slots=True)
class Sent:
    """How often a tool's definition came: in ``requests`` to a model, or ``listed`` by a server."""

    server: str
    requests: int = 0
    listed: int = 0


@dataclass(slots=True)
class Definitions:
    """The definitions of tools in log files, how often each was sent, and called tools' names.

    ``requests`` counts requests with definitions; ``timed`` those with a time, from ``first`` to
    ``last`` in seconds since 1970; ``moments`` are the distinct times. ``servers`` counts requests
    by MCP server. ``left_out`` counts definitions beyond what is kept. ``conversations`` are the
    ids of the requests' conversations; None if a request names none.
    """

    sent: dict[Definition, Sent] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    requests: int = 0
    servers: dict[str, int] = field(default_factory=dict)
    timed: int = 0
    moments: set[float] = field(default_factory=set)
    first: float | None = None
    last: float | None = None
    left_out: int = 0
    conversations: set[str] | None = field(default_factory=set)
    _size: int = 0
    _lists: OrderedDict[tuple[str, bytes], tuple[list[Sent], int]] = field(
        default_factory=OrderedDict
    )

    def call(self, tool: str) -> None:
        """Remember that the logs hold a call or a result of the tool named ``tool``."""
        if len(self.called) <= MAX_CALLED:
            self.called.add(tool)

    def was_called(self, definition: Definition) -> bool:
        """Return whether the logs call a defined tool, by its own name or with its server's.

        True also where more tools were called than are kept.
        """
        names = {definition.tool, f"mcp__{definition.server}__{definition.tool}"}
        return len(self.called) > MAX_CALLED or not names.isdisjoint(self.called)

    def add(
        self,
        tools: Node,
        source: str,
        time: float | None = None,
        *,
        listed_by: str | None = None,
        conversation: str | None = None,
    ) -> None:
        """Count the definitions in the list ``tools`` of a request to a model or of an MCP server.

        ``listed_by`` is the server's name. ``source`` is the log file; ``time``, in seconds since
        1970, and ``conversation`` are the request's.
        """
        tallies, beyond = self._find_tallies(tools, source, listed_by or "")
        self.left_out += beyond
        if listed_by is not None:
            for tally in tallies:
                tally.listed += 1
            return
        for tally in tallies:
            tally.requests += 1
        for server in {tally.server for tally in tallies}:
            self.servers[server] = self.servers.get(server, 0) + 1
        if not tallies and not beyond:
            return
        self.requests += 1
        if not conversation or len(self.conversations or ()) > MAX_CONVERSATIONS:
            self.conversations = None
        if conversation and self.conversations is not None:
            self.conversations.add(conversation)
        if time is not None:
            self.timed += 1
            if len(self.moments) < MAX_MOMENTS:
                self.moments.add(time)
            self.first = time if self.first is None else min(self.first, time)
            self.last = time if self.last is None else max(self.last, time)

    def _find_tallies(self, tools: Node, source: str, server: str) -> tuple[list[Sent], int]:
        """Return the tallies of the definitions in a list of tools, and the number left out.

        A list that was seen before in the same file is not cut into definitions again.
        """
        try:
            key = source, hashlib.blake2b(orjson.dumps(tools.value), digest_size=16).digest()
        except (TypeError, RecursionError):
            return [], 1
        if key in self._lists:
            self._lists.move_to_end(key)
            return self._lists[key]
        tallies, beyond = list[Sent](), 0
        try:
            for definition in find_definitions(tools.value, tools.text, server):
                if definition not in self.sent:
                    size = self._size + len(definition.text)
                    if len(self.sent) >= MAX_DEFINITIONS or size > MAX_TEXT:
                        beyond += 1
                        continue
                    self._size, self.sent[definition] = size, Sent(definition.server)
                tallies.append(self.sent[definition])
        except (NotJson, RecursionError, TextError):
            beyond += 1
        if len(tallies) <= MAX_DEFINITIONS:
            self._lists[key] = tallies, beyond
        if len(self._lists) > _MAX_LISTS:
            self._lists.popitem(last=False)
        return tallies, beyond


def find_definitions(tools: Sequence[Any], text: str, server: str = "") -> Iterator[Definition]:
    """Yield a Definition for each tool in the parsed list ``tools``, cut out of its JSON ``text``;
    an MCP tool's keeps only what clients send on. ``server`` is the MCP server, if known.

    Raises:
        NotJson, RecursionError: The text cannot be cut.
    """
    for tool, part in zip(tools, cut_members(text), strict=False):
        if not isinstance(tool, dict):
            continue
        grouped = next((k for k in pick_keys(tool, _GROUPED) if isinstance(tool[k], list)), None)
        if grouped:
            yield from find_definitions(tool[grouped], cut_slice(part, (grouped,)), server)
        elif name := _name(tool):
            name = name_group(name)
            if "inputSchema" in tool and "type" not in tool:  # without MCP's members for clients
                sent = (f'"{key}":{cut_slice(part, (key,))}' for key in _SENT_ON if key in tool)
                part = f"{{{','.join(sent)}}}"
            yield Definition(name, server or _find_server(tool, name), part)


def _name(tool: dict[str, Any]) -> str | None:
    """Return the name of a defined tool, or the type of one that the provider runs; else None."""
    inner = (dig(tool, f"{key}.name") for key in _INNER)
    named = (tool.get("name"), *inner, tool.get("type"))
    return next((name for name in named if isinstance(name, str) and name), None)


def _find_server(tool: dict[str, Any], name: str) -> str:
    if isinstance(tool.get("server_label"), str):
        return name_group(tool["server_label"])
    parts = name.split("__", 2)
    return parts[1] if parts[0] == "mcp" and len(parts) == 3 else ""


def find_tools(record: Node) -> Node | None:
    """Return the outermost list of tools' definitions in a JSON record of a log, or None."""
    if not isinstance(record.value, dict):
        return None
    for node in descend(record, WRAPPERS, _MARKS, _DEEPEST):
        for path in _LISTS:
            tools = seek(node, path)
            items = tools.value if tools and isinstance(tools.value, list) else []
            if any(isinstance(e, dict) and (_name(e) or pick_keys(e, _GROUPED)) for e in items[:1]):
                return tools  # a list of names defines nothing
    return None
