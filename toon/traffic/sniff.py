"""Detection of a log's kind, and of where its payloads lie, from its content."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from toon.errors import TextError
from toon.traffic import archive, csv, har, json_texts, parquet, prefixed
from toon.traffic.envelopes import ENVELOPES, collection, spans
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Cut, Envelope, Kind, Origin
from toon.traffic.locate import PAYLOAD_KEY, Node, is_envelope, parse
from toon.traffic.streams import HEAD, MAX_RECORD, Chunks
from toon.traffic.wrapped import refuse_wrapped
from toon.values.paths import Step

UNKNOWN: Final = "not recognised: no JSON objects or arrays where it starts, and no CSV of them"

_SQLITE: Final = b"SQLite format 3\0"
_DATABASE: Final = (
    "a SQLite database, as Cursor, goose, opencode, Crush, Zed and llm keep their sessions in: "
    "export these (goose session export, opencode export), or write the column that holds the "
    "JSON as JSON Lines"
)

#: Records to examine, records of one shape among them, and records to find them in.
SAMPLE: Final = 20
ALIKE: Final = 5
LOOKED_AT: Final = 2_000
#: The depth of objects whose members tell records apart.
_DEEPEST: Final = 3


def known_kinds() -> tuple[Kind, ...]:
    """Return every kind of log file that is read: tools' logs first, then general kinds."""
    lines, items, documents = json_texts.LINES, json_texts.ITEMS, json_texts.DOCUMENTS
    texts = (har.KIND, collection.BRUNO, lines, items, documents, csv.KIND)
    return (*ENVELOPES, *texts, parquet.KIND, archive.KIND)


class Shape(NamedTuple):
    """How to read a log: how to cut its text into records, their kind, and paths into them."""

    cut: Cut
    kind: Cut | Envelope
    origin: Origin


def detect_shape(chunks: Chunks, origin: Origin) -> Shape:
    """Find out from the first chunks of a log's UTF-8 text how to read it, as a Shape.

    The chunks are not consumed.

    Raises:
        TextError: The text is not recognised, is damaged before it could be, or holds records
            that wrap their payloads in an unknown way (:class:`.WrappedError`).
    """
    if chunks.peek(len(parquet.MAGIC)) == parquet.MAGIC:
        return _sampled(parquet.KIND, chunks, origin)
    head = chunks.peek(HEAD)
    if head.startswith(_SQLITE):
        raise TextError(_DATABASE)
    text = head.decode("utf-8", "replace")
    first = text.lstrip()[:1]
    if not first:
        reason = "the file holds nothing but blanks" if head else "the file is empty"
        raise chunks.damage or TextError(reason)
    if first == "{" and har.is_har(text):
        return Shape(
            har.KIND, har.KIND, replace(origin, payload_path=None)
        )  # a HAR has places of its own
    if origin.payload_path is None and b"\n" not in head.strip() and spans.is_export(text):
        return _document(chunks, head, origin)
    if first == "{" and len(head) == HEAD and b"\n" not in head:
        head = chunks.peek(MAX_RECORD + 1)
    if collection.is_bruno(text):
        return Shape(collection.BRUNO, collection.BRUNO, origin)
    if head.lstrip().partition(b"\n")[0].rstrip() == b"{":
        return _document(chunks, head, origin)
    values = _parse_lines(head)
    is_asked = origin.payload_path is not None and first in "{["  # a path starts at the record
    if not is_asked and (log := prefixed.find_cut(head)) is not None:
        return _sampled(log, Chunks(iter([head])), origin)
    if first in "{[" and not _is_jsonl(head, values):
        return _document(chunks, head, origin)
    if values:
        return _sampled(json_texts.LINES, Chunks(iter([head])), origin)
    if (table := csv.find_rows(head)) is not None:
        return _rows(table, origin)
    if first in "{[":
        return Shape(json_texts.LINES, json_texts.LINES, origin)
    raise chunks.damage or TextError(UNKNOWN)


def _parse_lines(head: bytes) -> list[Any]:
    """Parse the first lines of a text; return those that are a JSON object or array."""
    records = islice(json_texts.read_lines(Chunks(iter([head]))), SAMPLE)
    # Parsing locates each failure, which takes long for the lines of an indented document.
    texts = (each.text.strip() for each in records if isinstance(each, RawRecord))
    values = (_parse_text(text) for text in texts if text[:1] in ("{", "[") and len(text) > 1)
    return [value for value in values if isinstance(value, dict | list)]


def _sample(records: Iterable[RawRecord]) -> list[Any]:
    """Parse the first records of a log; return up to 20 values, few of them with the same keys.

    So a log is recognised even if its first lines, however many, are of another kind. With the same
    keys a few more count whose members are of other types.
    """
    found: list[Any] = []
    seen = Counter[Any]()
    for record in islice(records, LOOKED_AT):
        if (value := _parse_text(record.text)) is None:
            continue
        keys = (frozenset(value), str(value.get("type"))) if isinstance(value, dict) else None
        held = keys and _held(value)
        seen.update((keys, held))
        if seen[keys] <= ALIKE or (seen[held] <= ALIKE and seen[keys, "more"] < ALIKE):
            seen[keys, "more"] += seen[keys] > ALIKE
            found.append(value)
        if len(found) == SAMPLE:
            break
    return found


def _held(value: Any, depth: int = 0) -> Any:
    """Return the name of a JSON value's type; of an object, a set of its members' keys and types.

    A string of JSON has the type "JSON". Records with equal results are of one form.
    """
    if isinstance(value, dict) and depth < _DEEPEST:
        return frozenset((key, _held(each, depth + 1)) for key, each in value.items())
    is_json = isinstance(value, str) and value.lstrip()[:1] in ("{", "[")
    return "JSON" if is_json else type(value).__name__


def _is_jsonl(head: bytes, values: list[Any]) -> bool:
    """Return whether a text like JSON is JSON Lines; ``values`` are of its first good lines.

    It is if the first line is JSON and more lines follow, or if the first line is longer than a
    record may be. It also is if the first line is damaged, but all lines look like the start of a
    record and at least one is good.
    """
    first, end, rest = head.lstrip().partition(b"\n")
    if not end and len(head) > MAX_RECORD:
        return not first.startswith(b"[")
    if not rest.strip() or not values:
        return False
    if isinstance(_parse_text(first.decode("utf-8", "replace")), dict | list):
        return True
    if len(head) < HEAD and _parse_text(head.decode("utf-8", "replace")) is not None:
        return False
    starts = islice((line.strip()[:1] for line in rest.split(b"\n") if line.strip()), SAMPLE)
    return first.strip() != b"[" and all(start in (b"{", b"[") for start in starts)


def _document(chunks: Chunks, head: bytes, origin: Origin) -> Shape:
    cut = json_texts.ITEMS if head.lstrip()[:1] == b"[" else json_texts.DOCUMENTS
    if cut is json_texts.DOCUMENTS and len(head) == HEAD:  # the end of a long session tells as much
        head = chunks.peek(MAX_RECORD + 1)
    if origin.payload_path is None and spans.is_export(head.decode("utf-8", "replace")):
        cut = spans.SPANS
    shape = _sampled(cut, Chunks(iter([head])), origin)
    is_one = cut is json_texts.ITEMS and shape.kind is cut and origin.whole
    if is_one and origin.payload_path is None and len(chunks.peek(MAX_RECORD + 1)) <= MAX_RECORD:
        return Shape(json_texts.DOCUMENTS, json_texts.DOCUMENTS, origin)
    return shape


def _rows(table: csv.Table, origin: Origin) -> Shape:
    """Return the Shape to read a CSV by: a tool's log, or payloads in its fullest column."""
    values = [parse(row.text) for row in table.sample]
    for envelope in ENVELOPES if origin.payload_path is None else ():
        if _recognises(envelope, values):
            return Shape(csv.KIND, envelope, origin)
    found = csv.find_columns(table, origin)
    if origin.payload_path is None:
        _refuse_at(found, values)
    return Shape(csv.KIND, csv.KIND, found)


def _refuse_at(origin: Origin, values: list[Any]) -> None:
    """Raise WrappedError if payloads at a default path of sample records wrap other payloads."""
    path = origin.payload_path or ()
    found = (Node(value, "").get(*path) for value in values)
    inner = (node.value if node else None for node in found)
    _refuse([_parse_text(each) if isinstance(each, str) else each for each in inner], path)


def _refuse(values: list[Any], path: tuple[Step, ...] = ()) -> None:
    """Raise WrappedError if sample records wrap payloads in an unknown way, HARs excepted."""
    if not any(map(har.is_traffic, values)):
        refuse_wrapped(values, path)


def _sampled(cut: Cut, chunks: Chunks, origin: Origin) -> Shape:
    """Return the Shape to read a text by that ``cut`` splits, judged by its first records."""
    if origin.payload_path is not None:
        return Shape(cut, cut, origin)
    values = _sample(each for each in cut.split(chunks) if isinstance(each, RawRecord))
    for envelope in ENVELOPES:
        if _recognises(envelope, values):
            return Shape(cut, envelope, origin)
    if cut is not json_texts.DOCUMENTS and values and all(map(is_envelope, values[:ALIKE])):
        found = replace(origin, payload_path=(PAYLOAD_KEY,))
        _refuse_at(found, values)
        return Shape(cut, cut, found)
    _refuse(values)
    return Shape(cut, cut, origin)


def _recognises(envelope: Envelope, values: list[Any]) -> bool:
    try:
        return any(map(envelope.recognises, values))
    except RecursionError:  # nested deeper than any log
        return False


def _parse_text(text: str) -> Any:
    """Return the value of a JSON text; None if it is not JSON."""
    try:
        return parse(text)
    except TextError:
        return None
