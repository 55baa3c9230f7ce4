"""Which endpoints of models this server asks for whoever uses it.

On one's own machine that is any. A server for others stands in the operator's network, and could
be told to ask whatever is there: it asks none but those that the operator lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from toon.http.lock import Lock, listed


def allowed_urls(lock: Lock, environment: Mapping[str, str]) -> tuple[str, ...] | None:
    """The base URLs in ``TOON_ASK_URLS``; None where there are none and any may be asked.

    Raises:
        ValueError: One of them is no address of a server.
    """
    what = "base URLs such as https://api.example.org/v1"
    urls = tuple(listed(environment, "TOON_ASK_URLS", what, _is_address))
    return urls if urls or lock.is_for_others else None


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return is_named and parts.scheme in ("http", "https") and "@" not in parts.netloc
