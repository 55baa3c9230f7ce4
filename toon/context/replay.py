"""A recorded run of agents replayed: what every step adds to the context, format by format."""

from collections import Counter
from typing import Final, Literal, TypeAlias, TypedDict

from toon.codec.normalise import normalise
from toon.codec.text import NAMED_DELIMITERS
from toon.context.formatter import ContextConfig, Fallback, Outcome, Run
from toon.context.trace import ActionKind, TraceStep, read_steps
from toon.costs.explanation import Explaining
from toon.costs.worth import is_worth
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON, TOON_BY_DELIMITER
from toon.values.json_text import parse_json

#: The ways to write structured data: compact JSON, indented JSON, TOON.
Column = Literal["json", "pretty", "toon"]
COLUMNS: Final[tuple[Column, ...]] = ("json", "pretty", "toon")

#: A number of tokens for each of ``COLUMNS``.
Tokens: TypeAlias = dict[Column, int]


class ReplayRow(TypedDict):
    """One step of an agent's run; tokens added, in context and billed so far, as JSON and TOON."""

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


class Replay(TypedDict):
    """The steps of an agent's recorded run with their tokens, and those of explaining TOON once.

    ``explanation`` are the tokens that stand once in the context of every call; None: the model
    needs no explanation. ``worth_from`` is the step from which on the run's context is worth them;
    None: never.
    """

    rows: list[ReplayRow]
    explanation: int | None
    worth_from: int | None


def replay(
    text: str,
    tokenizer: str,
    delimiter: str,
    fallback: Fallback | None,
    explaining: Explaining,
) -> Replay:
    """Count what each step of an agent's recorded run costs as JSON and as TOON.

    ``text`` is JSON in the form that :mod:`toon.context.trace` describes. All agents share one
    context, and a model is called after every step with all of it. The whole run is one prompt:
    what explains TOON is in every context and bill, and in no single step. ``delimiter`` is a key
    of ``NAMED_DELIMITERS``. With ``fallback="smaller"`` the ``toon`` column keeps JSON where TOON
    does not have fewer tokens.

    Raises:
        TextError: The text is not JSON.
        TraceError: Its value is not a trace.
        EncodeError: A content is nested more than 256 levels deep.
    """
    run = Run(ContextConfig("toon", NAMED_DELIMITERS[delimiter], fallback, tokenizer))
    rows = [
        _row(step, run, number) for number, step in enumerate(read_steps(parse_json(text).value))
    ]
    sent = [TOON.uses(row["toon_text"]) for row in rows if row["outcome"] == "converted"]
    once = None if explaining.together is None else 0
    if sent and once is not None:
        uses = frozenset[str]().union(*sent)
        once = explaining.tokens(TOON_BY_DELIMITER[delimiter], uses, tokenizer)
    context, billed = Counter[Column]({"toon": once or 0}), Counter[Column]()
    unworthy = 0  # the last step after which the context is not worth a change
    for row in rows:
        context.update(row["added"])
        billed.update(context)
        row["context"], row["billed"] = dict(context), dict(billed)
        if not is_worth(context["toon"], context["json"]):
            unworthy = row["step"]
    worth_from = None if unworthy == len(rows) else unworthy + 1
    return {"rows": rows, "explanation": once, "worth_from": worth_from}


def _row(step: TraceStep, run: Run, number: int) -> ReplayRow:
    """Return the row of a step of an agent's run, numbered from 0; context and bill are empty."""
    content, is_text = step.content, isinstance(step.content, str)
    normalise(content, path=f"$.steps[{number}].content")
    result = (run.format_json if is_text else run.format)(content)
    arguments = None if step.arguments is None else JSON_COMPACT.dumps(step.arguments)
    sent = result.sent_tokens or 0
    counts: Tokens = dict.fromkeys(COLUMNS, sent)
    if result.json_tokens is not None:
        counts = {"json": result.json_tokens, "pretty": result.pretty_tokens or 0, "toon": sent}
    if arguments is not None:
        tokens = run.format(arguments).sent_tokens or 0
        counts = {name: count + tokens for name, count in counts.items()}
    json_text = content
    if not is_text or result.json_tokens is not None:  # other text stays as it is
        json_text = JSON_COMPACT.dumps(parse_json(content).value if is_text else content)
    return {
        "step": number + 1,
        "kind": step.kind,
        "agent": step.agent,
        "subject": step.subject,
        "outcome": result.outcome,
        "reason": result.reason,
        "compared": result.json_tokens is not None,
        "arguments": arguments,
        "json_text": json_text,
        "toon_text": result.text,
        "added": counts,
        "context": {},
        "billed": {},
    }
