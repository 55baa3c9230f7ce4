"""What the editors ask for while a person types: the other side of a text, and its figures.

Pure functions from text to plain data; :mod:`toon.http` puts them on the wire.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from toon import tokenizers
from toon.codec.text import NAMED_DELIMITERS
from toon.costs.compare import measured
from toon.errors import EncodeError, TextError, ToonDecodeError, clip
from toon.formats import BASELINES, FORMATS, Format
from toon.formats.toon import ToonFormat
from toon.layout.utf16 import utf16_runs_of_kinds, utf16_runs_of_tokens
from toon.playground.detection import dialect_of, read_toon
from toon.text import Parsed
from toon.values.equality import differences
from toon.values.fractions import fraction
from toon.values.json_text import parse_json

Side = Literal["json", "toon"]
Runs = Literal["kinds", "tokens", "none"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the controls of the playground say."""

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
        """The format one side is written in when it is the other that was typed."""
        return self.toon if side == "toon" else FORMATS["json-pretty"]

    def format_of(self, side: Side, text: str) -> Format:
        """The format a text on one side is in: people paste dialects on the TOON side."""
        if side == "json":
            return FORMATS["json-pretty"]
        name = dialect_of(text)
        return self.toon if name == "toon" else FORMATS[name]


# -- conversion ------------------------------------------------------------------------------


def read(side: Side, text: str, options: Options) -> Parsed:
    """The value of the text on one side, and what there is to say about it."""
    if side == "json":
        return parse_json(text)
    return read_toon(text, options.toon, strict=options.strict)


def convert(side: Side, text: str, options: Options) -> dict[str, Any]:
    """The other side of ``text``, or the error; and the notices, either way.

    Returns ``{"ok": True, "text", "notices"}`` or ``{"ok": False, "error", "notices"}``.
    """
    other: Side = "toon" if side == "json" else "json"
    try:
        if side == "toon" and not text.strip(" \t\r\n"):
            # To the codec the empty document is {}; to a person, nothing has been typed yet.
            raise ToonDecodeError("no TOON here: the text is empty")
        parsed = read(side, text, options)
        converted = options.format(other).dumps(parsed.value)
    except TextError as error:
        return {"ok": False, "error": excerpt(error), "notices": []}
    except EncodeError as error:
        facts = TextError(str(error), hint="the path leads to the value that has no TOON form")
        return {"ok": False, "error": facts.as_dict(), "notices": []}
    notices = [asdict(notice) for notice in parsed.notices]
    return {"ok": True, "text": converted, "notices": notices}


def excerpt(error: TextError) -> dict[str, Any]:
    """The facts with a source line short enough to show, and the caret's column in it."""
    facts = error.as_dict()
    if error.source is not None and error.column is not None:
        facts["source"], facts["source_column"] = clip(error.source, error.column)
    return facts


# -- figures ---------------------------------------------------------------------------------


def figures(side: Side, text: str, tokenizer: str, runs: Runs, options: Options) -> dict[str, Any]:
    """What one pane shows of its text: tokens, characters, bytes, and runs to colour it by."""
    measure = tokenizers.get(tokenizer)
    data: dict[str, Any] = {
        "tokens": measure.count(text),
        "exact": measure.exact,
        "characters": len(text),
        "bytes": len(text.encode()),
    }
    if runs == "kinds":
        data["runs"] = utf16_runs_of_kinds(text, options.format_of(side, text).layout(text))
    elif runs == "tokens":
        data["runs"] = utf16_runs_of_tokens(text, measure)
    return data


def pair(json_text: str, toon_text: str, tokenizer: str, options: Options) -> dict[str, Any]:
    """How the two panes compare: signed differences of the TOON, and the round trip proven.

    The differences are against each JSON baseline of the value in the JSON pane, and against
    that pane's text itself. A pane that cannot be read leaves them out, and the round trip
    unknown (None).
    """
    try:
        value = parse_json(json_text).value
        returned = read("toon", toon_text, options).value
    except TextError:
        return {"differences": [], "round_trip": {"ok": None, "message": ""}}
    measure = tokenizers.get(tokenizer)
    tokens = measure.count(toon_text)
    rows = []
    for label, text in _json_texts(value, json_text).items():
        count = measure.count(text)
        rows.append({"baseline": label, "tokens": count, "fraction": fraction(tokens, count)})
    return {"differences": rows, "round_trip": round_trip(value, returned)}


def _json_texts(value: Any, shown: str) -> dict[str, str]:
    """The JSON of a value by label: the baselines, and the text in the editor."""
    texts = {FORMATS[name].label: FORMATS[name].dumps(value) for name in BASELINES}
    return texts | {"JSON in the editor": shown}


def bill(json_text: str, toon_text: str, tokenizer: str, options: Options) -> dict[str, Any]:
    """The whole token bill of two readable panes.

    Returns ``{"rows", "round_trip"}``; a row has ``label``, ``tokens``, ``exact``, ``bytes``,
    ``chars``, ``breakdown`` and ``toon_vs``, the signed fraction of tokens that the TOON has
    more than this row (None for the TOON itself, the last row; a dialect that was pasted in its
    place has its own label there).
    """
    value = parse_json(json_text).value
    measure = tokenizers.get(tokenizer)
    written = options.format_of("toon", toon_text)
    toon = measured(toon_text, written.layout(toon_text), measure)
    rows = []
    for label, text in _json_texts(value, json_text).items():
        row = measured(text, FORMATS["json-pretty"].layout(text), measure)
        vs = fraction(toon["tokens"], row["tokens"])
        rows.append({"label": label, **row, "toon_vs": vs})
    rows.append({"label": written.label, **toon, "toon_vs": None})
    return {
        "rows": rows,
        "round_trip": round_trip(value, read("toon", toon_text, options).value),
    }


def round_trip(value: Any, returned: Any) -> dict[str, Any]:
    """Whether the TOON shown decodes to the JSON shown, and in words what differs."""
    found = differences(value, returned)
    if not found.same:
        return {"ok": False, "message": f"decoding it loses: {found}"}
    if found.reordered:
        return {"ok": True, "message": f"equal; rows take the header's order of keys: {found}"}
    return {"ok": True, "message": "decoding it gives the JSON back"}
