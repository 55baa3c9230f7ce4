"""The formatters: a fixed table of ways to write a value, for use after ``|``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias

from toon.codec.numbers import rounded_decimal
from toon.codec.text import write_decimal, write_float
from toon.compact.context import Context
from toon.compact.errors import QueryError
from toon.compact.inline import as_text, number_of, preview, size
from toon.compact.relative import in_zone, is_date, read_time
from toon.limits import TEMPLATE_CHARACTERS

Args: TypeAlias = tuple[str | int, ...]
_Takes: TypeAlias = tuple[str, Callable[[Args], bool]]

_SHORT: Final = 8


@dataclass(frozen=True, slots=True)
class Formatter:
    """A way to write a value.

    Attributes:
        usage: an example of its use in a template.
        does: what it does, for the help.
        write: takes a value (never null), the arguments and the context; returns the new value, ""
            if it cannot read the given one.
        takes: the arguments it accepts, in words.
        accepts: whether it accepts some arguments.
        whole: whether it takes a list as a whole; otherwise it is applied to each entry.
        names_field: whether its argument is the key of another field of the record.
    """

    usage: str
    does: str
    write: Callable[[Any, Args, Context], Any]
    takes: str
    accepts: Callable[[Args], bool]
    whole: bool = False
    names_field: bool = False

    @property
    def name(self) -> str:
        return self.usage.partition(":")[0]

    def apply(self, value: Any, args: Args, context: Context) -> Any:
        if self.whole or not isinstance(value, list):
            return self.write(value, args, context)
        return [self.write(item, args, context) for item in value if item is not None]


# -- texts, and how long all that a template writes may be -----------------------------------


def check_size(size: int, most: int = TEMPLATE_CHARACTERS) -> None:
    """Check that a template may write ``size`` characters.

    Raises:
        QueryError: ``size`` characters are more than ``most``, what is left of the limit.
    """
    if size > most:
        limit = f"{TEMPLATE_CHARACTERS:,} characters"
        message = f"the lines have more than {limit}, the limit TOON_TEMPLATE_CHARACTERS"
        hint = "take fewer records, or shorten fields, as in {tags|first:3} or {note|short}"
        raise QueryError(message, hint=hint)


def joined(texts: Iterable[str], between: str = "", most: int = TEMPLATE_CHARACTERS) -> str:
    """Join the texts with ``between``.

    Raises:
        QueryError: Together they have more than ``most`` characters.
    """
    kept, size = list[str](), -len(between)
    for text in texts:
        size += len(text) + len(between)
        check_size(size, most)
        kept.append(text)
    return between.join(kept)


def text_of(value: Any, between: str = ", ") -> str:
    """Write any value as part of a line: a list joined with ``between``, an object as its name.

    Raises:
        QueryError: It is longer than all that a template may write.
    """
    if isinstance(value, list):
        return joined(filter(None, map(_one_text, value)), between)
    return _one_text(value)


def _one_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return as_text(value)


# -- ways to write a value -------------------------------------------------------------------


def _date(value: Any, _: Args, context: Context) -> str:
    time = read_time(value)
    return "" if time is None else str(in_zone(time, context.zone).date())


def _time(value: Any, _: Args, context: Context) -> str:
    time = read_time(value)
    return "" if time is None or is_date(value) else f"{in_zone(time, context.zone):%H:%M}"


def _round(value: Any, args: Args, _: Context) -> str:
    number, places = number_of(value), int(args[0])
    if isinstance(number, float):
        return write_float(round(number, places))
    if isinstance(number, Decimal):
        return write_decimal(rounded_decimal(number, places))
    return as_text(number)


def _plural(value: Any, args: Args, _: Context) -> str:
    number = number_of(value)
    return "" if number is None else str(args[number != 1])


def _after(value: Any, args: Args, _: Context) -> str:
    text, mark = _one_text(value), str(args[0])
    return text.rpartition(mark)[2] if mark in text else ""


def _is(value: Any, args: Args, _: Context) -> bool:
    return _one_text(value) in args


def _map(value: Any, args: Args, _: Context) -> str:
    text = _one_text(value)
    pairs = zip(args[::2], args[1::2], strict=True)
    return next((str(to) for of, to in pairs if str(of).lower() == text.lower()), text)


def extension_of(value: Any) -> str:
    """Return the extension of a file's name, in small letters; "" if it has none.

    An extension has at most ten letters and digits. A dot at the start does not begin one.
    """
    name = _one_text(value)
    stem, _, extension = name.rpartition(".")
    is_one = stem and not name.startswith(".") and extension.isalnum() and len(extension) <= 10
    return extension.lower() if is_one else ""


def address_of(value: Any) -> str:
    """Return a person's primary email address, or else the first; "" if there is none."""
    entries = value if isinstance(value, list) else [value]
    primary = [entry for entry in entries if isinstance(entry, dict) and _is_primary(entry)]
    return next(filter(None, map(_address, (*primary, *entries))), "")


def _is_primary(entry: dict[str, Any]) -> bool:
    return entry.get("primary") is True or entry.get("is_primary") is True


def _address(entry: Any) -> str:
    if not isinstance(entry, dict):
        return as_text(entry)
    texts = (as_text(entry.get(name)) for name in ("address", "email", "value"))
    return next(filter(None, texts), "")


def _other(args: Args, context: Context) -> Any:
    """Return the field of the record that the argument names; None if there is none."""
    return context.record.get(args[0]) if isinstance(context.record, dict) else None


def _days(value: Any, args: Args, context: Context) -> str:
    start, end = read_time(_other(args, context)), read_time(value)
    if start is None or end is None:
        return ""
    days = (in_zone(end, context.zone).date() - in_zone(start, context.zone).date()).days
    return f"{days:+}d" if days else ""


def _varying(value: Any, _: Args, context: Context) -> Any:
    context.met.add(text_of(value))
    return value if len(context.met) > 1 else ""


# -- arguments -------------------------------------------------------------------------------


def _number(low: int, high: int) -> Callable[[Args], bool]:
    return lambda args: len(args) == 1 and isinstance(args[0], int) and low <= args[0] <= high


def _texts(count: int) -> Callable[[Args], bool]:
    return lambda args: len(args) == count and all(isinstance(arg, str) for arg in args)


def _some_texts(args: Args) -> bool:
    return bool(args) and all(isinstance(arg, str) for arg in args)


def _pairs(args: Args) -> bool:
    return len(args) % 2 == 0 and _some_texts(args)


_NOTHING: Final[_Takes] = ("no argument", lambda args: not args)
_MARK: Final[_Takes] = (
    "one text that is not empty",
    lambda args: _texts(1)(args) and args[0] != "",
)

#: name -> formatter; a template cannot add any.
FORMATTERS: Final = {formatter.name: formatter for formatter in (
    Formatter("date", "the date of a timestamp: 2026-02-18", _date, *_NOTHING),
    Formatter("time", "its time of day: 09:30", _time, *_NOTHING),
    Formatter(
        "ago", "its age: 3d ago, in 2h", lambda value, _, context: context.age(value), *_NOTHING
    ),
    Formatter(
        "size", "a number of bytes: 1.5KB, in steps of 1024", lambda value, *_: size(value),
        *_NOTHING,
    ),
    Formatter(
        "round:2", "a number with at most so many decimals", _round,
        "a number from 0 to 20", _number(0, 20),
    ),
    Formatter(
        'plural:"item","items"', "the first text for the number 1, else the second", _plural,
        "two texts", _texts(2),
    ),
    Formatter(
        "preview:60", "the start of a long text, in whole words, with three dots",
        lambda value, args, _: preview(_one_text(value), int(args[0])),
        "a number from 1 to 10,000", _number(1, 10_000),
    ),
    Formatter(
        "short:8", "the first characters; eight if no number is given",
        lambda value, args, _: _one_text(value)[: int(args[0]) if args else _SHORT],
        "a number from 1 to 10,000, or nothing",
        lambda args: not args or _number(1, 10_000)(args),
    ),
    Formatter("upper", "in capital letters", lambda value, *_: _one_text(value).upper(), *_NOTHING),
    Formatter("lower", "in small letters", lambda value, *_: _one_text(value).lower(), *_NOTHING),
    Formatter(
        'before:"@"', "the text before the first @; all of it if there is none",
        lambda value, args, _: _one_text(value).partition(str(args[0]))[0], *_MARK,
    ),
    Formatter('after:"."', "the text after the last full stop; nothing if there is none", _after,
              *_MARK),
    Formatter(
        'trim:"/"', "without these characters at its end",
        lambda value, args, _: _one_text(value).rstrip(str(args[0])), *_MARK,
    ),
    Formatter(
        "extension", "what follows the last dot of a file's name, in small letters",
        lambda value, *_: extension_of(value), *_NOTHING,
    ),
    Formatter(
        "text", "a text, a number or the name of an object; nothing for true, false and lists",
        lambda value, *_: as_text(value), *_NOTHING, True,
    ),
    Formatter("true", "true if it is true itself, not a text", lambda value, *_: value is True,
              *_NOTHING, True),
    Formatter('is:"done","closed"', "true if it is one of these texts", _is, "texts", _some_texts,
              True),
    Formatter(
        'with:"last_name"', "followed by another field of the record",
        lambda value, args, page: f"{_one_text(value)} {_one_text(_other(args, page))}".strip(),
        *_MARK, names_field=True,
    ),
    Formatter(
        'days:"start_at"', "how many days it is after another timestamp of the record: +1d; "
        "nothing on the same day", _days, *_MARK, names_field=True,
    ),
    Formatter(
        "varying", "the value, if the page has several in all fields written so together", _varying,
        *_NOTHING, True,
    ),
    Formatter(
        "address", "the primary one of a list of email addresses, or else the first",
        lambda value, *_: address_of(value), *_NOTHING, True,
    ),
    Formatter(
        'map:"good","🙂","bad","😟"', "🙂 for good, 😟 for bad; other texts unchanged", _map,
        "pairs of texts", _pairs,
    ),
    Formatter(
        'join:"; "', "the entries of a list with this between them",
        lambda value, args, _: text_of(value, str(args[0])), "one text", _texts(1), True,
    ),
    Formatter(
        "first:3", "the first entries of a list",
        lambda value, args, _: value[: int(args[0])] if isinstance(value, list) else value,
        "a number from 1 to 10,000", _number(1, 10_000), True,
    ),
    Formatter(
        "count", "how many entries a list or an object has",
        lambda value, *_: len(value) if isinstance(value, list | dict) else "", *_NOTHING, True,
    ),
)}  # fmt: skip
