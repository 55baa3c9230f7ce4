"""Text logs of MCP: each message behind a prefix, such as an arrow, a time or a logger's name.

The data lines of an event stream are such lines too. Lines without a message are the log's own, and
no records. A record is the message, with the time of its prefix where that names one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.json_texts import read, read_lines
from toon.traffic.kinds import Cut
from toon.traffic.streams import Chunks

_MESSAGE: Final = re.compile(r'\[?\{\s*"')
_MARK: Final = '"jsonrpc"'
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_LONGEST: Final = 300
_SAMPLE: Final = 50


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """The messages in the lines of a log, numbered by their lines."""
    for line in read_lines(chunks):
        if isinstance(line, Flaw):
            yield line
        elif (start := _start(line.text)) is not None:
            message = line.text[start:]
            if time := _TIME.search(line.text[:start]):
                moment = time[0].replace(",", ".")
                message = f'{{"time": "{moment}", "message": {message.rstrip()}}}'
            yield RawRecord(line.number, message)


def is_prefixed(head: bytes) -> bool:
    """Whether one of the first lines of a text holds a message behind a prefix."""
    lines = islice(read_lines(Chunks(iter([head]))), _SAMPLE)
    return any(isinstance(line, RawRecord) and bool(_start(line.text)) for line in lines)


def _start(text: str) -> int | None:
    """Where the message in a line starts; a prefix holds no quotes, as JSON and CSV would."""
    found = _MESSAGE.search(text, 0, _LONGEST)
    if found is None or _MARK not in text or '"' in text[: found.start()]:
        return None
    return found.start() if text[: found.start()].strip() else 0


KIND: Final = Cut(
    name="prefixed",
    label="text log of messages",
    records="a message a line, behind a prefix",
    kept="the log of a server or client of MCP, of stdio or an event stream",
    split=split,
    read=read,
)
