"""Spans of tools that keep input and output under keys of their own: what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.fields import Fields
from toon.traffic.envelopes.spans import answers, results_in
from toon.traffic.kinds import Origin
from toon.traffic.locate import Node, find_model, name_group
from toon.traffic.messages import Result
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.tools import UNKNOWN_TOOL
from toon.traffic.traces import Place

_DEEPEST: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where a run holds what: keys, of which the first found counts. Dots lead inside."""

    kind: tuple[str, ...]
    trace: tuple[str, ...]
    name: tuple[str, ...]
    model: tuple[str, ...]
    input: tuple[str, ...]
    output: tuple[str, ...]
    tools: frozenset[str]
    models: frozenset[str]
    agents: frozenset[str] = frozenset()
    conversation: tuple[str, ...] = ()


def find_runs(
    node: Node, is_run: Callable[[Any], bool], keys: Sequence[str], depth: int = 0
) -> Iterator[Node]:
    """The runs in a record: itself, and those in lists under keys, in runs or around them."""
    if isinstance(node.value, list):
        for item in node.members():
            if isinstance(item.value, dict):
                yield from find_runs(item, is_run, keys, depth)
        return
    if is_run(node.value):
        yield node
    if not isinstance(node.value, dict) or depth == _DEEPEST:
        return
    for key in keys:
        try:
            held = node.at(key).opened()
        except (LookupError, TextError):
            continue
        if isinstance(held.value, list):
            yield from find_runs(held, is_run, keys, depth + 1)


def read_run(run: Node, layout: Layout, number: int, origin: Origin) -> Iterator[Record]:
    """What a tool answered, or what tools' answers a model was sent."""
    fields = Fields.of(run)
    kind, trace = fields.text(*layout.kind).lower(), fields.text(*layout.trace)
    time = find_time(run.value)
    model = find_model({"model": fields.text(*layout.model)})
    if kind in layout.models:
        conversation = fields.text(*layout.conversation) or origin.traces.conversation(trace)
        origin.note(run, time, model, conversation)

    def records(found: Iterator[Result]) -> Iterator[Record]:
        for result in found:
            yield from origin.answer(number, result.tool, result.content, time, model)

    if kind in layout.tools:
        answer = fields.first(*layout.output)
        if answer is not None:
            name = fields.text(*layout.name)
            found = answers(answer, name_group(name) if name else UNKNOWN_TOOL)
            yield from origin.traces.add(trace, Place.TOOL, records(found))
        return
    if kind in layout.models or kind in layout.agents:
        place = Place.MODEL if kind in layout.models else Place.AGENT
        said, sent = fields.first(*layout.output), fields.first(*layout.input)
        if said is not None and kind in layout.models:
            list(results_in(said, origin.calls))  # for the names of what it calls
        if sent is not None:
            found = results_in(sent, origin.calls)
            yield from origin.traces.add(trace, place, records(found))
