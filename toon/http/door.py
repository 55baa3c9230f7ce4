"""The door before everything: under which name, from which page and with which key one may ask.

``Middleware(Door, ...)`` of ``st.App`` stands before Streamlit's own routes and its WebSocket.
Who is refused gets plain text of one sentence. The rules:

* The header ``Host`` names this machine (``localhost``, 127.0.0.0/8, ``[::1]``) or a host in the
  environment variable ``TOON_HOSTS``: a foreign name that was made to point here is refused.
* An ``Origin`` has the host and port of ``Host``, or a host in ``TOON_HOSTS``: what else runs on
  this machine is no page of ours. What browsers mark as sent by another site, or from another port
  without an ``Origin``, is refused unless it is a link to a page.
* Once others can reach the server, a token is needed: ``TOON_TOKEN``, or one made at each start.
  What a proxy passed on needs one too.
* Bodies have limits in bytes, in time and together (:mod:`toon.http.bodies`).
"""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from ipaddress import IPv4Address, ip_address
from typing import Final
from urllib.parse import quote, unquote

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toon.http.bodies import Bodies, Body, Refusal
from toon.limits import OPEN_PAGES

_AUTHORITY: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+?)\.?(:[0-9]{1,5})?")
#: What browsers leave out of a ``Host`` and an ``Origin``.
_PORTS: Final = {"http": ":80", "https": ":443"}
#: Headers by which proxies say for whom they ask.
_PASSED_ON: Final = re.compile(r"x-forwarded-.*|x-real-ip|forwarded|via")
#: Characters that stand unescaped in addresses, cookies and headers.
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~-]{16,}")

#: Says nothing but whether the server is up; those who watch over it need no token.
_HEALTH: Final = "/_stcore/health"
_MONTH: Final = 30 * 24 * 60 * 60

#: Components are imported from ``blob:``, and diagrams are laid out by WebAssembly.
_SCRIPTS: Final = "script-src 'self' blob: 'wasm-unsafe-eval'"

_HOST: Final = (
    "This server answers to localhost and to the hosts in its environment variable TOON_HOSTS; "
    "start it with TOON_HOSTS set to the host of your address."
)
_ORIGIN: Final = (
    "This server takes requests from its own pages, not from those of other sites; the hosts of "
    "its pages are set by its environment variable TOON_HOSTS."
)
_KEY: Final = (
    "This server needs its token: open the address with ?token= that it printed when it started, "
    "or send the header Authorization: Bearer TOKEN; its environment variable TOON_TOKEN sets it."
)
#: How a WebSocket is refused: with 403 and no sentence, which no browser would show.
_CLOSED: Final[Message] = {"type": "websocket.close", "code": 1008}


def host_of(authority: str) -> str | None:
    """The host in ``name:port``, in lower case, without its last dot; None if there is none."""
    found = _AUTHORITY.fullmatch(authority.lower())
    return found[1].strip("[]") if found else None


def is_loopback(host: str) -> bool:
    """True if ``host`` is a name or an address that only this machine reaches."""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost"
    inner: IPv4Address | None = getattr(address, "ipv4_mapped", None)
    return (inner or address).is_loopback


@dataclass(frozen=True, slots=True)
class Lock:
    """Which hosts there are besides loopback, and what the door asks for.

    ``token`` is None where nobody beyond this machine is expected, and what comes from there is
    refused. ``is_open`` lets it in, because someone else checks who asks.
    """

    hosts: frozenset[str] = frozenset()
    token: str | None = None
    is_open: bool = False

    @property
    def is_for_others(self) -> bool:
        """True if more than this machine is expected at the door."""
        return self.is_open or self.token is not None

    def knows(self, authority: str) -> bool:
        """True if the host in ``name:port`` is one of the server's."""
        host = host_of(authority)
        return host is not None and (is_loopback(host) or host in self.hosts)

    def has_page(self, origin: str, asked: str) -> bool:
        """True if ``origin`` is a page of the server that is ``asked`` as ``name:port``.

        A proxy may ask under another name, but loopback has other servers at other ports.
        """
        scheme, _, authority = origin.lower().partition("://")
        port, host = _PORTS.get(scheme), host_of(authority)
        if port is None or host is None:
            return False
        is_same = authority.removesuffix(port) == asked.lower().removesuffix(port)
        return is_same or (host in self.hosts and not is_loopback(host))


def lock_for(address: str | None, environment: Mapping[str, str]) -> Lock:
    """The lock of a server that listens at ``address``, as the environment variables set it.

    Raises:
        ValueError: one of them cannot be.
    """
    names = [name.strip() for name in environment.get("TOON_HOSTS", "").split(",") if name.strip()]
    hosts = frozenset(host for name in names if (host := host_of(name)))
    if odd := [name for name in names if not host_of(name)]:
        raise ValueError(f"TOON_HOSTS must list hosts such as lab.example.org, not {odd[0]!r}")
    token = environment.get("TOON_TOKEN", "")
    if token == "off":
        return Lock(hosts, is_open=True)
    if token and not _TOKEN.fullmatch(token):
        raise ValueError("TOON_TOKEN must have 16 or more letters, digits and -._~, or be off")
    if not token and not all(map(is_loopback, (address or "", *hosts))):
        token = secrets.token_urlsafe(24)
    return Lock(hosts, token or None)


def page_policy(html: str) -> str:
    """The content policy under which Streamlit's page works; ``html`` is that page.

    Nothing is loaded from or sent to another host. The scripts in ``html`` are named by hashes.
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
            "frame-ancestors 'none'",
        )
    )


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Door:
    """The middleware; see the module."""

    def __init__(self, app: ASGIApp, lock: Lock, body_bytes: int, policy: str) -> None:
        """``body_bytes`` is the most bytes of a body, ``policy`` the pages' content policy."""
        self._app, self._lock = app, lock
        self._bodies = Bodies(body_bytes)
        self._open_pages = 0
        self._headers = {
            "Content-Security-Policy": policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        connection, send = HTTPConnection(scope), self._with_headers(send)
        try:
            self._check_names(connection)
            if entered := self._entered(connection):
                return await entered(scope, receive, send)
            self._check_key(connection)
            if scope["type"] == "http":
                return await self._request(connection, receive, send)
            await self._page(scope, receive, send)
        except Refusal as refusal:
            await _refuse(refusal, scope, receive, send)

    def _with_headers(self, send: Send) -> Send:
        """``send``, which adds the headers that an answer does not have itself."""

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                message = {**message, "headers": headers.raw}
            await send(message)

        return dressed

    # -- who may ask ------------------------------------------------------------------------

    def _check_names(self, connection: HTTPConnection) -> None:
        headers = connection.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._lock.knows(hosts[0]):
            raise Refusal(403, _HOST)
        origins = headers.getlist("origin")
        if not all(self._lock.has_page(origin, hosts[0]) for origin in origins):
            raise Refusal(403, _ORIGIN)
        # A WebSocket of the page itself may count as same-site, because its scheme is another.
        foreign = ("cross-site",) if origins else ("cross-site", "same-site")
        if headers.get("sec-fetch-site") in foreign and not _is_link(connection):
            raise Refusal(403, _ORIGIN)

    def _check_key(self, connection: HTTPConnection) -> None:
        """Lets a request in that has the token in its cookie or header, or needs none."""
        token, scope = self._lock.token, connection.scope
        if self._lock.is_open or scope["path"] == _HEALTH:
            return
        if token is None and _is_from_here(connection):
            return
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        found = [connection.cookies.get(_cookie(connection), "")]
        found += [_digest(given.strip())] if scheme.lower() == "bearer" else []
        if token is None or not any(
            compare_digest(one.encode(), _digest(token).encode()) for one in found
        ):
            raise Refusal(401, _KEY, WWW_Authenticate="Bearer")

    def _entered(self, connection: HTTPConnection) -> Response | None:
        """What answers an address with the right token: a cookie, and the address without it.

        The cookie is Lax: with Strict, a link from another site would open without it. It holds
        the token's digest, and its name the port, because browsers share cookies among ports.
        """
        scope, token = connection.scope, self._lock.token
        given = connection.query_params.get("token")
        if token is None or given is None or scope.get("method") not in ("GET", "HEAD"):
            return None
        parts = scope["query_string"].split(b"&")
        rest = [part for part in parts if unquote(part.partition(b"=")[0]) != "token"]
        # In place: uvicorn writes this query into its access log when it has the answer.
        scope["query_string"] = b"&".join(rest)
        if not compare_digest(_digest(given), _digest(token)):
            return None
        # Relative, because a proxy may have taken a prefix from the path.
        address = f"./{quote(scope['path'].rpartition('/')[2])}"
        query = scope["query_string"].decode("latin-1")
        headers = {"Location": f"{address}?{query}" if query else address}
        answer = Response(None, 303, headers | {"Cache-Control": "no-store"})
        answer.set_cookie(
            _cookie(connection),
            _digest(token),
            max_age=_MONTH,
            secure=scope["scheme"] == "https",
            httponly=True,
            samesite="lax",
        )
        return answer

    # -- what is let in ---------------------------------------------------------------------

    async def _request(self, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        """Serves a request; one whose body is refused is answered with that, if still possible."""
        client = connection.client.host if connection.client else ""
        declared = connection.headers.get("content-length", "0")
        body = Body(self._bodies, receive, declared, client)
        has_started = False

        async def unless_refused(message: Message) -> None:
            nonlocal has_started
            if has_started or body.refusal is None:
                has_started = True
                await send(message)

        try:
            await self._app(connection.scope, body.receive, unless_refused)
        except ClientDisconnect:
            pass  # nobody waits for the answer
        except Exception:
            # Answered here, because the answer from outside the door would lack its headers.
            if not has_started:
                await PlainTextResponse("Internal Server Error", 500)(
                    connection.scope, receive, send
                )
            raise
        finally:
            body.release()
        if body.refusal is not None and not has_started:
            raise body.refusal

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves the WebSocket of a page.

        Its Origin has been judged. Without it, Streamlit does not look up the addresses of this
        machine to judge it once more.
        """
        if self._open_pages >= OPEN_PAGES:
            return await send(_CLOSED)
        headers = [pair for pair in scope["headers"] if pair[0] != b"origin"]
        self._open_pages += 1
        try:
            await self._app({**scope, "headers": headers}, receive, send)
        finally:
            self._open_pages -= 1


def _cookie(connection: HTTPConnection) -> str:
    port = _AUTHORITY.fullmatch(connection.headers["host"].lower())
    return f"toon_token{port[2].replace(':', '_') if port and port[2] else ''}"


def _is_link(connection: HTTPConnection) -> bool:
    """True if a browser was asked to go to a page: nobody else can read the answer."""
    scope = connection.scope
    return (
        scope.get("method") in ("GET", "HEAD")
        and connection.headers.get("sec-fetch-mode") == "navigate"
        and not f"{scope['path']}/".startswith("/api/")
    )


def _is_from_here(connection: HTTPConnection) -> bool:
    """True if both ends of the connection are on this machine, and no proxy shows in it.

    HTTP/1.0 is what nginx speaks unless it is told otherwise, and no browser.
    """
    scope = connection.scope
    ends = (scope.get("server"), scope.get("client"))
    if not all(end is not None and is_loopback(end[0]) for end in ends):
        return False
    is_passed_on = any(map(_PASSED_ON.fullmatch, connection.headers))
    return not is_passed_on and scope.get("http_version") != "1.0"


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the sentence, and closes, so that no rest of a body is waited for."""
    if scope["type"] == "websocket":
        return await send(_CLOSED)
    headers = {**refusal.headers, "Connection": "close", "Cache-Control": "no-store"}
    await PlainTextResponse(f"{refusal}\n", refusal.status, headers)(scope, receive, send)
