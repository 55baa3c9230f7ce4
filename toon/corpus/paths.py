"""Where in a record something lies, and which endpoint a URL belongs to.

A *URL template* is a URL without its query, fragment, user and path parameters, with the ids in
its path folded: ``api.example.com/users/{id}/orders``. A segment stays only if it reads like a
word of the API; whatever else, a name or a token say, is folded too, so that nothing personal
ends up in a group.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from toon.values.paths import PathError, Step, member, parse_typed

#: What an id in a path becomes.
ID: Final = "{id}"

#: What stands for a URL that cannot be read.
UNREADABLE: Final = "(unreadable URL)"

_WEB: Final = frozenset(["http", "https", "ws", "wss", ""])
_LONGEST_SEGMENT: Final = 40
_LONGEST_TEMPLATE: Final = 300
_OPAQUE: Final = 16

_VERSION: Final = re.compile(r"[vV][0-9]{1,3}(?:\.[0-9]{1,3}){0,2}(?:alpha|beta|rc)?[0-9]{0,2}\Z")
_EXTENSION: Final = re.compile(r"(.+)(\.(?:json|xml|csv|html?|txt|pdf|png|jpe?g|svg|ya?ml|zip))\Z")
_WORD: Final = re.compile(r"[@$~]?[A-Za-z0-9._~-]+\Z")
_NUMBERED: Final = re.compile(r".*[-_.~][0-9]+\Z|[0-9].*[-:.,][0-9]|[0-9]+\Z")
_HEX: Final = re.compile(r"(?=.*[0-9])[0-9a-fA-F-]{8,}\Z|[0-9a-fA-F-]{16,}\Z")
_RISE: Final = re.compile(r"[a-z0-9][A-Z]")


# -- paths -----------------------------------------------------------------------------------


def steps(path: str | None) -> tuple[Step, ...] | None:
    """The steps of a path (:mod:`toon.values.paths`); none of them for ``$``, None for no path.

    Raises:
        ValueError: the text is no path.
    """
    if path is None or not path.strip():
        return None
    text = path.strip()
    try:
        return parse_typed(text)
    except PathError as error:
        if text[error.at : error.at + 1] in (".", ""):
            reason = "has an empty step: write it as in a.b.c"
        else:
            reason = f"cannot be read: {error}"
        raise ValueError(f"the path {path!r} {reason}") from None


def value_at(value: Any, path: Sequence[Step]) -> Any:
    """What lies at ``path`` in ``value``, or None."""
    try:
        for step in path:
            value = value[member(value, step)]
    except LookupError:
        return None
    return value


# -- URLs ------------------------------------------------------------------------------------


def url_template(url: str) -> str:
    """Host and path of ``url``, the ids folded, and nothing else of it.

    >>> url_template("https://me:pw@api.example.com/v1/users/42?key=secret#top")
    'api.example.com/v1/users/{id}'
    """
    try:
        parts = urlsplit(url.strip())
        host = _host(parts)
    except ValueError:
        return UNREADABLE
    if parts.scheme.lower() not in _WEB:
        return f"{parts.scheme.lower()}:"
    path = "/".join(fold(segment) for segment in parts.path.split("/"))
    if host and not path.startswith("/"):
        path = f"/{path}"
    text = host + (path or "/")
    return text if len(text) <= _LONGEST_TEMPLATE else f"{text[:_LONGEST_TEMPLATE]}…"


def fold(segment: str) -> str:
    """A segment of a URL's path, or ``{id}`` in the place of what is no word of an API."""
    plain = segment.split(";", 1)[0]
    if plain in ("", ID):
        return plain
    if "@" in plain[1:]:  # a mail address, or the user of a URL whose start is damaged
        return ID
    if ":" in plain:  # a custom method, as in /models/42:predict
        return ":".join(map(fold, plain.split(":")))
    named = _EXTENSION.match(plain)
    if named and _is_id(named[1]):
        return ID + named[2]
    return ID if _is_id(plain) else plain


def _is_id(text: str) -> bool:
    if text == ID or _VERSION.match(text):
        return text == ID
    if len(text) > _LONGEST_SEGMENT or not _WORD.match(text):
        return True
    if _NUMBERED.match(text) or _HEX.match(text):
        return True
    digits = sum(c.isdigit() for c in text)
    if len(text) >= 4 and 2 * digits >= len(text):
        return True
    rises = len(_RISE.findall(text))
    return len(text) >= _OPAQUE and (digits >= 3 or 5 * rises >= len(text))


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if not re.fullmatch(r"[\w.:-]{0,253}", host):
        raise ValueError("not a host")
    if ":" in host:
        host = f"[{host}]"
    return host if parts.port is None else f"{host}:{parts.port}"
