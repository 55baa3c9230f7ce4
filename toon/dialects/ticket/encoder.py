"""The writer of TOON/1: tickets, lists of them, boards, ok, errors, and a generic form."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final, Literal

from toon.codec.normalise import normalise, step
from toon.codec.text import LITERALS, NUMERIC_LIKE, write_int, write_scalar
from toon.dialects.base import check_finite, quote
from toon.dialects.ticket import grammar
from toon.errors import EncodeError
from toon.values.walks import kind_of
from toon.wording import excerpt, plural

Loss = Literal["dropped", "date", "minute", "default", "empty", "respelled"]

_NOUNS: Final = {grammar.COMMENT.name: "comment", grammar.LINK.name: "link", "board": "board"}
_PHRASES: Final[dict[Loss, str]] = {
    "dropped": "{} of {}",
    "date": "{} cut to its date in {}",
    "minute": "{} written in UTC to the minute in {}",
    "default": "{} left out as the default in {}",
    "empty": "empty {} left out in {}",
    "respelled": "{} respelled in {}",
}


def encode(value: Any) -> str:
    """Write a JSON value as one line of TOON/1, in the envelope of :func:`choose_envelope`.

    A single ticket has all of its fields. Tickets in lists and boards lack their description,
    assignee, comments and links. ``created_at`` is cut to its UTC date, the times of comments to
    the minute; :func:`losses` lists what that drops and changes.

    Raises:
        EncodeError: A value has no TOON/1 form, or lies over 256 levels deep; ``path`` says which.
    """
    return f"TOON/1 {_Encoder().payload(normalise(value))}"


def losses(value: Any) -> list[str]:
    """List what TOON/1 drops or changes of a JSON value, as in ``description of 3 tickets``.

    Errors are those of :func:`encode`.
    """
    encoder = _Encoder()
    encoder.payload(normalise(value))
    return [
        _PHRASES[loss].format(key, plural(count, _NOUNS.get(owner, "ticket")))
        for (loss, owner, key), count in encoder.lost.items()
    ]


def choose_envelope(value: Any) -> Literal["ticket", "list", "board", "ok", "error", "generic"]:
    """Return the name of the TOON/1 envelope that a JSON value is written in.

    A ticket is an object whose ``id`` and ``title`` are strings. A list has only tickets, or is
    empty. An ok is ``{"ok": true}``, a board ``{"board": {status: [ticket, …], …}}``, an error
    ``{"error": {"code": text, "message": text}}``, where the message is optional; none of them has
    other keys. All other values are generic.
    """
    if is_ticket(value):
        return "ticket"
    match value:
        case list() if all(map(is_ticket, value)):
            return "list"
        case {"ok": True, **rest} if not rest:
            return "ok"
        case {"board": dict(buckets), **rest} if not rest:
            lists = buckets.values()
            if all(isinstance(items, list) and all(map(is_ticket, items)) for items in lists):
                return "board"
        case {"error": {"code": str(), **more}, **rest} if not rest:
            if all(key == "message" and isinstance(item, str) for key, item in more.items()):
                return "error"
    return "generic"


def is_ticket(value: Any) -> bool:
    """Return whether a JSON value is an object whose ``id`` and ``title`` are strings."""
    keys = ("id", "title")
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in keys)


class _Encoder:
    """A writer of TOON/1; ``lost`` counts what it drops or changes, by loss, envelope and field."""

    def __init__(self) -> None:
        self.lost: Counter[tuple[Loss, str, str]] = Counter()

    def payload(self, value: Any) -> str:
        match choose_envelope(value):
            case "ticket":
                return self.record(grammar.TICKET, value, "$")
            case "list":
                return self.tickets(value, "$")
            case "board":
                return self.board(value["board"])
            case "error":
                return self.record(grammar.ERROR, value["error"], "$.error")
            case _:
                check_finite(value)
                return _generic(value)

    def tickets(self, items: list[Any], path: str) -> str:
        return _list(
            items, path, lambda item, at: self.record(grammar.TICKET, item, at, full=False)
        )

    def board(self, buckets: dict[str, Any]) -> str:
        written: dict[str, str] = {}
        for name, items in buckets.items():
            path = step("$.board", name)
            code = _code("status", name, path)
            if code in written:
                raise EncodeError(f"a second bucket of status {code}", path)
            written[code] = f"{code}:{self.tickets(items, path)}" if items else ""
            if not items:
                self.lost["empty", "board", "buckets"] += 1
            if grammar.ENUMS["status"][code] != name:
                self.lost["respelled", "board", "buckets"] += 1
        return f"BOARD{{{','.join(filter(None, map(written.get, grammar.BUCKET_ORDER)))}}}"

    def record(self, envelope: grammar.Envelope, value: Any, path: str, full: bool = True) -> str:
        """Write an object as a record of TOON/1 in ``envelope``, such as ``T{…}``; a ticket that is
        not ``full`` lacks its description, assignee, comments and links.
        """
        if not isinstance(value, dict):
            raise EncodeError(f"expected an object, found {kind_of(value)}", path)
        parts = []
        for slot in envelope.fields:
            key, item = slot.key, value.get(slot.key)
            token: str | None = None
            loss: Loss | None = None
            if key in envelope.required and key not in value:
                raise EncodeError(f"{key} is missing", path)
            is_text = envelope is grammar.TICKET and slot.kind not in grammar.ENUMS
            empty = is_text and item in ("", [])
            if key not in envelope.required and (item is None or empty):
                loss = "empty" if key in value else None
            elif key in grammar.DETAIL_KEYS and not full:
                loss = "dropped"
            else:
                token, loss = self.token(slot, item, f"{path}.{key}")
            if token is not None:
                parts.append(f"{slot.alias}:{token}")
            if loss is not None:
                self.lost[loss, envelope.name, key] += 1
        known = {slot.key for slot in envelope.fields}
        self.lost.update(("dropped", envelope.name, key) for key in value if key not in known)
        return f"{envelope.name}{{{','.join(parts)}}}"

    def token(self, slot: grammar.Field, value: Any, path: str) -> tuple[str | None, Loss | None]:
        """Return a field's value in TOON/1, or None if it is left out as the default; and the loss
        that this means, or None. Raise EncodeError for a value of the wrong kind.
        """
        kind = slot.kind
        if kind == "text":
            return grammar.write_string(_text(value, path)), None
        if kind == "texts":
            return _list(value, path, lambda *item: grammar.write_string(_text(*item))), None
        if kind in ("comments", "links"):
            inner = grammar.COMMENT if kind == "comments" else grammar.LINK
            return _list(value, path, lambda *item: self.record(inner, *item)), None
        if kind in grammar.ENUMS:
            code = _code(kind, _text(value, path), path)
            if (kind, code) == ("exec_mode", "par"):
                return None, "default"
            return code, "respelled" if grammar.ENUMS[kind][code] != value else None
        if kind == "int":
            # An integer of more than 4,300 digits is a Decimal.
            if isinstance(value, Decimal) and value.is_finite() and value.as_tuple().exponent == 0:
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool):
                return write_int(value), None
            raise EncodeError(f"expected a whole number, found {kind_of(value)}", path)
        if not isinstance(value, str) or not grammar.WHEN.fullmatch(value):
            shown = excerpt(value) if isinstance(value, str) else kind_of(value)
            raise EncodeError(f"expected a time such as 2024-01-15T10:00:00Z, found {shown}", path)
        if kind == "etag":
            return value, None
        written = grammar.to_utc(value, kind)
        if written is None:
            raise EncodeError(f"{excerpt(value)} is not a valid time", path)
        lossy: Loss = "date" if kind == "date" else "minute"
        return written, lossy if grammar.read_when(written, kind) != value else None


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise EncodeError(f"expected a text, found {kind_of(value)}", path)
    return value


def _list(value: Any, path: str, write: Callable[[Any, str], str]) -> str:
    """Write an array as a TOON/1 list; ``write`` gives an item's text from its value and path."""
    if not isinstance(value, list):
        raise EncodeError(f"expected an array, found {kind_of(value)}", path)
    return f"[{','.join([write(item, f'{path}[{index}]') for index, item in enumerate(value)])}]"


def _code(domain: str, text: str, path: str) -> str:
    code = grammar.enum_code(domain, text)
    if code is None:
        words = ", ".join(grammar.ENUMS[domain].values())
        raise EncodeError(f"unknown {domain} {excerpt(text)}: it is one of {words}", path)
    return code


def _generic(value: Any) -> str:
    """Write a JSON value in TOON/1's form for all but tickets: ``{key:value,list:[1,2]}``."""
    if isinstance(value, dict):
        members = [f"{grammar.write_string(key)}:{_generic(item)}" for key, item in value.items()]
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join([_generic(item) for item in value])}]"
    if not isinstance(value, str):
        return write_scalar(value)
    if value in LITERALS or NUMERIC_LIKE.match(value):  # without quotes it would be one
        return quote(value, grammar.SPECIAL)
    return grammar.write_string(value)
