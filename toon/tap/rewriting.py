"""Rewrites what tools answered into the formats of a policy, each time proven first.

Only the texts of results change, and nothing around them, not a blank. A text that is not JSON, or
that does not come back exactly, is left as it is. Before the first text in a format stands the note
that explains it, once in a conversation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from toon.costs.document import Document
from toon.formats import FORMATS
from toon.formats.json import JsonFormat
from toon.traffic.locate import Node, name_group
from toon.traffic.messages import is_conversation, results
from toon.traffic.slices import find_slice, forget
from toon.traffic.tools import Calls
from toon.values.json_text import parse_json

_CONVERSATIONS: Final = ("messages", "contents", "input")


class Rewritten(NamedTuple):
    """A text in another format; without a ``text`` the ``reason`` says why it is left alone."""

    text: str | None
    reason: str = ""


@lru_cache(maxsize=256)
def rewrite(text: str, format: str) -> Rewritten:
    """A JSON text in a format, if it surely comes back."""
    if text.lstrip()[:1] not in ("{", "["):
        return Rewritten(None, "not JSON")
    try:
        parsed = parse_json(text)
        document = Document(parsed.value)
        written, proof = document.text(format), document.proof(format)
    except RecursionError:
        return Rewritten(None, "nested too deeply")
    except ValueError as error:
        return Rewritten(None, str(error).partition("\n")[0])
    if parsed.notices:  # a key that stands twice, a number that others read otherwise
        return Rewritten(None, str(parsed.notices[0]))
    if not proof.ok or proof.difference:
        return Rewritten(None, f"it does not come back: {proof.difference}")
    if not parsed.value or len(written) >= len(text):
        return Rewritten(None, "not shorter")
    return Rewritten(written)


class Rewriter:
    """Applies a policy, the format of each group; ``say`` is told what became of each text."""

    def __init__(self, formats: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._formats, self._say = formats, say

    def __str__(self) -> str:
        groups = (f"{group} as {FORMATS[name].label}" for group, name in self._formats.items())
        return f"results are REWRITTEN: {', '.join(groups)}"

    def applies_to(self, tool: str) -> bool:
        return name_group(tool) in self._formats

    def answer(self, text: str, tool: str, noted: set[str]) -> str:
        """A message of MCP that answers a call of ``tool``; ``noted`` are the formats explained."""
        format = self._formats.get(name_group(tool))
        if format is None:
            return text
        node = Node(json.loads(text), text)
        content = node.get("result", "content")
        return self._replaced(text, self._texts(content, tool), noted) if content else text

    def request(self, text: str) -> str:
        """The body of a call of a model; a conversation repeats itself, and is written alike."""
        node, calls = Node(json.loads(text), text), Calls()
        if not isinstance(node.value, dict):
            return text
        found: list[tuple[str, Node]] = []
        for key in _CONVERSATIONS:
            if is_conversation(node.value.get(key)):
                for message in node.items(key):
                    for result in results(message, calls):
                        found += self._texts(result.content, result.tool)
        return self._replaced(text, iter(found), set())

    def _texts(self, content: Node, tool: str) -> Iterator[tuple[str, Node]]:
        """The texts in the content of a result of one of the policy's tools."""
        if not self.applies_to(tool):
            return
        if isinstance(content.value, str):
            yield tool, content
        elif isinstance(content.value, list):
            for part in content.members():
                text = part.get("text") if isinstance(part.value, dict) else None
                if text and isinstance(text.value, str):
                    yield tool, text

    def _replaced(self, text: str, found: Iterator[tuple[str, Node]], noted: set[str]) -> str:
        """The message with those of its texts replaced that can be."""
        pieces: list[tuple[int, int, str]] = []
        explained = set(noted)
        try:
            for tool, node in found:
                if node.source is not text:  # it lies in a text that holds JSON
                    continue
                written = self._rewritten(tool, node.value, explained)
                if written is not None:
                    pieces.append((*find_slice(text, node.steps), json.dumps(written)))
        finally:
            forget()
        noted |= explained
        for start, end, piece in sorted(pieces, reverse=True):
            text = text[:start] + piece + text[end:]
        return text

    def _rewritten(self, tool: str, text: str, noted: set[str]) -> str | None:
        name = self._formats[name_group(tool)]
        format, done = FORMATS[name], rewrite(text, name)
        if done.text is None:
            self._say(f"{tool}: left alone: {done.reason}")
            return None
        written = done.text
        if name not in noted and not isinstance(format, JsonFormat):
            noted.add(name)
            written = f"{format.explanation}\n\n{written}"
        self._say(
            f"{tool}: {len(text):,} characters of JSON as {format.label}, {len(written):,}; proven"
        )
        return written
