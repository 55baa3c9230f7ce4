"""Masking of secrets in names: keys and tokens, mail addresses, numbers of phones and cards.

Secrets known by name or shape are those of :mod:`toon.secrets`. Others look drawn at random
(:mod:`toon.values.randomness`).
"""

import re
from functools import lru_cache
from typing import Final

from toon.secrets import cover
from toon.values.randomness import is_random

#: The replacement of a secret.
ID: Final = "{id}"

#: Keys without the beginning that their maker gives keys.
_KEY: Final = re.compile(
    r"""
    (?<![A-Za-z0-9]) (?:
      [0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}                  # UUIDs
    | [0-9]{8,10}:[\w-]{35} | (?:AC|SK)[0-9a-f]{32}                         # Telegram, Twilio
    | \b(?=[0-9]*[a-fA-F])[0-9a-fA-F]{16,}\b                                # hexadecimal
    )""",
    re.VERBOSE,
)
_EMAIL: Final = re.compile(
    r"""(?<![^\s@/,;:<>()"'])[^\s@/,;:<>()"']+@[^\s@/,;:<>()"']+\.[^\W\d]{2,}"""
)
_PHONE: Final = re.compile(
    r"(?<![\w.])(?:\+[0-9][0-9 ().-]{6,16}[0-9]|\(?[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4})(?![\w.])"
)
_CARD: Final = re.compile(r"(?<![\w.])[0-9]{4}([ -]?)[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}(?![\w.])")
_ADDRESS: Final = re.compile(r"(?<![\w.])(?!127\.)[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w.])")
#: Characters that a key may consist of, without the marks that stand around keys.
_RUN: Final = re.compile(r"[A-Za-z0-9_~-]+(?:[.+/=%]+[A-Za-z0-9_~-]+)*=*")
_PART: Final = re.compile(r"[A-Za-z0-9_-]{8,}")


def is_private(text: str) -> bool:
    """Return whether ``text``, which holds no blanks, is or holds a secret."""
    return hide(text) != text


@lru_cache(4096)
def hide(text: str) -> str:
    """Return ``text`` with ``{id}`` in place of each secret.

    >>> hide("Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln"), hide("search_orders_v2 200")
    ('Bearer {id}', 'search_orders_v2 200')
    """
    text = cover(text, lambda _: ID)
    for shape in (_EMAIL, _KEY, _PHONE, _ADDRESS):
        text = shape.sub(ID, text)
    text = _CARD.sub(lambda found: ID if _has_check_digit(found[0]) else found[0], text)
    return _RUN.sub(
        lambda found: (
            ID if is_random(found[0]) or any(map(is_random, _PART.findall(found[0]))) else found[0]
        ),
        text,
    )


def _has_check_digit(text: str) -> bool:
    """Return whether the digits end in their check digit (Luhn), as card numbers do."""
    digits = [int(char) for char in text if char.isdigit()][::-1]
    doubled = [sum(divmod(2 * digit, 10)) if at % 2 else digit for at, digit in enumerate(digits)]
    return len(digits) >= 13 and sum(doubled) % 10 == 0
