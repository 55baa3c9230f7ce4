"""What a text is, told by its content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from toon.corpus.readers import chat, csv, har, json_array, jsonl, mcp
from toon.corpus.readers.json_stream import Flaw, Record
from toon.corpus.readers.records import Source, load
from toon.corpus.readers.streams import MAX_RECORD, Chunks
from toon.errors import TextError

#: Bytes looked at, more only where the first record is longer.
HEAD: Final = 1 << 20

UNKNOWN: Final = "not recognised: no JSON objects or arrays where it starts, and no CSV of them"

#: Records looked at.
SAMPLE: Final = 20


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: its name in code, what it is called, and what is taken from it."""

    name: str
    label: str
    taken: str


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind("har", "HAR", "JSON responses, by method and URL with the ids folded"),
        Kind("mcp", "MCP transcript", "results of tools/call, by tool"),
        Kind("chat", "chat-completion log", "what tools answered, by tool"),
        Kind("jsonl", "JSON Lines", "a record a line"),
        Kind("array", "JSON array", "each item is a record"),
        Kind("json", "JSON document", "the whole is one payload"),
        Kind("csv", "CSV", "the column that holds JSON, a payload a row"),
        Kind("zip", "zip archive", "each file in it, by folder or by name"),
    )
}


@dataclass(frozen=True, slots=True)
class Shape:
    """How a text is cut into records (``har``, ``csv``, ``jsonl``, ``array``, ``json``) and what
    these are (``plain``, ``mcp``, ``chat``)."""

    cut: str
    meaning: str = "plain"

    @property
    def kind(self) -> Kind:
        return KINDS[self.cut if self.meaning == "plain" else self.meaning]


def shape_of(chunks: Chunks, source: Source) -> Shape:
    """The shape of a text in UTF-8; the chunks are still all there to be read.

    Raises:
        TextError: it is none that can be read, and why.
    """
    head = chunks.peek(HEAD)
    text = head.decode("utf-8", "replace")
    first = text.lstrip()[:1]
    if not first:
        what = "the file holds nothing but blanks" if head else "the file is empty"
        raise chunks.damage or TextError(what)
    if first == "{" and har.is_har(text):
        return Shape("har")
    if first == "{" and len(head) == HEAD and b"\n" not in head:
        head = chunks.peek(MAX_RECORD + 1)
    found = _lines_that_parse(head)
    if first in "{[" and not _is_lines(head, found):
        return _document(chunks, head, source)
    if found:
        return Shape("jsonl", _meaning(found, source))
    if csv.looks_like(head, source):
        return Shape("csv")
    if first in "{[":
        return Shape("jsonl")
    raise chunks.damage or TextError(UNKNOWN)


def _lines_that_parse(head: bytes) -> list[Any]:
    """The values of the first lines that are each a JSON object or array."""
    found = []
    for record in islice(jsonl.records(Chunks(iter([head]))), SAMPLE):
        value = _value(record) if isinstance(record, Record) else None
        if isinstance(value, dict | list):
            found.append(value)
    return found


def _is_lines(head: bytes, found: list[Any]) -> bool:
    """Whether a text that starts like JSON is one record a line.

    So it is if the first line is JSON by itself and more follows, or is longer than a record may
    be; or it is damaged, and every other starts a record and one at least is good.
    """
    first, end, rest = head.lstrip().partition(b"\n")
    if not end and len(head) > MAX_RECORD:
        return not first.startswith(b"[")
    if not rest.strip() or not found:
        return False
    if isinstance(_value_of(first), dict | list):
        return True
    if len(head) < HEAD and _value_of(head) is not None:
        return False
    some = islice((line.strip()[:1] for line in rest.split(b"\n") if line.strip()), SAMPLE)
    return first.strip() not in (b"{", b"[") and all(start in (b"{", b"[") for start in some)


def _document(chunks: Chunks, head: bytes, source: Source) -> Shape:
    cut = "array" if head.lstrip()[:1] == b"[" else "json"
    meaning = _meaning(list(islice(_sample(head, cut), SAMPLE)), source)
    if cut == "array" and meaning == "plain" and source.whole and source.payload_path is None:
        cut = "array" if len(chunks.peek(MAX_RECORD + 1)) > MAX_RECORD else "json"
    return Shape(cut, meaning)


def _sample(head: bytes, cut: str) -> Iterator[Any]:
    chunks = Chunks(iter([head]))
    records = json_array.items(chunks) if cut == "array" else json_array.documents(chunks)
    for record in records:
        if isinstance(record, Flaw):
            return
        yield _value(record)


def _meaning(values: list[Any], source: Source) -> str:
    if source.payload_path is not None:
        return "plain"
    if any(map(mcp.is_transcript, values)):
        return "mcp"
    return "chat" if any(map(chat.is_chat, values)) else "plain"


def _value_of(data: bytes) -> Any:
    return _value(Record(1, data.decode("utf-8", "replace")))


def _value(record: Record | Flaw) -> Any:
    """The value of a record, None where it has none."""
    try:
        return load(record.text) if isinstance(record, Record) else None
    except TextError:
        return None
