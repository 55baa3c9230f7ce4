"""Text logs: JSON behind a prefix, such as an arrow, a time or a logger's name.

The data lines of an event stream of MCP messages are such lines too. Lines without JSON are the
log's own, and no records. Lines that are kept in records, as by docker and CloudWatch, are taken
out of these. A record of an MCP log is a message, with the time of its prefix.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from toon.errors import TextError
from toon.traffic import csv
from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.json_texts import read, read_items, read_lines
from toon.traffic.kinds import Cut
from toon.traffic.locate import read_record
from toon.traffic.streams import MAX_RECORD, Chunks
from toon.values.log_lines import find_json, group_entries, is_logged

_MESSAGE: Final = '"jsonrpc"'
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_ARRAY: Final = re.compile(rb"\s*\[\s*\{")
_JSON: Final = re.compile(rb"\s*(?:\[\s*)?\{")
_PEEKED: Final = 1_000
_SAMPLE: Final = 50

#: Pairs of keys that a record with a kept line has: that of the line, and another.
_KEPT: Final = (
    ("log", "stream"),  # docker's json-file, which splits a long line
    ("@message", "@timestamp"),  # CloudWatch
    ("MESSAGE", "__REALTIME_TIMESTAMP"),  # systemd's journal
    ("textPayload", "logName"),  # Google Cloud
)


def split(chunks: Chunks, mark: str = "") -> Iterator[RawRecord | Flaw]:
    """Yield the JSON in each line of a text log, numbered by line; skip lines without JSON.

    A line that cannot be read is a Flaw. With a ``mark`` only lines that contain it count, and a
    record holds the JSON as ``message``, beside the time of the line's prefix.
    """
    for entry in group_entries(_lines(_records(chunks)), _text_of):
        first, text = entry[0], "\n".join(map(_text_of, entry))
        if isinstance(first, Flaw):
            yield first
        elif mark in text and (place := find_json(text)):
            message = text[place].rstrip()
            if mark and (time := _TIME.search(text, 0, place.start)):
                moment = time[0].replace(",", ".")
                message = f'{{"time": "{moment}", "message": {message}}}'
            yield RawRecord(first.number, message)


def find_cut(head: bytes) -> Cut | None:
    """Return how to cut a text log that starts with ``head`` into records; None for other texts."""
    records = list(islice(_records(Chunks(iter([head]))), _SAMPLE))
    is_kept = any(isinstance(each, RawRecord) and _kept(each.text) for each in records)
    if not is_kept and _JSON.match(head):
        return None
    is_log = False
    for entry in group_entries(_lines(iter(records)), _text_of):
        text = "\n".join(map(_text_of, entry))
        if (place := find_json(text)) is None:
            continue
        before = text[: place.start].strip()
        if _MESSAGE in text and (is_kept or before) and '"' not in before:
            return MESSAGES
        is_log |= is_kept or (before[:1] not in ('"', "") and is_logged(text))
    return KIND if is_log and (is_kept or csv.find_rows(head) is None) else None


def _records(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    return (read_items if _ARRAY.match(chunks.peek(_PEEKED)) else read_lines)(chunks)


def _lines(records: Iterator[RawRecord | Flaw]) -> Iterator[RawRecord | Flaw]:
    """Yield the log lines in JSON records such as docker's, and all other records unchanged."""
    begun = ""
    for record in records:
        kept = None if isinstance(record, Flaw) else _kept(record.text)
        if kept is None:
            yield record
            continue
        key, line = kept
        if key == "log" and not line.endswith("\n") and len(begun) <= MAX_RECORD:
            begun += line
        else:
            yield RawRecord(record.number, begun + line.rstrip("\r\n"))
            begun = ""


def _kept(record: str) -> tuple[str, str] | None:
    """Return the key and the log line in a JSON record such as docker's; None for others."""
    for key, beside in _KEPT:
        if f'"{key}"' in record and f'"{beside}"' in record and record.lstrip()[:1] == "{":
            try:
                node = read_record(record)
                line = node.at(key)
                return key, line.value if isinstance(line.value, str) else line.text
            except (TextError, LookupError):
                continue
    return None


def _text_of(line: RawRecord | Flaw) -> str:
    return line.text if isinstance(line, RawRecord) else line.reason


MESSAGES: Final = Cut(
    "prefixed", "text log of messages", "a message a line, behind a prefix",
    "the log of a server or client of MCP, of stdio or an event stream",
    split=partial(split, mark=_MESSAGE), read=read,
)  # fmt: skip
KIND: Final = Cut(
    "text", "text log", "the JSON in its lines",
    "the log of a service: text, docker's json-file, CloudWatch", split=split, read=read,
)  # fmt: skip
