"""Conversion of a text on one side to the other side's text, or to another layout.

All functions return plain data, which :mod:`toon.http` sends to the browser.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, Literal, NotRequired, TypedDict, cast

from toon.errors import EncodeError, TextError, clip
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.formats.pasted import PASTED
from toon.formats.toon import ToonFormat
from toon.playground.foreign import KINDS, Offer, advise, as_json, offers_for
from toon.playground.panes import Options, Pane, Side
from toon.playground.rewrite import indented, minified
from toon.values.equality import differences

#: The ways to rewrite a text as JSON.
WAYS: Final = ("indented", "minified", *KINDS)


class Excerpt(TypedDict):
    """The facts of a TextError, with its source line cut to a length that can be shown.

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


class Converted(TypedDict):
    """The text for the other side, and notices about the text that was read.

    ``shown`` is the JSON of pasted code, for the code's own side. ``offers`` are conversions of a
    JSON string that holds other JSON.
    """

    ok: Literal[True]
    text: str
    shown: NotRequired[str]
    offers: NotRequired[list[Offer]]
    notices: list[dict[str, Any]]


class Refused(TypedDict):
    """The error of a text that cannot be read, or whose value cannot be written."""

    ok: Literal[False]
    error: Excerpt
    notices: list[dict[str, Any]]


def convert(pane: Pane) -> Converted | Refused:
    """Return the text that the other side of the editors shows for a pane, or the pane's error."""
    try:
        converted = pane.document.text(pane.target)
    except TextError as error:
        facts = excerpt(error)
        if pane.side == "json":
            advice = advise(pane.text, error)
            facts["hint"], facts["offers"] = advice["hint"] or error.hint, advice["offers"]
        return {"ok": False, "error": facts, "notices": []}
    except EncodeError as error:
        reason = TextError(str(error), hint="the path leads to the value that has no TOON form")
        return {"ok": False, "error": excerpt(reason), "notices": []}
    notices = [each._asdict() for each in pane.document.notices]
    found: Converted = {"ok": True, "text": converted, "notices": notices}
    if pane.side == "json" and isinstance(pane.document.value, str):
        found["offers"] = offers_for(pane.text)[0]
    return {**found, "shown": pane.pasted.text} if pane.side in PASTED else found


def document_of(text: str, format: str, options: Options) -> tuple[Side, str]:
    """Return the side of the editors that takes a text of a format, and its text there.

    TOON goes to the TOON side only if it means the same with that side's indent.
    """
    if isinstance(FORMATS[format], JsonFormat):
        return "json", text
    value = FORMATS[format].loads(text)
    if isinstance(FORMATS[format], ToonFormat):
        with suppress(TextError):
            if differences(value, Pane("toon", text, options).document.value).same:
                return "toon", text
    return "json", JSON_COMPACT.dumps(value)


def rewrite(way: str, text: str) -> dict[str, object] | Refused:
    """Write the same value as another JSON text, in one of the ``WAYS``; or return the error."""
    layouts = {"indented": indented, "minified": minified}
    try:
        written = layouts[way](text) if way in layouts else as_json(way, text)
    except TextError as error:
        return {"ok": False, "error": excerpt(error), "notices": []}
    return {"ok": True, "text": written}


def excerpt(error: TextError) -> Excerpt:
    """Return the facts of an error, with its source line cut to be shown and its column there."""
    facts = cast(Excerpt, error.as_dict())
    if error.source is not None:
        facts["source"], column = clip(error.source, error.column or 1)
        if error.column is not None:
            facts["source_column"] = column
    return facts
