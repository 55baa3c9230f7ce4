"""Results that programs write into texts of a conversation: behind a mark, between tags."""

import html
import re
from collections.abc import Iterator
from typing import Any, Final

from toon.traffic.locate import name_group
from toon.traffic.tools import UNKNOWN_TOOL

#: Results of Cline and its kin, of Qwen and Hermes, and of Open WebUI.
_BEHIND: Final = re.compile(r"\A\[([\w-]+)[^\n\]]*\] Result:\s*")
_TAGS: Final = ("<tool_response>", "</tool_response>")
_FOLDED: Final = '<details type="tool_calls"'
_ATTRIBUTE: Final = re.compile(r'\b(id|name|result)="([^"]*)"')


def announced_by(part: Any) -> str | None:
    """Return the tool that a text part of a message announces the result of, or None."""
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
