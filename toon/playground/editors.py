"""Results about the texts in the editors: the other side's text, figures, proofs, tokens.

All functions return plain data, which :mod:`toon.http` sends to the browser.
"""

from contextlib import suppress
from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict, cast

import numpy as np

from toon import tokenizers
from toon.costs.document import Document, Figures, Name
from toon.costs.explanation import Explaining
from toon.errors import EncodeError, TextError, clip
from toon.formats import AS_TYPED, FORMATS
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.formats.pasted import PASTED
from toon.formats.toon import TOON, ToonFormat
from toon.layout.spans import utf16_runs_of_kinds, utf16_runs_of_tokens
from toon.playground.foreign import KINDS, Offer, advise, find_offers, read_pasted
from toon.playground.panes import Options, Pane, Side
from toon.playground.rewrite import indent, minify
from toon.values.equality import differences
from toon.wording import NOT_COUNTED, plural

#: The ways to rewrite a text as JSON.
WAYS: Final = ("indented", "minified", *KINDS)


class Excerpt(TypedDict):
    """The facts of a text's error, ready for JSON, with the source line cut to be shown.

    ``source_column`` is the error's column in the cut line. ``offers`` are conversions of a text
    that is no JSON but holds a value.
    """

    message: str
    line: int | None
    column: int | None
    source: str | None
    hint: str | None
    source_column: NotRequired[int]
    offers: NotRequired[list[Offer]]


class OtherText(TypedDict):
    """The result of a conversion that worked: the text for the other editor, and notices.

    ``shown`` is the JSON of pasted code, for the code's own editor. ``offers`` are conversions of a
    JSON string that holds other JSON.
    """

    ok: Literal[True]
    text: str
    shown: NotRequired[str]
    offers: NotRequired[list[Offer]]
    notices: list[dict[str, Any]]


class Failure(TypedDict):
    """The result of a conversion that failed: the text cannot be read, or has no form as TOON."""

    ok: Literal[False]
    error: Excerpt
    notices: list[dict[str, Any]]


def convert(pane: Pane) -> OtherText | Failure:
    """Convert one editor's text to the other editor's format; return the new text, or the error."""
    try:
        converted = pane.document.text(pane.target)
    except TextError as error:
        facts = excerpt(error)
        if pane.side == "json":
            facts["offers"], hint = advise(pane.text, error)
            facts["hint"] = hint or error.hint
        return {"ok": False, "error": facts, "notices": []}
    except EncodeError as error:
        reason = TextError(str(error), hint="the path leads to the value that has no TOON form")
        return {"ok": False, "error": excerpt(reason), "notices": []}
    notices = [notice._asdict() for notice in pane.document.notices]
    answer: OtherText = {"ok": True, "text": converted, "notices": notices}
    if pane.side == "json" and isinstance(pane.document.value, str):
        answer["offers"] = find_offers(pane.text)[0]
    return {**answer, "shown": pane.pasted.text} if pane.side in PASTED else answer


def place_text(text: str, format: str, options: Options) -> tuple[Side, str]:
    """Choose an editor for a text of a format: return its side, and the text to put there.

    JSON and TOON stay as they are, but TOON of another indent becomes minified JSON, as all else.
    """
    if isinstance(FORMATS[format], JsonFormat):
        return "json", text
    value = FORMATS[format].loads(text)
    if isinstance(FORMATS[format], ToonFormat):
        with suppress(TextError):
            if differences(value, Pane("toon", text, options).document.value).same:
                return "toon", text
    return "json", JSON_COMPACT.dumps(value)


def rewrite(way: str, text: str) -> dict[str, object] | Failure:
    """Rewrite a text as JSON in one of ``WAYS``: indented, minified or read from pasted code.

    Return a dict with the new text, or with the error.
    """
    layouts = {"indented": indent, "minified": minify}
    try:
        written = layouts[way](text) if way in layouts else read_pasted(way, text).text
    except TextError as error:
        return {"ok": False, "error": excerpt(error), "notices": []}
    return {"ok": True, "text": written}


def excerpt(error: TextError) -> Excerpt:
    """Return an error's facts as a dict for JSON; its source line is cut, with the column in it."""
    facts = cast(Excerpt, error.as_dict())
    if error.source is not None:
        facts["source"], column = clip(error.source, error.column or 1)
        if error.column is not None:
            facts["source_column"] = column
    return facts


# -- figures ---------------------------------------------------------------------------------

#: The key of the JSON in the editor when its TOON was typed.
IN_EDITOR: Final = "in-editor"

Runs = Literal["kinds", "tokens", "none"]


class BillRow(Figures):
    """A row of the editors' bill: a text's size and tokens, also by kind, its share of the ``note``
    in tokens, and ``cost``, the sum of tokens and share.

    ``format`` is a format's name, ``AS_TYPED`` or ``IN_EDITOR``; ``written_in`` is always a format.
    """

    format: str
    written_in: str
    note: float
    cost: float


def measure(pane: Pane, beside: str | None, tokenizer: str, runs: Runs) -> dict[str, object]:
    """Count the texts of both editors; return figures by side, and whether both hold one value.

    A side has ``tokens`` (None if no tokenizer here can count them), these in ``words``,
    ``characters``, ``bytes``, and ``runs`` in UTF-16 code units, by which the editor colours it.

    Args:
        pane: The side that was typed, and its text.
        beside: The text of the other side, or None to measure one side alone.
        tokenizer: The name of the tokenizer.
        runs: Colour by kinds of text, by tokens, or not at all.
    """
    counter, figures = tokenizers.get(tokenizer), dict[str, object]()
    for side, text in ((pane.side, pane.text), (pane.other, beside)):
        if text is None:
            return figures
        tokens = None
        if counter.counted:
            try:
                tokens = pane.document.count(text, tokenizer)
            except TextError:
                tokens = counter.count(text)
        coloured = {}
        if runs == "kinds":
            layout = pane.options.format_of(side, text).layout(text)
            coloured["runs"] = utf16_runs_of_kinds(text, layout)
        elif runs == "tokens" and tokens is not None:
            coloured["runs"] = utf16_runs_of_tokens(text, counter.lengths(text))[0].tolist()
        figures[side] = {
            "tokens": tokens,
            "words": NOT_COUNTED if tokens is None else plural(tokens, "token"),
            "tokenizer": tokenizer,
            "characters": len(text),
            "bytes": len(text.encode()),
            **coloured,
        }
    ok, message = round_trip(pane, beside or "")
    return {**figures, "round_trip": {"ok": ok, "message": message}}


def round_trip(pane: Pane, beside: str) -> tuple[bool | None, str]:
    """Return whether the TOON in one editor decodes to the JSON in the other, and a sentence.

    ``beside`` is the text that was not typed. If a text is broken, the result is None and "".
    """
    try:
        proof = pane.proof(beside)
    except (TextError, EncodeError):
        return None, ""
    toon = beside if pane.side == "json" else pane.text
    caution = pane.options.format_of("toon", toon).stock_changes(pane.document.value, toon)
    if not proof.ok:
        return False, f"decoding it loses: {proof.difference}"
    words = "decoding it gives the JSON back"
    if proof.difference:
        words = f"equal; only the order of keys differs: {proof.difference}"
    return True, f"{words}; {caution}" if caution else words


def bill(
    document: Document, options: Options, tokenizer: str, explaining: Explaining
) -> list[BillRow]:
    """Return a typed text's token bill: rows for it, minified JSON and the other editor's text.

    Raises:
        EncodeError: The value cannot be written as TOON.
    """
    typed = document.format(AS_TYPED)
    is_json = isinstance(typed, JsonFormat) or typed.name in PASTED
    beside = options.output_format("toon" if is_json else "json")
    shown: dict[str, Name] = {AS_TYPED: AS_TYPED} if is_json else {IN_EDITOR: beside}
    shown[JSON_COMPACT.name] = JSON_COMPACT.name
    shown[TOON.name if is_json else AS_TYPED] = beside if is_json else AS_TYPED
    rows: list[BillRow] = []
    for key, name in shown.items():
        figures = document.figures(name, tokenizer)
        note = explaining.share(document.explanation(name, tokenizer, explaining))
        written_in, cost = document.format(name).name, figures["tokens"] + note
        rows.append(
            {"format": key, "written_in": written_in, **figures, "note": note, "cost": cost}
        )
    return rows


# -- single tokens -----------------------------------------------------------------------------

#: A token's id or None, and its bytes in hexadecimal.
Part: TypeAlias = tuple[int | None, str]


class Tokens(TypedDict):
    """The tokens of a text, in runs of whole characters that a browser can find in the text.

    Attributes:
        none: Why there are no tokens, in a sentence; None if there are.
        runs: The length of every run in UTF-16 code units. Most runs are one token.
        ids: By run, its token's id or None if unknown; of tokens that share a character, all
            parts.
    """

    none: str | None
    runs: list[int]
    ids: list[int | list[Part] | None]


def tokens(text: str, tokenizer: str) -> Tokens:
    """Split a text into tokens by the named tokenizer; return their ids and lengths, or why not.

    Raises:
        ValueError: No tokenizer has that name.
    """
    measure = tokenizers.get(tokenizer)
    if not measure.exact:
        return {"none": f"No tokens to show. {measure.evidence}", "runs": [], "ids": []}
    lengths, ids = measure.lengths(text), measure.ids(text)
    known = [None] * lengths.size if ids is None else ids.tolist()
    runs, counts = utf16_runs_of_tokens(text, lengths)
    firsts = np.cumsum(counts) - counts
    run_ids: list[int | list[Part] | None] = [known[first] for first in firsts.tolist()]
    raw, ends = text.encode(), np.cumsum(lengths).tolist()
    for run in np.flatnonzero(counts > 1).tolist():
        places = range(firsts[run], firsts[run] + counts[run])
        run_ids[run] = [
            (known[i], raw[ends[i] - int(lengths[i]) : ends[i]].hex(" ")) for i in places
        ]
    return {"none": None, "runs": runs.tolist(), "ids": run_ids}
