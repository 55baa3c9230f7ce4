"""Files, folders and globs: which files are read, in which order, under which names."""

import os
from pathlib import Path

import pytest

from toon.traffic import read_paths
from toon.traffic.folders import ENDINGS
from toon.traffic.payload import BadRecord, Payload


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of files; the working directory is its root."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "in/b.json": "[1]",
        "in/a.json": "[2]",
        "in/orders/x.JSONL": "[3]\n[4]\n",
        "in/orders/notes.txt": "no",
        "in/.hidden/h.json": "[5]",
        "in/.h.json": "[6]",
        "empty/readme.txt": "no",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


IN = [
    Payload("in/a.json", 1, "a", "[2]"),
    Payload("in/b.json", 1, "b", "[1]"),
    Payload("in/orders/x.JSONL", 1, "orders", "[3]"),
    Payload("in/orders/x.JSONL", 2, "orders", "[4]"),
]


def test_a_folder_is_walked_by_name_and_a_file_named_twice_is_read_once(folder: Path) -> None:
    assert list(read_paths(["in"])) == IN
    records = list(read_paths(["in/b.json", "in/*.json", "in", "./in/b.json"]))
    assert records == [IN[1], IN[0], *IN[2:]]


def test_a_single_file_is_read_by_its_items(folder: Path) -> None:
    bad = BadRecord("in/b.json", 1, "neither an object nor an array, but a number")
    assert list(read_paths(["in/b.json"])) == [bad]


def test_paths_are_passed_on(folder: Path) -> None:
    (folder / "log.txt").write_text('{"p": {"x": 1}, "g": "t"}\n')

    assert list(read_paths(["log.txt"], payload_path="p", group_path="g")) == [
        Payload("log.txt", 1, "t", '{"x": 1}', path="p")
    ]


def test_a_path_without_files_is_reported(folder: Path) -> None:
    os.mkfifo(folder / "pipe")

    assert list(read_paths(["empty", "no", "no/*.json", "pipe", "", "in/b.json"])) == [
        BadRecord("empty", 1, f"no file here ends in {', '.join(ENDINGS)}"),
        BadRecord("no", 1, "there is no such file or folder"),
        BadRecord("no/*.json", 1, "no file matches"),
        BadRecord("pipe", 1, "neither a file nor a folder"),
        BadRecord("", 1, "not a path"),
        IN[1],
    ]


def test_a_glob_follows_no_links_in_circles(folder: Path) -> None:
    for name in ("x", "y", "z"):  # each in each, up to 40 deep
        (folder / "in" / name).symlink_to(".")

    (folder / "in/orders/notes.txt").unlink()
    patterns = ("in/**", "in/**/*.[jJ]*", "i*/**/*.[jJ]*", "**/*.[jJ]*", "**/in/**/*.[jJ]*")

    for pattern in patterns:
        assert [item.source for item in read_paths([pattern])] == [item.source for item in IN]


def test_links_in_circles_end(folder: Path) -> None:
    (folder / "in" / "again").symlink_to(folder / "in")
    (folder / "in" / "self.json").symlink_to(folder / "in" / "self.json")
    (folder / "in" / "same.json").symlink_to(folder / "in" / "b.json")

    assert list(read_paths(["in"])) == [
        *IN[:2],
        BadRecord("in/self.json", 1, "a link that leads nowhere, or in a circle"),
        *IN[2:],
    ]
