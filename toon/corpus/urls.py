"""URL templates: which endpoint a URL belongs to.

A template is the host and path of a URL with ids folded: ``api.example.com/users/{id}/orders``.
The query, the fragment, the user and path parameters are left out. A segment of the path stays if
it looks like a word: short, of ASCII letters with few digits. Everything else, such as a token or a
mail address, is folded like an id, so that it is not kept in a group's name. A person's name can
look like a word, and then it stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final
from urllib.parse import SplitResult, urlsplit

#: Replaces an id in a path.
ID: Final = "{id}"

#: The template of a URL that cannot be parsed.
UNREADABLE: Final = "(unreadable URL)"

_WEB: Final = frozenset(["http", "https", "ws", "wss", ""])
_LONGEST_SEGMENT: Final = 40
_LONGEST_TEMPLATE: Final = 300
_SHORTEST_TOKEN: Final = 16

_VERSION: Final = re.compile(r"[vV][0-9]{1,3}(?:\.[0-9]{1,3}){0,2}(?:alpha|beta|rc)?[0-9]{0,2}\Z")
_EXTENSION: Final = re.compile(r"(.+)(\.(?:json|xml|csv|html?|txt|pdf|png|jpe?g|svg|ya?ml|zip))\Z")
_WORD: Final = re.compile(r"[@$~]?[A-Za-z0-9._~-]+\Z")
_NUMBERED: Final = re.compile(r".*[-_.~][0-9]+\Z|[0-9].*[-:.,][0-9]|[0-9]+\Z")
_HEX: Final = re.compile(r"(?=.*[0-9])[0-9a-fA-F-]{8,}\Z|[0-9a-fA-F-]{16,}\Z")
_CAPITAL_INSIDE: Final = re.compile(r"[a-z0-9][A-Z]")


def fold_url(url: str) -> str:
    """The template of ``url``; only the scheme, such as ``mailto:``, if it is not a web address.

    >>> fold_url("https://me:pw@api.example.com/v1/users/42?key=secret#top")
    'api.example.com/v1/users/{id}'
    """
    try:
        parts = urlsplit(url.strip())
        host = _host(parts)
    except ValueError:
        return UNREADABLE
    if parts.scheme.lower() not in _WEB:
        return f"{parts.scheme.lower()}:"
    path = "/".join(fold_segment(segment) for segment in parts.path.split("/"))
    if host and not path.startswith("/"):
        path = f"/{path}"
    text = host + (path or "/")
    return text if len(text) <= _LONGEST_TEMPLATE else f"{text[:_LONGEST_TEMPLATE]}…"


def fold_segment(segment: str) -> str:
    """A segment of a URL's path, without its parameters; ``{id}`` unless it looks like a word."""
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
    if len(text) > _LONGEST_SEGMENT or not _WORD.match(text):
        return True
    digits = sum(c.isdigit() for c in text)
    if _NUMBERED.match(text) or _HEX.match(text) or 2 * digits >= len(text) >= 4:
        return True
    capitals = len(_CAPITAL_INSIDE.findall(text))
    return len(text) >= _SHORTEST_TOKEN and (digits >= 3 or 5 * capitals >= len(text))


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if not re.fullmatch(r"[\w.:-]{0,253}", host):
        raise ValueError("not a host")
    if ":" in host:
        host = f"[{host}]"
    return host if parts.port is None else f"{host}:{parts.port}"


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Groups by name, each without what all of them share: the method, the start of the path.

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
