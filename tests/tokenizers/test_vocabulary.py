"""Vocabularies prepared from the installed library: complete, verified, without the network."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.processes import Process
from toon.tokenizers import vocabulary
from toon.tokenizers.vocabulary import VOCABULARIES, VocabularyError, prepare

NAME = "cl100k_base"  # the smaller one
FILE = VOCABULARIES[NAME].file_name


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hides this machine's own caches and makes a new private folder."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "chosen"))
    monkeypatch.setattr(vocabulary, "user_cache_path", lambda *_, **__: tmp_path / "user")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    vocabulary.private_folder.cache_clear()
    yield
    vocabulary.private_folder.cache_clear()


def assert_prepared(folder: Path, name: str = NAME) -> None:
    """The folder holds that vocabulary and nothing else."""
    (file,) = folder.iterdir()
    assert file.name == VOCABULARIES[name].file_name
    assert hashlib.sha256(file.read_bytes()).hexdigest() == VOCABULARIES[name].sha256


def run(code: str, **environment: str) -> str:
    """Run code in another Python process without a cache; return what it prints."""
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


@pytest.mark.parametrize("name", VOCABULARIES)
def test_an_empty_folder_gets_the_file(tmp_path: Path, name: str) -> None:
    assert prepare(name) == tmp_path / "chosen"
    assert_prepared(tmp_path / "chosen", name)


def test_a_good_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (prepare(NAME) / FILE).stat()
    monkeypatch.setattr(vocabulary, "_contents", None)  # to call it would raise

    after = (prepare(NAME) / FILE).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.rest
@pytest.mark.parametrize(
    "damage",
    [lambda good: b"#" + good[1:], lambda good: good[:-100], lambda _: b""],
    ids=["corrupt", "truncated", "empty"],
)
def test_a_bad_file_is_rewritten(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    """tiktoken would delete it and download it again."""
    file = prepare(NAME) / FILE
    file.write_bytes(damage(file.read_bytes()))

    assert prepare(NAME) == tmp_path / "chosen"
    assert_prepared(tmp_path / "chosen")


@pytest.mark.parametrize(
    ("chosen", "files", "used"),
    [
        (None, [], "user"),
        ("", [], "user"),
        ("chosen", ["chosen"], "user"),  # not even root can make a folder below a regular file
        ("chosen", ["chosen", "user"], "toon-token-lab-"),
    ],
)
def test_the_first_folder_that_can_be_made_is_used(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    chosen: str | None,
    files: list[str],
    used: str,
) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    if chosen is not None:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", chosen and str(tmp_path / chosen))
    for name in files:
        (tmp_path / name).write_text("a file")

    folder = prepare(NAME)

    assert folder.parent == tmp_path
    assert folder.name.startswith(used)
    assert prepare(NAME) == folder
    assert_prepared(folder)


def test_a_folder_that_cannot_be_written_falls_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read-only, or full while writing: no draft is left, and a bad file there is not used."""
    (tmp_path / "chosen").mkdir()
    (tmp_path / "chosen" / FILE).write_bytes(b"bad")
    full, fsync = iter([True]), os.fsync

    def refuse(descriptor: int) -> None:
        if next(full, False):
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse)

    assert prepare(NAME) == tmp_path / "user"
    assert_prepared(tmp_path / "user")
    assert [file.name for file in (tmp_path / "chosen").iterdir()] == [FILE]


def test_the_private_folder_is_removed_at_exit(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    code = f"""
from pathlib import Path
from toon.tokenizers import vocabulary
vocabulary.user_cache_path = lambda *_, **__: Path({str(tmp_path / "file")!r})
folder = vocabulary.prepare({NAME!r})
assert (folder / {FILE!r}).exists()
print(folder)
"""
    folder = Path(run(code, TIKTOKEN_CACHE_DIR=str(tmp_path / "file"), TMPDIR=str(tmp_path)))

    assert folder.parent == tmp_path
    assert not folder.exists()


def test_no_writable_folder_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("chosen", "user", "temporary"):
        (tmp_path / folder).write_text("a file")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    with pytest.raises(VocabularyError, match=f"^No folder on this machine takes .* {NAME}$"):
        prepare(NAME)


def test_another_vocabulary_than_tiktokens_is_an_error_and_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = VOCABULARIES[NAME]._replace(sha256="0" * 64)
    monkeypatch.setitem(VOCABULARIES, NAME, wrong)

    with pytest.raises(
        VocabularyError, match=r"^splintr-rs \d+\.\S+ does not carry .* tiktoken \d+\."
    ):
        prepare(NAME)

    assert not list(tmp_path.rglob(FILE))


@pytest.mark.parametrize("name", VOCABULARIES)
def test_addresses_and_checksums_equal_tiktokens(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tiktoken_ext import openai_public

    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(
        openai_public,
        "load_tiktoken_bpe",
        lambda url, expected_hash: asked.append((url, expected_hash)),
    )

    openai_public.ENCODING_CONSTRUCTORS[name]()

    assert asked == [tuple(VOCABULARIES[name])]


@pytest.mark.parametrize("before", [None, "elsewhere"])
def test_the_cache_variable_is_changed_only_while_tiktoken_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    import tiktoken

    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    if before:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / before))
    seen: list[str] = []

    def get_encoding(name: str) -> str:
        seen.append(os.environ["TIKTOKEN_CACHE_DIR"])
        raise MemoryError

    monkeypatch.setattr(tiktoken, "get_encoding", get_encoding)
    expected = os.environ.get("TIKTOKEN_CACHE_DIR")
    with pytest.raises(MemoryError):
        vocabulary.load(NAME)

    assert seen == [str(tmp_path / (before or "user"))]
    assert os.environ.get("TIKTOKEN_CACHE_DIR") == expected


@pytest.mark.rest
def test_two_processes_at_once_leave_one_good_file(tmp_path: Path) -> None:
    """Both write the file, and neither ever sees a part of it."""
    code = f"""
import sys, time
from pathlib import Path
from toon.tokenizers import vocabulary
folder = Path({str(tmp_path)!r})
(folder / f"ready-{{sys.argv[1]}}").touch()
while not all((folder / f"ready-{{number}}").exists() for number in (1, 2)):
    time.sleep(0.001)
print(vocabulary.prepare({NAME!r}))
"""
    options = {"cwd": ROOT, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", code]
    sizes = set()
    with Process([*command, "1"], **options) as one, Process([*command, "2"], **options) as other:
        while one.poll() is None or other.poll() is None:
            file = tmp_path / "chosen" / FILE
            if file.exists():
                sizes.add(file.stat().st_size)
        printed = [process.communicate()[0].strip() for process in (one, other)]

    assert printed == [str(tmp_path / "chosen")] * 2
    assert_prepared(tmp_path / "chosen")
    assert sizes <= {(tmp_path / "chosen" / FILE).stat().st_size}


@pytest.mark.rest
def test_counting_with_an_empty_cache_never_uses_the_network(tmp_path: Path) -> None:
    """At the end tiktoken alone triggers the trap, which shows that it works."""
    code = """
import socket
asked = []
def refuse(*_, **__):
    asked.append(1)
    raise OSError("no network here")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse

from toon.tokenizers import TOKENIZERS
print(*(tokenizer.count("hello world") for tokenizer in TOKENIZERS.values()), len(asked))

import tiktoken
try:
    tiktoken.get_encoding("p50k_base")
except OSError:
    print(len(asked) > 0)
"""
    counts, trapped = run(code).splitlines()

    assert counts.split()[:2] == ["2", "2"]
    assert counts.split()[-1] == "0"
    assert trapped == "True"


def test_importing_the_table_loads_no_library() -> None:
    code = """
import sys
import toon.tokenizers
print({"tiktoken", "splintr", "requests", "regex"} & set(sys.modules))
"""
    assert run(code) == "set()"
