"""URL templates, the endpoint that a URL belongs to, and names without secrets.

A template is the host and path of a URL with ids folded: ``api.example.com/users/{id}/orders``. The
query, the fragment, the user and path parameters are left out. A segment of the path stays if it
looks like words: short, of ASCII letters with few digits. Any other, such as a token, a mail
address, ``john.doe`` or ``O-Brien``, is folded like an id, so that no group's name keeps it. A name
such as ``john`` or ``john-doe`` looks like any other word, and stays.

A host keeps its registered domain, and labels before it that are common for services. Other labels
may name a customer, and are folded: ``{id}.example.com``.

Secrets in any name are hidden too: those that :mod:`toon.secrets` knows by name or shape, mail
addresses, numbers of phones and cards, and texts that look drawn at random.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address
from itertools import takewhile
from typing import Final
from urllib.parse import SplitResult, urlsplit

from toon.secrets import cover
from toon.values.randomness import is_random

#: The replacement of a secret or an id.
ID: Final = "{id}"
#: The template of a URL that cannot be parsed.
UNREADABLE: Final = "(unreadable URL)"

_METHOD: Final = re.compile(r"[A-Za-z]{1,20}\Z")
_WEB: Final = frozenset(["http", "https", "ws", "wss", ""])
_LONGEST_SEGMENT: Final = 40
_LONGEST_TEMPLATE: Final = 300
_SHORTEST_TOKEN: Final = 16

_VERSION: Final = re.compile(r"[vV][0-9]{1,3}(?:\.[0-9]{1,3}){0,2}(?:alpha|beta|rc)?[0-9]{0,2}\Z")
_EXTENSION: Final = re.compile(
    r"(.+)(\.(?:json[l5]?|xml|csv|html?|txt|pdf|png|jpe?g|gif|svg|webp|ico|ya?ml|zip|gz|js|css|map|"
    r"wasm|woff2?|mp[34]|php|aspx?|jsp|md|log|docx?|xlsx?))\Z"
)
_WORD: Final = re.compile(r"[@$~]?[A-Za-z0-9._~-]+\Z")
_NUMBERED: Final = re.compile(r".*[-_.~][0-9]+\Z|[0-9].*[-:.,][0-9]|[0-9]+\Z")
_HEX: Final = re.compile(r"(?=.*[0-9])[0-9a-fA-F-]{8,}\Z|[0-9a-fA-F-]{16,}\Z")
_CAPITAL_INSIDE: Final = re.compile(r"[a-z0-9][A-Z]")
_PERSON: Final = re.compile(r"([a-z]+)\.([a-z]{2,}(?:-[a-z]+)*)\Z|[@~](?!me\Z).", re.IGNORECASE)
#: Joined words with a capital: ``John-Doe``, ``O-Brien``, not ``en-US``, ``zh-Hans``.
_NAMES: Final = re.compile(
    r"(?![a-z]{2,3}-(?:Arab|Cyrl|Hans|Hant|Latn)\b)"
    r"(?=.*[^\W_][-_~]+[^\W_])(?:.*[-_~])?[A-Z](?![A-Z](?:[-_~]|\Z))"
)
_HOST: Final = re.compile(r"(?:[\w.:-]|\{id\}){0,253}")

#: Common names of services in hosts, and of methods in paths such as ``users.list``.
_ORDINARY: Final = frozenset(
    """
    account accounts acl active add admin ads agent agents ai alpha analytics announce ap api apis
    app apps archive asia asset assets assistant assistants audio auth backend batch beta billing
    blob blog bots bucket build bulk cache cached calendar call calls canary cart catalog cdn
    central channels chat check ci cloud cluster cms code collect collector com commit compute
    config connect console content conversations copy core count create customer customers
    dashboard data db default delete demo dev develop developer developers dialog directory dns docs
    domain download downloads draft e2e east edge edit email emails emoji end eu event events exec
    export feed feedback fetch file files find flags form forms forum frontend functions gateway get
    global gql graph graphql group groups gw health help history hook hooks hub id identity image
    images img import in index inference info ingest insert int internal intranet inventory invite
    invoice invoices io item items job jobs join js kick kv lab labs lan leave list live load local
    log login logout logs m mail main management map maps mark market media message messages meta
    metrics min mobile model models monitor move my name net network new news next node north notify
    oauth oauth2 object objects open ops order orders org origin page pages partner partners patch
    pay payment payments permissions ping pins platform play portal post posts preprod presence
    preview private prod product production products profile profiles projects proxy public publish
    purge push put qa query queue reactions read realtime records region registry release remote
    remove rename replace report reports repo repos request reset resource resources rest restore
    results revoke role roles root rpc run s3 sales sandbox schema scim sdk search secure self send
    server service services session sessions set settings shop signin signup site sites soap socket
    south sql sso staging start static stats status stg stop storage store stream streams submit
    support sync system table tables tag tags task tasks team teams telemetry test testing token
    tokens tools track tracking uat uk update updates upload uploads upsert us user users validate
    vault verify version video view views watch web webhook webhooks west wiki workers world write
    ws wss www zone
    """.split()  # noqa: SIM905
)
#: Suffixes that domains are registered under: below a country, and for one network.
_BELOW_COUNTRY: Final = frozenset({"ac", "co", "com", "edu", "go", "gob", "gov", "net", "org"})
_LOCAL: Final = frozenset(["corp", "home", "internal", "intranet", "lan", "local", "localhost"])


def fold_request(method: object, url: object) -> str:
    """Return an HTTP request's name: its method, or ``?`` if that is no word, and URL template."""
    named = isinstance(method, str) and _METHOD.match(method)
    template = fold_url(url) if isinstance(url, str) else UNREADABLE
    return f"{named.string.upper() if named else '?'} {template}"


def fold_url(url: str) -> str:
    """Return the template of ``url``: its host and path, with ``{id}`` for ids and secrets.

    Of an address of another scheme than the web's only the scheme is left, such as ``mailto:``.

    >>> fold_url("https://me:pw@api.example.com/v1/users/42?key=secret#top")
    'api.example.com/v1/users/{id}'
    """
    try:
        parts = urlsplit(url.strip())
        host = _host(parts)
    except ValueError:
        return UNREADABLE
    if parts.scheme.lower() not in _WEB:
        named = re.fullmatch(r"[a-z-]+", parts.scheme) and not _is_id(parts.scheme)
        return f"{parts.scheme if named else ID}:"
    path = "/".join(fold_segment(segment) for segment in parts.path.split("/"))
    if host and not path.startswith("/"):
        path = f"/{path}"
    text = host + (path or "/")
    return text if len(text) <= _LONGEST_TEMPLATE else f"{text[:_LONGEST_TEMPLATE]}…"


@lru_cache(4096)
def fold_segment(segment: str) -> str:
    """Return a segment of a URL's path, without parameters; ``{id}`` if it looks like no word."""
    name = segment.split(";", 1)[0]
    if name in ("", ID):
        return name
    if "@" in name[1:]:  # a mail address, or the user in a URL with a damaged start
        return ID
    if ":" in name:  # a custom method, as in /models/42:predict
        return ":".join(map(fold_segment, name.split(":")))
    file = _EXTENSION.match(name)
    if file and _is_id(file[1]):
        return ID + file[2]
    return ID if _is_id(name) else name


def _is_id(text: str) -> bool:
    if text == ID:
        return True
    if _VERSION.match(text):
        return False
    if len(text) > _LONGEST_SEGMENT or not _WORD.match(text) or is_private(text):
        return True
    if _is_person(text):
        return True
    digits = sum(c.isdigit() for c in text)
    if _NUMBERED.match(text) or _HEX.match(text) or 2 * digits >= len(text) >= 4:
        return True
    capitals = len(_CAPITAL_INSIDE.findall(text))
    return len(text) >= _SHORTEST_TOKEN and (digits >= 3 or 5 * capitals >= len(text))


def _is_person(text: str) -> bool:
    """Return whether a text is written like ``john.doe``, ``John-Doe`` or ``@john``."""
    if _NAMES.match(text):
        return _ORDINARY.isdisjoint(re.split("[-_~]+", text.lower()))
    found = _PERSON.match(text)
    if found is None or not found[1]:
        return found is not None
    ordinary = {found[1].lower(), found[2].lower()} & _ORDINARY
    return not ordinary and not _EXTENSION.match(text)


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if not _HOST.fullmatch(host):
        raise ValueError("not a host")
    port = "" if parts.port is None else f":{parts.port}"
    try:
        address = ip_address(host)
    except ValueError:
        return ".".join(_labels(host.split("."))) + port
    if not address.is_loopback:
        return ID + port
    return (f"[{host}]" if ":" in host else host) + port


def _labels(labels: list[str]) -> list[str]:
    """Return the labels of a host name, with ``{id}`` for subdomains that are no common words."""
    registered = 1 if labels[-1] in _LOCAL else 2
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _BELOW_COUNTRY:
        registered = 3
    before, domain = labels[:-registered], labels[-registered:]
    return [
        *(label if all(map(_is_word, re.split("[-_]", label))) else ID for label in before),
        *(ID if len(label) > _SHORTEST_TOKEN and is_private(label) else label for label in domain),
    ]


def _is_word(word: str) -> bool:
    """Return whether a word in a host's name is a letter, a small number or a service's name."""
    return word in _ORDINARY or re.fullmatch(r"[a-z]|v?[0-9]{1,2}", word) is not None


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Map names of HTTP requests to short ones, without the method and path start that all share.

    The path is cut before a slash, so ``GET api.acme.io/v2/users`` becomes ``/users``.
    """
    parts = [name.partition(" ") for name in names]
    if len(set(names)) < 2 or not all(path for _, _, path in parts):
        return {name: name for name in names}
    folders = zip(*(path.split("/")[:-1] for _, _, path in parts), strict=False)
    shared = [each[0] for each in takewhile(lambda each: len(set(each)) == 1, folders)]
    start = len("/".join(shared))
    same = len({first for first, _, _ in parts}) == 1
    return {
        name: path[start:] if same else f"{first} {path[start:]}"
        for name, (first, _, path) in zip(names, parts, strict=True)
    }


# -- secrets in names ---------------------------------------------------------------------------

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
    """Return whether a text's digits, 13 or more, end in a check digit (Luhn), as a card's do."""
    digits = [int(char) for char in text if char.isdigit()][::-1]
    doubled = [sum(divmod(2 * digit, 10)) if at % 2 else digit for at, digit in enumerate(digits)]
    return len(digits) >= 13 and sum(doubled) % 10 == 0
