"""Conversions of texts that are no JSON but hold a JSON value: the table of what people paste.

Nothing in a text is ever run or fetched.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, TypedDict

from toon.errors import FormatError, JsonDecodeError, TextError
from toon.formats.yaml import YAML
from toon.playground import inside, literals, tables
from toon.playground.curl import COMMAND, convert_curl
from toon.playground.detection import read_toon
from toon.playground.repair import repair_text
from toon.playground.rewrite import Conversion, Obstacle, convert_lines, is_json, make_array

#: The longest text to convert: the readers would hold up the server.
MOST_CHARACTERS: Final = 1_000_000

#: The conversion that invents something, and so is only made on request.
REPAIR: Final = "repair"
#: Kinds that are nearly JSON, for which the hints of JSON's own reader help.
_NEARLY_JSON: Final = ("lines", "python", "javascript", REPAIR)
#: Kinds to try in a fence whose first line names no kind.
_FENCED: Final = ("lines", "python", "javascript", "curl")


class Offer(TypedDict):
    """A conversion of a pasted text to JSON that works, as the editors offer it by a button.

    Attributes:
        name: The kind of text, a key of ``KINDS``.
        title: The kind in words, such as "a Python literal".
        label: The words of the button.
        said: What is lost or added, in a sentence, or "".
        asks: Whether it is made only on request, because it invents something.
    """

    name: str
    title: str
    label: str
    said: str
    asks: bool


class Kind(NamedTuple):
    """A kind of text that people paste in place of JSON, such as a Python literal.

    Attributes:
        title: The name of the kind, with its article.
        label: The words of the button that converts it.
        looks: Tells quickly whether a text may be of the kind.
        convert: Returns the JSON of a text, or raises.
        stops: Tells whether the rest of the line where reading JSON failed may be of the kind.
    """

    title: str
    label: str
    looks: Callable[[str], object]
    convert: Callable[[str], Conversion]
    stops: Callable[[str], object] = lambda _: True


def advise(text: str, error: TextError) -> tuple[list[Offer], str | None]:
    """Return the possible conversions of a text that is no JSON, the likeliest first, and a hint.

    ``error`` is why JSON's reader refused it. The hint replaces the error's own, unless it is None.
    """
    rest = (error.source or "")[(error.column or 1) - 1 :]
    offers, hint = find_offers(text, rest)
    if offers:  # where the text does not even begin as JSON, how to mend JSON is no help
        is_other = offers[0]["name"] not in _NEARLY_JSON or (rest and text.startswith(rest))
        hint = f"this looks like {offers[0]['title']}" if is_other else None
    return offers, hint


def find_offers(text: str, rest: str = "") -> tuple[list[Offer], str | None]:
    """Try each conversion to JSON on a pasted text; return those that succeed, and one reason.

    ``rest`` is the rest of the line where reading JSON failed. The reason is a sentence about the
    first kind of text that it looks like but cannot be converted from, or None.
    """
    offers: dict[str, Offer] = {}
    hint = None
    for name, kind in KINDS.items():
        if len(text) > MOST_CHARACTERS or not kind.stops(rest):
            continue
        try:
            json, notices = read_pasted(name, text)
        except Obstacle as reason:
            hint = hint or reason.message
        except FormatError:
            continue
        else:
            offer: Offer = {
                "name": name,
                "title": kind.title,
                "label": kind.label,
                "said": "; ".join(notice.message for notice in notices),
                "asks": name == REPAIR,
            }
            offers.setdefault(json, offer)
    return list(offers.values()), hint


def read_pasted(name: str, text: str) -> Conversion:
    """Convert a pasted text of the kind ``name``, a key of ``KINDS``, to JSON, noting all changes.

    Raises:
        FormatError: The text is not of that kind, is longer than ``MOST_CHARACTERS``, or holds
            what JSON cannot.
    """
    kind = KINDS[name]
    if len(text) > MOST_CHARACTERS:
        raise FormatError(f"longer than {MOST_CHARACTERS:,} characters: too long to convert")
    text = text.removeprefix("\ufeff")
    is_not = FormatError(f"this is not {kind.title}")
    if not kind.looks(text):
        raise is_not
    try:
        return kind.convert(text)
    except (Obstacle, JsonDecodeError) as reason:  # the latter for values such as NaN
        hint = f"; {reason.hint}" if reason.hint else ""
        message = f"this looks like {kind.title}, but {reason.message}{hint}"
        raise Obstacle(message) from None
    except FormatError:
        raise
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise is_not from None


def _json_in_fences(text: str) -> Conversion:
    """Return the values in a Markdown text's code fences as a JSON array, or a single one alone.
    Raise ValueError if there are none.
    """
    fences = inside.FENCE.finditer(text)
    values = [value for fence in fences if (value := _read_fence(fence["info"], fence["inside"]))]
    if not values:
        raise ValueError("no fence holds a value")
    notes = dict.fromkeys(notice.message for value in values for notice in value.notices)
    around = [inside.AROUND] if inside.FENCE.sub("", text).strip() else []
    return make_array((value.text for value in values), *notes, *around)


def _read_fence(info: str, text: str) -> Conversion | None:
    """Convert the code in a Markdown fence of the language ``info`` to JSON; None if it is none."""
    if is_json(text):
        return Conversion(text.strip())
    for name in (info, *_FENCED) if info in KINDS and info != REPAIR else _FENCED:
        try:
            return KINDS[name].convert(text)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue
    return None


#: Kinds, the likeliest first: of two conversions with the same result, the first is offered.
KINDS: Final = {
    "curl": Kind("a curl command", "Take the body of this curl command", COMMAND.match,
                 convert_curl),
    "http": Kind("an HTTP message", "Take the body of this message", inside.HTTP.match,
                 inside.body_of_http),
    "jwt": Kind("a JSON Web Token", "Take the claims of this token", inside.JWT.match,
                inside.claims_of_token),
    "string": Kind("JSON in a string", "Take the JSON out of this string", inside.STRING.match,
                   inside.json_in_string),
    "lines": Kind("JSON Lines", "Convert JSON Lines to an array", lambda text: "\n" in text,
                  convert_lines),
    "python": Kind("a Python literal", "Convert Python literal", bool, literals.convert_python,
                   literals.PYTHON.match),
    "javascript": Kind("a JavaScript literal", "Convert JavaScript literal", bool,
                       literals.convert_javascript, literals.JAVASCRIPT.match),
    "html": Kind("a page of HTML", "Take this page as one text", inside.HTML.match, inside.page),
    "xml": Kind("XML", "Convert XML", tables.XML_TAG.match, tables.convert_xml),
    "events": Kind("an event stream", "Take the data of these events", inside.EVENTS.match,
                   inside.json_of_events),
    REPAIR: Kind("JSON that is cut off", "Repair: close what is open",
                 lambda text: text.lstrip()[:1] in ("{", "["), repair_text),
    "log": Kind("a log", "Take what is in these lines", inside.is_log, inside.json_of_log),
    "markdown": Kind("Markdown", "Take the JSON out of this Markdown", inside.FENCE.search,
                     _json_in_fences),
    "toon": Kind("TOON", "Convert TOON", tables.is_toon,
                 partial(tables.read_container, read_toon)),
    "yaml": Kind("YAML", "Convert YAML", tables.YAML_KEY.match,
                 partial(tables.read_container, YAML.read)),
    **{
        format.name: Kind(format.label, f"Convert {format.label}",
                          partial(tables.has_columns, format), partial(tables.read_rows, format))
        for format in tables.SEPARATED
    },
    "prose": Kind("JSON between words", "Take the JSON out of this text",
                  lambda text: "{" in text or "[" in text, inside.json_in_text),
}  # fmt: skip
