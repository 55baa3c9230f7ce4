"""URLs, which fsspec opens: the files they mean, and the parts that are never shown."""

import io
import sys
from collections.abc import Iterator

import fsspec
import pytest

from toon.traffic import read, read_paths
from toon.traffic.folders import describe_error
from toon.traffic.payload import BadRecord, Payload

pytestmark = pytest.mark.rest


@pytest.fixture
def store() -> Iterator[fsspec.AbstractFileSystem]:
    """A file system in memory, which is read like any other by its URL."""
    memory = fsspec.filesystem("memory")
    memory.pipe("/logs/a.jsonl", b'{"n":1}\n{"n":2}\n')
    memory.pipe("/logs/b.json", b'{"n":3}')
    yield memory
    memory.rm("/logs", recursive=True)


@pytest.mark.usefixtures("store")
def test_a_url_is_read_like_a_file_and_a_glob_by_the_names_of_its_files() -> None:
    first = [
        Payload("memory://logs/a.jsonl", 1, "a", '{"n":1}'),
        Payload("memory://logs/a.jsonl", 2, "a", '{"n":2}'),
    ]

    assert list(read_paths(["memory://logs/a.jsonl"])) == first
    *records, last = read_paths(["memory://logs/*", "memory://logs/b.json"])
    assert (records, last.source, last.record) == (first, "memory://logs/b.json", 1)


ABSENT = "the file cannot be opened: FileNotFoundError"


@pytest.mark.parametrize(
    ("url", "shown", "reason"),
    [
        ("memory://user:secret@nowhere/a?token=hidden", "memory://nowhere/a", ABSENT),
        ("memory://user:sec@ret@nowhere/a", "memory://nowhere/a", ABSENT),
        ("no://a/b", "no://a/b", "it cannot be read: Protocol not known: no"),
    ],
)
def test_what_cannot_be_opened_is_reported_without_secrets(
    url: str, shown: str, reason: str
) -> None:
    assert list(read_paths([url])) == [BadRecord(shown, 1, reason)]


class LostError(Exception):
    """What the libraries of some services raise."""


class Losing(io.BytesIO):
    """A file on a service whose connection is lost after the first read."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell():
            raise LostError("https://user:secret@host")
        return super().read(-1 if size is None else min(size, 10))


@pytest.mark.parametrize(
    ("data", "good", "reason"),
    [
        (b'{"n":1}\n{"n":2}\n', ['{"n":1}'], "it cannot be read: LostError"),
        (b"PK\x03\x04" + bytes(99), [],
         "the zip archive is damaged: its list of files cannot be read"),
    ],
)  # fmt: skip
def test_a_lost_connection_ends_its_file_alone(data: bytes, good: list[str], reason: str) -> None:
    *records, last = read(Losing(data), "a")

    assert [getattr(item, "text", None) for item in records] == good
    assert last == BadRecord("a", len(good) + 1, reason)


def test_messages_of_libraries_that_may_hold_secrets_are_not_shown() -> None:
    for message in ("https://user:secret@host/?token=hidden", "no port 'secret'"):
        assert describe_error(ValueError(message)) == "ValueError"
    assert describe_error(ImportError("Install s3fs to access S3")) == "Install s3fs to access S3"


def test_without_the_library_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)

    (bad,) = read_paths(["s3://bucket/log.jsonl"])

    assert bad == BadRecord("s3://bucket/log.jsonl", 1, "URLs need a library: pip install fsspec")
