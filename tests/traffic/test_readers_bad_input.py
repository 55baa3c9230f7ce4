"""Damaged and hostile files: good records are read, bad ones reported, memory is bounded."""

import gzip
import io
import json
import zipfile
from typing import Any

import pytest

from tests.traffic.reading import entry, har, read_all, short, zipped
from tests.work import peak_memory
from toon.traffic import archive, csv, read
from toon.traffic.payload import BadRecord, Payload
from toon.traffic.streams import MAX_RECORD

TOO_LONG = "longer than 32 MB, the limit TOON_RECORD_BYTES"
UNKNOWN = "not recognised: no JSON objects or arrays where it starts, and no CSV of them"


class Stream(io.RawIOBase):
    """A file of any size made of one repeated piece; only the piece is in memory."""

    def __init__(self, head: bytes, piece: bytes, times: int, tail: bytes = b"") -> None:
        self._head, self._piece, self._times, self._tail = head, piece, times, tail
        self._at = 0

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        assert (offset, whence) == (0, 0)
        self._at = 0
        return 0

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        assert size > 0
        self._at += 1
        if self._at == 1:
            return self._head
        if self._at <= self._times + 1:
            return self._piece
        return self._tail if self._at == self._times + 2 else b""


def test_bad_lines_do_not_stop_the_rest() -> None:
    text = b'{"a":1}\n{"a":\n\xff{}\n{"a":NaN}\n"\\ud800"\n5\n{"a":"\\ud800"}\n{"a":2}\nlast'

    assert short(text) == [
        (1, "log", '{"a":1}'),
        (2, "expected a value, found the end of the text (column 6)"),
        (3, "not UTF-8"),
        (4, "NaN is not JSON (column 6)"),
        (5, "lone surrogate \\ud800: UTF-8 cannot carry it (column 2)"),
        (6, "neither an object nor an array, but a number"),
        (7, "lone surrogate \\ud800: UTF-8 cannot carry it (column 7)"),
        (8, "log", '{"a":2}'),
        (9, "expected a value, found 'l' (column 1)"),
    ]


def test_json_lines_are_recognised_after_a_bad_first_line() -> None:
    assert short('{"a":\n{"a": 1}\n')[1] == (2, "log", '{"a": 1}')
    assert short('noise\n{"a": 1}\n')[1] == (2, "log", '{"a": 1}')
    assert short(b'\xff\n{"a": 1}\n') == [(1, "not UTF-8"), (2, "log", '{"a": 1}')]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"), (b"\xef\xbb\xbf", "the file is empty"),
        (b" \r\n\t\n", "the file holds nothing but blanks"), (b"Dear all,\n\nbest", UNKNOWN),
        (b"\x00\x01\x02\xff" * 99, UNKNOWN), (b"a,b\n1,2\n", UNKNOWN), (b"1\n2\n", UNKNOWN),
        (b"PK\x03\x04 nothing", "the zip archive is damaged: its list of files cannot be read"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (gzip.compress(gzip.compress(gzip.compress(b"[1]", mtime=0), mtime=0), mtime=0), UNKNOWN),
        ("{}".encode("utf-16")[:-1], "the UTF-16 text breaks off inside a character"),
        (zipped({}), "no file in the archive"),
    ],
)  # fmt: skip
def test_a_file_without_payloads_has_a_reason(data: bytes, reason: str) -> None:
    assert short(data)[-1] == (1, reason)


def test_half_a_pair_in_utf_16_makes_only_its_line_bad() -> None:
    data = '\ufeff{"a":"'.encode("utf-16-le") + b"\x00\xd8" + '"}\n[1]\n'.encode("utf-16-le")

    assert short(data) == [(1, "not UTF-8"), (2, "log", "[1]")]


@pytest.mark.rest
@pytest.mark.parametrize(
    ("head", "piece", "tail", "expected"),
    [
        (b'{"a":"', b"x" * 250_000, b'"}', [(1, TOO_LONG)]),
        (b'{"a":"', b"x" * 250_000, b'"}\n[1]\n', [(1, TOO_LONG), (2, "log", "[1]")]),
        (b'[{"a":"', b"x" * 250_000, b'"},[1]]',
         [(1, f"{TOO_LONG} (skipped: 35,000,008 bytes from line 1 on)"), (2, "log", "[1]")]),
        (b"{\n", b'"a":"",' * 40_000, b'"b":1}', [(1, TOO_LONG)]),
    ],
)  # fmt: skip
def test_a_record_past_the_limit_is_refused_in_bounded_memory(
    head: bytes, piece: bytes, tail: bytes, expected: list[tuple[Any, ...]]
) -> None:
    items, peak = peak_memory(_read_all, Stream(head, piece, 140, tail))

    assert [
        (i.record, i.reason) if isinstance(i, BadRecord) else (i.record, i.group, i.text)
        for i in items
    ] == expected
    assert peak < 8 * MAX_RECORD


LONG = "x" * 1_000
ENTRY = json.dumps(entry(text=f'["{LONG}"]'))


@pytest.mark.rest
@pytest.mark.parametrize(
    ("head", "row", "tail"),
    [
        ("[0]\n", f'{{"a": "{LONG}"}}\n', ""),
        ("[[0]", f',{{"a": "{LONG}"}}', "]"),
        ("a,b\n", f'"x","{{""a"": ""{LONG}""}}"\n', ""),
        ('{"log": {"creator": {}, "entries": [0', f",{ENTRY}", "]}}"),
    ],
)  # fmt: skip
def test_memory_does_not_grow_with_the_file(head: str, row: str, tail: str) -> None:
    piece = (row * 150).encode()
    times = 22_000_000 // len(piece) + 1
    count, peak = peak_memory(_count_payloads, Stream(head.encode(), piece, times, tail.encode()))

    assert count - times * 150 in (0, 1)
    assert peak < 20_000_000 < times * len(piece)


def _read_all(file: Any) -> list[Payload | BadRecord]:
    return list(read(file, "log.x"))


def _count_payloads(file: Any) -> int:
    return sum(isinstance(item, Payload) for item in read(file, "log.x"))


def test_a_gzip_with_a_wrong_checksum_is_read_and_reported() -> None:
    data = bytearray(gzip.compress(b'{"a":1}'))
    data[-8] ^= 1

    expected = [(1, "log", '{"a":1}'), (2, "the gzip data is damaged: the rest is not read")]
    assert short(bytes(data)) == expected


def bomb(head: bytes = b"") -> bytes:
    target = io.BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=9) as file:
        file.write(head)
        for _ in range(100):
            file.write(bytes(1_000_000))
    return target.getvalue()


@pytest.mark.rest
def test_bombs_are_not_unpacked() -> None:
    reason = (
        "it unpacks to more than 250 times its size, the limit TOON_UNPACKED_TIMES: "
        "taken for a zip bomb, the rest is not read"
    )

    assert short(bomb(b'{"a":1}\n')) == [(1, "log", '{"a":1}'), (2, reason)]
    many = zipped({"a.json": "[1]", "b.json": b"[1]\n" + bytes(100_000_000), "c.json": "[2]"})
    assert short(many)[0] == (1, "a", "[1]")
    assert [item[1] for item in short(many)][-2:] == [reason, reason]


LISTS_TOO_MANY = (
    "the zip archive lists more than 3 files, the limit TOON_ARCHIVE_FILES: it is not read"
)
NO_LIST = "the zip archive is damaged: its list of files cannot be read"


@pytest.mark.parametrize(
    ("files", "end", "expected"),
    [
        (3, {}, "[1]"),
        (4, {}, LISTS_TOO_MANY),
        (4, {10: b"\x01"}, LISTS_TOO_MANY),  # the number of files
        (4, {16: b"PK\x05\x06"}, LISTS_TOO_MANY),  # the place of the list
        (1, {12: b"\xff\xff\xff\x7f"}, NO_LIST),  # the length of the list
    ],
)
def test_the_files_of_an_archive_are_counted_whatever_its_end_says(
    monkeypatch: pytest.MonkeyPatch, files: int, end: dict[int, bytes], expected: str
) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    data = bytearray(zipped({f"{number}.json": "[1]" for number in range(files)}))
    for at, claim in end.items():
        at += len(data) - 22
        data[at : at + len(claim)] = claim

    assert [item[-1] for item in short(bytes(data))] == [expected] * (3 if expected == "[1]" else 1)


def test_a_list_longer_than_the_limit_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_DIRECTORY", 100)

    assert len(short(zipped({"a": "[1]"}))) == 1
    assert "lists more than" in short(zipped({"a": "[1]", "b" * 99: "[1]"}))[0][-1]


def test_names_in_an_archive_cannot_leave_it() -> None:
    names = ["../../etc/x.json", "/abs/y.json", "C:\\w\\z.json", "..", "a\u202eb\x07/n.json"]
    sources = [item.source for item in read_all(zipped(dict.fromkeys(names, "{}")), "a.zip")]

    shown = ["etc/x.json", "abs/y.json", "w/z.json", "(no name)", "a\ufffdb\ufffd/n.json"]
    assert sources == [f"a.zip/{name}" for name in shown]


def test_files_in_an_archive_that_cannot_be_read_are_named() -> None:
    inner = zipped({"x.json": "{}"})
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        file.writestr("inner.zip", inner)
        file.writestr("read.me", "Hello.")
        file.writestr("lzma.json", "{}", zipfile.ZIP_LZMA)
        file.writestr("wrong.json", '{"crc":1}')
        file.writestr("good.json", '{"a":1}')
    data = target.getvalue().replace(b'{"crc":1}', b'{"crc":2}')

    sources = [item.source for item in read_all(data, "a")]
    assert [(source, *item) for source, item in zip(sources, short(data), strict=True)] == [
        ("a/inner.zip", 1, "an archive inside an archive is not opened"),
        ("a/read.me", 1, UNKNOWN),
        ("a/lzma.json", 1, "packed in a way that is not read here: only deflate is"),
        ("a/wrong.json", 1, "the packed data is damaged: the rest is not read"),
        ("a/good.json", 1, "good", '{"a":1}'),
    ]


def test_an_encrypted_file_is_named() -> None:
    data = bytearray(zipped({"a.json": "{}"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1

    assert short(bytes(data)) == [(1, "encrypted")]


def test_a_damaged_entry_does_not_stop_the_rest_of_a_har() -> None:
    text = json.dumps(har(entry(text="[1]"), {"x": "DAMAGE"}, entry(text="[2]")))
    users = "GET api.example.com/users/{id}"

    assert short(text.replace('"DAMAGE"', '"a" "b"')) == [
        (1, users, "[1]"),
        (2, "the entry cannot be read: damaged JSON (skipped: 14 bytes from line 1 on)"),
        (3, users, "[2]"),
    ]
    text = text[:-40]
    size = len(text) - text.rindex('{"startedDateTime"')
    skipped = f"damaged JSON (skipped: {size} bytes from line 1 on): the rest is not read"
    assert short(text)[-1] == (3, f"the entry cannot be read: {skipped}")
    assert short('{"log": {"creator": {}, x') == [(1, "the HAR is damaged before its entries")]


def test_bad_rows_do_not_stop_the_rest_of_a_csv() -> None:
    text = b'a,b\n1,{}\n2\n3,"x"y\n\xff,{}\n4,nothing\n5,""\n"6,{}\n7,[]\n'

    assert short(text) == [
        (2, "log", "{}"),
        (3, "1 cell, but the header has 2"),
        (4, "not CSV: ',' expected after '\"'"),
        (5, "not UTF-8"),
        (6, "skipped: not JSON: log"),
        (7, "an empty text"),
        (8, "a quote is not closed"),
        (9, "log", "[]"),
    ]


def test_a_quote_that_is_not_closed_makes_one_line_bad_past_the_limit_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(csv, "MAX_RECORD", 20)
    text = b'a,b\n1,{}\n"2,{}\n3,[]\n4,[3]\n5,[4]\n6,[5]\n7,[6]\n'

    assert [item[0] for item in short(text)] == [2, 3, 4, 5, 6, 7, 8]
    assert short(text)[1:3] == [(3, "a quote is not closed"), (4, "log", "[]")]
