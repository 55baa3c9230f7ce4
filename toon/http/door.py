"""The door before everything: under which name, from which page and with which key one may ask.

``Middleware(Door, ...)`` of ``st.App`` stands before Streamlit's own routes and its WebSocket.
Who is refused is told why, and which setting lets just that in (:mod:`toon.http.refusals`). The
rules:

* The header ``Host`` names this machine (``localhost``, 127.0.0.0/8, ``[::1]``) or a host in the
  environment variable ``TOON_HOSTS``: a foreign name that was made to point here is refused.
* An ``Origin`` has the host and port of ``Host``, or a host in ``TOON_HOSTS``: what else runs on
  this machine is no page of ours. What browsers mark as sent by another site, or from another port
  without an ``Origin``, is refused unless it is a link to a page.
* A page in a frame is held by an origin in ``TOON_FRAMES``.
* Once others can reach the server, a token is needed: ``TOON_TOKEN``, or one made at each start.
  What a proxy passed on needs one too.
* A body has one length, and limits in bytes, in time and together (:mod:`toon.http.bodies`).
* A page that was let in asks whether its WebSocket will be (``/api/door``), and says so if not.
"""

from __future__ import annotations

import re
from hashlib import sha256
from hmac import compare_digest
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toon.http import refusals
from toon.http.bodies import Bodies, Body
from toon.http.lock import Lock, authority_of, is_loopback, port_of
from toon.http.page import nearby, prefix_of, wants_page, with_check
from toon.http.refusals import Refusal
from toon.limits import OPEN_PAGES

#: Headers by which proxies say for whom they ask.
_PASSED_ON: Final = re.compile(
    r"x-forwarded-.*|x-real-ip|forwarded|via|(x|true|x-cluster)-client-ip|cdn-loop|cf-.*"
    r"|x-envoy-.*|x-amzn-.*|x-original-.*|x-proxycontextpath|x-request-start"
)
#: Say nothing but whether the server is up; those who watch over it need neither name nor token.
_HEALTH: Final = ("/_stcore/health", "/healthz")
#: What a browser says it wants a page for that another page holds.
_FRAMES: Final = ("iframe", "frame", "embed", "object")
_MONTH: Final = 30 * 24 * 60 * 60

#: How a WebSocket is refused: with 403 and no sentence, which no browser would show.
_CLOSED: Final[Message] = {"type": "websocket.close", "code": 1008}


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Door:
    """The middleware; see the module."""

    def __init__(
        self, app: ASGIApp, lock: Lock, body_bytes: int, policy: str, base: str = ""
    ) -> None:
        """
        Args:
            body_bytes: The most bytes of a body.
            policy: The pages' content policy.
            base: What all paths of the server begin with, such as "/lab".
        """
        self._app, self._lock, self._base = app, lock, base
        self._bodies = Bodies(body_bytes)
        self._open_pages = 0
        self._headers = {
            "Content-Security-Policy": policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        }
        if not lock.frames:  # it cannot name origins; the policy does
            self._headers["X-Frame-Options"] = "DENY"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        connection = HTTPConnection(scope)
        send = self._with_headers(connection, send)
        try:
            self._check_names(connection)
            if entered := self._entered(connection):
                return await entered(scope, receive, send)
            self._check_key(connection)
            if scope["path"] == f"{self._base}/api/door":
                return await _knock(scope, send)
            if scope["type"] == "http":
                return await self._request(connection, receive, send)
            await self._page(scope, receive, send)
        except Refusal as refusal:
            if scope["type"] == "websocket":
                return await send(_CLOSED)
            is_api = f"{scope['path']}/".startswith(f"{self._base}/api/")
            accepted = connection.headers.get("accept", "")
            await refusal.answer(accepted, is_api)(scope, receive, send)

    def _with_headers(self, connection: HTTPConnection, send: Send) -> Send:
        """``send``, which adds the headers that an answer does not have itself."""

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if "location" in headers:
                    headers["location"] = nearby(headers["location"], connection)
                message = {**message, "headers": headers.raw}
            await send(message)

        return dressed

    # -- who may ask ------------------------------------------------------------------------

    def _check_names(self, connection: HTTPConnection) -> None:
        headers, lock = connection.headers, self._lock
        if "transfer-encoding" in headers and "content-length" in headers:
            raise refusals.two_lengths()
        hosts = headers.getlist("host")
        if self._is_health(connection):
            return
        if len(hosts) != 1 or not lock.knows(hosts[0]):
            raise refusals.foreign_host(lock, hosts, headers.get("x-forwarded-host", ""))
        origins = headers.getlist("origin")
        for origin in origins:
            if not lock.has_page(origin, hosts[0]):
                raise refusals.foreign_page(lock, origin, hosts[0])
        # A WebSocket of the page itself may count as same-site, because its scheme is another.
        foreign = ("cross-site",) if origins else ("cross-site", "same-site")
        if headers.get("sec-fetch-site") in foreign and not self._is_link(connection):
            raise refusals.foreign_page(lock, None, hosts[0])
        if headers.get("sec-fetch-dest") in _FRAMES and wants_page(connection, self._base):
            self._check_frame(headers.get("referer", ""), hosts[0])

    def _is_health(self, connection: HTTPConnection) -> bool:
        scope = connection.scope
        is_read = scope.get("method") in ("GET", "HEAD")
        return is_read and scope["path"] in [self._base + path for path in _HEALTH]

    def _check_frame(self, referer: str, asked: str) -> None:
        """Checks who holds a page in a frame: otherwise the browser would show nothing at all."""
        lock, seen = self._lock, urlsplit(referer)
        origin = f"{seen.scheme}://{seen.netloc}"
        if authority_of(origin) is None:  # it is hidden
            if not lock.frames:
                raise refusals.framed(lock, None, asked)
        elif not lock.frames or not (origin in lock.frames or lock.has_page(origin, asked)):
            raise refusals.framed(lock, origin, asked)

    def _is_link(self, connection: HTTPConnection) -> bool:
        """True if a browser was asked to go to a page: nobody else can read the answer."""
        scope = connection.scope
        return (
            scope.get("method") in ("GET", "HEAD")
            and connection.headers.get("sec-fetch-mode") == "navigate"
            and not f"{scope['path']}/".startswith(f"{self._base}/api/")
        )

    def _check_key(self, connection: HTTPConnection) -> None:
        """Lets a request in that has the token in its cookie or header, or needs none."""
        token = self._lock.token
        if self._lock.is_open or self._is_health(connection):
            return
        if token is None:
            return _check_is_from_here(connection, self._lock)
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        found = [connection.cookies.get(_cookie(connection), "")]
        found += [_digest(given.strip())] if scheme.lower() == "bearer" else []
        if not any(compare_digest(one.encode(), _digest(token).encode()) for one in found):
            raise refusals.no_token()

    def _entered(self, connection: HTTPConnection) -> Response | None:
        """What answers an address with the right token: a cookie, and the address without it.

        The cookie is Lax: with Strict, a link from another site would open without it, and with
        Lax a frame of another site. It holds the token's digest, and its name the port, because
        browsers share cookies among ports. It has no path: it goes to the pages beside this one
        alone, because behind a prefix there are others' servers beside that.
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
            path=None,
            secure=scope["scheme"] == "https",
            httponly=True,
            samesite="none" if self._lock.frames and scope["scheme"] == "https" else "lax",
        )
        return answer

    # -- what is let in ---------------------------------------------------------------------

    async def _request(self, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        """Serves a request; one whose body is refused is answered with that, if still possible."""
        scope = connection.scope
        if wants_page(connection, self._base):
            if not f"{scope['path']}/".startswith(f"{self._base}/"):
                raise refusals.outside(scope["path"], self._base)
            if prefix := prefix_of(scope["path"], self._base, bool(_signs(connection))):
                raise refusals.astray(prefix)
            plain = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
            scope, send = {**scope, "headers": plain}, with_check(send)
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
            await self._app(scope, body.receive, unless_refused)
        except ClientDisconnect:
            pass  # nobody waits for the answer
        except Exception:
            # Answered here, because the answer from outside the door would lack its headers.
            if not has_started:
                await PlainTextResponse("Internal Server Error", 500)(scope, receive, send)
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


async def _knock(scope: Scope, send: Send) -> None:
    """Opens a WebSocket that a page tries, and closes it; a request tells that none came through.

    Raises:
        Refusal: It is that request.
    """
    if scope["type"] == "http":
        raise refusals.no_websocket()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": 1000})


def _cookie(connection: HTTPConnection) -> str:
    return f"toon_token{port_of(connection.headers['host']).replace(':', '_')}"


def _signs(connection: HTTPConnection) -> list[str]:
    """What shows that a proxy passed a request on.

    HTTP/1.0 is what nginx before 1.29.7 speaks unless it is told otherwise, and no browser. Over
    HTTP/1.1 browsers keep connections, and proxies say for themselves whether they do. A program
    that asks through such a proxy cannot be told from one of this machine.
    """
    headers = connection.headers
    is_kept = re.search("keep-alive|upgrade", headers.get("connection", ""), re.IGNORECASE)
    signs = [f"header {name}"[:60] for name in headers if _PASSED_ON.fullmatch(name)]
    signs += ["HTTP/1.0"] * (connection.scope.get("http_version") == "1.0")
    return signs + ["no keep-alive"] * ("sec-fetch-site" in headers and not is_kept)


def _check_is_from_here(connection: HTTPConnection, lock: Lock) -> None:
    """Checks that both ends of the connection are on this machine, and no proxy shows in it.

    Raises:
        Refusal: One of it is not so.
    """
    if signs := _signs(connection):
        forwarded = connection.headers.get("x-forwarded-host", "")
        raise refusals.unexpected(
            lock, f"through a proxy ({signs[0]})", connection.headers["host"], forwarded, True
        )
    for word, end in (("from", "client"), ("to", "server")):
        seen = connection.scope.get(end)
        if seen is None or not is_loopback(seen[0]):
            way = f"{word} {seen[0] if seen else 'a socket'}"
            raise refusals.unexpected(lock, way, connection.headers["host"], "", False)
