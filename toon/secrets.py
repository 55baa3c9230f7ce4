"""Secrets: names of secret values, the shapes of makers' keys, and masks.

A text is counted as it is. Before it is shown or kept it goes through :func:`mask`, or through
:func:`disguise` where it is counted later.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from functools import lru_cache
from hashlib import blake2b
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final, TypeAlias

    Span: TypeAlias = tuple[int, int]

#: The reason why a file that :func:`may_hold_credentials` is not read.
CREDENTIALS: Final = "may hold credentials, so it is never read: if it is a log, rename it"
_FILES: Final = re.compile(
    r"""(?ix) (?: auth\.json | \.env.* | .*token.*\.json | credentials.* | .*credentials?\.json
    | .*_creds\.json | secrets?\b.* | .*client_secret.*\.json | service[-_]?account.*\.json
    | [._]netrc | \.(?:npmrc|pypirc|pgpass|git-credentials|htpasswd)
    | id_(?:rsa|dsa|ecdsa|ed25519) | .*\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)
    ) (?:\.(?:gz|zst))*"""
)

#: Endings of secret names, in small letters and digits alone.
_ENDINGS: Final = (
    "authorization", "cookie", "cookies", "apikey", "accesskey", "accountkey", "privatekey",
    "secretkey", "signingkey", "sharedkey", "subscriptionkey", "encryptionkey", "masterkey",
    "authkey", "appkey", "sshkey", "secret", "secrets", "password", "passwd", "passphrase",
    "passcode", "pwd", "token", "bearer", "credential", "credentials", "sessid", "jsessionid",
    "jwt", "amzsignature",
)  # fmt: skip
_WHOLE_NAMES: Final = frozenset(["auth", "sig", "pass"])
#: Tokens that are places in a list, or marks of a tokenizer.
_HARMLESS: Final = re.compile(
    r"(?:page|next|prev|previous|continuation|sync|progress|start|stop|end|first|last|max|min|per"
    r"|eos|bos|pad|unk|sep|cls|mask|special)token\Z"
)
#: Each secret name has one of these words in it.
_WORDS: Final = (
    "auth", "cookie", "key", "secret", "pass", "pwd", "token", "credential", "bearer", "sess",
    "jwt", "sig",
)  # fmt: skip
_NAME: Final = ascii_letters + digits + "_.-"
_LONGEST_NAME: Final = 80

#: Quotes: escaped in JSON that a text of JSON holds, doubled in one that a cell of CSV holds.
_QUOTE: Final = r"""\\*["']|"{2}"""
_OPENING: Final = re.compile(_QUOTE)
#: The text between a name and its value.
_SEPARATOR: Final = re.compile(rf"(?P<quote>{_QUOTE})?\s*(?:=>|[:=])\s*")
#: The first of two words that are a name together.
_FIRST: Final = re.compile(r"(?i)\b(?:api|access|account|private|secret|signing|session) \Z")
#: The text before and behind a name that is itself a value, as of a header or a variable.
_PAIRED: Final = re.compile(rf"(?i)(?:name|key|header)(?P<quote>{_QUOTE})\s*:\s*(?P=quote)\Z")
_LISTED: Final = re.compile(rf"(?P<quote>{_QUOTE})\s*,\s*b?(?=(?P=quote))")
_HEADERS: Final = frozenset(
    ["authorization", "proxyauthorization", "cookie", "setcookie", "xapikey"]
)
_VALUE: Final = rf"(?<![\w.-])[Vv]alue(?P<quote>{_QUOTE})\s*:\s*"
_VALUE_BEFORE: Final = re.compile(_VALUE)
_VALUE_AFTER: Final = re.compile(rf"[^{{}}]*?{_VALUE}")
#: The characters in which the value of a name is searched: back, at a few places, and on.
_BACK: Final = 4_000
_TRIES: Final = 4
_ON: Final = 400

_SCHEME: Final = re.compile(r"(?i)(?:basic|bearer|digest|token|apikey)\s+(?=\S)")
_BARE: Final = re.compile(r"""(?!(?:true|false|null|none|undefined)\b)[^\s,;"'\\{}\[\]()&<>]+""")
#: The value of a header without quotes, up to the end of its line.
_HEADER: Final = re.compile(r"""[^\r\n"'\\{}\[\]]+""")
_STRING: Final = {
    '"': re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]|\\.)*+", re.DOTALL),
}
_COLON: Final = re.compile(r"\s*:")
#: A schema of JSON, which describes values and holds none, and the characters looked at for it.
_SCHEMA: Final = re.compile(
    r"""type\\*"\s*:\s*[\[\s]*\\*"(?:string|number|integer|boolean|object|array|null)\\*"|"""
    r"""\$ref|anyOf|oneOf"""
)
_HEAD: Final = 2_000

#: Keys by their makers: how they begin, and what follows. They may hold words.
_MAKERS: Final = (
    ("AKIA ASIA ABIA ACCA AGPA AIDA ANPA AROA", r"[A-Z0-9]{12,}"),  # AWS
    ("AIza", r"[\w-]{20,}"),  # Google, Firebase
    ("ya29. GOCSPX- xapp- HRKU- pypi-AgE", r"[\w-]{10,}"),  # Google, Slack, Heroku, PyPI
    ("gho_ ghp_ ghr_ ghs_ ghu_ gsk_ hf_ npm_ r8_ vck_", r"[A-Za-z0-9]{16,}"),  # GitHub, models, npm
    ("github_pat_", r"\w{16,}"),
    ("gl", r"(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat)-[\w-]{10,}"),  # GitLab
    ("xox", r"[a-z]-[\w-]{10,}"),  # Slack
    ("pk_ rk_ sk_", r"(?:live|test|prod)_\w{8,}"),  # Stripe
    ("whsec_", r"[A-Za-z0-9]{10,}"),
    ("sk-", r"[\w-]{12,}"),  # models
    ("pplx- xai- tvly-", r"[A-Za-z0-9-]{16,}"),
    ("SG.", r"[\w-]{10,}\.[\w-]{10,}"),  # SendGrid
    ("doo_v1_ dop_v1_ dor_v1_ sba_ sbp_", r"[0-9a-f]{16,}"),  # DigitalOcean, Supabase
    ("sb_", r"(?:secret|publishable)_[\w-]{10,}"),
    ("shp", r"(?:at|ca|pa|ss)_[0-9a-zA-Z]{16,}"),  # Shopify
    ("sq0", r"[a-z]{3}-[\w-]{16,}"),  # Square
    ("key-", r"[0-9a-f]{32}"),  # Mailgun
    ("NR", r"(?:AA|AK|AL|II|SP)-[\w-]{10,}"),  # New Relic
    ("sntry", r"[su]_[\w=+/-]{10,}"),  # Sentry
    # Square, Grafana, Linear, Notion, Docker, PlanetScale, Figma, Postman, Atlassian and others
    ("EAAA glsa_ glc_ lin_api_ ntn_ dckr_pat_ pscale_tkn_ figd_", r"[\w-]{16,}"),
    ("PMAK ATATT hvs. dapi", r"[\w-]{16,}"),
    ("eyJ", r"[\w-]{5,}(?:\.[\w-]+)*"),  # a JWT or its parts
)
#: Other shapes of secrets, by a mark that is looked for first: private keys, the name and
#: password in a URL, what a query or HTTP's Bearer has.
_SHAPES: Final = {
    **{
        mark: rf"(?<![A-Za-z0-9]){re.escape(mark)}{rest}"
        for marks, rest in _MAKERS
        for mark in marks.split()
    },
    "-----BEGIN ": r"(?s)-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|\Z)",
    "@": r"(?<=://)[^\s/?#\"'\\]+(?=@)",
    "key=": r"(?<=[?&]key=)[^\s&#\"'\\]+",
    "code=": r"(?<=[?&]code=)[^\s&#\"'\\]+",
    "earer ": r"(?<=\b[Bb]earer )\s*+(?=\S{8}|\S*[0-9])[^\s,;\"'\\]+",
}
_BASIC: Final = re.compile(r"(?i)\bbasic\s+([\w+/-]{4,}={0,2})")

_NUMBER: Final = re.compile(r"-?[0-9][0-9.]*")
#: The characters of a secret that are drawn anew: all but marks and the escapes of JSON.
_PLAIN: Final = re.compile(r"(\\+(?:u[0-9a-fA-F]{4}|.))|[^\W_]", re.DOTALL)


def may_hold_credentials(path: str) -> bool:
    """Return whether a path's file name is one under which programs keep credentials."""
    return _FILES.fullmatch(path.replace("\\", "/").rpartition("/")[2]) is not None


@lru_cache(4096)
def is_secret_name(name: str) -> bool:
    """Return whether a key or header's name says that its value is secret, in any spelling.

    >>> is_secret_name("X-Api-Key"), is_secret_name("clientSecret"), is_secret_name("max_tokens")
    (True, True, False)
    """
    plain = _normalise(name)
    return plain in _WHOLE_NAMES or (plain.endswith(_ENDINGS) and not _HARMLESS.search(plain))


def _normalise(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def mask(text: str, path: str = "") -> str:
    """Return a text with its secrets masked: by a star for each character, numbers by digits 1.

    JSON stays JSON. ``path`` is where the text lay in a log's record: a name in it may say that all
    of the text is secret.

    >>> mask('{"api_key": "hunter2", "pin_token": 12, "n": 1}')
    '{"api_key": "*******", "pin_token": 11, "n": 1}'
    """
    before = '"secret":' if any(map(is_secret_name, re.split(r"[.\[\]]+", path))) else ""

    def write(secret: str) -> str:
        return re.sub("[0-9]", "1", secret) if _NUMBER.fullmatch(secret) else "*" * len(secret)

    return cover(before + text, write)[len(before) :]


def disguise(text: str, key: bytes) -> str:
    """Return a text with the letters and digits of its secrets replaced, by a secret ``key``.

    The text then takes about as many tokens as before. With one key, equal secrets become equal.
    """

    def write(secret: str) -> str:
        seed = blake2b(secret.encode(errors="surrogatepass"), key=key).digest()
        draw = Random(seed).choice

        def replace(char: re.Match[str]) -> str:
            letters = ascii_uppercase if char[0].isupper() else ascii_lowercase
            return char[1] or draw(digits[1:] if char[0].isdigit() else letters)

        return _PLAIN.sub(replace, secret)

    return cover(text, write)


def cover(text: str, write: Callable[[str], str]) -> str:
    """Return a text with each secret in it, a key or password, replaced by ``write(secret)``."""
    parts, pos = list[str](), 0
    for start, end in sorted(_find_spans(text)):
        if end > max(start, pos):
            parts += text[pos : max(pos, start)], write(text[max(pos, start) : end])
            pos = end
    return "".join([*parts, text[pos:]]) if parts else text


def _find_spans(text: str) -> Iterator[Span]:
    """Yield start and end of each secret in a text of any kind, as offsets; they may overlap."""
    for mark, shape in _SHAPES.items():
        if mark in text:
            yield from (match.span() for match in re.finditer(shape, text))
    low = text.lower()
    low = low if len(low) == len(text) else text
    if "basic" in low:
        yield from (match.span(1) for match in _BASIC.finditer(text) if _is_pair(match[1]))
    for word in _WORDS:
        pos, until = low.find(word), 0
        while pos >= 0:
            for span in _find_near(text, pos) if pos >= until else ():
                until = max(until, span[1])
                yield span
            pos = low.find(word, pos + len(word))


def _find_near(text: str, pos: int) -> Iterator[Span]:
    """Yield start and end of the values of the name at offset ``pos``, if the name is secret."""
    before, after = text[max(0, pos - _LONGEST_NAME) : pos], text[pos : pos + _LONGEST_NAME]
    start = pos - len(before) + len(before.rstrip(_NAME))
    end = pos + len(after) - len(after.lstrip(_NAME))
    name = text[start:end]
    if keyed := _SEPARATOR.match(text, end):
        first = _FIRST.search(text, max(0, start - 10), start)
        if is_secret_name(f"{first[0] if first else ''}{name}"):
            yield from _find_values(text, keyed.end(), keyed["quote"] or "", name)
    elif is_secret_name(name):
        if paired := _PAIRED.search(text, max(0, start - 40), start):
            yield from _find_beside(text, start, end + len(paired["quote"]))
        listed = _LISTED.match(text, end) if _normalise(name) in _HEADERS else None
        for span in _find_values(text, listed.end(), listed["quote"]) if listed else ():
            if listed and not _COLON.match(text, span[1] + len(listed["quote"])):
                yield span


def _find_beside(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the span of a secret's value in ``{"name": …, "value": …}``, given that of the name."""
    if after := _VALUE_AFTER.match(text, end, end + _ON):
        yield from _find_values(text, after.end(), after["quote"])
    # What lies before is cut off there: a value that does not end would be read up to the text's.
    first = max(0, start - _BACK)
    near = text[first:start]
    pos = len(near)
    for _ in range(_TRIES):
        pos = near.rfind("alue", 1, pos)
        before = _VALUE_BEFORE.match(near, pos - 1) if pos >= 0 else None
        for begin, stop in _find_values(near, before.end(), before["quote"]) if before else ():
            if stop < len(near) and "}" not in near[stop:]:
                yield first + begin, first + stop


def _find_values(text: str, pos: int, quote: str, name: str = "") -> Iterator[Span]:
    """Yield start and end of the values at offset ``pos``, after a secret ``name`` in ``quote``."""
    if not quote and (opened := _OPENING.match(text, pos)):
        quote = opened[0]
    if quote and text.startswith(quote, pos):
        start = pos + len(quote)
        end = _find_end(text, start, quote)
        scheme = _SCHEME.match(text, start, end)
        yield scheme.end() if scheme else start, end
    elif text[pos : pos + 1] in ("{", "["):
        yield from _find_inside(text, pos, quote or '"')
    else:
        scheme = _SCHEME.match(text, pos)
        is_header = not quote and _normalise(name) in _HEADERS
        value = (_HEADER if is_header else _BARE).match(text, scheme.end() if scheme else pos)
        if value:
            yield value.span()


def _find_end(text: str, start: int, quote: str) -> int:
    """Return the offset of the closing quote of a string whose content begins at ``start``."""
    if quote in _STRING:
        return _STRING[quote].match(text, start).end()  # type: ignore[union-attr]
    end = text.find(quote, start)
    while end > start and text[end - 1] == "\\":
        end = text.find(quote, end + 1)
    return end if end >= 0 else len(text)


def _find_inside(text: str, start: int, quote: str) -> Iterator[Span]:
    """Yield start and end of the strings, but no keys, in a JSON object or array at ``start``.

    A JSON schema yields none. Last comes an empty span where reading ended.
    """
    mark = re.compile(rf"{re.escape(quote)}|[{{}}\[\]]")
    depth, pos, strings, is_seen = 0, start, list["Span"](), False
    while part := mark.search(text, pos):
        pos = part.end()
        if part[0] == quote:
            end = _find_end(text, pos, quote)
            strings.append((pos, end))
            pos = end + len(quote)
        else:
            depth += 1 if part[0] in "{[" else -1
        if not is_seen and (pos > start + _HEAD or not depth):
            is_seen = True
            if _SCHEMA.search(text, start, pos):
                strings.clear()
                break
        if not depth:
            break
    yield from (span for span in strings if not _COLON.match(text, span[1] + len(quote)))
    yield pos, pos  # so far it was looked at


def _is_pair(text: str) -> bool:
    """Return whether a text is base64 of ``name:password``, as HTTP's Basic sends it."""
    try:
        return b":" in b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        return False
