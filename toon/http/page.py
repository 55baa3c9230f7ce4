"""What the server answers itself: Streamlit's page with a check and a policy, and refusals."""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from toon.installed import START

#: The script that shows in the browser that a WebSocket or a request was refused.
CHECK: Final = f"<script>{Path(__file__).with_name('door.js').read_text('utf-8')}</script>"

#: Components are imported from ``blob:``. WebAssembly is not allowed: Streamlit divides 64-bit
#: integers without it too.
_SCRIPTS: Final = "script-src 'self' blob:"


def add_check(html: str) -> str:
    """Return Streamlit's HTML page with a script added that checks its WebSocket."""
    return html.replace("<head>", f"<head>{CHECK}", 1)


def page_policy(html: str, frames: tuple[str, ...] = ()) -> str:
    """Return the Content-Security-Policy of Streamlit's page ``html``.

    It allows no other host, and the scripts in ``html`` by their hashes. Pages of the origins
    ``frames`` may hold the page in a frame.
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


_PAGE: Final = Path(__file__).with_name("door.html").read_text("utf-8")
#: A refusal may be framed: it has nothing to click, and says how to allow the frame.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *"
_CODES: Final = {
    400: "INVALID_REQUEST",
    401: "TOKEN_NEEDED",
    403: "NOT_LET_IN",
    404: "NOT_FOUND",
    408: "TIMEOUT",
    413: "BODY_TOO_LARGE",
    426: "NO_WEBSOCKET",
    503: "BUSY",
}
_HEADERS: Final = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "5"}}


class Refusal(Exception):
    """The error of a refused request: HTTP status, a sentence, and the server setting that would
    allow it.
    """

    def __init__(self, status: int, sentence: str, setting: str = "") -> None:
        super().__init__(sentence)
        self.status, self.setting = status, setting

    def answer(self, accept: str, is_api: bool) -> Response:
        """Return the refusal as a response: an HTML page, JSON of the API, or text, by ``accept``.

        The connection is closed, so that the rest of a body is not read.
        """
        code = _CODES[self.status]
        headers = {"Connection": "close", "Cache-Control": "no-store", "X-Refusal": code}
        headers |= _HEADERS.get(self.status, {})
        if "text/html" in accept:
            way = f"<h2>Start the server with</h2>\n<pre>{escape(self.setting)} {START}</pre>"
            page = _PAGE.replace("{sentence}", escape(str(self)))
            page = page.replace("{way}", way if self.setting else "")
            return HTMLResponse(page, self.status, headers | {"Content-Security-Policy": _POLICY})
        if not is_api:
            return PlainTextResponse(f"{self}\n", self.status, headers)
        details = {"setting": self.setting} if self.setting else {}
        error = {"code": code, "message": str(self), "details": details}
        return JSONResponse({"error": error}, self.status, headers)
