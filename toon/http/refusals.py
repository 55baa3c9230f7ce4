"""Refusals of the door: pages for browsers, errors for programs of the API, else text."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from toon.installed import START

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
    """A refused request: its status, its sentence, and the setting that would let it in."""

    def __init__(self, status: int, sentence: str, setting: str = "") -> None:
        super().__init__(sentence)
        self.status, self.setting = status, setting

    def answer(self, accept: str, is_api: bool) -> Response:
        """Return the refusal in the media type that the header ``Accept`` asks for.

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
