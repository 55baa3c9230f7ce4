"""Listing of agents' sessions by the names and facts of files: no file is opened.

Links below a home are not followed, so no file outside it is listed. Files and homes of another
user are not read, where the system knows users.
"""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

from toon.agents.homes import AGENTS, Agent, homes_of, user_home
from toon.secrets import may_hold_credentials
from toon.wording import plural

#: Reasons for passing over a file or folder.
LINK: Final = "a link, which is not followed"
UNREADABLE: Final = "it cannot be read"
STRANGER: Final = "it belongs to another user"
SPECIAL: Final = "no regular file"
SECRET: Final = "may hold credentials"

_DAY: Final = 86_400.0

#: The heads of the table of agents.
HEAD: Final = ("Agent", "Sessions", "MB", "First", "Last")


class SessionFile(NamedTuple):
    """A file of an agent's session: path, size in bytes, last change in seconds since 1970."""

    path: str
    size: int
    modified: float


@dataclass(slots=True)
class Listing:
    """The session files of one agent, the number ``passed`` over by reason, and its ``databases``.

    ``examples`` has the first path for each reason. ``folders`` hold a session each, if the agent
    keeps it in several files.
    """

    agent: Agent
    files: list[SessionFile] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    databases: list[str] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)

    @property
    def sessions(self) -> int:
        return len(self.folders) if self.agent.folder else len(self.files)

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def first(self) -> float:
        """The oldest file's last change, in seconds since 1970; there must be a file."""
        return min(file.modified for file in self.files)

    @property
    def last(self) -> float:
        """The newest file's last change, in seconds since 1970; there must be a file."""
        return max(file.modified for file in self.files)

    def since(self, moment: float) -> Listing:
        """Return a listing of files that changed at ``moment`` (seconds since 1970) or later."""
        files = [file for file in self.files if file.modified >= moment]
        folders = self.folders
        if len(files) < len(self.files):
            folders = self.folders and {os.path.dirname(file.path) for file in files} & folders
        return Listing(self.agent, files, self.passed, self.examples, self.databases, folders)

    def pass_over(self, path: str, reason: str) -> None:
        self.passed[reason] += 1
        self.examples.setdefault(reason, path)


def list_sessions(environment: Mapping[str, str] = os.environ) -> list[Listing]:
    """Return a listing of session files for each agent that has any on this machine."""
    found = [_list(agent, environment) for agent in AGENTS]
    return [each for each in found if each.files or each.passed or each.databases]


def newest_first(listings: Iterable[Listing]) -> list[SessionFile]:
    """Return the session files of all listings, the last changed first."""
    files = (file for listing in listings for file in listing.files)
    return sorted(files, key=lambda file: (-file.modified, file.path))


def days_before(now: float, days: int | None) -> float:
    """Return the time ``days`` before ``now``, in seconds; minus infinity for no number of days."""
    return float("-inf") if days is None else now - days * _DAY


def shown(path: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return a path with ``~`` for the user's home."""
    home = user_home(environment).rstrip("/\\")
    inside = home and path.startswith((f"{home}/", f"{home}{os.sep}"))
    return (f"~{path[len(home) :]}" if inside else path).replace(os.sep, "/")


def _list(agent: Agent, environment: Mapping[str, str]) -> Listing:
    listing, seen = Listing(agent), set[tuple[int, int]]()
    for home in homes_of(agent, environment):
        try:
            found = os.stat(home)
        except OSError:
            continue  # it does not exist, or may not be read
        if (found.st_dev, found.st_ino) in seen or not stat.S_ISDIR(found.st_mode):
            continue
        seen.add((found.st_dev, found.st_ino))
        if not is_own(found):
            listing.pass_over(home, STRANGER)
            continue
        for number, pattern in enumerate(agent.sessions):
            for path, facts in _matches(home, pattern.split("/"), listing):
                if reason := _why_not(path, facts):
                    listing.pass_over(path, reason)
                    continue
                listing.files.append(SessionFile(path, facts.st_size, facts.st_mtime))
                if agent.folder and not number:
                    listing.folders.add(os.path.dirname(path))
        if agent.database:
            listing.databases += glob.glob(os.path.join(glob.escape(home), agent.database))
    return listing


def is_own(facts: os.stat_result) -> bool:
    """Return whether a file's ``os.stat`` names this user; always true where there are no users."""
    return not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()


def _why_not(path: str, facts: os.stat_result) -> str:
    """Return the reason not to read a file named like a session; "" if there is none."""
    if not stat.S_ISREG(facts.st_mode):
        return SPECIAL
    if not is_own(facts):
        return STRANGER
    if may_hold_credentials(path):
        return SECRET
    if not facts.st_mode & stat.S_IRUSR and not os.access(path, os.R_OK):
        return UNREADABLE
    return ""


def _matches(
    home: str, pattern: Sequence[str], listing: Listing
) -> Iterator[tuple[str, os.stat_result]]:
    """Yield files below a home that match a pattern, with their stat; note links in ``listing``."""
    pending = [(home, tuple(pattern))]
    while pending:
        folder, (first, *rest) = pending.pop()
        is_deep = first == "**"
        name = rest[0] if is_deep else first
        try:
            with os.scandir(folder) as scanned:
                entries = list(scanned)
            for entry in entries:
                fits = fnmatch.fnmatchcase(entry.name, name)
                if entry.is_symlink():
                    if fits or is_deep:
                        listing.pass_over(entry.path, LINK)
                elif entry.is_dir(follow_symlinks=False):
                    if is_deep:
                        pending.append((entry.path, (first, *rest)))
                    elif rest and fits:
                        pending.append((entry.path, tuple(rest)))
                elif fits and len(rest) == is_deep:
                    with suppress(FileNotFoundError):  # deleted meanwhile
                        yield entry.path, entry.stat(follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            continue  # it does not exist, or not any more
        except OSError:
            listing.pass_over(folder, UNREADABLE)


def rows(listings: Sequence[Listing]) -> list[tuple[str, ...]]:
    """Return a table's row for each agent that has sessions, as texts under ``HEAD``.

    The agents' sums are the last row if there are several.
    """
    found = [each for each in listings if each.files]
    made = [(each.agent.label, *_figures([each])) for each in found]
    return [*made, ("all", *_figures(found))] if len(found) > 1 else made


def _figures(listings: Sequence[Listing]) -> tuple[str, ...]:
    sessions = sum(each.sessions for each in listings)
    size = sum(each.bytes for each in listings) / 1e6
    ends = min(each.first for each in listings), max(each.last for each in listings)
    return (f"{sessions:,}", f"{size:,.1f}", *map(_day, ends))


def _day(moment: float) -> str:
    try:
        return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"
    except (OverflowError, OSError, ValueError):  # no calendar has it
        return "?"


def notes(listings: Iterable[Listing]) -> Iterator[str]:
    """Yield a sentence for each reason and agent on the files that are not read."""
    for each in listings:
        for reason, count in each.passed.items():
            said = f"{each.agent.label}: {plural(count, 'is', 'are')} not read ({reason})"
            yield f"{said}, such as {shown(each.examples[reason])}"
        if each.databases:
            yield (
                f"{each.agent.label} keeps sessions in a database, which is not read: "
                f"{each.agent.export} writes them as files ({shown(each.databases[0])})"
            )


def summed(listings: Iterable[Listing]) -> str:
    """Write the number and size of the sessions in listings: ``214 sessions, 312.4 MB``."""
    found = list(listings)
    size = sum(each.bytes for each in found) / 1e6
    return f"{plural(sum(each.sessions for each in found), 'session')}, {size:,.1f} MB"
