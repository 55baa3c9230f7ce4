"""Figures in place of a recording: a call is measured where it is recorded, and its text dropped.

Of a payload its counts remain, of a call of a model its name and usage, of all else what the notes
of a recording say, without anything that was sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

import orjson

from toon.measuring.measure import Settings, figures_of
from toon.tap.calls import note_line, read_json
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
        about = {"tap": "figures", "time": record["time"]}
        for item in tap.read(RawRecord(1, line.decode()), Origin("", "")):
            if not isinstance(item, Payload):
                if record["tap"] == "mcp" and not item.is_skipped:
                    yield note_line(time.time(), item.reason)
                continue
            try:
                figures = orjson.Fragment(figures_of(item, self._settings))
            except (ValueError, RecursionError):
                yield note_line(time.time(), f"{item.group}: it cannot be measured")
                continue
            group = {"group": item.group, "model": item.model}
            yield orjson.dumps({**about, **group, "figures": figures}) + b"\n"
        if record["tap"] == "model":
            yield orjson.dumps(_without_text(record)) + b"\n"


def _without_text(record: dict[str, object]) -> dict[str, object]:
    kept: dict[str, object] = {key: record[key] for key in _CALL if key in record}
    for side in ("request", "response"):
        body = record.get(side)
        found = body if isinstance(body, dict) else {}
        kept[side] = {key: found[key] for key in _BODY if key in found}
    return kept
