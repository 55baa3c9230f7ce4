"""Calls of tools, and the payloads in their results: what logs of agents have in common."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.language import keys_of
from toon.traffic.locate import Node, name_group

#: Calls that are remembered until their result comes; beyond that the oldest is forgotten.
MAX_CALLS: Final = 100_000

#: The group of a result whose call is not in the file.
UNKNOWN_TOOL: Final = "(unknown tool)"

#: The types of the parts that the content of a message consists of.
_PARTS: Final = frozenset([
    "text", "input_text", "output_text", "json", "content", "image", "image_url", "input_image",
    "image-data", "media", "audio", "input_audio", "video", "file", "input_file", "document",
    "search_result", "resource", "resource_link", "tool_reference",
])  # fmt: skip
#: An object of such a type that has a name, and no key of what a part holds, is a payload, such as
#: ``{"name": "a.txt", "type": "file"}`` in the list of a folder.
_NAMED: Final = frozenset(["name", "path", "title", "size"])
_HELD: Final = frozenset([
    "text", "json", "resource", "value", "content", "source", "data", "base64", "image",
    "image_url", "audio", "input_audio", "video", "media", "document", "file", "file_id",
    "file_data", "file_url", "uri", "mimeType", "mime_type", "mediaType", "media_type",
])  # fmt: skip
#: The keys of parts without a type, as Bedrock's Converse has them.
_UNTYPED: Final = frozenset(["text", "json", "image", "document", "video", "searchResult"])
#: Where a part holds what the model reads; the first found counts. Others are pictures and files.
_IN_PARTS: Final = (("text",), ("json",), ("resource", "text"), ("value",), ("document", "data"))
#: The keys of a result of MCP.
_ABOUT_CONTENT: Final = frozenset(["content", "isError", "structuredContent", "_meta", "meta"])


class Calls(OrderedDict[str, str]):
    """The names of called tools by the id of the call; ``note`` is told each name.

    ``model`` and ``conversation`` are those that were named last. Ids begin anew in each
    ``session``.
    """

    note: Callable[[str], None] | None = None
    session: str = ""
    model: str | None = None
    conversation: str | None = None

    def key(self, id: str) -> str:
        """The key of a call of this session."""
        return f"{self.session} {id}" if self.session else id

    def remember(self, id: str, tool: str) -> None:
        name = self[self.key(id)] = name_group(tool)
        if self.note:
            self.note(name)
        if len(self) > MAX_CALLS:
            self.popitem(last=False)


def find_payloads(content: Node) -> Iterator[Node]:
    """The JSON objects and arrays in the content of a tool's result, and its texts without any.

    The content is a text, a list of parts with texts or values, one such part, or a value itself.
    """
    if isinstance(content.value, str):
        try:
            opened = content.opened()
        except TextError:
            if content.value.strip():
                yield content
            return
        yield from find_payloads(opened) if is_content(opened.value) else [opened]
    elif is_content(content.value):
        found = list(find_payloads(content.at("content")))
        whole = find_structured(content, found)
        yield from [whole] if whole else found
    elif isinstance(content.value, list) and all(map(_is_part, content.value)):
        for part in content.members():
            yield from find_payloads(part)
    elif _is_part(content.value):
        for keys in _IN_PARTS:
            inner = content.get(*keys)
            if inner is not None and inner.value is not None:
                yield from find_payloads(inner)
                return
    elif isinstance(content.value, dict | list):
        yield content


def _is_part(value: Any) -> bool:
    """Whether a value is a part of a message's content, and no payload itself."""
    if not isinstance(value, dict) or not value:
        return False
    kind = value.get("type")
    if kind is None:
        return value.keys() <= _UNTYPED
    is_typed = isinstance(kind, str) and kind in _PARTS
    return is_typed and (_NAMED.isdisjoint(value) or not _HELD.isdisjoint(value))


def holds_pictures(content: Any) -> bool:
    """Whether the content of a tool's result has a part that is no text, such as a picture."""
    parts = content if isinstance(content, list) else [content]
    return any(_is_part(part) and "text" not in part for part in parts)


def is_content(value: Any) -> bool:
    """Whether a value is the result of MCP that holds the parts a model reads."""
    content = value.get("content") if isinstance(value, dict) else None
    return (
        isinstance(content, list)
        and content != []
        and value.keys() <= _ABOUT_CONTENT
        and all(_is_part(part) and "type" in part for part in content)
    )


def find_structured(result: Node, found: Sequence[Node]) -> Node | None:
    """The structured content of a result of MCP, if nothing ``found`` in its content is JSON."""
    whole = result.get("structuredContent")
    is_told = any(isinstance(each.value, dict | list) for each in found)
    return whole if whole and whole.value and not is_told else None


def wrapped(node: Node, keys: Sequence[str], marks: Sequence[str], depth: int) -> Iterator[Node]:
    """An object and those that lie in it under the keys, ``depth`` levels, the outermost first."""
    level = [node]
    for _ in range(depth):
        yield from level
        level = [inner for each in level for inner in inside(each, keys, *marks)]


def inside(node: Node, keys: Sequence[str], *marks: str) -> Iterator[Node]:
    """The objects under those keys of an object. A text is opened if it holds one of the marks."""
    own = keys_of(node.value)
    for key in keys:
        inner = node.value[own[key]] if key in own else None
        if inner is None or (isinstance(inner, str) and not any(mark in inner for mark in marks)):
            continue
        try:
            found = node.at(own[key]).opened()
        except (LookupError, TextError):
            continue
        if isinstance(found.value, dict):
            yield found
