"""Streamlit's page as the door hands it out: with a check of its WebSocket, under a policy."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

#: The script that shows in the browser what the door says to the rest of the page.
CHECK: Final = f"<script>{Path(__file__).with_name('door.js').read_text('utf-8')}</script>"

#: Components are imported from ``blob:``. Streamlit divides 64-bit integers by WebAssembly where
#: it may, and does without it here.
_SCRIPTS: Final = "script-src 'self' blob:"


def checked(html: str) -> str:
    """Put the check first into Streamlit's page."""
    return html.replace("<head>", f"<head>{CHECK}", 1)


def page_policy(html: str, frames: tuple[str, ...] = ()) -> str:
    """Return the content policy under which the page works.

    Nothing is loaded from or sent to another host. The scripts in ``html`` are named by hashes.
    Pages of ``frames`` may hold the page in a frame.
    """
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
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
