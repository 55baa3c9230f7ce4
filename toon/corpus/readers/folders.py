"""Which files a list of paths means: files, folders, globs, URLs; in a stable order, each once."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, Protocol, runtime_checkable

from toon.corpus.payload import BadRecord
from toon.corpus.readers.archive import group_of
from toon.corpus.readers.records import clean

#: What a file in a folder must end in to be read, with or without ``.gz`` after it.
ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".har", ".csv", ".tsv", ".zip", ".log")


_USER: Final = re.compile(r"(?<=//)[^/]*@")
_SEPARATORS: Final = re.escape(os.sep + (os.altsep or ""))
_ANY_DEPTH: Final = re.compile(rf"(?:^|(?<=[{_SEPARATORS}]))\*\*(?:[{_SEPARATORS}]+|\Z)")


@runtime_checkable
class Remote(Protocol):
    """What fsspec gives for a URL: it is opened when it is read."""

    path: str
    fs: object

    def open(self) -> BinaryIO: ...


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read: its path, what it is called in results, and its group (None: its stem).

    ``remote`` is what opens a file that does not lie on this machine.
    """

    path: str
    name: str
    group: str | None = None
    remote: Remote | None = None


def find(paths: Iterable[str]) -> Iterator[Found | BadRecord]:
    """The files of ``paths``, in their order.

    A folder stands for the files in it and in the folders below that end in one of ENDINGS, by
    name; hidden ones are passed over and links to folders not followed. A glob (``*``, ``?``,
    ``[..]``, ``**``) stands for what it matches, by name; ``**`` follows no links to folders
    either. A file that comes up twice is read once. What stands for no file is reported. A URL,
    ``scheme://...``, is left to fsspec, which opens what the library for its scheme is installed
    for, and knows globs, too.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _one(path):
            if isinstance(found, BadRecord):
                yield found
                continue
            real = found.path if found.remote else os.path.realpath(found.path)
            if real not in seen:
                seen.add(real)
                yield found


def _one(path: str) -> Iterator[Found | BadRecord]:
    if "\0" in path or not path:
        yield _bad(path, "not a path")
    elif "://" in path:
        yield from _remote(path)
    elif os.path.lexists(path):
        yield from _existing(path)
    elif glob.has_magic(path):
        matches = sorted(set(_matches(path)))
        if not matches:
            yield _bad(path, "no file matches")
        for match in matches:
            if not os.path.isdir(match):
                yield from _existing(match)
    else:
        yield _bad(path, "there is no such file or folder")


def _matches(pattern: str) -> Iterator[str]:
    """What a glob matches. Python's own follows links to folders, and in circles without end."""
    head, *rest = _ANY_DEPTH.split(pattern, maxsplit=1)
    if not rest:
        yield from glob.glob(pattern)
        return
    for root in glob.glob(head) if head else [""]:
        for folder, below, _ in os.walk(root or os.curdir):
            below[:] = [name for name in below if not name.startswith(".")]
            inside = folder if root else folder[2:]  # without ./
            yield from _matches(os.path.join(glob.escape(inside), rest[0] or "*"))


def reason_of(error: Exception) -> str:
    """What a library says of a URL, where that cannot quote the URL and what it hides."""
    said = str(error)
    if isinstance(error, ImportError) or said.startswith("Protocol not known"):
        return said
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(number, int) else type(error).__name__


def _remote(url: str) -> Iterator[Found | BadRecord]:
    """The files of a URL; what a URL may hold of names, passwords and queries is never shown."""
    shown = _shown(url)
    try:
        import fsspec
    except ImportError:
        yield _bad(shown, "URLs need a library: pip install fsspec")
        return
    try:
        files = fsspec.open_files(url, "rb")
    except Exception as error:  # every library behind fsspec has errors of its own
        yield _bad(shown, f"it cannot be read: {reason_of(error)}")
        return
    if not files:
        yield _bad(shown, "no file matches")
    scheme = url.partition("://")[0]
    for file in sorted(files, key=lambda file: str(file.path)):
        path = file.path if "://" in file.path else f"{scheme}://{file.path.lstrip('/')}"
        yield Found(path, clean(_shown(path) if glob.has_magic(shown) else shown), remote=file)


def _shown(url: str) -> str:
    return _USER.sub("", url).partition("?")[0]


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
