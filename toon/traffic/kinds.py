"""Kinds of logs, and the file-wide context that their readers share.

A :class:`Cut` splits a text into JSON records. The records are read by the cut itself, or by an
:class:`Envelope` where a tool writes something around its payloads. A new tool's log is one file
with its envelope, and one line in the table of :mod:`.envelopes`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

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
from toon.traffic.walker import Result
from toon.values.paths import Step, pattern_text


@dataclass(frozen=True, slots=True)
class Origin:
    """A log file and what its readers share: name, paths, calls and traces seen so far.

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


class Entry(NamedTuple):
    """A record of a log that is being read: its file, number, time, model, and call of a session.

    Its methods make payloads and bad records with these facts.
    """

    origin: Origin
    number: int
    time: float | None = None
    model: str | None = None
    turn: int | None = None

    def bad(self, reason: str) -> BadRecord:
        """Return a bad record that gives the reason why this record of a log cannot be measured."""
        return BadRecord(self.origin.name, self.number, clean(reason), time=self.time)

    def skip(self, what: str, text: str = "", group: str = "") -> BadRecord:
        """Return a bad record for a text that is sound but not JSON, and so is not measured.

        ``text`` is the text if it was sent to a model, ``what`` describes it, ``group`` is its
        tool.
        """
        reason = clean(f"{SKIPPED}not JSON: {what}")
        return BadRecord(self.origin.name, self.number, reason, text, self.time, group, self.turn)

    def payload(self, group: str, node: Node) -> Payload:
        """Return a JSON value in this record as a Payload of the endpoint or tool ``group``.

        Raises:
            TextError: The value's text cannot be cut out.
        """
        place = pattern_text(node.kind) if node.place else ""
        if self.origin.payload_path is not None and node.place:  # a given path names nobody
            place = pattern_text(self.origin.payload_path)
        return Payload(
            self.origin.name, self.number, group, node.text, self.time, self.model, place, self.turn
        )

    def answer(self, tool: str, content: Node) -> Iterator[Record]:
        """Yield the JSON payloads in a tool's answer; other texts, and pictures alone, are skipped.

        A text that begins as JSON and breaks off was cut by the log: its tokens are unknown.
        """
        self.origin.account.definitions.call(tool)
        found = list(find_payloads(content))
        if not found and holds_pictures(content.value):
            yield self.skip(tool, group=tool)
        for each in found:
            if not isinstance(each.value, str):
                yield self.payload(tool, each)
            elif is_cut(each.value):
                bad = self.bad(f"{CUT}: {tool}")
                yield replace(bad, group=tool, turn=self.turn)
            else:
                yield self.skip(tool, each.value, tool)

    def answers(self, found: Iterable[Result]) -> Iterator[Record]:
        """Yield payloads and bad records from the results of several tools in this record."""
        for each in found:
            yield from self.answer(each.tool, each.content)

    def note(
        self,
        record: Node,
        conversation: str | None = None,
        before: int | None = None,
        *,
        is_billed: bool = False,
    ) -> int | None:
        """Count the tools' definitions in a record and the usage (tokens billed) of its model call.

        The usage is not counted again if ``is_billed``. Return the number of the call, which
        follows the call ``before`` (:meth:`.Usages.add`); None without usage.
        """
        conversation, text = name_conversation(conversation), record.source
        account, calls = self.origin.account, self.origin.calls
        named = not text or "ools" in text or "unction" in text
        if named and (tools := find_tools(record)) is not None:
            account.definitions.add(tools, self.origin.name, self.time, conversation=conversation)
        if is_billed or (text and not has_usage(text)) or (call := find_call(record)) is None:
            return None
        return account.usages.add(call, self.model, self.time, conversation, calls.project, before)


#: A reader of the payloads and bad records in one record. It raises TextError on an unreadable one.
Reader: TypeAlias = Callable[[RawRecord, Origin], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of log file: its key, its label for people, and words on what its records are.

    ``kept`` says where people find such files, and ``nothing`` why one has no payloads.
    """

    name: str
    label: str
    records: str
    kept: str = ""
    nothing: str = "no record in it"


@dataclass(frozen=True, slots=True)
class Cut(Kind):
    """A kind of log file, with two functions: ``split`` cuts a text into JSON records, and ``read``
    yields the payloads of a record.
    """

    split: Callable[[Chunks], Iterator[RawRecord | Flaw]] = field(kw_only=True)
    read: Reader = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Envelope(Kind):
    """A kind of JSON records in which a tool wraps its payloads, in whatever file they lie.

    A file is of this kind if the function ``recognises`` accepts the value of one of its first
    records; the function ``read`` yields a record's payloads.
    """

    recognises: Callable[[Any], bool] = field(kw_only=True)
    read: Reader = field(kw_only=True)
