"""The door, a middleware that checks host name, origin, frame and token of every request.

``Middleware(Door, ...)`` of ``st.App`` stands before Streamlit's own routes and its WebSocket. A
refusal says what was seen and which setting would let it in; Starlette's own middleware for hosts
and bodies says neither. Idle connections are left to a proxy.
"""

import re
from collections import Counter
from collections.abc import Collection
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toon.http.bodies import Bodies, Body
from toon.http.lock import Lock, is_loopback, read_authority, read_host
from toon.http.page import Refusal, add_check, page_policy

#: Headers by which proxies name their client.
_PROXY_HEADER: Final = re.compile(
    r"x-forwarded-.*|x-real-ip|forwarded|via|(x|true|x-cluster)-client-ip|cdn-loop|cf-.*"
    r"|x-envoy-.*|x-amzn-.*|x-original-.*|x-proxycontextpath|x-request-start"
)
#: Paths of health checks: they need neither host name nor token, and give no data.
_HEALTH: Final = ("/_stcore/health", "/healthz")
#: Paths that are no page: folders of files, and files.
_FILES: Final = re.compile(r"/(api|static|media|component|_stcore|healthz)(/.*)?|/[^/]*\.[^/]*")
#: Values of ``Sec-Fetch-Dest`` for a page that another page embeds.
_FRAMES: Final = ("iframe", "frame", "embed", "object")
_COOKIE: Final = "toon_token"
_MONTH: Final = 30 * 24 * 60 * 60
#: The refusal of a WebSocket: 403 without a sentence, since no browser would show one.
_CLOSE: Final[Message] = {"type": "websocket.close", "code": 1008}


class Visit(HTTPConnection):
    """An HTTP request or the opening of a WebSocket, with the facts by which it is let in.

    ``route`` is its path below the server's base path. The flags tell a GET or HEAD, a request to
    the API, a health check and a page from each other.
    """

    def __init__(self, scope: Scope, base: str) -> None:
        super().__init__(scope)
        path = scope["path"]
        self.route = path.removeprefix(base) if f"{path}/".startswith(f"{base}/") else ""
        self.is_read = scope.get("method") in ("GET", "HEAD")
        self.is_api = f"{self.route}/".startswith("/api/")
        self.is_health = self.is_read and self.route in _HEALTH
        wants_html = "text/html" in self.headers.get("accept", "")
        is_place = bool(self.route) and not _FILES.fullmatch(self.route)
        self.is_page = self.is_read and wants_html and is_place

    @property
    def way(self) -> str:
        """How a request came here, such as "through a proxy (header via)" or "from 10.0.0.5".

        "" for a client on this machine. nginx before 1.29.7 speaks HTTP/1.0 by default, and no
        browser does. Over HTTP/1.1 browsers ask to keep connections, and proxies may not. A program
        that asks through such a proxy looks like one on this machine.
        """
        headers = self.headers
        is_kept = re.search("keep-alive|upgrade", headers.get("connection", ""), re.IGNORECASE)
        signs = [f"header {name}"[:60] for name in headers if _PROXY_HEADER.fullmatch(name)]
        signs += ["HTTP/1.0"] * (self.scope.get("http_version") == "1.0")
        if signs := signs + ["no keep-alive"] * ("sec-fetch-site" in headers and not is_kept):
            return f"through a proxy ({signs[0]})"
        for word, end in (("from", "client"), ("to", "server")):
            seen = self.scope.get(end)
            if seen is None or not is_loopback(seen[0]):
                return f"{word} {seen[0] if seen else 'a socket'}"
        return ""


class Door:
    """An ASGI middleware that checks each request's host, origin, frame, token and body size.

    A request that passes goes on to the app, but a page is answered here with Streamlit's HTML.

    Args:
        body_bytes: The most bytes of a body.
        html: Streamlit's page.
        base: The prefix of all paths of the server, such as "/lab".
        routed: Paths below the base that a route of the app answers, not a page.
    """

    def __init__(
        self,
        app: ASGIApp,
        lock: Lock,
        body_bytes: int,
        html: str,
        base: str = "",
        routed: Collection[str] = (),
    ) -> None:
        self._app, self._lock, self._base, self._html = app, lock, base, add_check(html)
        self._routed = routed
        self._bodies = Bodies(body_bytes)
        self._headers = {
            "Content-Security-Policy": page_policy(self._html, lock.frames),
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        }
        if not lock.frames:  # X-Frame-Options cannot name origins; the policy does
            self._headers["X-Frame-Options"] = "DENY"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        visit = Visit(scope, self._base)

        async def respond(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                message = {**message, "headers": headers.raw}
            await send(message)

        try:
            self._check_names(visit)
            if redirect := self._redirect_token(visit):
                return await redirect(scope, receive, respond)
            self._check_key(visit)
            if visit.is_page and visit.route not in self._routed:
                page = HTMLResponse(self._html, headers={"Cache-Control": "no-cache"})
                return await page(scope, receive, respond)
            if scope["type"] == "http":
                return await self._pass_on(visit, receive, respond)
            if visit.route == "/api/door":  # a page only tests the connection
                await respond({"type": "websocket.accept"})
                return await respond({"type": "websocket.close", "code": 1000})
            # Streamlit would check the Origin again, by looking up the addresses of this machine.
            headers = [pair for pair in scope["headers"] if pair[0] != b"origin"]
            await self._app({**scope, "headers": headers}, receive, respond)
        except Refusal as refusal:
            if scope["type"] == "websocket":
                return await send(_CLOSE)
            answer = refusal.answer(visit.headers.get("accept", ""), visit.is_api)
            await answer(scope, receive, respond)

    # -- who may ask ------------------------------------------------------------------------

    def _check_names(self, visit: Visit) -> None:
        """Raise Refusal if a request's ``Host``, ``Origin``, prefix or frame is not the server's.

        A foreign name may point here by DNS rebinding. Another server on this machine is foreign
        too.
        """
        headers, lock = visit.headers, self._lock
        if "transfer-encoding" in headers and "content-length" in headers:
            both = "Content-Length and Transfer-Encoding"
            raise Refusal(400, f"This request has the headers {both}: send one of them.")
        if visit.is_health:
            return
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not lock.knows(hosts[0]):
            raise _refuse_host(lock, hosts, headers.get("x-forwarded-host", ""))
        for origin in origins:
            if not lock.has_page(origin, hosts[0]):
                raise _refuse_page(lock, origin, hosts[0])
        # A WebSocket of the page itself may count as same-site, because its scheme differs.
        foreign = ("cross-site",) if origins else ("cross-site", "same-site")
        # A link from another site may open a page: that site cannot read the answer.
        is_link = headers.get("sec-fetch-mode") == "navigate" and visit.is_read and not visit.is_api
        if headers.get("sec-fetch-site") in foreign and not is_link:
            raise _refuse_page(lock, "", hosts[0])
        if not visit.is_page:
            return
        if above := visit.route.rpartition("/")[0]:  # the page's files have relative addresses
            prefix = (self._base + above).strip("/")
            setting = f"STREAMLIT_SERVER_BASE_URL_PATH={prefix}"
            raise Refusal(
                404,
                f"This server has no page below /{prefix}: leave out what follows, or if a proxy "
                f"has the server there, start it with {setting}, or let the proxy take that path "
                "away.",
                setting,
            )
        if headers.get("sec-fetch-dest") not in _FRAMES:
            return
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(headers.get("referer", "")))
        is_hidden = read_authority(origin) is None
        is_known = is_hidden or origin in lock.frames or lock.has_page(origin, hosts[0])
        if not lock.frames or not is_known:  # the browser alone would show nothing
            where = "that does not say where it is" if is_hidden else f"at {origin}"
            example = "https://hub.example.org" if is_hidden else origin
            setting = f"TOON_FRAMES={','.join((*lock.frames, example))}"
            raise Refusal(
                403,
                f"A page {where} holds this one in a frame: start the server with {setting} to "
                "let it.",
                setting,
            )

    def _check_key(self, visit: Visit) -> None:
        """Raise Refusal if a request lacks the server's token, in a cookie or header.

        A server without a token refuses other machines, or takes all if it is open.
        """
        token = self._lock.token
        if self._lock.is_open or visit.is_health:
            return
        if token is None:
            if way := visit.way:
                raise Refusal(
                    401,
                    f"This request came {way}, and the server expects nobody but this machine: "
                    "start it with TOON_TOKEN and a token of your own, or with TOON_TOKEN=off "
                    "where the proxy checks who asks.",
                    f"TOON_TOKEN={token_urlsafe(24)}",
                )
            return
        scheme, _, given = visit.headers.get("authorization", "").partition(" ")
        digests = [visit.cookies.get(_COOKIE, "")]
        digests += [_digest(given.strip())] if scheme.lower() == "bearer" else []
        if not any(compare_digest(digest.encode(), _digest(token).encode()) for digest in digests):
            raise Refusal(
                401,
                "This request lacks the server's token: put ?token= and the token behind the "
                "address, or send the header Authorization: Bearer TOKEN; the server printed it "
                "when it started, or has it from TOON_TOKEN.",
            )

    def _redirect_token(self, visit: Visit) -> Response | None:
        """Return the redirect that sets the cookie for a URL with the right ``?token=``, or None.

        The redirect leads to the URL without the token. Wrong tokens are removed too.
        The cookie holds the token's digest. It is Lax, since Strict would keep it from links of
        other sites; frames of other sites do not get it. It has no path, so only pages beside this
        one get it: other prefixes may be other servers.
        """
        scope, token = visit.scope, self._lock.token
        given = visit.query_params.get("token")
        if token is None or given is None or not visit.is_read:
            return None
        parts = scope["query_string"].split(b"&")
        rest = [part for part in parts if unquote(part.partition(b"=")[0]) != "token"]
        # Changed in place: uvicorn logs this query when it has the answer.
        scope["query_string"] = b"&".join(rest)
        if not compare_digest(_digest(given), _digest(token)):
            return None
        # Relative, because a proxy may have removed a prefix from the path.
        address = f"./{quote(scope['path'].rpartition('/')[2])}"
        query = scope["query_string"].decode("latin-1")
        headers = {"Location": f"{address}?{query}" if query else address}
        answer = Response(None, 303, headers | {"Cache-Control": "no-store"})
        is_secure = scope["scheme"] == "https"
        answer.set_cookie(
            _COOKIE,
            _digest(token),
            _MONTH,
            path=None,
            secure=is_secure,
            httponly=True,
            samesite="none" if self._lock.frames and is_secure else "lax",
        )
        return answer

    # -- what is let in ---------------------------------------------------------------------

    async def _pass_on(self, visit: Visit, receive: Receive, send: Send) -> None:
        """Pass a request to the app, its body limited; raise Refusal for too large a body."""
        if visit.route == "/api/door":
            raise Refusal(
                426,
                "The requests of this page reach the server, and its WebSocket does not: let the "
                "proxy pass on the headers Upgrade and Connection over HTTP/1.1.",
            )
        client = visit.client.host if visit.client else ""
        body = Body(self._bodies, receive, visit.headers.get("content-length", "0"), client)
        has_started = False

        async def send_allowed(message: Message) -> None:
            nonlocal has_started
            if has_started or body.refusal is None:
                has_started = True
                await send(message)

        try:
            await self._app(visit.scope, body.receive, send_allowed)
        except ClientDisconnect:
            pass  # nobody waits for the answer
        finally:
            self._bodies.held -= Counter({client: body.held})
        if body.refusal is not None and not has_started:
            raise body.refusal


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _refuse_host(lock: Lock, hosts: list[str], forwarded: str) -> Refusal:
    keep = "a proxy has to keep the header Host as the browser sent it."
    if len(hosts) != 1 or read_host(hosts[0]) is None:
        return Refusal(403, f"This request does not say under which one name it asks: {keep}")
    setting, known = lock.setting(forwarded, hosts[0]), sorted({"localhost", *lock.hosts})
    return Refusal(
        403,
        f"This server was asked as {hosts[0]} and answers to {', '.join(known)} alone: if "
        f"{read_host(forwarded) or read_host(hosts[0])} is its name, start it with {setting}; else "
        f"{keep}",
        setting,
    )


def _refuse_page(lock: Lock, origin: str, host: str) -> Refusal:
    page = read_authority(origin)
    if page is None:
        sentence = "A page that is not this server's asked it as {}: open the server's own address."
        return Refusal(403, sentence.format(host))
    setting = lock.setting(page)
    return Refusal(
        403,
        f"A page at {origin} asked this server as {host}: if that page is the server's own, let "
        f"the proxy keep the header Host with its port, or start the server with {setting}.",
        setting,
    )
