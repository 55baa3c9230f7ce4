"""Payloads in tools' results, and the names of called tools, for all logs of agents."""

import html
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.keys import Path, chosen, keys_of, plain
from toon.traffic.language import names_call
from toon.traffic.locate import Node, name_group, parse
from toon.traffic.slices import NotJson, find_end, skip_blank

#: Calls that are kept until their result comes; beyond that the oldest is forgotten.
MAX_CALLS: Final = 100_000

#: The group of a result whose call is not in the file.
UNKNOWN_TOOL: Final = "(unknown tool)"

#: The types of a message's parts.
_PARTS: Final = frozenset([
    "text", "input_text", "output_text", "json", "content", "image", "image_url", "input_image",
    "image-data", "media", "audio", "input_audio", "video", "file", "input_file", "document",
    "search_result", "resource", "resource_link", "tool_reference", "embed",
    "execution_output", "multimodal_text", "code",
])  # fmt: skip
#: An object of such a type that has a name, but none of a part's members, is a payload, such as
#: ``{"name": "a.txt", "type": "file"}`` in the list of a folder.
_NAMED: Final = frozenset(["name", "path", "title", "size"])
_HELD: Final = frozenset([
    "text", "json", "resource", "value", "content", "source", "data", "base64", "image",
    "image_url", "audio", "input_audio", "video", "media", "document", "file", "file_id",
    "file_data", "file_url", "uri", "mimeType", "mime_type", "mediaType", "media_type",
])  # fmt: skip
#: The keys of parts without a type, as Bedrock's Converse and Amazon Q have them.
_UNTYPED: Final = frozenset([
    "text", "json", "image", "document", "video", "searchResult", "$mid", "Text", "Json",
])  # fmt: skip
#: The keys of a part's type.
_TYPES: Final = ("type", "block_type", "content_type")
#: Paths to what the model reads of a part; the first present counts. Other parts are files.
_IN_PARTS: Final = (
    ("text",), ("json",), ("resource", "text"), ("value",), ("document", "data"), ("content",),
    ("Text",), ("Json",),
)  # fmt: skip
#: The keys of a result of MCP.
_ABOUT_CONTENT: Final = frozenset(["content", "iserror", "structuredcontent", "meta"])


#: Keys of the text in an object that only wraps it, and keys that may stand beside it.
_WRAPPING: Final = frozenset(["output", "result", "content", "text", "value", "response"])
_TOLD: Final = frozenset(["detailedcontent", "success", "exitcode", "absolutepath"])
_BESIDE: Final = _TOLD | {"iserror", "type", "status", "$mid", "kind", "contents"}
#: Keys of Codex beside a command's output.
_OF_RUN: Final = frozenset(["exitcode", "durationseconds"])
#: Marks of some programs before a tool's answer, or tags around it.
_BEFORE: Final = re.compile(
    r"(?:Call id: [^\n]*\n)?Observation:|<(tool_response|tool_result|observation)>"
)


#: Marks of logs where they cut a text.
_CUT: Final = re.compile(
    r"litellm_truncated|\b[0-9,]{1,12} (?:more )?(?:char|byte|token)[\w ]{0,40} truncated"
    r"|(?:\.\.\.|…) ?[\[(<]?(?:output )?truncated|\[truncated|truncated [0-9,]{1,12} char"
)


class Calls(OrderedDict[str, str]):
    """The names of the tools that a log calls, by the id of the call; ``note`` is called with each.

    ``model``, ``conversation`` and ``project`` are the last that the log named. Ids begin anew in
    each ``session``.
    """

    note: Callable[[str], None] | None = None
    session: str = ""
    model: str | None = None
    conversation: str | None = None
    project: str | None = None

    def key(self, id: str) -> str:
        """Return a call's id in a form that is unique over the sessions of a log."""
        return f"{self.session} {id}" if self.session else id

    def remember(self, id: str, tool: str) -> None:
        name = self[self.key(id)] = name_group(tool)
        if self.note:
            self.note(name)
        if len(self) > MAX_CALLS:
            self.popitem(last=False)


def find_payloads(content: Node) -> Iterator[Node]:
    """Yield what a model reads of a tool's result: JSON objects, arrays, and texts without JSON.

    The content is a text, a part, a list of parts, a value, or an object or text that wraps one.
    """
    value = content.value
    if isinstance(value, str):
        bare = value.strip()
        if before := _BEFORE.match(bare):
            for text in _unpacked(bare, before):
                yield from find_payloads(Node(text, "", (), content.place))
            return
        try:
            opened = content.opened()
        except TextError:
            if value.strip():
                yield content
            return
        yield from find_payloads(opened) if _is_wrapped(opened.value) else [opened]
    elif is_content(value):
        found = list(find_payloads(content.at("content")))
        whole = find_structured(content, found)
        yield from [whole] if whole else found
    elif isinstance(value, list) and all(isinstance(each, str) or _is_part(each) for each in value):
        if value and all(isinstance(each, str) for each in value) and not any(map(is_json, value)):
            yield content
            return
        for part in content.members():
            yield from find_payloads(part)
    elif _is_part(value):
        for keys in _IN_PARTS:
            inner = content.get(*keys)
            if inner is not None and inner.value is not None:
                yield from find_payloads(inner)
                return
    elif (key := _wraps(value)) is not None:
        yield from find_payloads(content.at(key))
    elif isinstance(value, dict | list):
        yield content


def _unpacked(text: str, before: re.Match[str]) -> list[str]:
    """Return the answers in a text behind the match ``before``: between its tags, or all of it."""
    tag, text = before[1], text[before.end() :]
    if tag is None:
        return [text.strip()]
    return [each.strip() for each in re.split(f"</?{tag}>", text) if each.strip()]


def _is_wrapped(value: Any) -> bool:
    """Return whether the value of a JSON text is only a wrapper around a tool's answer."""
    if isinstance(value, list):
        return value != [] and all(_is_part(part) and "type" in part for part in value)
    is_part = _is_part(value) and "type" in value and isinstance(value.get("text"), str)
    return is_part or is_content(value) or _wraps(value) is not None


def _wraps(value: Any) -> str | None:
    """Return the key under which a JSON object only wraps a text; None if it is a payload."""
    if not isinstance(value, dict):
        return None
    beside = _BESIDE | {"name"} if names_call(str(value.get("type"))) else _BESIDE
    keys = [
        key
        for key, each in value.items()
        if plain(key) not in beside
        and not (isinstance(each, dict) and each and _OF_RUN.issuperset(map(plain, each)))
    ]
    text = value[keys[0]] if len(keys) == 1 else None
    if not isinstance(text, str) or plain(keys[0]) not in _WRAPPING:
        return None
    is_told = plain(keys[0]) in ("content", "output") and any(plain(key) in _TOLD for key in value)
    return keys[0] if is_told or is_json(text) else None


def is_json(text: Any) -> bool:
    """Return whether a value is a string that holds a JSON object or array."""
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        parse(text)
    except TextError:
        return False
    return True


def _is_part(value: Any) -> bool:
    """Return whether a JSON value is a part of a message's content, and so no payload."""
    if not isinstance(value, dict) or not value:
        return False
    kind = next((value[key] for key in _TYPES if key in value), None)
    if kind is None:
        return value.keys() <= _UNTYPED or ("$mid" in value and "value" in value)
    is_typed = isinstance(kind, str) and kind in _PARTS
    return is_typed and (_NAMED.isdisjoint(value) or not _HELD.isdisjoint(value))


#: Values that may break off in the middle, where no other text is left.
_LITERALS: Final = ("true", "false", "null")


def is_cut(text: str) -> bool:
    """Return whether a text began as JSON and was cut by the log, at its end or in its middle."""
    start = skip_blank(text, 0)
    if text[start : start + 1] not in ("{", "["):
        return False
    if _CUT.search(text):
        return True
    try:
        find_end(text, start)
    except NotJson as error:
        rest = None if error.at is None else text[error.at :].strip()
        return rest is not None and any(word.startswith(rest) for word in _LITERALS)
    except RecursionError:
        return False
    return False


def holds_pictures(content: Any) -> bool:
    """Return whether a tool's result has a part that is no text, such as a picture."""
    parts = content if isinstance(content, list) else [content]
    return any(_is_part(part) and "text" not in part for part in parts)


def is_content(value: Any) -> bool:
    """Return whether a value is an MCP result with a ``content`` of parts that a model reads."""
    content = value.get("content") if isinstance(value, dict) else None
    return (
        isinstance(content, list)
        and content != []
        and _ABOUT_CONTENT.issuperset(map(plain, value))
        and all(_is_part(part) and "type" in part for part in content)
    )


def find_structured(result: Node, found: Sequence[Node]) -> Node | None:
    """Return an MCP result's structured content; None if absent, or if a ``found`` text is JSON."""
    whole = seek(result, ("structuredcontent",))
    is_told = any(isinstance(each.value, dict | list) for each in found)
    return whole if whole and whole.value and not is_told else None


def seek(node: Node, path: Path) -> Node | None:
    """Return a JSON object's member at a path of keys, compared without case, ``_`` and ``-``.

    None if there is none, or if it is null.
    """
    found = node
    for step in path:
        key = keys_of(found.value).get(step) if isinstance(found.value, dict) else None
        if key is None:
            return None
        found = found.child(key)
    return None if found.value is None else found


def wrapped(node: Node, keys: tuple[str, ...], marks: Sequence[str], depth: int) -> Iterator[Node]:
    """Yield a JSON object, then the objects under its ``keys``, down to ``depth`` levels.

    A string that contains one of ``marks`` is parsed as JSON.
    """
    level = [node]
    for _ in range(depth):
        yield from level
        level = [inner for each in level for inner in inside(each, keys, *marks)]


def inside(node: Node, keys: tuple[str, ...], *marks: str) -> Iterator[Node]:
    """Yield the objects under some keys of a JSON object.

    A string that contains one of ``marks`` is parsed as JSON.
    """
    for key in chosen(node.value, keys):
        inner = node.value[key]
        if inner is None or (isinstance(inner, str) and not any(mark in inner for mark in marks)):
            continue
        try:
            found = node.child(key).opened()
        except (LookupError, TextError):
            continue
        if isinstance(found.value, dict):
            yield found


# -- results that programs write into texts of a conversation ----------------------------------

#: Results of Cline and its kin, of Qwen and Hermes, and of Open WebUI.
_BEHIND: Final = re.compile(r"\A\[([\w-]+)[^\n\]]*\] Result:\s*")
_TAGS: Final = ("<tool_response>", "</tool_response>")
_FOLDED: Final = '<details type="tool_calls"'
_ATTRIBUTE: Final = re.compile(r'\b(id|name|result)="([^"]*)"')


def announced_by(part: Any) -> str | None:
    """Return the tool whose result a text part of a message announces as the next part, or None."""
    text = part.get("text") if isinstance(part, dict) else None
    behind = _BEHIND.match(text) if isinstance(text, str) else None
    return name_group(behind[1]) if behind and not part["text"][behind.end() :] else None


def written_in(text: str) -> Iterator[tuple[str, str | None, str]]:
    """Find the results of tools that a program wrote into a message's text.

    Yield each tool's name, the call's id or None, and the answer.
    """
    behind = _BEHIND.match(text)
    if behind and text[behind.end() :]:
        yield name_group(behind[1]), None, text[behind.end() :]
    for tagged in text.split(_TAGS[0])[1:]:
        answer, closed, _ = tagged.partition(_TAGS[1])
        if closed:
            yield UNKNOWN_TOOL, None, answer.strip()
    for folded in text.split(_FOLDED)[1:]:
        named = _ATTRIBUTE.findall(folded.partition(">")[0])
        found = {key: html.unescape(value) for key, value in named}
        inside = folded.partition("</summary>")[2].partition("</details>")[0]
        if result := found.get("result") or html.unescape(inside).strip():
            tool = name_group(found["name"]) if found.get("name") else UNKNOWN_TOOL
            yield tool, found.get("id"), result
