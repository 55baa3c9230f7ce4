"""One value in many formats under many tokenizers, as plain rows.

Every page, the command line and the HTTP routes get their figures here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from toon import formats as format_table
from toon import tokenizers as tokenizer_table
from toon.codec.normalise import normalise
from toon.costs.explanation import ALONE, Explaining
from toon.costs.proof import Proof, Prover
from toon.costs.typed import Typed, no_estimate, shortest_json
from toon.errors import EncodeError
from toon.formats import AS_TYPED, BASELINES, FORMATS, RECOMMENDED, Format
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.layout.breakdown import breakdown
from toon.layout.spans import Layout
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.values.fractions import fraction


class Kinds(TypedDict):
    """Tokens by kind, which add up to all tokens; ``mixed_tokens`` is how many span kinds."""

    names: float
    punctuation: float
    whitespace: float
    values: float
    mixed_tokens: int


class Figures(TypedDict):
    """What one text costs. ``bytes`` are UTF-8, ``chars`` code points; not ``exact``: estimated."""

    tokens: int
    exact: bool
    bytes: int
    chars: int
    breakdown: Kinds


class MeasuredRow(Figures):
    """A format under a tokenizer.

    ``written_in`` is the format itself, or for the text as typed the format that reads it;
    ``uses`` are the constructs that explaining this text must name. ``lossless`` is what the format
    promises. ``round_trips`` is what reading this very text showed; False where it cannot be read
    at all. ``lost`` says what differs, or None; ``losses`` are what the format itself names as
    dropped or changed. ``caution`` says what other readers than ours would change or refuse, or is
    None. ``no_estimate`` says why the tokenizer's figures do not hold for this payload, or is None.
    ``vs`` has the signed fraction of tokens against each JSON baseline, negative = fewer.
    """

    format: str
    tokenizer: str
    written_in: str
    uses: list[str]
    lossless: bool
    round_trips: bool
    lost: str | None
    losses: list[str]
    caution: str | None
    no_estimate: str | None
    vs: dict[str, float | None]


class NotApplicableRow(TypedDict):
    """A format that cannot carry the value: ``reason`` says why, and there are no figures."""

    format: str
    tokenizer: str
    tokens: None
    exact: bool
    bytes: None
    chars: None
    breakdown: None
    lossless: bool
    round_trips: None
    lost: None
    losses: list[str]
    caution: None
    no_estimate: None
    vs: dict[str, float | None]
    reason: str


Row = MeasuredRow | NotApplicableRow


def compare(
    value: Any,
    *,
    typed: Typed | None = None,
    formats: Iterable[str] = tuple(FORMATS),
    tokenizers: Sequence[str] = (DEFAULT_TOKENIZER,),
) -> list[Row]:
    """One row per format and tokenizer, formats in the order given.

    With ``typed``, the text that ``value`` was read from, rows of the text as typed come first.

    Raises:
        ValueError: a name that is in neither table, or a value with no JSON form, or one nested
            deeper than 256 levels.
    """
    value = normalise(value)
    used = [tokenizer_table.get(name) for name in tokenizers]
    chosen = [format_table.get(name) for name in formats]
    prover = Prover(value)
    rows: list[Row] = []
    if typed is not None:  # it needs no proof: the value was read from it
        rows += _measured(AS_TYPED, typed.format, typed.text, used, prover, Proof(True))
    for format in chosen:
        try:
            texts = _texts(format, value, typed, used)
        except (NotApplicable, EncodeError) as reason:
            rows += [_not_applicable(format, tokenizer, str(reason)) for tokenizer in used]
            continue
        for text, counting in texts.items():
            proof = prover.prove(format, text)
            rows += _measured(format.name, format, text, counting, prover, proof)
    for tokenizer in used:
        mine = measured_rows(row for row in rows if row["tokenizer"] == tokenizer.name)
        against = _baselines(mine, value, typed, tokenizer)
        unlike = no_estimate(value, typed, tokenizer)
        for row in mine:
            row["no_estimate"] = unlike
            row["vs"] = {name: fraction(row["tokens"], against[name]) for name in BASELINES}
    return rows


def _texts(
    format: Format, value: Any, typed: Typed | None, tokenizers: Sequence[Tokenizer]
) -> dict[str, list[Tokenizer]]:
    """The texts of a value in a format, each with the tokenizers that count it: mostly one text."""
    if format is not JSON_COMPACT:
        return {format.dumps(value): list(tokenizers)}
    texts: dict[str, list[Tokenizer]] = {}
    for tokenizer in tokenizers:
        texts.setdefault(shortest_json(value, typed, tokenizer.count), []).append(tokenizer)
    return texts


def _baselines(
    rows: Iterable[MeasuredRow], value: Any, typed: Typed | None, tokenizer: Tokenizer
) -> dict[str, int]:
    """Tokens of each JSON baseline: those of its row, or counted where it has none."""
    counted = {row["format"]: row["tokens"] for row in rows}
    for name in set(BASELINES) - counted.keys():
        (text,) = _texts(FORMATS[name], value, typed, [tokenizer])
        counted[name] = tokenizer.count(text)
    return counted


def _not_applicable(format: Format, tokenizer: Tokenizer, reason: str) -> NotApplicableRow:
    return {
        "format": format.name,
        "tokenizer": tokenizer.name,
        "tokens": None,
        "exact": tokenizer.exact,
        "bytes": None,
        "chars": None,
        "breakdown": None,
        "lossless": format.lossless,
        "round_trips": None,
        "lost": None,
        "losses": [],
        "caution": None,
        "no_estimate": None,
        "vs": dict.fromkeys(BASELINES),
        "reason": reason,
    }


def _measured(
    name: str,
    format: Format,
    text: str,
    tokenizers: Iterable[Tokenizer],
    prover: Prover,
    proof: Proof,
) -> list[MeasuredRow]:
    """The rows of one text; what concerns all texts is filled in when all are counted."""
    layout, uses = format.layout(text), sorted(format.uses(text))
    losses = [] if name == AS_TYPED else format.losses(prover.value)
    caution = format.stock_changes(prover.value, text)
    return [
        {
            "format": name,
            "tokenizer": tokenizer.name,
            **count_kinds(text, layout, tokenizer),
            "written_in": format.name,
            "uses": uses,
            "lossless": format.lossless,
            "round_trips": proof.ok,
            "lost": proof.difference,
            "losses": losses,
            "caution": caution,
            "no_estimate": None,
            "vs": {},
        }
        for tokenizer in tokenizers
    ]


def count_kinds(text: str, layout: Layout, tokenizer: Tokenizer) -> Figures:
    """What ``text`` costs, and where its tokens go."""
    parts = breakdown(text, layout, tokenizer)
    return {
        "tokens": parts.tokens,
        "exact": tokenizer.exact,
        "bytes": len(layout),
        "chars": len(text),
        "breakdown": {
            "names": parts.names,
            "punctuation": parts.punctuation,
            "whitespace": parts.whitespace,
            "values": parts.values,
            "mixed_tokens": parts.mixed_tokens,
        },
    }


def measured_rows(rows: Iterable[Row]) -> list[MeasuredRow]:
    """The rows that have figures."""
    return [row for row in rows if row["tokens"] is not None]


def describe_loss(row: Row) -> str:
    """What a row's format loses: what the format names, else what differs; "" for nothing."""
    return "; ".join(row["losses"]) or row["lost"] or ""


def proof_words(row: Row) -> str:
    """Whether a row's value comes back from its text, in words; or why there is no text.

    ``proven`` is for formats that promise to lose nothing. Another format may bring this payload
    back and lose the next one. What readers other than ours do with the text is said behind it.
    """
    if row["tokens"] is None:
        return row["reason"]
    if row["format"] == AS_TYPED:
        words = "sent today"
    elif not row["round_trips"]:
        words = f"loses {describe_loss(row)}"
    else:
        proven = "proven by our reader" if row["caution"] else "proven"
        words = proven if row["lossless"] else "on this payload, not promised"
        words += f" ({row['lost']})" if row["lost"] else ""
    return f"{words}; {row['caution']}" if row["caution"] else words


def label(row: Row) -> str:
    """What a row's text is called: ``compact JSON``, ``TOON as typed``."""
    if row["tokens"] is None:
        return format_table.label(row["format"])
    return format_table.label(row["format"], row["written_in"])


def why_not(row: Row) -> str | None:
    """Why a row may not be recommended, coloured as a saving, priced or called fewest.

    None if it may: its format promises to lose nothing and public libraries read it, this very
    value came back, and its tokens are counted or within the band of the estimate. The text as
    typed is judged by the format that reads it.
    """
    if row["tokens"] is None:
        return f"not applicable: {row['reason']}"
    if row["no_estimate"]:
        return row["no_estimate"]
    if not row["round_trips"]:
        return proof_words(row)
    if row["written_in"] in RECOMMENDED:
        return None
    today = "sent today, but " if row["format"] == AS_TYPED else ""
    if row["lossless"]:
        return f"{today}no public library reads it"
    return f"{today}not promised to come back" if today else f"comes back {proof_words(row)}"


def explained_once(row: MeasuredRow, explaining: Explaining = ALONE) -> int:
    """The tokens that explaining a row's text takes once, beyond explaining compact JSON."""
    return explaining.tokens(row["written_in"], frozenset(row["uses"]), row["tokenizer"])


def cost(row: MeasuredRow, explaining: Explaining = ALONE) -> float:
    """The tokens of a row's text and its share of explaining it."""
    return row["tokens"] + explaining.share(explained_once(row, explaining))
