"""Detects the kind of a text from its content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from toon.corpus.readers import chat, csv, har, json_array, jsonl, mcp
from toon.corpus.readers.json_stream import Flaw, RawRecord
from toon.corpus.readers.records import Origin, parse
from toon.corpus.readers.streams import HEAD, MAX_RECORD, Chunks
from toon.errors import TextError

UNKNOWN: Final = "not recognised: no JSON objects or arrays where it starts, and no CSV of them"

#: Records examined.
SAMPLE: Final = 20


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: its name, its label for people, and what its records are."""

    name: str
    label: str
    records: str


FILE_KINDS: Final = {
    kind.name: kind
    for kind in (
        FileKind("har", "HAR", "JSON responses, by method and URL with the ids folded"),
        FileKind("mcp", "MCP transcript", "results of tools/call, by tool"),
        FileKind("chat", "chat-completion log", "what tools answered, by tool"),
        FileKind("jsonl", "JSON Lines", "a record a line"),
        FileKind("array", "JSON array", "each item is a record"),
        FileKind("json", "JSON document", "the whole is one payload"),
        FileKind("csv", "CSV", "the column that holds JSON, a payload a row"),
        FileKind("zip", "zip archive", "each file in it, by folder or by name"),
    )
}


@dataclass(frozen=True, slots=True)
class Shape:
    """How a text is split into records, and what these are.

    ``cut`` is ``har``, ``csv``, ``jsonl``, ``array`` or ``json``; ``meaning`` is ``plain``,
    ``mcp`` or ``chat``.
    """

    cut: str
    meaning: str = "plain"

    @property
    def kind(self) -> FileKind:
        return FILE_KINDS[self.cut if self.meaning == "plain" else self.meaning]


def detect_shape(chunks: Chunks, origin: Origin) -> Shape:
    """The shape of a text in UTF-8. The chunks are not consumed.

    Raises:
        TextError: The text is not recognised, or is damaged before it could be.
    """
    head = chunks.peek(HEAD)
    text = head.decode("utf-8", "replace")
    first = text.lstrip()[:1]
    if not first:
        reason = "the file holds nothing but blanks" if head else "the file is empty"
        raise chunks.damage or TextError(reason)
    if first == "{" and har.is_har(text):
        return Shape("har")
    if first == "{" and len(head) == HEAD and b"\n" not in head:
        head = chunks.peek(MAX_RECORD + 1)
    values = _parse_lines(head)
    if first in "{[" and not _is_jsonl(head, values):
        return _document(chunks, head, origin)
    if values:
        return Shape("jsonl", _detect_meaning(values, origin))
    if csv.find_columns(head, origin):
        return Shape("csv")
    if first in "{[":
        return Shape("jsonl")
    raise chunks.damage or TextError(UNKNOWN)


def _parse_lines(head: bytes) -> list[Any]:
    """The values of those first lines that are each a JSON object or array."""
    values = map(_parse, islice(jsonl.read_lines(Chunks(iter([head]))), SAMPLE))
    return [value for value in values if isinstance(value, dict | list)]


def _is_jsonl(head: bytes, values: list[Any]) -> bool:
    """Whether a text that starts like JSON holds one record per line; ``values`` are of its lines.

    It does if the first line is JSON and more lines follow, or if the first line is longer than a
    record may be. It also does if the first line is damaged, but all lines look like the start of
    a record and at least one is good.
    """
    first, end, rest = head.lstrip().partition(b"\n")
    if not end and len(head) > MAX_RECORD:
        return not first.startswith(b"[")
    if not rest.strip() or not values:
        return False
    if isinstance(_parse_bytes(first), dict | list):
        return True
    if len(head) < HEAD and _parse_bytes(head) is not None:
        return False
    starts = islice((line.strip()[:1] for line in rest.split(b"\n") if line.strip()), SAMPLE)
    return first.strip() not in (b"{", b"[") and all(start in (b"{", b"[") for start in starts)


def _document(chunks: Chunks, head: bytes, origin: Origin) -> Shape:
    cut = "array" if head.lstrip()[:1] == b"[" else "json"
    meaning = _detect_meaning(list(islice(_parse_records(head, cut), SAMPLE)), origin)
    if cut == "array" and meaning == "plain" and origin.whole and origin.payload_path is None:
        cut = "array" if len(chunks.peek(MAX_RECORD + 1)) > MAX_RECORD else "json"
    return Shape(cut, meaning)


def _parse_records(head: bytes, cut: str) -> Iterator[Any]:
    chunks = Chunks(iter([head]))
    records = json_array.read_items(chunks) if cut == "array" else json_array.read_documents(chunks)
    for record in records:
        if isinstance(record, Flaw):
            return
        yield _parse(record)


def _detect_meaning(values: list[Any], origin: Origin) -> str:
    if origin.payload_path is not None:
        return "plain"
    if any(map(mcp.is_transcript, values)):
        return "mcp"
    return "chat" if any(map(chat.is_chat, values)) else "plain"


def _parse_bytes(data: bytes) -> Any:
    return _parse(RawRecord(1, data.decode("utf-8", "replace")))


def _parse(record: RawRecord | Flaw) -> Any:
    """The value of a record; None if it is not JSON."""
    try:
        return parse(record.text) if isinstance(record, RawRecord) else None
    except TextError:
        return None
