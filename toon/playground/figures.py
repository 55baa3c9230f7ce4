"""Figures of the editors' texts: tokens, colours, the round trip, the token bill.

All functions return plain data, which :mod:`toon.http` sends to the browser.
"""

from __future__ import annotations

from typing import Final, Literal, NotRequired, TypedDict

from toon import tokenizers
from toon.costs.document import Document, Figures, Name
from toon.costs.explanation import Explaining
from toon.errors import EncodeError, TextError
from toon.formats import AS_TYPED
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.formats.pasted import PASTED
from toon.formats.toon import TOON
from toon.layout.spans import utf16_runs_of_kinds, utf16_runs_of_tokens
from toon.playground.panes import Options, Pane, Side
from toon.wording import NOT_COUNTED, plural

#: The key of the JSON in the editor when its TOON was typed.
IN_EDITOR: Final = "in-editor"

Runs = Literal["kinds", "tokens", "none"]


class PaneFigures(TypedDict):
    """The figures of one pane's text; ``runs`` colour it, in UTF-16 code units.

    ``words`` has ``tokens`` in words; None: no tokenizer here can count them.
    """

    tokens: int | None
    words: str
    tokenizer: str
    characters: int
    bytes: int
    runs: NotRequired[list[int]]


class RoundTrip(TypedDict):
    """A round trip: whether the TOON decodes to the JSON or None if unknown, and a sentence."""

    ok: bool | None
    message: str


class BillRow(Figures):
    """One text of the bill; ``cost`` is its tokens plus those of its ``note`` to the model.

    ``format`` is a format's name, ``AS_TYPED`` or ``IN_EDITOR``; ``written_in`` is always a format.
    """

    format: str
    written_in: str
    note: float
    cost: float


def measure(pane: Pane, beside: str | None, tokenizer: str, runs: Runs) -> dict[str, object]:
    """Return the figures of a pane's text and of the other side's, and whether they hold one value.

    ``beside`` is the text of the other side, or None; ``runs`` says by what each is coloured.
    """
    texts = {pane.side: pane.text} | ({} if beside is None else {pane.other: beside})
    found: dict[str, object] = {
        side: figures(pane, side, text, tokenizer, runs) for side, text in texts.items()
    }
    return found if beside is None else {**found, "round_trip": round_trip(pane, beside)}


def figures(pane: Pane, side: Side, text: str, tokenizer: str, runs: Runs) -> PaneFigures:
    """Return the figures of the text of one side: tokens, characters, bytes, and runs to colour."""
    measure = tokenizers.get(tokenizer)
    tokens = None
    if measure.counted:
        try:
            tokens = pane.document.count(text, tokenizer)
        except TextError:
            tokens = measure.count(text)
    data: PaneFigures = {
        "tokens": tokens,
        "words": NOT_COUNTED if tokens is None else plural(tokens, "token"),
        "tokenizer": tokenizer,
        "characters": len(text),
        "bytes": len(text.encode()),
    }
    if runs == "kinds":
        layout = pane.options.format_of(side, text).layout(text)
        data["runs"] = utf16_runs_of_kinds(text, layout)
    elif runs == "tokens" and tokens is not None:
        data["runs"] = utf16_runs_of_tokens(text, measure.lengths(text))[0].tolist()
    return data


def round_trip(pane: Pane, beside: str) -> RoundTrip:
    """Return whether the TOON of the editors decodes to their JSON; unknown if one is broken."""
    try:
        proof = pane.proof(beside)
    except (TextError, EncodeError):
        return {"ok": None, "message": ""}
    toon = beside if pane.side == "json" else pane.text
    written = pane.options.format_of("toon", toon)
    caution = written.stock_changes(pane.document.value, toon)
    if not proof.ok:
        return {"ok": False, "message": f"decoding it loses: {proof.difference}"}
    words = "decoding it gives the JSON back"
    if proof.difference:
        words = f"equal; only the order of keys differs: {proof.difference}"
    return {"ok": True, "message": f"{words}; {caution}" if caution else words}


def bill(
    document: Document, options: Options, tokenizer: str, explaining: Explaining
) -> list[BillRow]:
    """Return the token bill of a typed text: the JSON texts, then the TOON or the dialect.

    One side is as typed, the other as the editors write it with these options.

    Raises:
        EncodeError: The value cannot be written as TOON.
    """
    typed = document.format(AS_TYPED)
    is_json = isinstance(typed, JsonFormat) or typed.name in PASTED
    beside = options.written("toon" if is_json else "json")
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
