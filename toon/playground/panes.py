"""Answers the two editors while a person types: converts each text, and gives its figures.

One side is JSON, the other TOON. All functions are pure and return plain data, which
:mod:`toon.http` sends to the browser.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, NotRequired, TypedDict, TypeVar, cast

from toon import tokenizers
from toon.codec.text import NAMED_DELIMITERS
from toon.costs.compare import Figures, count_kinds
from toon.costs.proof import Proof, compare_values
from toon.costs.typed import Typed, no_estimate, shortest_json
from toon.errors import EncodeError, ErrorFacts, TextError, ToonDecodeError, clip
from toon.formats import AS_TYPED, BASELINES, FORMATS, RECOMMENDED, Format, label
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import ToonFormat
from toon.layout.utf16 import utf16_runs_of_kinds, utf16_runs_of_tokens
from toon.playground.detection import dialect_of, read_toon
from toon.playground.foreign import KINDS, Offer, advise, as_json
from toon.playground.rewrite import indented, minified
from toon.text import Parsed
from toon.tokenizers import Tokenizer
from toon.tokenizers.fast_openai import get_fast
from toon.values.equality import differences
from toon.values.fractions import fraction
from toon.values.json_text import parse_json

#: What the JSON in the editor is called, unless it is known to be typed.
IN_EDITOR: Final = "JSON in the editor"

#: The ways to rewrite a text as JSON.
WAYS: Final = ("indented", "minified", *KINDS)

Result = TypeVar("Result")

Side = Literal["json", "toon"]
Runs = Literal["kinds", "tokens", "none"]


class NoticeFacts(TypedDict):
    """A :class:`toon.text.Notice`, ready for JSON."""

    message: str
    line: int | None
    column: int | None


class Excerpt(ErrorFacts):
    """An error whose source line is short enough to show; ``source_column`` is the caret in it."""

    source_column: NotRequired[int]


class AdvisedExcerpt(Excerpt):
    """Why a text is no JSON; ``offers`` are its conversions, if it holds a value all the same."""

    offers: list[Offer]


class Converted(TypedDict):
    """The text for the other side, and notices about the text that was read."""

    ok: Literal[True]
    text: str
    notices: list[NoticeFacts]


class Refused(TypedDict):
    """Why a text cannot be read, or its value cannot be written for the other side."""

    ok: Literal[False]
    error: Excerpt
    notices: list[NoticeFacts]


class Rewritten(TypedDict):
    """Another JSON text of the same value."""

    ok: Literal[True]
    text: str


class PaneFigures(TypedDict):
    """What one pane shows of its text; ``runs`` colour it, in UTF-16 code units.

    ``band`` is the tokenizer's. ``no_estimate`` says why there are no ``tokens``, or is None.
    """

    tokens: int | None
    exact: bool
    tokenizer: str
    band: str
    no_estimate: str | None
    characters: int
    bytes: int
    runs: NotRequired[list[int]]


class Difference(TypedDict):
    """A JSON text by its key, and its tokens; ``fraction`` is the TOON's difference, signed."""

    baseline: str
    tokens: int
    fraction: float | None


class RoundTrip(TypedDict):
    """Whether the TOON shown decodes to the JSON shown (None: unknown), also in words."""

    ok: bool | None
    message: str


class Pair(TypedDict):
    """How two panes compare; ``recommendable``: whether the TOON's text may be called a gain."""

    differences: list[Difference]
    round_trip: RoundTrip
    recommendable: bool


class BillRow(Figures):
    """One text of the bill; ``toon_vs`` is the TOON's difference from it, as a signed fraction."""

    label: str
    toon_vs: float | None


class Bill(TypedDict):
    """The token bill of two panes: the JSON texts, then the TOON. One of them is as typed."""

    rows: list[BillRow]
    round_trip: RoundTrip


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of the playground's controls."""

    delimiter: str = "comma"
    indent: int = 2
    strict: bool = True

    def __post_init__(self) -> None:
        if self.delimiter not in NAMED_DELIMITERS:
            raise ValueError(f"delimiter must be one of {', '.join(NAMED_DELIMITERS)}")
        if not 1 <= self.indent <= 16:
            raise ValueError("indent must be 1 to 16")

    @property
    def toon(self) -> ToonFormat:
        """TOON with these options."""
        return ToonFormat("toon", "TOON", NAMED_DELIMITERS[self.delimiter], self.indent)

    def format(self, side: Side) -> Format:
        """The format in which one side is written when the other side is typed."""
        return self.toon if side == "toon" else JSON_PRETTY

    def format_of(self, side: Side, text: str) -> Format:
        """The format of a text typed on one side; on the TOON side it may be a dialect."""
        if side == "json":
            return JSON_PRETTY
        name = dialect_of(text)
        return self.toon if name == "toon" else FORMATS[name]


def read(side: Side, text: str, options: Options) -> Parsed:
    """The value of the text on one side, with its notices; a TextError if it cannot be read."""
    if side == "json":
        return parse_json(text)
    return read_toon(text, options.toon, strict=options.strict)


def read_typed(side: Side, text: str, options: Options) -> Parsed:
    """The same of a pane: the codec reads an empty document as {}, a person typed nothing yet."""
    if side == "toon" and not text.strip(" \t\r\n"):
        raise ToonDecodeError("no TOON here: the text is empty")
    return read(side, text, options)


def about(function: Callable[..., Result], side: Side, text: str, options: Options) -> Result:
    """``function`` of the value in a pane, and of the text as ``typed``.

    Raises:
        TextError: the text cannot be read.
    """
    value = read_typed(side, text, options).value
    return function(value, typed=Typed(text, options.format_of(side, text)))


def about_value(
    function: Callable[[Any], Result], side: Side, text: str, options: Options
) -> Result:
    """The same of a function of the value alone."""
    return function(read_typed(side, text, options).value)


def convert(side: Side, text: str, options: Options) -> Converted | Refused:
    """``text`` converted for the other side, or the error."""
    other: Side = "toon" if side == "json" else "json"
    try:
        parsed = read_typed(side, text, options)
        converted = options.format(other).dumps(parsed.value)
    except TextError as error:
        facts = _advised(text, error) if side == "json" else excerpt(error)
        return {"ok": False, "error": facts, "notices": []}
    except EncodeError as error:
        reason = TextError(str(error), hint="the path leads to the value that has no TOON form")
        return {"ok": False, "error": excerpt(reason), "notices": []}
    notices: list[NoticeFacts] = [
        {"message": notice.message, "line": notice.line, "column": notice.column}
        for notice in parsed.notices
    ]
    return {"ok": True, "text": converted, "notices": notices}


def document_of(text: str, format: str, options: Options) -> tuple[Side, str]:
    """The side of the editors that takes a text of a format, and its text there.

    TOON goes to the TOON side if it means the same there: its indent may be another one.
    """
    if format.startswith("json"):
        return "json", text
    value = FORMATS[format].loads(text)
    if format.startswith("toon"):
        with suppress(TextError):
            if differences(value, read_typed("toon", text, options).value).same:
                return "toon", text
    return "json", JSON_COMPACT.dumps(value)


def rewrite(way: str, text: str) -> Rewritten | Refused:
    """``text`` as JSON, written in one of the ``WAYS``, or the error."""
    layouts = {"indented": indented, "minified": minified}
    try:
        written = layouts[way](text) if way in layouts else as_json(way, text)
    except TextError as error:
        return {"ok": False, "error": excerpt(error), "notices": []}
    return {"ok": True, "text": written}


def _advised(text: str, error: TextError) -> AdvisedExcerpt:
    advice = advise(text, error)
    hint = advice["hint"] or error.hint
    return {**excerpt(error), "hint": hint, "offers": advice["offers"]}


def excerpt(error: TextError) -> Excerpt:
    """The facts of an error with a source line short enough to show, and the caret in it."""
    facts = error.as_dict()
    if error.source is None or error.column is None:
        return cast(Excerpt, facts)
    source, column = clip(error.source, error.column)
    return {**facts, "source": source, "source_column": column}


def unlike(side: Side, text: str, tokenizer: str, options: Options) -> str | None:
    """Why there is no estimate for either pane, by the text typed on one side; or None.

    A text that cannot be read is judged alone.
    """
    measure = tokenizers.get(tokenizer)
    if measure.exact:
        return None
    try:
        value = read(side, text, options).value
        return no_estimate(value, Typed(text, options.format_of(side, text)), measure)
    except TextError:
        return measure.no_estimate(text)


def figures(
    side: Side,
    text: str,
    tokenizer: str,
    runs: Runs,
    options: Options,
    refused: str | None = None,
) -> PaneFigures:
    """What one pane shows of its text: tokens, characters, bytes, and runs to colour it by.

    There are no tokens where they are ``refused``, see ``unlike``.
    """
    measure = get_fast(tokenizer)
    tokens = measure.count(text)
    data: PaneFigures = {
        "tokens": None if refused else tokens,
        "exact": measure.exact,
        "tokenizer": tokenizer,
        "band": measure.at(tokens).band,
        "no_estimate": refused,
        "characters": len(text),
        "bytes": len(text.encode()),
    }
    if runs == "kinds":
        data["runs"] = utf16_runs_of_kinds(text, options.format_of(side, text).layout(text))
    elif runs == "tokens" and not refused:
        data["runs"] = utf16_runs_of_tokens(text, measure)
    return data


def pair(
    json_text: str, toon_text: str, tokenizer: str, options: Options, refused: str | None = None
) -> Pair:
    """How the two panes compare: the TOON's tokens against JSON, and the proof of the round trip.

    The TOON is compared with each JSON baseline of the value in the JSON pane, and with that
    pane's text itself; explaining it is not included. If a pane cannot be read, there is no
    difference and the round trip is unknown. Where tokens are ``refused`` there is no difference.
    """
    try:
        value = parse_json(json_text).value
        returned = read("toon", toon_text, options).value
    except TextError:
        unknown: RoundTrip = {"ok": None, "message": ""}
        return {"differences": [], "round_trip": unknown, "recommendable": False}
    measure = get_fast(tokenizer)
    proof = compare_values(value, returned)
    written = options.format_of("toon", toon_text)
    return {
        "differences": [] if refused else _differences(value, json_text, toon_text, measure),
        "round_trip": _describe(proof, written.stock_changes(value, toon_text)),
        "recommendable": proof.ok and written.name in RECOMMENDED and not refused,
    }


def _differences(
    value: Any, json_text: str, toon_text: str, measure: Tokenizer
) -> list[Difference]:
    """The TOON's tokens against the JSON in the editor and against each JSON baseline."""
    tokens = measure.count(toon_text)
    names = {label(name): name for name in BASELINES}
    rows: list[Difference] = []
    for called, text in _json_texts(value, IN_EDITOR, json_text, measure).items():
        count, baseline = measure.count(text), names.get(called, "in-editor")
        rows.append({"baseline": baseline, "tokens": count, "fraction": fraction(tokens, count)})
    return rows


def _json_texts(value: Any, name: str, shown: str, tokenizer: Tokenizer) -> dict[str, str]:
    """JSON texts of a value by label: the one ``shown``, called ``name``, and the baselines."""
    others = {FORMATS[name].label: FORMATS[name].dumps(value) for name in BASELINES}
    compact = shortest_json(value, Typed(shown), tokenizer.count)
    return {name: shown, **others, JSON_COMPACT.label: compact}


def bill(side: Side, json_text: str, toon_text: str, tokenizer: str, options: Options) -> Bill:
    """The token bill of two panes: the JSON texts, then the TOON or the dialect in its place.

    Args:
        side: The side that was typed; its row is called that.

    Raises:
        TextError: a pane cannot be read.
    """
    value = parse_json(json_text).value
    returned = read("toon", toon_text, options).value
    measure = get_fast(tokenizer)
    written = options.format_of("toon", toon_text)
    toon = count_kinds(toon_text, written.layout(toon_text), measure)
    shown, name = IN_EDITOR, label(AS_TYPED, written.name)
    if side == "json":
        shown, name = label(AS_TYPED), written.label
    rows: list[BillRow] = []
    for baseline, text in _json_texts(value, shown, json_text, measure).items():
        row = count_kinds(text, JSON_PRETTY.layout(text), measure)
        vs = fraction(toon["tokens"], row["tokens"])
        rows.append({"label": baseline, **row, "toon_vs": vs})
    rows.append({"label": name, **toon, "toon_vs": None})
    caution = written.stock_changes(value, toon_text)
    return {"rows": rows, "round_trip": _describe(compare_values(value, returned), caution)}


def bill_of(side: Side, text: str, options: Options, tokenizer: str) -> Bill:
    """The same of one pane and of its other side as the editors write it."""
    other: Side = "toon" if side == "json" else "json"
    texts = {side: text, other: options.format(other).dumps(read_typed(side, text, options).value)}
    return bill(side, texts["json"], texts["toon"], tokenizer, options)


def _describe(proof: Proof, caution: str | None) -> RoundTrip:
    """Whether the TOON shown decodes to the JSON shown, and in words what differs."""
    if not proof.ok:
        return {"ok": False, "message": f"decoding it loses: {proof.difference}"}
    words = "decoding it gives the JSON back"
    if proof.difference:
        words = f"equal; only the order of keys differs: {proof.difference}"
    return {"ok": True, "message": f"{words}; {caution}" if caution else words}
