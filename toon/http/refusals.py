"""What the door says: one sentence of what it saw and what to do, and the settings for just that.

A browser that asks for a page gets a page, who asks the API gets its form of errors, and others get
the sentence as plain text.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Final

from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from toon.http.lock import Lock, authority_of, host_of, is_loopback, new_token
from toon.installed import START

_HERE: Final = Path(__file__).parent
_PAGE: Final = (_HERE / "door.html").read_text("utf-8")
_SCRIPT: Final = (_HERE / "door.js").read_text("utf-8")

#: What nginx has to be told; .github/deploy/nginx.conf has it in its place.
_NGINX: Final = (
    "proxy_http_version 1.1;\n"
    "proxy_set_header Host $http_host;\n"
    "proxy_set_header X-Forwarded-For $remote_addr;\n"
    "proxy_set_header X-Forwarded-Proto $scheme;\n"
    "proxy_set_header Upgrade $http_upgrade;\n"
    'proxy_set_header Connection "upgrade";'
)
#: Where those who host apps keep variables, by how the names that they give end, and one of them.
_PLACES: Final = {
    ".streamlit.app": ("On Streamlit Community Cloud, under Settings, Secrets", '{} = "{}"'),
    ".hf.space": ("On Hugging Face Spaces, under Settings, Variables and secrets", "{}={}"),
}
#: A refusal is shown in a frame too: there is nothing to click, and it says how to allow the frame.
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


class Refusal(Exception):
    """A request that is not let in: the status of the answer, its one sentence, and headers.

    ``setting`` is the environment variable and its value that let it in, several with blanks
    between; ``host`` is the name that was asked. ``is_passed_on`` is True if a proxy may be at
    fault.
    """

    def __init__(
        self,
        status: int,
        sentence: str,
        *,
        setting: str | None = None,
        host: str = "",
        is_passed_on: bool = False,
        **headers: str,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.setting = setting
        self.host = host
        self.is_passed_on = is_passed_on
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def page(self) -> str:
        """The whole page that says it."""
        ways = []
        if self.setting:
            ways.append(("Start the server with", f"{self.setting} {START}"))
        for ending, (place, line) in _PLACES.items():
            if self.setting and self.host.endswith(ending):
                lines = (line.format(*one.split("=", 1)) for one in self.setting.split(" "))
                ways = [(place, "\n".join(lines))]
        if self.is_passed_on:
            ways.append(("What nginx has to be told; other proxies likewise", _NGINX))
        shown = "\n".join(f"<h2>{title}</h2>\n<pre>{escape(text)}</pre>" for title, text in ways)
        return _PAGE.replace("{sentence}", escape(str(self))).replace("{ways}", shown)

    def answer(self, accept: str, is_api: bool) -> Response:
        """The answer for who takes what the header ``Accept`` says; it ends the connection, so
        that no rest of a body is waited for."""
        headers = {**self.headers, "Connection": "close", "Cache-Control": "no-store"}
        headers["X-Refusal"] = code = _CODES[self.status]
        if "text/html" in accept:
            headers["Content-Security-Policy"] = _POLICY
            return HTMLResponse(self.page(), self.status, headers)
        if not is_api:
            return PlainTextResponse(f"{self}\n", self.status, headers)
        details = {"setting": self.setting} if self.setting else {}
        error = {"code": code, "message": str(self), "details": details}
        return JSONResponse({"error": error}, self.status, headers)


def foreign_host(lock: Lock, hosts: list[str], forwarded: str) -> Refusal:
    """For who asks under another name; ``forwarded`` is the name that a proxy was asked under."""
    names = [name for name in (forwarded, *hosts) if host_of(name)]
    if len(hosts) != 1 or not names:
        return Refusal(
            403,
            "This request does not say under which one name it asks: a proxy has to keep the "
            "header Host as the browser sent it.",
            is_passed_on=True,
        )
    setting = f"TOON_HOSTS={lock.hosts_with(*names)}"
    known = ", ".join(sorted({"localhost", *lock.hosts, *lock.pages}))
    return Refusal(
        403,
        f"This server was asked as {hosts[0][:253]} and answers to {known} alone: if "
        f"{host_of(names[0])} is its name, start it with {setting}; else a proxy has to keep the "
        "header Host as the browser sent it.",
        setting=setting,
        host=host_of(names[0]) or "",
        is_passed_on=True,
    )


def framed(lock: Lock, origin: str | None, host: str) -> Refusal:
    """For a page of another ``origin``, None if that is hidden, that holds ours in a frame."""
    if origin is None:
        return Refusal(
            403,
            "A page that does not say where it is holds this one in a frame: start the server with "
            "TOON_FRAMES and the origin of that page, such as https://hub.example.org.",
        )
    setting = f"TOON_FRAMES={','.join((*lock.frames, origin))}"
    return Refusal(
        403,
        f"A page at {origin} holds this one in a frame: start the server with {setting} to let it.",
        setting=setting,
        host=host_of(host) or "",
    )


def foreign_page(lock: Lock, origin: str | None, asked: str) -> Refusal:
    """For a page of another origin, None if that is hidden, which ``asked`` for ``name:port``."""
    page = authority_of(origin or "")
    if page is None:
        return Refusal(
            403,
            f"A page that is not this server's asked it as {asked}: open the server's own address.",
        )
    setting = f"TOON_HOSTS={lock.hosts_with(page)}"
    return Refusal(
        403,
        f"A page at {origin} asked this server as {asked}: if that page is the server's own, let "
        f"the proxy keep the header Host with its port, or start the server with {setting}.",
        setting=setting,
        is_passed_on=True,
    )


def unexpected(lock: Lock, way: str, asked: str, forwarded: str, is_proxy: bool) -> Refusal:
    """For who comes from elsewhere, where nobody is expected; ``way`` says how."""
    host = host_of(forwarded)
    names = f"TOON_HOSTS={lock.hosts_with(forwarded)} " if host and not is_loopback(host) else ""
    return Refusal(
        401,
        f"This request came {way}, and the server expects nobody but this machine: start it with "
        "TOON_TOKEN and a token of your own, or with TOON_TOKEN=off where the proxy checks who "
        "asks.",
        setting=f"{names}TOON_TOKEN={new_token()}",
        host=host_of(asked) or "",
        is_passed_on=is_proxy,
        WWW_Authenticate="Bearer",
    )


def no_token() -> Refusal:
    """For who does not have the token."""
    return Refusal(
        401,
        "This request lacks the server's token: put ?token= and the token behind the address, or "
        "send the header Authorization: Bearer TOKEN; the server printed it when it started, or "
        "has it from TOON_TOKEN.",
        WWW_Authenticate="Bearer",
    )


def two_lengths() -> Refusal:
    """For a request whose end two readers could see at two places."""
    sentence = (
        "This request has the headers Content-Length and Transfer-Encoding: send one of them."
    )
    return Refusal(400, sentence)


def no_websocket() -> Refusal:
    """For a page whose requests come through, and its WebSocket does not."""
    return Refusal(
        426,
        "The requests of this page reach the server, and its WebSocket does not: let the proxy "
        "pass on the headers Upgrade and Connection over HTTP/1.1.",
        is_passed_on=True,
    )


def astray(prefix: str) -> Refusal:
    """For a page that is not where pages are: below the path ``prefix``, which a proxy has put."""
    return Refusal(
        404,
        f"This server has no page below /{prefix}: leave out what follows, or if a proxy has the "
        f"server there, start it with STREAMLIT_SERVER_BASE_URL_PATH={prefix}, or let the proxy "
        "take that path away.",
        setting=f"STREAMLIT_SERVER_BASE_URL_PATH={prefix}",
    )


def outside(path: str, base: str) -> Refusal:
    """For a page that is not below ``base``, though all pages are."""
    return Refusal(
        404,
        f"This server's pages are below {base}/, and it was asked for {path}: open that address, "
        "or start the server without STREAMLIT_SERVER_BASE_URL_PATH where a proxy takes that path "
        "away.",
        setting="STREAMLIT_SERVER_BASE_URL_PATH=",
    )


def check() -> str:
    """The script that asks the door from inside a page, and shows what it says."""
    shown = json.dumps(astray("__PREFIX__").page()).replace("<", "\\u003c")
    return f"<script>{_SCRIPT.replace('__ASTRAY__', shown)}</script>"
