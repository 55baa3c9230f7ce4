"""Kinds of logs, and the file-wide context that their readers share.

A :class:`Cut` splits a text into JSON records. The records are read by the cut itself, or by an
:class:`Envelope` where a tool writes something around its payloads. A new tool's log is one file
with its envelope, and one line in the table of :mod:`.envelopes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from toon.text import clean
from toon.traffic.account import Account
from toon.traffic.definitions import find_tools
from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.locate import Node, name_conversation
from toon.traffic.payload import CUT, SKIPPED, BadRecord, Payload, Record
from toon.traffic.streams import Chunks
from toon.traffic.tools import Calls, find_payloads, holds_pictures, is_cut
from toon.traffic.traces import Traces
from toon.traffic.usage import find_call, has_usage
from toon.values.paths import Step, pattern_text


@dataclass(frozen=True, slots=True)
class Origin:
    """The file of some records: its name, its paths, and the calls and traces seen in it.

    ``group`` is the group of records that name none. With ``whole`` a JSON text is one payload even
    if it is an array, and its group is the file's. With ``only_sessions`` other files are left out.
    """

    name: str
    group: str
    payload_path: tuple[Step, ...] | None = None
    group_path: tuple[Step, ...] | None = None
    whole: bool = False
    only_sessions: bool = False
    calls: Calls = field(default_factory=Calls, compare=False)
    traces: Traces = field(default_factory=Traces, compare=False)
    account: Account = field(default_factory=Account, compare=False)

    def __post_init__(self) -> None:
        self.calls.note = self.account.definitions.call

    def bad(self, number: int, reason: str, time: float | None = None) -> BadRecord:
        return BadRecord(self.name, number, clean(reason), time=time)

    def skip(
        self,
        number: int,
        what: str,
        text: str,
        time: float | None,
        group: str = "",
        turn: int | None = None,
    ) -> BadRecord:
        """Return a bad record for a sound one that is not JSON; ``text`` was sent, if known."""
        reason = clean(f"{SKIPPED}not JSON: {what}")
        return BadRecord(self.name, number, reason, text, time, group, turn)

    def payload(
        self,
        number: int,
        group: str,
        node: Node,
        time: float | None = None,
        model: str | None = None,
        turn: int | None = None,
    ) -> Payload:
        """Return the payload that is the value of ``node``.

        Raises:
            TextError: Its text cannot be cut out.
        """
        place = pattern_text(node.kind) if node.place else ""
        if self.payload_path is not None and node.place:  # a path that was given names nobody
            place = pattern_text(self.payload_path)
        return Payload(self.name, number, group, node.text, time, model, place, turn)

    def answer(
        self,
        number: int,
        tool: str,
        content: Node,
        time: float | None = None,
        model: str | None = None,
        turn: int | None = None,
    ) -> Iterator[Record]:
        """Yield the payloads in a tool's answer; other texts, and pictures alone, are skipped.

        A text that begins as JSON and breaks off was cut by the log: its tokens are unknown.
        """
        self.account.definitions.call(tool)
        found = list(find_payloads(content))
        if not found and holds_pictures(content.value):
            yield self.skip(number, tool, "", time, tool, turn)
        for each in found:
            if isinstance(each.value, str) and is_cut(each.value):
                reason = clean(f"{CUT}: {tool}")
                yield BadRecord(self.name, number, reason, time=time, group=tool, turn=turn)
            elif isinstance(each.value, str):
                yield self.skip(number, tool, each.value, time, tool, turn)
            else:
                yield self.payload(number, tool, each, time, model, turn)

    def note(
        self,
        record: Node,
        time: float | None = None,
        model: str | None = None,
        conversation: str | None = None,
        before: int | None = None,
        *,
        is_billed: bool = False,
    ) -> int | None:
        """Note a record's definitions of tools, and its usage unless its messages named it.

        Returns:
            The number of its call after the call ``before``, from :meth:`.Usages.add`; None without
            usage.
        """
        conversation, text = name_conversation(conversation), record.source
        named = not text or "ools" in text or "unction" in text
        if named and (tools := find_tools(record)) is not None:
            self.account.definitions.add(tools, self.name, time, conversation=conversation)
        if is_billed or (text and not has_usage(text)) or (call := find_call(record)) is None:
            return None
        project = self.calls.project
        return self.account.usages.add(call, model, time, conversation, project, before)


#: A reader of the payloads and bad records in one record. It raises TextError on an unreadable one.
Reader: TypeAlias = Callable[[RawRecord, Origin], Iterator[Record]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of file: its key, its label for people, and a name for its records.

    ``nothing`` is the reason given for a file without payloads. ``kept`` says where people find
    such files.
    """

    name: str
    label: str
    records: str
    nothing: str = "no record in it"
    kept: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Kind):
    """A kind of text that ``split`` cuts into JSON records."""

    split: Callable[[Chunks], Iterator[RawRecord | Flaw]]
    read: Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope(Kind):
    """A kind of JSON records that hold payloads somewhere inside, however they were cut.

    A file is of this kind if ``recognises`` is true of the value of one of its first records.
    """

    recognises: Callable[[Any], bool]
    read: Reader
