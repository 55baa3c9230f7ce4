"""A recorded run of agents replayed: what every step adds to the context, format by format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, TypedDict

from toon import tokenizers
from toon.codec.normalise import normalise
from toon.context.formatter import ContextFormatter, Fallback, Outcome, Result, get_formatter
from toon.context.trace import ActionKind, ExecutionTrace, TraceStep
from toon.costs.typed import no_estimate
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.json_text import parse_json

#: How structured data is written in each column: compact JSON, indented JSON, TOON.
COLUMNS: Final = ("json", "pretty", "toon")


class ReplayRow(TypedDict):
    """One step, and its tokens in each of ``COLUMNS``."""

    step: int  # from 1
    kind: ActionKind
    agent: str
    subject: str
    outcome: Outcome
    reason: str | None
    compared: bool  # False: the text is the same in every column
    exact: bool | None
    no_estimate: str | None  # why the estimates do not hold for this run
    arguments: str | None  # JSON that the model wrote to call a tool; no format changes it
    json_text: str  # compact
    toon_text: str  # what was sent
    # Tokens that this step adds, its arguments included.
    json_added: int
    pretty_added: int
    toon_added: int
    # Tokens in the context after this step: the sum of all that was added so far.
    json_context: int
    pretty_context: int
    toon_context: int
    # Input tokens billed so far. Every call sends the whole context again, so this is the sum of
    # the contexts so far, before any discount for a cached prompt.
    json_billed: int
    pretty_billed: int
    toon_billed: int


class ColumnTotals(TypedDict):
    """Tokens in each of ``COLUMNS``, and how ``toon`` compares: signed fractions, negative = fewer.

    A fraction is None if its baseline is 0.
    """

    json: int
    pretty: int
    toon: int
    vs_json: float | None
    vs_pretty: float | None


class ReplayTotals(TypedDict):
    """The end of a replay; ``converted``, ``passed`` and ``failed`` count steps."""

    steps: int
    converted: int
    passed: int
    failed: int
    exact: bool | None
    no_estimate: str | None
    context: ColumnTotals
    billed: ColumnTotals


def replay(
    trace_value: Any,
    tokenizer: str = DEFAULT_TOKENIZER,
    delimiter: str = ",",
    *,
    fallback: Fallback | None = None,
) -> list[ReplayRow]:
    """One row per step of a trace, in the form of :class:`toon.context.ExecutionTrace`.

    All agents share one context, and a model is called after every step with all of it. With
    ``fallback="smaller"`` the ``toon`` column keeps JSON where TOON does not have fewer tokens.

    Raises:
        TraceError: the value is not a trace.
        EncodeError: a content has no JSON form, or is nested more than 256 levels deep.
        ValueError, RuntimeError: the tokenizer or delimiter is unknown or cannot be used.
    """
    formatter = get_formatter("toon", delimiter=delimiter, fallback=fallback, tokenizer=tokenizer)
    context, billed = Counter[str](), Counter[str]()
    rows: list[ReplayRow] = []
    steps = ExecutionTrace.from_value(trace_value).steps
    for number, step in enumerate(steps):
        normalise(step.content, path=f"$.steps[{number}].content")
    counted = [[step.arguments, step.content] for step in steps]
    unlike = no_estimate(counted, None, tokenizers.get(tokenizer))
    for number, step in enumerate(steps, start=1):
        is_text = isinstance(step.content, str)
        result = (formatter.format_json if is_text else formatter.format)(step.content)
        arguments = None if step.arguments is None else JSON_COMPACT.dumps(step.arguments)
        added = _added(result, arguments, formatter)
        context.update(added)
        billed.update(context)
        rows.append(
            {
                "step": number,
                "kind": step.kind,
                "agent": step.agent,
                "subject": step.subject,
                "outcome": result.outcome,
                "reason": result.reason,
                "compared": result.json_tokens is not None,
                "exact": result.exact,
                "no_estimate": unlike,
                "arguments": arguments,
                "json_text": _json_text(step, result),
                "toon_text": result.text,
                "json_added": added["json"],
                "pretty_added": added["pretty"],
                "toon_added": added["toon"],
                "json_context": context["json"],
                "pretty_context": context["pretty"],
                "toon_context": context["toon"],
                "json_billed": billed["json"],
                "pretty_billed": billed["pretty"],
                "toon_billed": billed["toon"],
            }
        )
    return rows


def replay_text(
    text: str, tokenizer: str, delimiter: str, fallback: Fallback | None
) -> tuple[list[ReplayRow], frozenset[str]]:
    """The rows of a trace's JSON, and the constructs of what was sent as TOON.

    Raises:
        TextError: the text is not JSON; and as :func:`replay`.
    """
    rows = replay(parse_json(text).value, tokenizer, delimiter, fallback=fallback)
    sent = [TOON.uses(row["toon_text"]) for row in rows if row["outcome"] == "converted"]
    return rows, frozenset().union(*sent)


def _json_text(step: TraceStep, result: Result) -> str:
    """The content as compact JSON; a text that is not a JSON container stays as it is."""
    content = step.content
    if not isinstance(content, str):
        return JSON_COMPACT.dumps(content)
    return content if result.json_tokens is None else JSON_COMPACT.dumps(parse_json(content).value)


def _added(result: Result, arguments: str | None, formatter: ContextFormatter) -> dict[str, int]:
    """Tokens that a step adds in each column."""
    sent = result.sent_tokens or 0
    tokens = dict.fromkeys(COLUMNS, sent)
    if result.json_tokens is not None:
        tokens = {"json": result.json_tokens, "pretty": result.pretty_tokens or 0, "toon": sent}
    extra = 0 if arguments is None else formatter.format(arguments).sent_tokens or 0
    return {name: count + extra for name, count in tokens.items()}


def totals(rows: Sequence[ReplayRow]) -> ReplayTotals:
    """The totals of a replay, from its rows; at least one."""
    last = rows[-1]
    outcomes = Counter(row["outcome"] for row in rows)
    return {
        "steps": len(rows),
        "converted": outcomes["converted"],
        "passed": outcomes["passed"],
        "failed": outcomes["failed"],
        "exact": last["exact"],
        "no_estimate": last["no_estimate"],
        "context": _compared(last["json_context"], last["pretty_context"], last["toon_context"]),
        "billed": _compared(last["json_billed"], last["pretty_billed"], last["toon_billed"]),
    }


def _compared(json: int, pretty: int, toon: int) -> ColumnTotals:
    return {
        "json": json,
        "pretty": pretty,
        "toon": toon,
        "vs_json": fraction(toon, json),
        "vs_pretty": fraction(toon, pretty),
    }
