"""Comparison of one value in many formats under many tokenizers, as plain rows.

Every page, the command line and the HTTP routes get their figures here.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final, TypedDict

from toon import formats as format_table
from toon import tokenizers as tokenizer_table
from toon.codec.text import NAMED_DELIMITERS
from toon.costs.document import Document, Figures
from toon.costs.explanation import ALONE, Explaining
from toon.costs.worth import COMPACT
from toon.errors import EncodeError
from toon.formats import AS_TYPED, BASELINES, FORMATS, READ
from toon.formats.base import NotApplicable
from toon.formats.toon import TOON, ToonFormat
from toon.layout.spans import quote_pairs
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.walks import scalars
from toon.wording import ROUND_TRIPS


class MeasuredRow(Figures):
    """The size of a payload in one format by one tokenizer, and whether the payload comes back.

    ``written_in`` is the format itself, or for the text as typed the format that reads it; ``uses``
    are the constructs that explaining this text must name. ``lossless`` is the format's promise.
    ``round_trips`` is the result of reading this text; False where it cannot be read at all, None
    where nobody has read it. ``lost`` is the difference after that, or None; ``losses`` are those
    that the format declares. ``caution`` is what other readers would change or refuse, or None.
    ``vs`` has the signed fraction of tokens against each JSON baseline, negative = fewer; the texts
    alone, without the note to the model.
    """

    format: str
    tokenizer: str
    written_in: str
    uses: list[str]
    lossless: bool
    round_trips: bool | None
    lost: str | None
    losses: list[str]
    caution: str | None
    vs: dict[str, float | None]


class NotApplicableRow(TypedDict):
    """A row of a comparison without figures: its format cannot carry the payload, by ``reason``."""

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
    vs: dict[str, float | None]
    reason: str


Row = MeasuredRow | NotApplicableRow


def compare(
    document: Document,
    formats: Iterable[str] = tuple(FORMATS),
    tokenizers: Sequence[str] = (DEFAULT_TOKENIZER,),
    *,
    full: bool = True,
) -> list[Row]:
    """Compare a payload's formats: return a row per format and tokenizer, the text as typed first.

    Without ``full`` the rows have no tokens by kind, and only the proofs that the answer
    needed, which is asked first: of a long text the rest takes as long again.

    Raises:
        EncodeError: The value is nested deeper than 256 levels.
        ValueError: A name is unknown.
    """
    document.text(TOON.name)  # raises with the path to the nesting that is too deep
    names = [format_table.get(name).name for name in formats]
    rows: list[Row] = []
    for name in [*([AS_TYPED] if document.typed else []), *names]:
        rows += [_row(document, name, tokenizer, full) for tokenizer in tokenizers]
    return rows


def _row(document: Document, name: str, tokenizer: str, full: bool) -> Row:
    try:
        text = document.text(name, tokenizer)
    except (NotApplicable, EncodeError) as reason:
        return {
            "format": name,
            "tokenizer": tokenizer,
            "tokens": None,
            "exact": tokenizer_table.get(tokenizer).exact,
            "bytes": None,
            "chars": None,
            "breakdown": None,
            "lossless": FORMATS[name].lossless,
            "round_trips": None,
            "lost": None,
            "losses": [],
            "caution": None,
            "vs": dict.fromkeys(BASELINES),
            "reason": str(reason),
        }
    format = document.format(name)
    proof = (document.proof if full else document.quick_proof)(name, tokenizer)
    figures = (document.figures if full else document.sizes)(name, tokenizer)
    return {
        "format": name,
        "tokenizer": tokenizer,
        **figures,
        "written_in": format.name,
        "uses": sorted(document.uses(name, tokenizer)),
        "lossless": format.lossless,
        "round_trips": proof.ok if proof else None,
        "lost": proof.difference if proof else None,
        "losses": [] if name == AS_TYPED else document.ask(_find_losses, name),
        "caution": document.ask(_find_caution, name, text),
        "vs": {
            baseline: fraction(figures["tokens"], document.tokens(baseline, tokenizer))
            for baseline in BASELINES
        },
    }


def _find_losses(document: Document, name: str) -> list[str]:
    return document.format(name).losses(document.value)


def _find_caution(document: Document, name: str, text: str) -> str | None:
    return document.format(name).stock_changes(document.value, text)


def measured_rows(rows: Iterable[Row]) -> list[MeasuredRow]:
    """Return the rows of a comparison that have figures: their format can carry the value."""
    return [row for row in rows if row["tokens"] is not None]


def proof_words(row: Row) -> str:
    """Return in words whether a row's value comes back from its text, or why there is no text.

    ``proven`` is for formats that promise to lose nothing. Another format may bring this payload
    back and lose the next one. Cautions about readers other than ours follow.
    """
    if row["tokens"] is None:
        return row["reason"]
    if row["format"] == AS_TYPED:
        words = "sent today"
    elif row["round_trips"] is None:
        words = ROUND_TRIPS["not-read"]
    elif not row["round_trips"]:
        words = f"loses {'; '.join(row['losses']) or row['lost'] or ''}"
    else:
        proven = "by-our-reader" if row["caution"] else "proven"
        words = ROUND_TRIPS[proven if row["lossless"] else "not-promised"]
        words += f" ({row['lost']})" if row["lost"] else ""
    return f"{words}; {row['caution']}" if row["caution"] else words


def label(row: Row) -> str:
    """Return the name for people of a row of a comparison: ``minified JSON``, ``your TOON``."""
    if row["tokens"] is None:
        return format_table.label(row["format"])
    return format_table.label(row["format"], row["written_in"])


def objection(row: Row) -> str | None:
    """Return in words why a row of a comparison may not be recommended, or called a saving.

    Return None if it may: its format promises to lose nothing, public libraries read it, and this
    value came back. The text as typed is judged by the format that reads it.
    """
    if row["tokens"] is None:
        return f"not applicable: {row['reason']}"
    if row["round_trips"] is False:
        return proof_words(row)
    if READ[row["written_in"]].recommendable:
        return None
    today = "sent today, but " if row["format"] == AS_TYPED else ""
    if row["lossless"]:
        return f"{today}no public library reads it"
    return f"{today}not promised to come back" if today else f"comes back {proof_words(row)}"


def note_tokens(row: MeasuredRow, explaining: Explaining = ALONE) -> int:
    """Return the tokens by which the note that explains a row's format exceeds compact JSON's."""
    if row["format"] == AS_TYPED:
        return 0
    return explaining.tokens(row["written_in"], frozenset(row["uses"]), row["tokenizer"])


def cost(row: MeasuredRow, explaining: Explaining = ALONE) -> float:
    """Return the tokens of a comparison's row plus its share of the note to the model."""
    return row["tokens"] + explaining.share(note_tokens(row, explaining))


# -- delimiters of TOON --------------------------------------------------------------------------

INDENTS: Final = (1, 2, 4)


class DelimiterRow(TypedDict):
    """The figures of a payload's TOON with one delimiter and indent.

    ``quoted`` is the number of values that had to be quoted. ``vs_json_compact`` is the change of
    tokens from compact JSON as a signed fraction, negative = fewer; None if that has no tokens.
    """

    delimiter: str
    indent: int
    tokens: int
    bytes: int
    quoted: int
    vs_json_compact: float | None


def delimiter_rows(document: Document, tokenizer: str = DEFAULT_TOKENIZER) -> list[DelimiterRow]:
    """Count tokens, bytes and quoted values of a payload's TOON, a row by delimiter and indent."""
    measure, value = tokenizer_table.get(tokenizer), document.value
    compact = document.tokens(COMPACT, tokenizer)
    # A list of the strings alone has the same quotes, because a string's place does not matter
    # (§7.2), but for a whole document that starts with a byte-order mark.
    strings = [item for _, item in scalars(value) if isinstance(item, str)]
    values = value if isinstance(value, str) else strings
    rows: list[DelimiterRow] = []
    for (name, delimiter), indent in product(NAMED_DELIMITERS.items(), INDENTS):
        format = ToonFormat("toon", "TOON", delimiter, indent)
        text = format.dumps(value)
        tokens = measure.count(text)
        rows.append(
            {
                "delimiter": name,
                "indent": indent,
                "tokens": tokens,
                "bytes": len(text.encode()),
                "quoted": quote_pairs(format.dumps(values).encode())[0].size,
                "vs_json_compact": fraction(tokens, compact),
            }
        )
    return rows
