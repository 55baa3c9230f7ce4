"""The files of a list of paths, and which of a folder's are no logs but lie beside sessions.

Paths are of files, folders, globs and URLs; their files come in a stable order.
"""

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO, Final, Protocol, TypeAlias, runtime_checkable

from toon.errors import TextError
from toon.secrets import CREDENTIALS, mask, may_hold_credentials
from toon.text import clean
from toon.traffic.payload import BadRecord, LeftOut

_PACKED: Final = re.compile(r"\.(?:gz|zst)\Z")
#: The endings of files that are read in a folder; ``.gz`` or ``.zst`` may follow.
ENDINGS: Final = (
    ".json", ".jsonl", ".ndjson", ".har", ".csv", ".tsv", ".zip", ".log", ".parquet",
    ".bru", ".traj", ".eval",
)  # fmt: skip

_USER: Final = re.compile(r"(?<=//)[^/]*@")
_SEPARATORS: Final = re.escape(os.sep + (os.altsep or ""))
_ANY_DEPTH: Final = re.compile(rf"(?:^|(?<=[{_SEPARATORS}]))\*\*(?:[{_SEPARATORS}]+|\Z)")


@runtime_checkable
class Remote(Protocol):
    """A URL's file that fsspec can open, not yet opened."""

    path: str
    fs: object

    def open(self) -> BinaryIO: ...


@dataclass(frozen=True, slots=True)
class InputFile:
    """A log file to read: its path, its name in results, and the group of its records.

    The group None stands for the file name without its ending. ``remote`` opens a file at a URL.
    """

    path: str
    name: str
    group: str | None = None
    remote: Remote | None = None


#: A path, a seekable binary file, or fsspec's file of a URL.
File: TypeAlias = str | os.PathLike[str] | BinaryIO | Remote


@contextmanager
def open_file(file: File) -> Iterator[BinaryIO]:
    """Open a log file, given by path, URL or as an open file, and yield it at its start.

    It is closed at the end unless it came open.

    Raises:
        TextError: It cannot be opened.
    """
    if not isinstance(file, str | os.PathLike | Remote):
        file.seek(0)
        yield file
        return
    try:
        opened = file.open() if isinstance(file, Remote) else open(file, "rb")  # noqa: SIM115
    except Exception as error:  # each library behind fsspec raises its own errors
        is_remote = isinstance(file, Remote)
        reason = describe_error(error) if is_remote else getattr(error, "strerror", None) or error
        raise TextError(f"the file cannot be opened: {reason}") from None
    with closing(opened):
        yield opened


def find_files(paths: Iterable[str]) -> Iterator[InputFile | BadRecord]:
    """Yield the files of ``paths``, in the order of the paths; a file that occurs twice comes once.

    A folder means the files in it and below it that end in one of ENDINGS, sorted by name, without
    hidden files. A glob (``*``, ``?``, ``[..]``, ``**``) means the files it matches, sorted by
    name. Neither follows links to folders. A URL, ``scheme://...``, is opened by fsspec, if the
    library for its scheme is installed; it may be a glob too. A path without files gives a bad
    record, and so does a file that may hold credentials (:class:`.LeftOut`).
    """
    seen: set[str] = set()
    for path in paths:
        for item in _expand(path):
            if isinstance(item, BadRecord):
                yield item
                continue
            real = item.path if item.remote else os.path.realpath(item.path)
            if real not in seen:
                seen.add(real)
                secret = may_hold_credentials(item.path) or may_hold_credentials(real)
                yield LeftOut(clean(item.name), 1, CREDENTIALS) if secret else item


def _expand(path: str) -> Iterator[InputFile | BadRecord]:
    if "\0" in path or not path:
        yield _bad(path, "not a path")
    elif "://" in path:
        yield from _find_remote(path)
    elif os.path.lexists(path):
        yield from _expand_existing(path)
    elif glob.has_magic(path):
        matches = sorted(set(_match_glob(path)))
        if not matches:
            yield _bad(path, "no file matches")
        for match in matches:
            if not os.path.isdir(match):
                yield from _expand_existing(match)
    else:
        yield _bad(path, "there is no such file or folder")


def _match_glob(pattern: str) -> Iterator[str]:
    """Yield the paths that match a glob. Unlike Python's ``glob``, follow no links to folders."""
    head, *rest = _ANY_DEPTH.split(pattern, maxsplit=1)
    if not rest:
        yield from glob.glob(pattern)
        return
    for root in glob.glob(head) if head else [""]:
        for folder, below, _ in os.walk(root or os.curdir):
            below[:] = [name for name in below if not name.startswith(".")]
            inside = folder if root else folder[2:]  # without ./
            yield from _match_glob(os.path.join(glob.escape(inside), rest[0] or "*"))


def describe_error(error: Exception) -> str:
    """Return why a URL could not be opened, without the error's message: it may quote secrets."""
    message = str(error)
    if isinstance(error, ImportError) or message.startswith("Protocol not known"):
        return message
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(number, int) else type(error).__name__


def _find_remote(url: str) -> Iterator[InputFile | BadRecord]:
    """Yield the log files at a URL, or a bad record. Names hide its user, password and query."""
    name = _public_part(url)
    try:
        import fsspec
    except ImportError:
        yield _bad(name, "URLs need a library: pip install fsspec")
        return
    try:
        files = fsspec.open_files(url, "rb")
    except Exception as error:  # each library behind fsspec raises its own errors
        yield _bad(name, f"it cannot be read: {describe_error(error)}")
        return
    if not files:
        yield _bad(name, "no file matches")
    scheme = url.partition("://")[0]
    for file in sorted(files, key=lambda file: str(file.path)):
        path = file.path if "://" in file.path else f"{scheme}://{file.path.lstrip('/')}"
        yield InputFile(
            path, clean(_public_part(path) if glob.has_magic(name) else name), remote=file
        )


def _public_part(url: str) -> str:
    return mask(_USER.sub("", url).partition("?")[0])


def _expand_existing(path: str) -> Iterator[InputFile | BadRecord]:
    if os.path.isdir(path):
        yield from _walk(path)
    elif os.path.isfile(path):
        yield InputFile(path, path.replace(os.sep, "/"))
    elif os.path.exists(path):
        yield _bad(path, "neither a file nor a folder")
    else:
        yield _bad(path, "a link that leads nowhere, or in a circle")


def _walk(root: str) -> Iterator[InputFile | BadRecord]:
    empty = True
    problems: list[OSError] = []
    for folder, below, names in os.walk(root, onerror=problems.append):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            is_log = not name.startswith(".") and _PACKED.sub("", name.lower()).endswith(ENDINGS)
            if not is_log and not may_hold_credentials(name):
                continue
            empty = False
            path = os.path.join(folder, name)
            for item in _expand_existing(path):
                if isinstance(item, InputFile):
                    inner = os.path.relpath(path, root).replace(os.sep, "/")
                    item = InputFile(path, item.name, folder_or_stem(inner))
                yield item
    for problem in problems:
        yield _bad(str(problem.filename), f"the folder cannot be read: {problem.strerror}")
    if empty and not problems:
        yield _bad(root, f"no file here ends in {', '.join(ENDINGS)}")


def _bad(path: str, reason: str) -> BadRecord:
    return BadRecord(clean(path), 1, reason)


def folder_or_stem(name: str) -> str:
    """Return the name of the last folder in a path, or else the file's name without endings."""
    return PurePosixPath(name).parent.name or stem(name)


def stem(name: str) -> str:
    """Return the file name of a path without its folders and endings."""
    text = PurePosixPath(name.replace("\\", "/")).name
    for packed in (".gz", ".zst"):
        text = text[: -len(packed)] if text.lower().endswith(packed) else text
    return PurePosixPath(text).stem or text or "(no name)"


# -- beside the sessions of agents ---------------------------------------------------------------

#: Folders that agents keep their sessions in.
_HOMES: Final = re.compile(
    r"(?i)(?:^|/)(?:\.claude|\.codex|\.gemini|\.qwen|\.copilot|\.continue|\.factory|\.pi|\.lmstudio"
    r"|opencode|chatSessions|rollout-[^/]*\.jsonl|sessions-index\.json)(?:/|$)"
)
#: Files beside sessions: lists of sessions, facts of a sub-agent, settings.
_BESIDE: Final = re.compile(
    r"(?i)(?:sessions?-index|.*\.meta|settings(?:\.local)?|config|projects|trustedFolders|version"
    r"|google_accounts|installation_id|models_cache|\.?claude|state|stats-cache|package(?:-lock)?"
    r"|keybindings|todos|summary|logs|mcp|tui|history|prompt_history|.*history-index)\.jsonl?"
)
#: The folder of an archived log in which the messages are.
_SAMPLES: Final = "samples/"
_HEADER: Final = "header.json"
_LOOKED_AT: Final = 50


def find_beside(names: Sequence[str], is_session: Callable[[str], bool]) -> frozenset[str]:
    """Return which of a folder's ``names`` of files belong to a coding agent but hold no session.

    ``is_session`` tells by a file's content whether it is a session; it is called only for the few
    files whose names do not tell.
    """
    if _HEADER in names and any(name.startswith(_SAMPLES) for name in names):  # Inspect
        return frozenset(name for name in names if not name.startswith(_SAMPLES))
    beside = [name for name in names if _BESIDE.fullmatch(name.rpartition("/")[2])]
    others = [name for name in names if name not in set(beside)][:_LOOKED_AT] if beside else []
    is_home = beside and (any(map(_HOMES.search, names)) or any(map(is_session, others)))
    return frozenset(name for name in beside if not is_session(name)) if is_home else frozenset()
