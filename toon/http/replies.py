"""The frame of all routes of ``/v1``: headers, errors and threads.

The work of a route is a plain function from :class:`Call` to :class:`Reply`. It runs on a thread,
or for a larger body in a worker process: see :mod:`toon.http.work`. Every failure becomes JSON of
one form: ``{"error": {"code", "message", "details"}}``, with a ``hint`` where there is one.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from toon import tokenizers
from toon.bounded import Exceeded, Stopped
from toon.compact.errors import NOT_FOUND, QueryError, refusal
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT
from toon.http.work import TooLarge, read_body, run_answer
from toon.limits import DEFAULT_TOKENIZER, SMALL_CHARACTERS
from toon.logs import describe
from toon.records.query import QueryParams
from toon.tokenizers import TOKENIZERS, Tokenizer

JSON: Final = "application/json"
TOON: Final = FORMATS["toon"].media_type

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    # A form on another site can post here; browsers must not show the answer as our page.
    "Content-Security-Policy": "default-src 'none'; sandbox",
}
_LOG: Final = logging.getLogger(__name__)


class Call(NamedTuple):
    """A request to ``/v1`` as plain data: the query, the body, and a record's id in the path."""

    query: QueryParams
    body: bytes = b""
    record_id: str | None = None


class Reply(NamedTuple):
    """A reply of ``/v1`` as plain data: text, type, status, and headers beside the usual ones."""

    text: str
    media_type: str = JSON
    status: int = 200
    headers: Mapping[str, str] = {}


Work = Callable[[Call], Reply]
Handler = Callable[[Request], Awaitable[Response]]


class ApiError(QueryError):
    """The error for an error reply of ``/v1``: HTTP status, code, message, details and hint."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: dict[str, Any] | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, code=code, details=details, hint=hint)
        self._status = status

    @property
    def status(self) -> int:
        return self._status


def handler(work: Work, limit: int = 0, small: int = SMALL_CHARACTERS) -> Handler:
    """Return the Starlette endpoint that calls ``work``, on a thread or in a worker process.

    Args:
        work: A function from Call to Reply; of a module if bodies can be larger than ``small``.
        limit: The most bytes of a body; 0 reads no body.
        small: The most bytes of a body that takes some ten milliseconds.
    """

    async def handle(request: Request) -> Response:
        try:
            body = await read_body(request, limit) if limit else b""
        except TooLarge as error:
            message, details = f"the body is {error}", {"limit_bytes": limit}
            return await refuse(request, ApiError(413, "BODY_TOO_LARGE", message, details=details))
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        return await _answer(request, work, body, small)

    return handle


async def refuse(
    request: Request, error: QueryError, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the response of ``/v1`` for an error, with ``headers`` besides the usual ones."""
    reply = _render(error)._replace(headers=headers or {})
    return await _answer(request, lambda _: reply)


async def http_error(request: Request, error: Exception) -> Response:
    """Return the response of ``/v1`` for an unknown path (404) or a wrong method (405)."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code != 405:
        hint = "GET /api/v1/ lists what there is"
        return await refuse(request, ApiError(404, NOT_FOUND, f"there is no {path}", hint=hint))
    allow = ", ".join(sorted((error.headers or {})["Allow"].split(", ")))
    refused = ApiError(
        405,
        "METHOD_NOT_ALLOWED",
        f"{path} does not take {request.method}",
        hint=f"it takes {allow}",
    )
    return await refuse(request, refused, {"Allow": allow})


async def _answer(request: Request, work: Work, body: bytes = b"", small: int = 0) -> Response:
    query = QueryParams(request.query_params.multi_items())
    call = Call(query, body, request.path_params.get("record_id"))
    try:
        reply = await run_answer(request, len(body), small, lambda run: run(_make, work, call))
    except Stopped:
        return Response(status_code=400)  # nobody reads it
    except Exceeded as error:
        reply = _finish(_render(_refuse_exceeded(error)), None)
    return Response(reply.text, reply.status, dict(reply.headers), reply.media_type)


def _refuse_exceeded(error: Exceeded) -> ApiError:
    """Return the API's error for work that passed a limit of time, memory, depth or waiting."""
    if error.limit == "depth":
        return ApiError(422, "NOT_APPLICABLE", str(error))
    if error.is_of_others:
        return ApiError(503, "BUSY", str(error), hint="ask again")
    if error.limit == "seconds":
        return ApiError(503, "TIMEOUT", str(error), hint="send less at once")
    if error.limit == "end":
        return ApiError(500, "INTERNAL", str(error))
    return ApiError(422, "TOO_MUCH", str(error), hint="send less at once")


def _make(work: Work, call: Call) -> Reply:
    """Call a route's function with a request; return its reply, or its error as a reply.

    Raises:
        MemoryError, RecursionError: The work takes too much; its caller reports that.
    """
    counter = None
    try:
        counter, rest = _read_counter(call.query)
        return _finish(work(call._replace(query=rest)), counter)
    except QueryError as error:
        return _finish(_render(error), counter)
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        _LOG.error(describe(error))
        return _finish(_render(ApiError(500, "INTERNAL", "this is a fault of the server")), counter)


def _read_counter(query: QueryParams) -> tuple[Tokenizer, QueryParams]:
    """Return the tokenizer that a query's ``count`` names, or the default, and other parameters.
    Raise QueryError if no tokenizer has that name.
    """
    rest = QueryParams([pair for pair in query.pairs if pair[0] != "count"])
    name = query.text("count")
    if name is None:
        return tokenizers.get(DEFAULT_TOKENIZER), rest
    if name not in TOKENIZERS:
        hint = f"there are {', '.join(TOKENIZERS)}"
        raise refusal("count", name, f"count names no tokenizer: {name!r}", hint)
    return load_tokenizer(name), rest


def load_tokenizer(name: str) -> Tokenizer:
    """Load a tokenizer by its name and return it; raise ApiError (503) if it cannot be loaded."""
    tokenizer = tokenizers.get(name)
    try:
        tokenizer.count("")
    except (RuntimeError, ImportError) as error:
        details = {"tokenizer": name}
        raise ApiError(503, "TOKENIZER_UNAVAILABLE", str(error), details=details) from None
    return tokenizer


def _render(error: QueryError) -> Reply:
    return Reply(JSON_COMPACT.dumps(error.as_json()), status=error.status)


def _finish(reply: Reply, counter: Tokenizer | None) -> Reply:
    """Add the headers that all replies of ``/v1`` have: no-store, a policy, a token count."""
    counter = counter or tokenizers.get(DEFAULT_TOKENIZER)
    headers = {
        **_HEADERS,
        **reply.headers,
        "X-Token-Count": str(counter.count(reply.text)),
        "X-Token-Count-Tokenizer": counter.name,
    }
    return reply._replace(headers=headers)
