"""A recorded run of agents replayed: what every step adds to the context, format by format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypedDict

from toon.codec.normalise import normalise
from toon.codec.text import NAMED_DELIMITERS
from toon.context.formatter import ContextConfig, ContextFormatter, Fallback, Outcome, Result
from toon.context.trace import ActionKind, read_steps
from toon.costs.explanation import Explaining
from toon.costs.worth import is_worth
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON, TOON_BY_DELIMITER
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.json_text import parse_json

if TYPE_CHECKING:
    from toon.codec.text import Delimiter

#: The ways to write structured data: compact JSON, indented JSON, TOON.
Column = Literal["json", "pretty", "toon"]
COLUMNS: Final[tuple[Column, ...]] = ("json", "pretty", "toon")

#: A number of tokens for each of ``COLUMNS``.
Tokens: TypeAlias = dict[Column, int]


class ReplayRow(TypedDict):
    """One step, and its tokens in each column."""

    step: int  # from 1
    kind: ActionKind
    agent: str
    subject: str
    outcome: Outcome
    reason: str | None
    compared: bool  # False: the text is the same in every column
    arguments: str | None  # JSON that the model wrote to call a tool; no format changes it
    json_text: str  # compact
    toon_text: str  # what was sent
    added: Tokens  # by this step, its arguments included
    context: Tokens  # after this step: the sum of all that was added so far
    # Input billed so far. Every call sends the whole context again, so this is the sum of the
    # contexts so far, before any discount for a cached prompt.
    billed: Tokens


class ColumnTotals(TypedDict):
    """Tokens, and how ``toon`` compares with the other columns: signed fractions, negative = fewer.

    A fraction is None if its baseline is 0.
    """

    tokens: Tokens
    vs: dict[Column, float | None]


class ReplayTotals(TypedDict):
    """The end of a replay; ``converted``, ``passed`` and ``failed`` count steps."""

    steps: int
    converted: int
    passed: int
    failed: int
    context: ColumnTotals
    billed: ColumnTotals


class Explained(TypedDict):
    """The tokens that explaining TOON takes in one run.

    ``tokens`` stand once in the context of every call; None: the model needs no explanation.
    ``worth_from`` is the step from which on the run's context is worth them; None: never.
    """

    tokens: int | None
    worth_from: int | None


def replay(
    trace_value: Any,
    tokenizer: str = DEFAULT_TOKENIZER,
    delimiter: Delimiter = ",",
    *,
    fallback: Fallback | None = None,
) -> list[ReplayRow]:
    """Return one row per step of a trace, in the form that :mod:`toon.context.trace` describes.

    All agents share one context, and a model is called after every step with all of it. With
    ``fallback="smaller"`` the ``toon`` column keeps JSON where TOON does not have fewer tokens.

    Raises:
        TraceError: The value is not a trace.
        EncodeError: A content has no JSON form, or is nested more than 256 levels deep.
        ValueError, RuntimeError: The tokenizer or delimiter is unknown or cannot be used.
    """
    formatter = ContextFormatter(ContextConfig("toon", delimiter, fallback, tokenizer))
    context, billed = Counter[Column](), Counter[Column]()
    rows: list[ReplayRow] = []
    steps = read_steps(trace_value)
    for number, step in enumerate(steps):
        normalise(step.content, path=f"$.steps[{number}].content")
    for number, step in enumerate(steps, start=1):
        is_text = isinstance(step.content, str)
        result = (formatter.format_json if is_text else formatter.format)(step.content)
        arguments = None if step.arguments is None else JSON_COMPACT.dumps(step.arguments)
        added = _added(result, arguments, formatter)
        # A text that is not a JSON container stays as it is.
        content = step.content
        is_text = isinstance(content, str) and result.json_tokens is None
        value = parse_json(content).value if isinstance(content, str) and not is_text else content
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
                "arguments": arguments,
                "json_text": content if is_text else JSON_COMPACT.dumps(value),
                "toon_text": result.text,
                "added": added,
                "context": dict(context),
                "billed": dict(billed),
            }
        )
    return rows


def replay_text(
    text: str, tokenizer: str, delimiter: str, fallback: Fallback | None, explaining: Explaining
) -> tuple[list[ReplayRow], ReplayTotals, Explained]:
    """Replay the JSON of a trace, with what was sent as TOON explained once.

    ``delimiter`` is a key of ``NAMED_DELIMITERS``. The whole run is one prompt: the explanation is
    in every context and bill, and in no single step.

    Raises:
        TextError: The text is not JSON.
        TraceError, EncodeError: As for :func:`replay`.
    """
    rows = replay(parse_json(text).value, tokenizer, NAMED_DELIMITERS[delimiter], fallback=fallback)
    sent = [TOON.uses(row["toon_text"]) for row in rows if row["outcome"] == "converted"]
    tokens = None if explaining.together is None else 0
    if sent and tokens is not None:
        uses = frozenset[str]().union(*sent)
        tokens = explaining.tokens(TOON_BY_DELIMITER[delimiter], uses, tokenizer)
        for row in rows:
            row["context"]["toon"] += tokens
            row["billed"]["toon"] += tokens * row["step"]
    return rows, totals(rows), {"tokens": tokens, "worth_from": _worth_from(rows)}


def _worth_from(rows: Sequence[ReplayRow]) -> int | None:
    """Return the first step from which on the context is worth TOON at every step."""
    contexts = [row["context"] for row in rows]
    worth = [is_worth(context["toon"], context["json"]) for context in contexts]
    last = max((number for number, good in enumerate(worth, start=1) if not good), default=0)
    return None if last == len(rows) else last + 1


def _added(result: Result, arguments: str | None, formatter: ContextFormatter) -> Tokens:
    """Return the tokens that a step adds in each column."""
    sent = result.sent_tokens or 0
    tokens: Tokens = dict.fromkeys(COLUMNS, sent)
    if result.json_tokens is not None:
        tokens = {"json": result.json_tokens, "pretty": result.pretty_tokens or 0, "toon": sent}
    extra = 0 if arguments is None else formatter.format(arguments).sent_tokens or 0
    return {name: count + extra for name, count in tokens.items()}


def totals(rows: Sequence[ReplayRow]) -> ReplayTotals:
    """Sum up the rows of a replay, at least one."""
    last = rows[-1]
    outcomes = Counter(row["outcome"] for row in rows)
    return {
        "steps": len(rows),
        "converted": outcomes["converted"],
        "passed": outcomes["passed"],
        "failed": outcomes["failed"],
        "context": _compared(last["context"]),
        "billed": _compared(last["billed"]),
    }


def _compared(tokens: Tokens) -> ColumnTotals:
    against: tuple[Column, ...] = ("json", "pretty")
    return {
        "tokens": tokens,
        "vs": {name: fraction(tokens["toon"], tokens[name]) for name in against},
    }
