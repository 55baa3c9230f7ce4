"""How figures and names are written, in one notation: pages, command line, reports and API alike.

It also says what keys are called that no format has: kinds of text, badges, a text without a name.

Signs are kept, with a real minus (U+2212); a thin no-break space (U+202F) stands before ``%``.
A no-break space (U+00A0) keeps ≈ on one line with its figure. A figure that is not known is an en
dash.
"""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import Final

#: Stands for a figure that is not known.
UNKNOWN: Final = "–"

#: The name of a text that somebody typed, or has edited.
YOUR_TEXT: Final = "your text"

#: What the layouts of JSON are called by their keys, and in the heads of columns.
JSON_NAMES: Final = {
    "json-pretty": "indented JSON",
    "json-python": "Python-default JSON",
    "json-compact": "minified JSON",
}
JSON_HEADS: Final = {"json-pretty": "pretty", "json-python": "python", "json-compact": "minified"}

#: What kinds of text are called, and what explains a format beside them, by their keys.
KINDS: Final = {
    "names": "names",
    "punctuation": "punctuation",
    "whitespace": "whitespace",
    "values": "values",
    "explanation": "note to the model",
}

#: The signs of a payload that comes back from its text, and of one that does not.
COMES_BACK: Final = "✓"
IS_LOST: Final = "✗"

#: What is said of a round trip, by its key.
ROUND_TRIPS: Final = {
    "proven": "proven",
    "by-our-reader": "proven by our reader",
    "with-a-map": "with its map",
    "not-promised": "on this payload, not promised",
    "none-promised": "on these payloads, not promised",
    "lossy": "lossy",
    "not-read": "not read back, --all does it",
}

#: What badges say, by their keys.
BADGES: Final = {
    "proven": f"{COMES_BACK} round trip {ROUND_TRIPS['proven']}",
    "same": f"{COMES_BACK} decodes back to the same JSON",
    "fails": f"{IS_LOST} round trip fails",
    "stale": "stale: last good result",
    "unexplained": "note not included",
    "not-recommended": "not recommended",
}

#: What stands in place of tokens that nobody can count here.
NOT_COUNTED: Final = "not counted here"

#: From this many dollars on, cents are left out.
_NO_CENTS: Final = 10_000

_THIN: Final = "\u202f"
_ABOUT: Final = "≈\u00a0"


def signed_percent(fraction: float | None) -> str:
    """Write a fraction as a signed per cent: ``−16.5 %``, ``±0.0 %``; None or NaN as ``–``."""
    if fraction is None or math.isnan(fraction):
        return UNKNOWN
    return f"{_sign(100 * fraction, 1)}{_THIN}%"


def whole_percent(fraction: float | None) -> str:
    """Write a fraction as a signed per cent without decimals: ``−59 %``; None or NaN as ``–``."""
    if fraction is None or math.isnan(fraction):
        return UNKNOWN
    return f"{_sign(100 * fraction, 0)}{_THIN}%"


def percent(fraction: float, digits: int = 0) -> str:
    """Write a share, 0 to 1, as a per cent without a sign: ``96 %``."""
    return f"{100 * fraction:.{digits}f}{_THIN}%"


def signed_points(fraction: float) -> str:
    """Write a difference of shares as signed percentage points: ``+5.7``, ``−0.4``, ``±0.0``."""
    return _sign(100 * fraction, 1)


def signed_count(value: float | None) -> str:
    """Write a number, rounded, with its sign: ``−1,204``, ``+31``, ``±0``; None or NaN as ``–``."""
    return UNKNOWN if value is None or math.isnan(value) else _sign(value, 0)


def count(value: float | None) -> str:
    """Write a number rounded to a whole one: ``1,204``; None or NaN as an en dash."""
    return UNKNOWN if value is None or math.isnan(value) else f"{value:,.0f}"


def decimal(value: float) -> str:
    """Write a number with one decimal if it has any: ``1,204``, ``185.5``, ``−2``."""
    return f"{round(value, 1) or 0:,.1f}".removesuffix(".0").replace("-", "−")


def dollars(amount: Decimal | None) -> str:
    """Write US dollars: ``$1,234.50``, ``5.6 cents``, ``$0.000123``; None is ``unknown``."""
    if amount is None:
        return "unknown"
    if not amount:
        return "$0"
    size = abs(amount)
    if _is_cents(size):
        return _cents(amount)
    return _dollars(amount, _digits(size))


def cents(amount: Decimal) -> str:
    """Write US dollars for a column: ``$0.16``, ``< $0.01``, and ``$12,000`` without cents."""
    if amount and abs(amount) < Decimal("0.01"):
        return "< $0.01"
    return _dollars(amount, 0 if abs(amount) >= _NO_CENTS else 2)


def rough_cents(amount: Decimal) -> str:
    """Write US dollars that are counted here, and not billed, to the cent: ``≈ $0.16``."""
    written = cents(amount)
    return written if written.startswith("<") else f"{_ABOUT}{written}"


def _is_cents(size: Decimal) -> bool:
    """Return whether an amount of US dollars is written in cents."""
    return Decimal("0.01") <= size < Decimal("0.995")


def _digits(size: Decimal) -> int:
    """Return how many decimals an amount of US dollars is written with."""
    return 0 if size >= _NO_CENTS else 2 if size >= Decimal("0.01") else 6


def _dollars(amount: Decimal, digits: int) -> str:
    return f"{'−' if amount < 0 else ''}${abs(amount):,.{digits}f}"


def _cents(amount: Decimal) -> str:
    return f"{'−' if amount < 0 else ''}{plural(float(100 * abs(amount)), 'cent')}"


def short_dollars(amount: Decimal) -> str:
    """Write US dollars for a headline: whole ones from ten on, cents below one."""
    return falling_dollars([amount, Decimal(0)])[0]


def falling_dollars(
    levels: Sequence[Decimal], aside: Sequence[Decimal] = ()
) -> tuple[str, list[str], list[str]]:
    """Write falling US dollars so that the levels and the steps between them add up as written.

    All have the same digits, whole dollars where these say enough. Return the saving in all, what
    is saved by each step, and then the levels, followed by the amounts ``aside``.
    """
    steps = [after - before for before, after in pairwise(levels)]
    saved = levels[0] - levels[-1]
    is_cents = _is_cents(abs(saved))
    least = min(abs(amount) for amount in (saved, *steps) if amount)
    is_whole = least >= 10 or (abs(saved) >= 50 and least >= 1)
    digits = 3 if is_cents else 0 if is_whole else _digits(abs(saved))
    whole, first = round(saved, digits), round(levels[0], digits)
    fallen = [round(amount, digits) for amount in steps]
    fallen[-1] = -whole - sum(fallen[:-1])
    paid = *accumulate(fallen, initial=first), *(round(amount, digits) for amount in aside)
    amounts = [_dollars(amount, digits) for amount in paid]
    fell = (_cents(-fall) if is_cents else _dollars(-fall, digits) for fall in (-whole, *fallen))
    return next(fell), list(fell), amounts


def round_trip(words: str, *, ok: bool) -> str:
    """Put the sign of success or failure before words about a round trip: ``✓ proven``."""
    return f"{COMES_BACK if ok else IS_LOST} {words}"


def capitalised(text: str) -> str:
    """Return a text with a capital as its first letter, as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def plural(number: float, one: str, many: str | None = None) -> str:
    """Write a number with its noun: ``1 text``, ``1,200 texts``."""
    figure = decimal(number)
    return f"{figure} {one if figure == '1' else many or one + 's'}"


def duration(seconds: float) -> str:
    """Write seconds in the unit that suits: ``75 seconds``, ``3 minutes``, ``5.2 hours``."""
    if seconds < 100:
        return plural(round(seconds), "second")
    if seconds < 6_000:
        return plural(round(seconds / 60), "minute")
    days = seconds / 86_400
    return plural(days, "day") if days >= 2 else plural(seconds / 3_600, "hour")


def count_tested(number: int) -> str:
    """Write of how many formats one was chosen: ``6 tested lossless formats``."""
    return plural(number, "tested lossless format")


def join_all(names: Iterable[str]) -> str:
    """Join all names, at least one: ``names, punctuation and values``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def listed(names: Iterable[str], limit: int = 5) -> str:
    """Join the first ``limit`` names by commas, and say how many more there are."""
    every = list(names)
    more = f" and {len(every) - limit:,} more" if len(every) > limit else ""
    return ", ".join(every[:limit]) + more


def excerpt(text: str, width: int = 40) -> str:
    """Return a text in quotes for a sentence, cut to ``width`` characters."""
    return repr(text if len(text) <= width else f"{text[:width]}…")


def _sign(value: float, digits: int) -> str:
    text = f"{value:+,.{digits}f}".replace("-", "−")
    return text if any(digit in "123456789" for digit in text) else f"±{text[1:]}"
