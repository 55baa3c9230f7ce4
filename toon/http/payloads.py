"""Routes for a payload in the request's body, not stored: ``POST /v1/convert``, ``/v1/stats``."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from toon import formats as format_table
from toon import tokenizers as tokenizer_table
from toon.codec.text import DEFAULT_DELIMITER, NAMED_DELIMITERS
from toon.compact.errors import refusal
from toon.costs import models
from toon.costs.compare import compare
from toon.costs.document import Document, Typed, all_losses
from toon.costs.explanation import Explaining
from toon.costs.models import choices, tokenizers_of, verdict_for
from toon.costs.prices import use_prices
from toon.errors import EncodeError, TextError
from toon.formats import FORMATS, Format, add_baselines
from toon.formats.base import NotApplicable, OneWay
from toon.formats.json import JSON_COMPACT
from toon.formats.toon import TOON, ToonFormat
from toon.http.replies import ApiError, Call, Reply, load_tokenizer
from toon.limits import PAGE_CHARACTERS
from toon.playground.detection import read_any
from toon.playground.editors import excerpt
from toon.records.query import QueryParams
from toon.text import Notice, Parsed

#: Values of ``from``; ``auto`` recognises JSON, XML, TOON and its dialects.
SOURCES: Final = ("auto", "json", *FORMATS)
#: Values of ``to``; ``json`` is compact JSON.
TARGETS: Final = ("json", *FORMATS)

#: The most characters of a header that lists phrases; proxies accept about 8,000 for all headers.
_HEADER_WIDTH: Final = 1_000

#: The tables of a parameter's allowed names.
_TABLES: Final[dict[str, Callable[[str], Any]]] = {
    "model": models.get,
    "tokenizer": tokenizer_table.get,
    "format": format_table.get,
}


def convert(call: Call) -> Reply:
    """Convert the text in a request's body to the format ``to`` of its query; reply with the text.

    The headers of the reply say whether the new text is proven lossless, and what it loses.

    Raises:
        ApiError: The body is damaged (400), ``to`` cannot carry the value (422), or ``from``
            cannot be read back (422).
        QueryError: A parameter is wrong.
    """
    query = call.query
    _refuse_unknown(query, ("from", "to", "delimiter", "indent"))
    source, target = query.choice("from", SOURCES, "auto"), query.choice("to", TARGETS, "toon")
    indent, delimiter = query.count("indent", 2, 1, 16), None
    if query.text("delimiter") is not None:
        delimiter = query.choice("delimiter", tuple(NAMED_DELIMITERS), DEFAULT_DELIMITER)
        if target not in ("toon", "toon-3"):
            message = f"delimiter is for to=toon and to=toon-3, not {target}"
            raise refusal("delimiter", delimiter, message)
    format = format_of(target, indent, delimiter)
    parsed, recognised = read(decode_body(call.body), source, indent)
    names = {name for name, format in FORMATS.items() if isinstance(format, ToonFormat)}
    if query.text("indent") and not {source, recognised, target} & names:
        raise refusal("indent", query.text("indent"), "indent is for TOON, on either side")
    try:
        text = format.dumps(parsed.value)
    except EncodeError as error:
        raise _refuse_value(error, format.name) from None
    except NotApplicable as reason:
        raise ApiError(422, "NOT_APPLICABLE", str(reason), details={"to": format.name}) from None
    lost = all_losses(format, parsed.value, text)
    headers = {
        "X-Format-From": recognised,
        "X-Lossy": "true" if lost else "false",
        **({"X-Losses": header_list(lost)} if lost else {}),
        **_notice_header(parsed.notices),
    }
    return Reply(text, format.media_type, 200, headers)


def _refuse_value(error: EncodeError, target: str) -> ApiError:
    details = {"to": target, "path": error.path}
    return ApiError(422, "NOT_APPLICABLE", error.message, details=details)


def _notice_header(notices: Iterable[Notice]) -> dict[str, str]:
    """Return notices about a body as the header ``X-Notices`` in a dict; {} without notices."""
    phrases = [str(notice) for notice in notices]
    return {"X-Notices": header_list(phrases)} if phrases else {}


def header_list(phrases: list[str]) -> str:
    """Join phrases by semicolons to the value of an HTTP header: ASCII, about 1,000 characters.

    The first phrase is always kept, cut if it is too long. Phrases without room are counted.
    """
    safe = [phrase.encode("unicode_escape").decode("ascii") for phrase in phrases]
    text = safe[0] if len(safe[0]) <= _HEADER_WIDTH else f"{safe[0][:_HEADER_WIDTH]}..."
    for number, phrase in enumerate(safe[1:], 1):
        if len(text) + len(phrase) > _HEADER_WIDTH:
            return f"{text}; and {len(safe) - number} more"
        text += f"; {phrase}"
    return text


#: Parameters of how formats are explained.
_EXPLAINING: Final = ("together", "explain", "explained_cached")


def stats(call: Call) -> Reply:
    """Compare formats for the JSON in a request's body: reply as ``python -m toon stats --json``.

    The verdict, which format to send, is for the first model, or by the first tokenizer where no
    model is named. There is a row of tokens for each JSON that others are compared with, and each
    named format; without names, for each format that may be recommended, or with ``all=true`` for
    every format. ``together``, ``explain`` and ``explained_cached`` say how formats are explained,
    as the options of these names do.

    Raises:
        ApiError: The body is not JSON (400), the value has no TOON form (422), or this machine
            cannot load a tokenizer (503).
        QueryError: A parameter is wrong.
    """
    _refuse_unknown(call.query, ("model", "tokenizer", "format", "all", *_EXPLAINING))
    names = {
        name: list(dict.fromkeys(_name(name, value, get) for value in call.query.values(name)))
        for name, get in _TABLES.items()
    }
    chosen = choices(names["model"], names["tokenizer"])
    tokenizers = tokenizers_of(chosen)
    is_all = call.query.choice("all", ("true", "false"), "false") == "true"
    formats = add_baselines(FORMATS if is_all else names["format"])
    for name in tokenizers:
        load_tokenizer(name)
    explaining = use_prices(chosen[0].model, _read_note(call.query))
    text = decode_body(call.body)
    parsed, _ = read(text, "json", 2)
    document = Document(parsed.value, Typed(text))
    full = is_all or bool(names["format"]) or len(text) <= PAGE_CHARACTERS
    try:
        verdict = verdict_for(chosen[0], document, explaining, formats)
        rows = compare(document, formats, tokenizers, full=full)
    except EncodeError as error:  # nested deeper than TOON allows
        raise _refuse_value(error, "toon") from None
    answer = {"rows": rows, "verdict": verdict}
    return Reply(JSON_COMPACT.dumps(answer), headers=_notice_header(parsed.notices))


def _read_note(query: QueryParams) -> Explaining:
    together, cached = query.text("together") or "1", query.text("explained_cached") or "0"
    wordings = query.values("explain")
    try:
        return Explaining.parse(together, wordings, cached)
    except ValueError as error:
        given = [together, *wordings, cached]
        raise refusal(", ".join(_EXPLAINING), given, str(error)) from None


def _refuse_unknown(query: QueryParams, known: tuple[str, ...]) -> None:
    """Raise QueryError if a query has an unknown parameter, perhaps a typing mistake."""
    for name, value in query.pairs:
        if name not in known:
            hint = f"there are {', '.join((*known, 'count'))}"
            raise refusal(name, value, f"there is no parameter {name!r}", hint)


def _name(parameter: str, value: str, get: Callable[[str], Any]) -> str:
    """Return the name of a model, tokenizer or format in a query as its table spells it.

    ``get`` finds the value in that table, or raises ValueError.

    Raises:
        QueryError: The table has no such name; the error names ``parameter``.
    """
    try:
        return str(get(value).name)
    except ValueError as problem:
        message, hint = (part[:1].lower() + part[1:] for part in str(problem).rsplit(". ", 1))
        raise refusal(parameter, value, message, hint) from None


# -- the text of a body ----------------------------------------------------------------------


def decode_body(body: bytes) -> str:
    """Decode a request's body from UTF-8.

    Raises:
        ApiError: The body is not UTF-8.
    """
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        message = f"the body is not UTF-8: {error.reason} at byte {error.start}"
        details = {"byte": error.start}
        raise ApiError(400, "INVALID_BODY", message, details=details) from None


def read(text: str, source: str, indent: int) -> tuple[Parsed, str]:
    """Decode a request's text from the format ``source``; return value, notices and format's name.

    Args:
        source: A name in ``SOURCES``; for ``auto`` the result says which format it looks like.
        indent: Spaces of a level, for TOON.

    Raises:
        ApiError: The text is not of that format (400), or the format is one way (422).
    """
    try:
        if source == "auto":
            return read_any(text, replace(TOON, indent_size=indent))
        return format_of(source, indent).read(text), source
    except TextError as error:
        facts = excerpt(error)
        details = {name: fact for name, fact in facts.items() if name not in ("message", "hint")}
        raise ApiError(
            400, "INVALID_BODY", error.message, details=details, hint=error.hint
        ) from None
    except OneWay as reason:
        raise ApiError(422, "NOT_APPLICABLE", str(reason), details={"from": source}) from None
    except ValueError as error:
        raise ApiError(400, "INVALID_BODY", str(error)) from None


def format_of(name: str, indent: int, delimiter: str | None = None) -> Format:
    """Return a format by name; TOON gets the given spaces of indent and the named delimiter.

    The delimiter None stands for the format's own.
    """
    format = FORMATS["json-compact" if name == "json" else name]
    if not isinstance(format, ToonFormat):
        return format
    character = format.delimiter if delimiter is None else NAMED_DELIMITERS[delimiter]
    return replace(format, indent_size=indent, delimiter=character)
