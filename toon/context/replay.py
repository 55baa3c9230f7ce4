"""A recorded run of agents replayed: what every step adds to the context, format by format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from toon.codec.normalise import normalise
from toon.context import ContextFormatter, ExecutionTrace, Result, Step, get_formatter
from toon.context.formatter import Fallback
from toon.formats.json import JSON_COMPACT
from toon.values.fractions import fraction
from toon.values.json_text import parse_json

Row = dict[str, Any]

#: What the context is written in: structured data as compact JSON, indented JSON, or TOON.
COLUMNS: Final = ("json", "pretty", "toon")


def replay(
    trace_value: Any,
    tokenizer: str = "o200k_base",
    delimiter: str = ",",
    *,
    fallback: Fallback | None = None,
) -> list[Row]:
    """One row per step of a trace, in the form of :class:`toon.context.ExecutionTrace`.

    All agents share one context, and a model is called after every step with all of it. A row
    holds ``step`` (from 1), ``kind``, ``agent``, ``subject``, ``outcome`` ("converted", "passed",
    "failed") and ``reason``, ``compared`` (False: the same text in every column), ``exact``,
    ``arguments`` (the JSON a tool was called with, which the model writes and no format changes;
    or None), ``json_text`` (compact) and ``toon_text`` (what was sent), and for each of COLUMNS

    - ``…_added``: tokens this step adds, its arguments included;
    - ``…_context``: tokens in the context after it, the sum of what was added so far;
    - ``…_billed``: input tokens billed so far: the context is sent again with every call, so
      this is the sum of the contexts so far, before any discount for a cached prompt.

    With ``fallback="smaller"`` the ``toon`` column keeps JSON where TOON has no fewer tokens.

    Raises:
        TraceError: the value is no trace.
        EncodeError: a content has no JSON form, or is nested more than 256 levels deep.
        ValueError, RuntimeError: the tokenizer or delimiter is unknown or cannot be used.
    """
    formatter = get_formatter("toon", delimiter=delimiter, fallback=fallback, tokenizer=tokenizer)
    context, billed = Counter[str](), Counter[str]()
    rows = []
    for number, step in enumerate(ExecutionTrace.from_value(trace_value).steps, start=1):
        normalise(step.content, path=f"$.steps[{number - 1}].content")
        row, added = _step_row(number, step, formatter)
        context.update(added)
        billed.update(context)
        for name in COLUMNS:
            row[f"{name}_added"] = added[name]
            row[f"{name}_context"] = context[name]
            row[f"{name}_billed"] = billed[name]
        rows.append(row)
    return rows


def _step_row(number: int, step: Step, formatter: ContextFormatter) -> tuple[Row, dict[str, int]]:
    is_text = isinstance(step.content, str)
    result = (formatter.format_json if is_text else formatter.format)(step.content)
    arguments = None if step.arguments is None else JSON_COMPACT.dumps(step.arguments)
    row = {
        "step": number,
        "kind": step.kind,
        "agent": step.agent,
        "subject": step.subject,
        "outcome": result.outcome,
        "reason": result.reason,
        "compared": result.json_tokens is not None,
        "exact": result.exact,
        "arguments": arguments,
        "json_text": _json_text(step.content, result),
        "toon_text": result.text,
    }
    extra = 0 if arguments is None else formatter.format(arguments).sent_tokens or 0
    return row, {name: tokens + extra for name, tokens in _added(result).items()}


def _json_text(content: Any, result: Result) -> str:
    """The content as compact JSON; text that is no JSON as it is."""
    if not isinstance(content, str):
        return JSON_COMPACT.dumps(content)
    return content if result.json_tokens is None else JSON_COMPACT.dumps(parse_json(content).value)


def _added(result: Result) -> dict[str, int]:
    """Tokens in each column; what is passed through is the same text in all of them."""
    sent = result.sent_tokens or 0
    if result.json_tokens is None:
        return dict.fromkeys(COLUMNS, sent)
    return {"json": result.json_tokens, "pretty": result.pretty_tokens or 0, "toon": sent}


def totals(rows: Sequence[Row]) -> dict[str, Any]:
    """The end of a replay, from its rows; at least one.

    Returns ``steps``, ``converted``, ``passed``, ``failed`` (counts), ``exact``, and for
    "context" and "billed" each ``{"json", "pretty", "toon"}`` in tokens with ``vs_json`` and
    ``vs_pretty``, the signed fractions by which the ``toon`` column differs (negative = fewer).
    """
    last = rows[-1]
    outcomes = Counter(row["outcome"] for row in rows)
    result: dict[str, Any] = {
        "steps": len(rows),
        **{outcome: outcomes[outcome] for outcome in ("converted", "passed", "failed")},
        "exact": last["exact"],
    }
    for measure in ("context", "billed"):
        tokens = {name: last[f"{name}_{measure}"] for name in COLUMNS}
        result[measure] = {
            **tokens,
            "vs_json": fraction(tokens["toon"], tokens["json"]),
            "vs_pretty": fraction(tokens["toon"], tokens["pretty"]),
        }
    return result
