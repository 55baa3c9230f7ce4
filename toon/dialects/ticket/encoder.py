"""JSON to TOON/1: tickets, lists of them, boards, ok, errors, and the generic form for the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal

from toon.codec.normalise import normalise, step
from toon.codec.text import int_text
from toon.dialects.ticket.losses import Losses
from toon.dialects.ticket.tables import (
    BUCKET_ORDER,
    COMMENT,
    DEFAULTS,
    DETAIL_KEYS,
    ENUMS,
    ERROR,
    LINK,
    TICKET,
    Envelope,
    Field,
    enum_code,
)
from toon.dialects.ticket.text import (
    IDENT,
    WHEN,
    orkestra_token,
    scalar_token,
    shown,
    text_token,
    utc_date,
    utc_exact,
    utc_minute,
    when_read,
)
from toon.errors import EncodeError
from toon.text import Notice, Notices

VERSION: Final = "TOON/1"

Detail = Literal["auto", "full", "summary"]
Precision = Literal["canonical", "full"]
Extra = Literal["drop", "keep"]
OnUnknown = Literal["error", "default"]

_ALIASES: Final = frozenset(field.alias for field in TICKET.fields)
_CHOICES: Final[dict[str, tuple[str | None, ...]]] = {
    "detail": ("auto", "full", "summary"),
    "precision": ("canonical", "full"),
    "extra": ("drop", "keep"),
    "on_unknown": ("error", "default"),
    "compat": (None, "orkestra"),
}


@dataclass(frozen=True, slots=True)
class Encoded:
    """A TOON/1 text and what it does not say.

    ``dropped`` counts the fields left out, ``losses`` names them and every other change in short
    phrases, ``notices`` says what is odd about the value.
    """

    text: str
    dropped: dict[str, int]
    losses: tuple[str, ...]
    notices: tuple[Notice, ...]


def encode(
    value: Any,
    *,
    detail: Detail = "auto",
    precision: Precision = "canonical",
    extra: Extra = "drop",
    on_unknown: OnUnknown = "error",
    compat: Literal["orkestra"] | None = None,
) -> Encoded:
    """``value`` as one line of TOON/1, in the envelope :func:`envelope_of` names.

    Args:
        value: any JSON value, nested at most 256 levels deep.
        detail: what of a ticket is written: ``"full"`` all of it; ``"summary"`` all but
            description, assignee, comments and links; ``"auto"`` all of a single ticket, and a
            summary in lists and boards.
        precision: ``"canonical"`` cuts ``created_at`` to its UTC date and the times of comments
            to the minute; ``"full"`` writes times as they are.
        extra: ``"keep"`` appends the fields that TOON/1 has no alias for, for the tolerant decoder;
            those whose name is not an identifier, or is an alias, are dropped all the same.
        on_unknown: what an unknown status, priority, type, mode or link type is: an error, or the
            ``"default"`` the public playground takes it for.
        compat: ``"orkestra"`` writes what the public encoder writes, raw ids included: such a text
            may not be readable.

    Raises:
        EncodeError: a value has no TOON/1 form; its ``path`` says which.
        ValueError: an option is not one of the above.
    """
    _check(detail=detail, precision=precision, extra=extra, on_unknown=on_unknown, compat=compat)
    encoder = _Encoder(detail, precision == "full", extra == "keep", on_unknown, compat is not None)
    text = f"{VERSION} {encoder.payload(normalise(value))}"
    losses = encoder.losses
    return Encoded(text, losses.dropped(), tuple(losses.phrases()), tuple(encoder.notices))


def _check(**options: str | None) -> None:
    for name, chosen in options.items():
        if chosen not in _CHOICES[name]:
            names = ", ".join(repr(choice) for choice in _CHOICES[name])
            raise ValueError(f"{name} is {chosen!r}, not one of {names}")


def envelope_of(value: Any) -> Literal["ticket", "list", "board", "ok", "error", "generic"]:
    """The envelope a JSON value is written in.

    A ticket is an object whose ``id`` and ``title`` are strings; a list holds nothing but tickets,
    maybe none; a board is ``{"board": {status: [ticket, …], …}}``; an error
    ``{"error": {"code": text, "message": text}}``, the message optional.
    """
    if is_ticket(value):
        return "ticket"
    if isinstance(value, list):
        return "list" if all(map(is_ticket, value)) else "generic"
    if not isinstance(value, dict) or len(value) != 1:
        return "generic"
    ((key, inner),) = value.items()
    if key == "ok" and inner is True:
        return "ok"
    if key == "board" and isinstance(inner, dict):
        lists = all(isinstance(bucket, list) for bucket in inner.values())
        if lists and all(is_ticket(item) for bucket in inner.values() for item in bucket):
            return "board"
    if key == "error" and isinstance(inner, dict) and "code" in inner:
        known = inner.keys() <= {"code", "message"}
        if known and all(isinstance(item, str) for item in inner.values()):
            return "error"
    return "generic"


def is_ticket(value: Any) -> bool:
    """True for an object whose ``id`` and ``title`` are strings."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("id"), str)
        and isinstance(value.get("title"), str)
    )


@dataclass(slots=True)
class _Encoder:
    """The options of one call, and what it loses on the way."""

    detail: Detail
    exact: bool
    keep: bool
    on_unknown: OnUnknown
    raw: bool
    losses: Losses = field(default_factory=Losses)
    notices: Notices = field(default_factory=Notices)

    def payload(self, value: Any) -> str:
        full = self.detail == "full"
        match envelope_of(value):
            case "ticket":
                return self.record(TICKET, value, "$", self.detail != "summary")
            case "list":
                return self.tickets(value, "$", full)
            case "board":
                return self.board(value["board"], full)
            case "error":
                return self.record(ERROR, value["error"], "$.error")
            case _:
                return self.generic(value, "$")

    def tickets(self, items: list[Any], path: str, full: bool) -> str:
        records = [
            self.record(TICKET, item, f"{path}[{index}]", full) for index, item in enumerate(items)
        ]
        return f"[{','.join(records)}]"

    def board(self, buckets: dict[str, Any], full: bool) -> str:
        written: dict[str, str] = {}
        codes = []
        for name, items in buckets.items():
            path = step("$.board", name)
            code = self.code("status", name, path)
            if code in codes:
                raise EncodeError(f"a second bucket of status {code}", path)
            codes.append(code)
            self.check_bucket(code, items, path)
            if items:
                written[code] = f"{code}:{self.tickets(items, path, full)}"
            else:
                self.losses.board("empty")
            if ENUMS["status"][code] != name:
                self.losses.board("respelled")
        return f"BOARD{{{','.join(written[code] for code in BUCKET_ORDER if code in written)}}}"

    def check_bucket(self, code: str, items: list[Any], path: str) -> None:
        for index, item in enumerate(items):
            status = item.get("status")
            if isinstance(status, str) and enum_code("status", status) not in (code, None):
                self.note(f"{path}[{index}] has status {shown(status)}: its own status counts")

    def note(self, message: str) -> None:
        self.notices.add(message)

    # -- records ---------------------------------------------------------------------------------

    def record(self, envelope: Envelope, value: Any, path: str, full: bool = True) -> str:
        """One T, C, L or ERR."""
        if not isinstance(value, dict):
            raise EncodeError(f"expected an object, found {_kind(value)}", path)
        parts = []
        for slot in envelope.fields:
            token = self.slot(envelope, slot, value, path, full)
            if token is not None:
                parts.append(f"{slot.alias}:{token}")
        parts += self.extras(envelope, value, path)
        return f"{envelope.name}{{{','.join(parts)}}}"

    def slot(
        self, envelope: Envelope, slot: Field, record: dict[str, Any], path: str, full: bool
    ) -> str | None:
        """A field as text, None if it is not written."""
        key, value = slot.key, record.get(slot.key)
        if key in envelope.required:
            if key not in record:
                raise EncodeError(f"{key} is missing", path)
        elif value is None or (envelope is TICKET and value in ("", []) and slot.kind not in ENUMS):
            if key in record:
                self.losses.add("empty", envelope, key)
            always = self.raw and key in ("status", "priority", "type")
            return DEFAULTS[key] if always else None
        elif key in DETAIL_KEYS and not full:
            self.losses.add("dropped", envelope, key)
            return None
        return self.token(envelope, slot, value, f"{path}.{key}")

    def token(self, envelope: Envelope, slot: Field, value: Any, path: str) -> str | None:
        match slot.kind:
            case "text" | "id":
                return self.text(slot.kind, value, path)
            case "texts" | "ids":
                texts = self.items(value, path)
                return f"[{','.join(self.text(slot.kind[:-1], *item) for item in texts)}]"
            case "comments" | "links":
                inner = COMMENT if slot.kind == "comments" else LINK
                return f"[{','.join(self.record(inner, *i) for i in self.items(value, path))}]"
            case "int":
                return _whole(value, path)
            case "date" | "minute" | "etag":
                return self.when(envelope, slot, value, path)
            case domain:
                return self.enum(envelope, slot, domain, value, path)

    def text(self, kind: str, value: Any, path: str) -> str:
        if not isinstance(value, str):
            raise EncodeError(f"expected a text, found {_kind(value)}", path)
        if self.raw:
            return value if kind == "id" else orkestra_token(value)
        return text_token(value)

    def items(self, value: Any, path: str) -> list[tuple[Any, str]]:
        if not isinstance(value, list):
            raise EncodeError(f"expected an array, found {_kind(value)}", path)
        return [(item, f"{path}[{index}]") for index, item in enumerate(value)]

    def when(self, envelope: Envelope, slot: Field, value: Any, path: str) -> str:
        if not isinstance(value, str) or not WHEN.fullmatch(value):
            found = shown(value) if isinstance(value, str) else _kind(value)
            raise EncodeError(f"expected a time such as 2024-01-15T10:00:00Z, found {found}", path)
        written: str | None = value
        if not self.exact and (slot.kind != "etag" or self.raw):
            written = {"date": utc_date, "minute": utc_minute, "etag": utc_exact}[slot.kind](value)
        if written is None:
            raise EncodeError(f"{shown(value)} is not a time of the calendar", path)
        if when_read(written, slot.kind) != value:
            self.losses.add("cut", envelope, slot.key, slot.kind)
        return written

    def enum(
        self, envelope: Envelope, slot: Field, domain: str, value: Any, path: str
    ) -> str | None:
        if not isinstance(value, str):
            raise EncodeError(f"expected a text, found {_kind(value)}", path)
        code = self.code(domain, value, path)
        if code == "par" and domain == "exec_mode":
            self.losses.add("default", envelope, slot.key)
            return None
        if ENUMS[domain][code] != value:
            self.losses.add("respelled", envelope, slot.key)
        return code

    def code(self, domain: str, text: str, path: str) -> str:
        code = enum_code(domain, text)
        if code is None:
            if self.on_unknown == "error":
                words = ", ".join(ENUMS[domain].values())
                raise EncodeError(f"unknown {domain} {shown(text)}: it is one of {words}", path)
            code = DEFAULTS[domain]
            self.note(f"{path}: unknown {domain} {shown(text)} is written as {code}")
        return code

    def extras(self, envelope: Envelope, record: dict[str, Any], path: str) -> list[str]:
        known = {slot.key for slot in envelope.fields}
        parts = []
        for key, value in record.items():
            if key in known:
                continue
            fits = IDENT.fullmatch(key) and key not in _ALIASES
            if self.keep and envelope is TICKET and fits:
                parts.append(f"{key}:{self.generic(value, step(path, key))}")
            else:
                self.losses.add("dropped", envelope, key)
        return parts

    # -- generic ---------------------------------------------------------------------------------

    def generic(self, value: Any, path: str) -> str:
        parts = []
        if isinstance(value, dict):
            name: Callable[[str], str] = str if self.raw else text_token
            for key, item in value.items():
                parts.append(f"{name(key)}:{self.generic(item, step(path, key))}")
            return f"{{{','.join(parts)}}}"
        if isinstance(value, list):
            for index, item in enumerate(value):
                parts.append(self.generic(item, f"{path}[{index}]"))
            return f"[{','.join(parts)}]"
        if isinstance(value, float | Decimal) and not _is_finite(value):
            raise EncodeError(f"{value} has no JSON form", path)
        return orkestra_token(value) if self.raw else scalar_token(value)


def _is_finite(value: float | Decimal) -> bool:
    return value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)


def _whole(value: Any, path: str) -> str:
    """An integer with all of its digits; of those past 4,300 digits, JSON gives a Decimal."""
    if isinstance(value, int) and not isinstance(value, bool):
        return int_text(value)
    if isinstance(value, Decimal) and value.is_finite() and value.as_tuple().exponent == 0:
        return format(value, "f")
    raise EncodeError(f"expected a whole number, found {_kind(value)}", path)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    kinds: dict[type, str] = {str: "a text", dict: "an object", list: "an array"}
    return kinds.get(type(value), f"the number {value}" if type(value) is float else "a number")
