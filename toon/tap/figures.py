"""Figures in place of a recording: a call is measured where it is recorded, and its text dropped.

Of a payload its counts remain, of a tool its name and what its definition counts, of a call of a
model its name and usage, of all else what the notes of a recording say, without anything that was
sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

import orjson

from toon.measuring.definitions import count_definition
from toon.measuring.measure import Settings, figures_of
from toon.tap.calls import note_line, read_json
from toon.traffic.definitions import MAX_DEFINITIONS, Definitions
from toon.traffic.envelopes import tap
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Origin
from toon.traffic.payload import Payload

#: What of a call of a model is kept, and of its two bodies.
_CALL: Final = ("tap", "time", "seconds", "path", "status", "fault")
_BODY: Final = ("model", "modelVersion", "usage", "usageMetadata")


class Figures:
    """Turns each line of a recording into lines without text, and hands them to ``append``."""

    def __init__(self, append: Callable[[bytes], None], settings: Settings) -> None:
        self._append, self._settings = append, settings

    def __call__(self, line: bytes) -> None:
        """Takes a line of a recording.

        Raises:
            OSError: What becomes of it cannot be written.
        """
        record = read_json(line)
        lines = [line] if record["tap"] in ("note", "other") else list(self._lines(line, record))
        if lines:
            self._append(b"".join(lines))

    def _lines(self, line: bytes, record: dict[str, object]) -> Iterator[bytes]:
        about, origin = {"tap": "figures", "time": record["time"]}, Origin("", "")
        measured = set[str]()
        for item in tap.read(RawRecord(1, line.decode()), origin):
            if not isinstance(item, Payload):
                if record["tap"] == "mcp" and not item.is_skipped:
                    yield note_line(time.time(), item.reason)
                continue
            try:
                figures = orjson.Fragment(figures_of(item, self._settings))
            except (ValueError, RecursionError):
                yield note_line(time.time(), f"{item.group}: it cannot be measured")
                continue
            measured.add(item.group)
            group = {"group": item.group, "model": item.model}
            yield orjson.dumps({**about, **group, "figures": figures}) + b"\n"
        tools = self._tools(origin.account.definitions, measured)
        if tools["called"] or tools["defined"]:
            yield orjson.dumps({"tap": "tools", "time": record["time"], **tools}) + b"\n"
        if record["tap"] == "model":
            yield orjson.dumps(_without_text(record)) + b"\n"

    def _tools(self, found: Definitions, measured: set[str]) -> dict[str, Any]:
        """The tools that were called and not ``measured``, and the figures of those defined."""
        defined = [
            {"tool": each.tool, "server": each.server, "tokens": self._tokens(each.text)}
            for each, tally in found.sent.items()
            for _ in range(tally.requests + tally.listed)
        ]
        called = sorted(found.called - measured)
        return {"listed": not found.requests, "called": called, "defined": defined}

    def _tokens(self, text: str) -> dict[str, tuple[int, int]]:
        """What a definition counts by each tokenizer; none if it cannot be counted."""
        try:
            return {name: _count(text, name) for name in self._settings.tokenizers}
        except (ValueError, RecursionError):
            return {}


@lru_cache(maxsize=MAX_DEFINITIONS)
def _count(text: str, tokenizer: str) -> tuple[int, int]:
    """As it is counted; requests send the same definitions again."""
    return count_definition(text, tokenizer)


def _without_text(record: dict[str, object]) -> dict[str, object]:
    kept: dict[str, object] = {key: record[key] for key in _CALL if key in record}
    for side in ("request", "response"):
        body = record.get(side)
        found = body if isinstance(body, dict) else {}
        kept[side] = {key: found[key] for key in _BODY if key in found}
    return kept
