"""Which files a list of paths means: files, folders and globs, in a stable order, each once."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from toon.corpus.payload import BadRecord
from toon.corpus.readers.archive import group_of
from toon.corpus.readers.records import clean

#: What a file in a folder must end in to be read, with or without ``.gz`` after it.
ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".har", ".csv", ".tsv", ".zip", ".log")


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read: its path, what it is called in results, and its group (None: its stem)."""

    path: str
    name: str
    group: str | None = None


def find(paths: Iterable[str]) -> Iterator[Found | BadRecord]:
    """The files of ``paths``, in their order.

    A folder stands for the files in it and in the folders below that end in one of ENDINGS, by
    name; hidden ones are passed over and links to folders not followed. A glob (``*``, ``?``,
    ``[..]``, ``**``) stands for what it matches, by name. A file that comes up twice is read once.
    What stands for no file is reported.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _one(path):
            if isinstance(found, BadRecord):
                yield found
            elif (real := os.path.realpath(found.path)) not in seen:
                seen.add(real)
                yield found


def _one(path: str) -> Iterator[Found | BadRecord]:
    if "\0" in path or not path:
        yield _bad(path, "not a path")
    elif os.path.lexists(path):
        yield from _existing(path)
    elif glob.has_magic(path):
        matches = sorted(glob.glob(path, recursive=True))
        if not matches:
            yield _bad(path, "no file matches")
        for match in matches:
            if not os.path.isdir(match):
                yield from _existing(match)
    else:
        yield _bad(path, "there is no such file or folder")


def _existing(path: str) -> Iterator[Found | BadRecord]:
    if os.path.isdir(path):
        yield from _folder(path)
    elif os.path.isfile(path):
        yield Found(path, path.replace(os.sep, "/"))
    elif os.path.exists(path):
        yield _bad(path, "neither a file nor a folder")
    else:
        yield _bad(path, "a link that leads nowhere, or in a circle")


def _folder(root: str) -> Iterator[Found | BadRecord]:
    empty = True
    problems: list[OSError] = []
    for folder, below, names in os.walk(root, onerror=problems.append):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            if name.startswith(".") or not _is_readable(name):
                continue
            empty = False
            path = os.path.join(folder, name)
            for found in _existing(path):
                if isinstance(found, Found):
                    inner = os.path.relpath(path, root).replace(os.sep, "/")
                    found = Found(path, found.name, group_of(inner))
                yield found
    for problem in problems:
        yield _bad(str(problem.filename), f"the folder cannot be read: {problem.strerror}")
    if empty and not problems:
        yield _bad(root, f"no file here ends in {', '.join(ENDINGS)}")


def _is_readable(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith(ENDINGS)


def _bad(path: str, reason: str) -> BadRecord:
    return BadRecord(clean(path), 1, reason)
