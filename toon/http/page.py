"""Streamlit's page as the door hands it out: its policy, its check, its place."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import Message, Send

from toon.http.refusals import check

#: The script that shows in the browser what the door says to the rest of the page.
CHECK: Final = check()

#: Components are imported from ``blob:``, and diagrams are laid out by WebAssembly.
_SCRIPTS: Final = "script-src 'self' blob: 'wasm-unsafe-eval'"
#: What Streamlit serves itself, some of it in folders.
_FILES: Final = re.compile(r"/(api|static|media|component|_stcore)(/.*)?")


def page_policy(html: str, frames: tuple[str, ...] = ()) -> str:
    """The content policy under which Streamlit's page works; ``html`` is that page.

    Nothing is loaded from or sent to another host. The scripts in ``html`` are named by hashes, and
    so is the door's own. Pages of ``frames`` may hold it in a frame.
    """
    scripts = re.findall(r"<script>(.*?)</script>", html + CHECK, re.DOTALL)
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    return "; ".join(
        (
            "default-src 'self'",
            " ".join((_SCRIPTS, *(f"'sha256-{known}'" for known in hashes))),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self' data: blob:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            " ".join(("frame-ancestors", *(frames or ("'none'",)))),
        )
    )


def wants_page(connection: HTTPConnection, base: str) -> bool:
    """True if a browser goes to a page of a server whose paths begin with ``base``."""
    is_file = _FILES.fullmatch(connection.scope["path"].removeprefix(base))
    is_read = connection.scope.get("method") in ("GET", "HEAD")
    return is_read and not is_file and "text/html" in connection.headers.get("accept", "")


def prefix_of(path: str, base: str, is_passed_on: bool) -> str | None:
    """The path that a proxy may have put before ``base``; None if ``path`` can be a page's.

    Pages are right below ``base``, because their files are asked for relative to them. One with a
    slash behind it is led to that without, which some proxies lead back: not there.
    """
    below = path.removeprefix(base)
    below = below if is_passed_on else below.rstrip("/")
    return path.rpartition("/")[0].strip("/") if below.count("/") > 1 else None


def nearby(location: str, connection: HTTPConnection) -> str:
    """An address to go to, relative if it is the server's own.

    A proxy may have taken a prefix from the path, and ask under another name.
    """
    parts = urlsplit(location)
    if parts.netloc not in ("", connection.headers["host"]) or not parts.path.startswith("/"):
        return location
    up = "../" * (connection.scope["path"].count("/") - 1)
    return f"./{up}{parts.path.lstrip('/')}{parts.query and f'?{parts.query}'}"


def with_check(send: Send) -> Send:
    """``send``, which puts the check first into a page.

    The page then has another size, and what browsers kept of it is not the same.
    """
    is_page = False

    async def checked(message: Message) -> None:
        nonlocal is_page
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            kind = headers.get("content-type", "")
            is_page = kind.startswith("text/html") and message["status"] == 200
            for name in ("content-length", "etag", "last-modified") if is_page else ():
                del headers[name]
            message = {**message, "headers": headers.raw}
        elif is_page:
            body = message.get("body", b"").replace(b"<head>", f"<head>{CHECK}".encode(), 1)
            message, is_page = {**message, "body": body}, False
        await send(message)

    return checked
