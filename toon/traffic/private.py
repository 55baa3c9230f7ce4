"""What a name must not show: keys and tokens, mail addresses, numbers of phones and cards.

A key is known by its shape, as its maker writes it, or else because it looks drawn at random
(:mod:`toon.traffic.randomness`).
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from functools import lru_cache
from typing import Final

from toon.traffic.randomness import is_random

#: Replaces what must not be shown.
ID: Final = "{id}"

#: Keys by their makers' shapes. Random ones are found without; these may hold words.
_KEY: Final = re.compile(
    r"""
    (?<![A-Za-z0-9]) (?:
      (?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|ANPA|AROA)[A-Z0-9]{12,}              # AWS
    | AIza[\w-]{20,} | ya29\.[\w-]{10,} | GOCSPX-[\w-]{10,}                 # Google, Firebase
    | gh[oprsu]_[A-Za-z0-9]{16,} | github_pat_\w{16,}                       # GitHub
    | gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat)-[\w-]{10,}         # GitLab
    | xox[a-z]-[\w-]{10,} | xapp-[\w-]{10,}                                 # Slack
    | [prs]k_(?:live|test|prod)_\w{8,} | whsec_[A-Za-z0-9]{10,}             # Stripe
    | sk-[\w-]{12,} | (?:gsk|hf|npm|r8|vck)_[A-Za-z0-9]{16,}                # models, npm, Vercel
    | (?:pplx|xai|tvly)-[A-Za-z0-9-]{16,} | pypi-AgE[\w-]{10,}              # models, PyPI
    | SG\.[\w-]{10,}\.[\w-]{10,} | (?:AC|SK)[0-9a-f]{32}                    # SendGrid, Twilio
    | do[opr]_v1_[0-9a-f]{16,} | HRKU-[\w-]{10,}                            # DigitalOcean, Heroku
    | shp(?:at|ca|pa|ss)_[0-9a-zA-Z]{16,} | (?:sq0[a-z]{3}-|EAAA)[\w-]{16,} # Shopify, Square
    | [0-9]{8,10}:[\w-]{35} | key-[0-9a-f]{32}                              # Telegram, Mailgun
    | NR(?:AA|AK|AL|II|SP)-[\w-]{10,} | sntry[su]_[\w=+/-]{10,}             # New Relic, Sentry
    | sb[ap]_[0-9a-f]{16,} | sb_(?:secret|publishable)_[\w-]{10,}           # Supabase
    | (?:glsa|glc|lin_api|ntn|dckr_pat|pscale_tkn|figd)_[\w-]{16,}          # Grafana and others
    | (?:PMAK|ATATT|hvs\.|dapi)[\w-]{16,}                                   # Postman and others
    | [0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}                  # UUIDs
    | \b(?=[0-9]*[a-fA-F])[0-9a-fA-F]{16,}\b                                # hexadecimal
    | eyJ[\w-]{5,}(?:\.[\w-]+)*                                             # a JWT or its parts
    )""",
    re.VERBOSE,
)
_PEM: Final = re.compile(r"-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|\Z)", re.DOTALL)
_BASIC: Final = re.compile(r"(?i)\b(basic)\s+([\w+/-]{4,}={0,2})")
#: What follows a name that ends in a word that says that it is secret.
_NAMED: Final = re.compile(
    r"""(?ix) ( \b bearer \s+ (?=\S{8}|\S*[0-9])
    | (?: passw(?:or)?d | pwd | secret | token | sess(?:ion)?[ _-]?id
        | (?:api|access|account|private|secret|signing)[ _-]?key ) ["']? \s*[:=]\s* ["']?
    ) [^\s,;"']+"""
)
#: The name and the password in a URL of any kind.
_USER: Final = re.compile(r"(?<=://)[^\s/?#]+(?=@)")
_EMAIL: Final = re.compile(
    r"""(?<![^\s@/,;:<>()"'])[^\s@/,;:<>()"']+@[^\s@/,;:<>()"']+\.[^\W\d]{2,}"""
)
_PHONE: Final = re.compile(
    r"(?<![\w.])(?:\+[0-9][0-9 ().-]{6,16}[0-9]|\(?[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4})(?![\w.])"
)
_CARD: Final = re.compile(r"(?<![\w.])[0-9]{4}([ -]?)[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}(?![\w.])")
_ADDRESS: Final = re.compile(r"(?<![\w.])(?!127\.)[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w.])")
#: What a key may consist of, without the marks that stand around keys.
_RUN: Final = re.compile(r"[A-Za-z0-9_~-]+(?:[.+/=%]+[A-Za-z0-9_~-]+)*=*")
_PART: Final = re.compile(r"[A-Za-z0-9_-]{8,}")


def is_private(text: str) -> bool:
    """Whether ``text``, which holds no blanks, is or holds what must not be shown."""
    return hide(text) != text


@lru_cache(4096)
def hide(text: str) -> str:
    """``text`` with ``{id}`` for what must not be shown; what is left can be read.

    >>> hide("Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln"), hide("search_orders_v2 200")
    ('Bearer {id}', 'search_orders_v2 200')
    """
    text = _PEM.sub(ID, text)
    text = _BASIC.sub(lambda found: f"{found[1]} {ID}" if _is_pair(found[2]) else found[0], text)
    text = _NAMED.sub(rf"\1{ID}", text)
    for shape in (_USER, _EMAIL, _KEY, _PHONE, _ADDRESS):
        text = shape.sub(ID, text)
    text = _CARD.sub(lambda found: ID if _has_check_digit(found[0]) else found[0], text)
    return _RUN.sub(lambda found: ID if _holds_random(found[0]) else found[0], text)


def _holds_random(run: str) -> bool:
    return is_random(run) or any(is_random(part) for part in _PART.findall(run))


def _is_pair(text: str) -> bool:
    """Whether a text is a name and a password as HTTP's Basic sends them."""
    try:
        return b":" in b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        return False


def _has_check_digit(text: str) -> bool:
    """Whether the digits end in their check digit, as the numbers of cards do (Luhn)."""
    digits = [int(char) for char in text if char.isdigit()][::-1]
    doubled = [sum(divmod(2 * digit, 10)) if at % 2 else digit for at, digit in enumerate(digits)]
    return len(digits) >= 13 and sum(doubled) % 10 == 0
