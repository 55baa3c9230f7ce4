"""Streamlit's page as the door serves it: with a check of its WebSocket and a content policy."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

#: The script that shows the door's refusal of a WebSocket or a request in the browser.
CHECK: Final = f"<script>{Path(__file__).with_name('door.js').read_text('utf-8')}</script>"

#: Components are imported from ``blob:``. WebAssembly is not allowed: Streamlit divides 64-bit
#: integers without it too.
_SCRIPTS: Final = "script-src 'self' blob:"


def checked(html: str) -> str:
    """Insert the check at the start of Streamlit's page."""
    return html.replace("<head>", f"<head>{CHECK}", 1)


def page_policy(html: str, frames: tuple[str, ...] = ()) -> str:
    """Return the content policy that the page needs.

    It allows no other host. The scripts in ``html`` are named by hashes. Pages of ``frames`` may
    hold the page in a frame.
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
