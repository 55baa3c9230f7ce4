"""Every reader with every damage: one bad record, its place, and every good record around it."""

import gzip
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

import pytest

from tests.traffic.reading import read_all, zipped
from toon.measuring.measure import Row, Settings, measure_records
from toon.traffic import csv, json_stream, streams
from toon.traffic.payload import BadRecord, Payload

Bytes = Callable[[bytes], bytes]

SETTINGS: Final = Settings.of(["chars4"], ["toon"])
LIMIT: Final = 200_000


def string(payload: bytes) -> bytes:
    """The payload as a JSON string, whatever its bytes are."""
    text = json.dumps(payload.decode(errors="surrogateescape"), ensure_ascii=False)
    return text.encode(errors="surrogateescape")


def lines(records: list[bytes]) -> bytes:
    return b"".join(b"%b\n" % record for record in records)


def array(records: list[bytes]) -> bytes:
    return b"[%b]" % b",\n".join(records)


def entries(records: list[bytes]) -> bytes:
    return b'{"log": {"creator": {}, "entries": %b}}' % array(records)


def table(records: list[bytes]) -> bytes:
    return lines([b"id,body", *records])


@dataclass(frozen=True)
class Reader:
    """How a file is made of records, and a record of a payload; ``first`` is the first's number."""

    file: Callable[[list[bytes]], bytes]
    record: Bytes
    first: int = 1

    @property
    def is_nested(self) -> bool:
        """Whether the records lie in brackets, so that a quote too many or too few moves all."""
        return self.file in (array, entries)


def entry(payload: bytes) -> bytes:
    request = b'"request": {"method": "GET", "url": "https://a.example/b"}, "startedDateTime": 1'
    return b'{%b, "response": {"content": {"text": %b}}}' % (request, string(payload))


def answer(result: bytes) -> bytes:
    return b'{"jsonrpc": "2.0", "id": 7, "result": {"content": %b}}' % result


def answer_text(payload: bytes) -> bytes:
    return answer(b'[{"type": "text", "text": %b}]' % string(payload))


def message(payload: bytes) -> bytes:
    return b'{"role": "tool", "tool_call_id": "c", "content": %b}' % string(payload)


READERS: Final = {
    "lines": Reader(lines, lambda payload: b'{"n": %b}' % payload),
    "log": Reader(lines, lambda payload: b'{"tool": "t", "payload": %b}' % payload),
    "array": Reader(array, lambda payload: b'{"n": %b}' % payload),
    "har": Reader(entries, entry),
    "entries": Reader(lines, entry),
    "csv": Reader(table, lambda payload: b'1,"%b"' % payload.replace(b'"', b'""'), 2),
    "mcp": Reader(lines, answer_text),
    "mcp array": Reader(array, answer_text),
    "structured": Reader(lines, lambda payload: answer(b'[], "structuredContent": %b' % payload)),
    "chat": Reader(lines, message),
    "requests": Reader(array, lambda payload: b'{"messages": [%b]}' % message(payload)),
}

#: Damage to a record. ``QUOTES`` moves what follows where records lie in brackets.
QUOTES: Final[dict[str, Bytes]] = {
    "cut in half": lambda record: record[: len(record) // 2],
    "a quote missing": lambda record: record[::-1].replace(b'"', b"", 1)[::-1],
    "a quote too many": lambda record: record[:-3] + b'"' + record[-3:],
}
CUT: Final = QUOTES | {"a bracket missing": lambda record: record[:-1]}
RECORDS: Final[dict[str, Bytes]] = CUT | {
    "a byte that is not UTF-8": lambda record: record[:-3] + b"\xff" + record[-3:],
    "half a character": lambda record: record[:-3] + b"\xe2\x82" + record[-3:],
    "a NUL byte": lambda record: record[:-3] + b"\0" + record[-3:],
    "noise": lambda record: b"noise",
    "text behind it": lambda record: record + b" x",
}

#: Payloads that cannot be measured.
PAYLOADS: Final = {
    "too deep for any reader": b"[" * 50_000 + b"]" * 50_000,
    "too deep for some": b"[" * 1_020 + b"]" * 1_020,
    "too long": b'["%b"]' % (b"x" * LIMIT),
    "a number beyond any range": b"[1e-99999999999999999999]",
    "a lone surrogate": b'["\\ud800"]',
    "not a number": b"[NaN]",
}


WEIGHED: Final = {
    "a huge number": b"[1e999]",
    "6,000 digits": b"[1%b]" % (b"0" * 6_000),
    "the same name twice": b'[{"a": 1, "a": 2}]',
}

each_reader = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)


@pytest.fixture(autouse=True)
def _short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (csv, json_stream, streams):
        monkeypatch.setattr(module, "MAX_RECORD", LIMIT)


def measured(data: bytes) -> list[Row]:
    return measure_records(read_all(data), SETTINGS)


def around(reader: Reader, damaged: bytes) -> tuple[list[int], list[int]]:
    """The numbers of the good and the bad rows of a file with a damaged record between two."""
    first, last = (reader.record(b'[{"a": %d}]' % number) for number in (1, 3))
    rows = measured(reader.file([first, damaged, last]))
    good, bad = list[int](), list[int]()
    for row in rows:
        (bad if "error" in row else good).append(cast(int, row["record"]) - reader.first)
    return good, bad


@each_reader
@pytest.mark.parametrize("damage", RECORDS.values(), ids=RECORDS)
def test_a_damaged_record_is_one_bad_record(reader: Reader, damage: Bytes) -> None:
    good, bad = around(reader, damage(reader.record(b'[{"a": 2}]')))

    if reader.is_nested and damage in QUOTES.values():
        assert (good[0], bad[0]) == (0, 1)
    elif reader.is_nested and damage is RECORDS["text behind it"]:
        assert (good, bad) == ([0, 1, 3], [2])
    else:
        assert (good, bad) == ([0, 2], [1])


@each_reader
@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_a_payload_that_cannot_be_measured_is_one_bad_record(
    reader: Reader, payload: bytes
) -> None:
    assert around(reader, reader.record(payload)) == ([0, 2], [1])


@each_reader
@pytest.mark.parametrize("payload", WEIGHED.values(), ids=WEIGHED)
def test_an_odd_payload_is_measured(reader: Reader, payload: bytes) -> None:
    assert around(reader, reader.record(payload)) == ([0, 1, 2], [])


def numbers(reader: Reader) -> bytes:
    """A file of 2,000 payloads that hardly shrink."""
    chance = random.Random(1)
    return reader.file([reader.record(b"[%d]" % chance.getrandbits(60)) for _ in range(2_000)])


def texts(data: bytes) -> list[str]:
    return [item.text for item in read_all(data) if isinstance(item, Payload)]


@pytest.mark.rest
@each_reader
def test_half_a_gzip_keeps_its_good_half(reader: Reader) -> None:
    whole = numbers(reader)
    packed = gzip.compress(whole)
    *good, last = read_all(packed[: len(packed) // 2])

    assert [item.text for item in good if isinstance(item, Payload)] == texts(whole)[: len(good)]
    assert isinstance(last, BadRecord)
    assert (last.record, last.reason) == (len(good) + reader.first, "the gzip data is cut off")
    assert len(good) > 800


#: In a zip an array is one payload.
IN_ZIP: Final = {name: reader for name, reader in READERS.items() if name != "array"}


@pytest.mark.rest
@pytest.mark.parametrize("reader", IN_ZIP.values(), ids=IN_ZIP)
def test_half_a_file_in_a_zip_keeps_its_good_half_and_the_other_files(reader: Reader) -> None:
    whole = numbers(reader)
    packed = bytearray(zipped({"a": whole, "b": "[[1]]"}))
    middle = len(packed) // 2
    packed[middle : middle + 40] = b"\xff" * 40
    *records, other = read_all(bytes(packed))

    assert (other.source, getattr(other, "text", None)) == ("log.x/b", "[[1]]")
    reasons = [item.reason for item in records if isinstance(item, BadRecord)]
    assert reasons[-1] == "the packed data is damaged: the rest is not read"
    assert [item.text for item in records[:600] if isinstance(item, Payload)] == texts(whole)[:600]


def test_a_transcript_is_recognised_after_a_bad_first_message() -> None:
    data = array([b"null", answer_text(b"[1]"), b"x", answer_text(b"[2]")])

    records = [(item.record, item.text) for item in read_all(data)]
    assert records == [(2, "[1]"), (3, ""), (4, "[2]")]
