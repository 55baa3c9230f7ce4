"""The formatters: a fixed table of ways to write a value, for use after ``|``."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias

from toon.codec.numbers import round_decimal
from toon.codec.text import write_scalar
from toon.compact.context import Context
from toon.compact.errors import QueryError
from toon.compact.inline import as_text, number_of, preview, size
from toon.compact.relative import is_date, read_time, to_zone
from toon.limits import TEMPLATE_CHARACTERS

Args: TypeAlias = tuple[str | int, ...]
_Takes: TypeAlias = tuple[str, Callable[[Args], bool]]

_SHORT: Final = 8


@dataclass(frozen=True, slots=True)
class Formatter:
    """A way to write a value in a template, used as in ``{placed_at|date}``.

    Attributes:
        usage: an example of its use in a template.
        effect: what it does, for the help.
        write: takes a value (never null), the arguments and the context; returns the new value, ""
            if it cannot read the given one.
        takes: the arguments it accepts, in words.
        accepts: a function that tells whether it takes given arguments.
        takes_list: whether it takes a list as a whole; otherwise it is applied to each entry.
        names_field: whether its argument is the key of another field of the record.
    """

    usage: str
    effect: str
    write: Callable[[Any, Args, Context], Any]
    takes: str
    accepts: Callable[[Args], bool]
    takes_list: bool = False
    names_field: bool = False

    @property
    def name(self) -> str:
        return self.usage.partition(":")[0]

    def apply(self, value: Any, args: Args, context: Context) -> Any:
        if self.takes_list or not isinstance(value, list):
            return self.write(value, args, context)
        return [self.write(item, args, context) for item in value if item is not None]


# -- texts, and how long all that a template writes may be -----------------------------------


def check_size(size: int, most: int = TEMPLATE_CHARACTERS) -> None:
    """Raise QueryError if ``size`` is over ``most``, the characters that a template may write."""
    if size > most:
        limit = f"{TEMPLATE_CHARACTERS:,} characters"
        message = f"the lines have more than {limit}, the limit TOON_TEMPLATE_CHARACTERS"
        hint = "take fewer records, or shorten fields, as in {tags|first:3} or {note|short}"
        raise QueryError(message, hint=hint)


def join_texts(texts: Iterable[str], between: str = "", most: int = TEMPLATE_CHARACTERS) -> str:
    """Join texts that a template writes; raise QueryError if they have over ``most`` characters."""
    parts, size = list[str](), -len(between)
    for text in texts:
        size += len(text) + len(between)
        check_size(size, most)
        parts.append(text)
    return between.join(parts)


def text_of(value: Any, between: str = ", ") -> str:
    """Write a JSON value as part of a line: a list joined with ``between``, an object as its name.

    Raise QueryError if it is longer than all that a template may write.
    """
    if isinstance(value, list):
        return join_texts(filter(None, map(_one_text, value)), between)
    return _one_text(value)


def _one_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return as_text(value)


# -- ways to write a value -------------------------------------------------------------------


def _date(value: Any, _: Args, context: Context) -> str:
    time = read_time(value)
    return "" if time is None else str(to_zone(time, context.zone).date())


def _time(value: Any, _: Args, context: Context) -> str:
    time = read_time(value)
    return "" if time is None or is_date(value) else f"{to_zone(time, context.zone):%H:%M}"


def _round(value: Any, args: Args, _: Context) -> str:
    number, places = number_of(value), int(args[0])
    if isinstance(number, Decimal):
        return write_scalar(round_decimal(number, places))
    return "" if number is None else write_scalar(round(number, places))


def _after(value: Any, args: Args, _: Context) -> str:
    text, mark = _one_text(value), str(args[0])
    return text.rpartition(mark)[2] if mark in text else ""


def _map(value: Any, args: Args, _: Context) -> str:
    text = _one_text(value)
    pairs = zip(args[::2], args[1::2], strict=True)
    return next((str(new) for old, new in pairs if str(old).lower() == text.lower()), text)


def extension_of(value: Any) -> str:
    """Return the extension of a file's name, in small letters; "" if it has none.

    An extension has at most ten letters and digits. A dot at the start does not begin one.
    """
    name = _one_text(value)
    stem, _, extension = name.rpartition(".")
    is_one = stem and not name.startswith(".") and extension.isalnum() and len(extension) <= 10
    return extension.lower() if is_one else ""


def address_of(value: Any) -> str:
    """Return the primary one of a person's email addresses, or else the first; "" for none."""
    entries = value if isinstance(value, list) else [value]
    records = [entry for entry in entries if isinstance(entry, dict)]
    primary = [r for r in records if r.get("primary") is True or r.get("is_primary") is True]
    for entry in (*primary, *entries):
        names = ("address", "email", "value")
        values = [entry.get(name) for name in names] if isinstance(entry, dict) else [entry]
        if text := next(filter(None, map(as_text, values)), ""):
            return text
    return ""


def _other_field(args: Args, context: Context) -> Any:
    """Return the other field of the record that the argument of a formatter names, or None."""
    return context.record.get(args[0]) if isinstance(context.record, dict) else None


def _days(value: Any, args: Args, context: Context) -> str:
    start, end = read_time(_other_field(args, context)), read_time(value)
    if start is None or end is None:
        return ""
    days = (to_zone(end, context.zone).date() - to_zone(start, context.zone).date()).days
    return f"{days:+}d" if days else ""


def _varying(value: Any, _: Args, context: Context) -> Any:
    context.seen.add(text_of(value))
    return value if len(context.seen) > 1 else ""


# -- arguments -------------------------------------------------------------------------------


def _number(high: int, low: int = 1) -> _Takes:
    return (
        f"a number from {low} to {high:,}",
        lambda args: len(args) == 1 and isinstance(args[0], int) and low <= args[0] <= high,
    )


def _texts(words: str, accepts: Callable[[Args], bool]) -> _Takes:
    return words, lambda args: all(isinstance(arg, str) for arg in args) and accepts(args)


_NOTHING: Final[_Takes] = ("no argument", lambda args: not args)
_MARK: Final = _texts("one text that is not empty", lambda args: len(args) == 1 and args != ("",))
_LONG: Final = _number(10_000)

#: name -> formatter; a template cannot add any.
FORMATTERS: Final = {formatter.name: formatter for formatter in (
    Formatter("date", "the date of a timestamp: 2026-02-18", _date, *_NOTHING),
    Formatter("time", "its time of day: 09:30", _time, *_NOTHING),
    Formatter("ago", "its age: 3d ago, in 2h", lambda v, _, page: page.age(v), *_NOTHING),
    Formatter("size", "a number of bytes: 1.5KB, in steps of 1024", lambda v, *_: size(v),
              *_NOTHING),
    Formatter("round:2", "a number with at most so many decimals", _round, *_number(20, 0)),
    Formatter('plural:"item","items"', "the first text for the number 1, else the second",
              lambda v, args, _: "" if number_of(v) is None else str(args[v != 1]),
              *_texts("two texts", lambda args: len(args) == 2)),
    Formatter("preview:60", "the start of a long text, in whole words, with three dots",
              lambda v, args, _: preview(_one_text(v), int(args[0])), *_LONG),
    Formatter("short:8", "the first characters; eight if no number is given",
              lambda v, args, _: _one_text(v)[: int(args[0]) if args else _SHORT],
              f"{_LONG[0]}, or nothing", lambda args: not args or _LONG[1](args)),
    Formatter("upper", "in capital letters", lambda v, *_: _one_text(v).upper(), *_NOTHING),
    Formatter("lower", "in small letters", lambda v, *_: _one_text(v).lower(), *_NOTHING),
    Formatter('before:"@"', "the text before the first @; all of it if there is none",
              lambda v, args, _: _one_text(v).partition(str(args[0]))[0], *_MARK),
    Formatter('after:"."', "the text after the last full stop; nothing if there is none", _after,
              *_MARK),
    Formatter('trim:"/"', "without these characters at its end",
              lambda v, args, _: _one_text(v).rstrip(str(args[0])), *_MARK),
    Formatter("extension", "what follows the last dot of a file's name, in small letters",
              lambda v, *_: extension_of(v), *_NOTHING),
    Formatter("text", "a text, a number or the name of an object; nothing for true, false and "
              "lists", lambda v, *_: as_text(v), *_NOTHING, True),
    Formatter("true", "true if it is true itself, not a text", lambda v, *_: v is True, *_NOTHING,
              True),
    Formatter('is:"done","closed"', "true if it is one of these texts",
              lambda v, args, _: _one_text(v) in args, *_texts("texts", bool), True),
    Formatter('with:"last_name"', "followed by another field of the record",
              lambda v, args, page: f"{_one_text(v)} {_one_text(_other_field(args, page))}".strip(),
              *_MARK, names_field=True),
    Formatter('days:"start_at"', "how many days it is after another timestamp of the record: +1d; "
              "nothing on the same day", _days, *_MARK, names_field=True),
    Formatter("varying", "the value, if the page has several in all fields written so together",
              _varying, *_NOTHING, True),
    Formatter("address", "the primary one of a list of email addresses, or else the first",
              lambda v, *_: address_of(v), *_NOTHING, True),
    Formatter('map:"good","🙂","bad","😟"', "🙂 for good, 😟 for bad; other texts unchanged", _map,
              *_texts("pairs of texts", lambda args: bool(args) and len(args) % 2 == 0)),
    Formatter('join:"; "', "the entries of a list with this between them",
              lambda v, args, _: text_of(v, str(args[0])),
              *_texts("one text", lambda args: len(args) == 1), True),
    Formatter("first:3", "the first entries of a list",
              lambda v, args, _: v[: int(args[0])] if isinstance(v, list) else v, *_LONG, True),
    Formatter("count", "how many entries a list or an object has",
              lambda v, *_: len(v) if isinstance(v, list | dict) else "", *_NOTHING, True),
)}  # fmt: skip
