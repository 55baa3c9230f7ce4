"""The routes of ``/v1``, and the index that describes them to programs."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import Mount, Route, Router

from toon.codec.text import NAMED_DELIMITERS
from toon.compact.context import DEFAULT_LIMIT
from toon.compact.domains import DOMAINS
from toon.compact.errors import refusal
from toon.compact.relative import instant, read_time, utc_text
from toon.costs.models import MODELS
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT
from toon.http.payloads import convert, stats
from toon.http.replies import JSON, TOON, Call, Reply, Work, handler, http_error
from toon.limits import (
    CONVERT_BYTES,
    DEFAULT_TOKENIZER,
    SMALL_TO_COMPARE,
    STATS_BYTES,
    WORK_SECONDS,
)
from toon.records.query import ANSWER_FORMATS, MAX_LIMIT, QueryParams, respond
from toon.records.store import SAMPLE_NOW
from toon.tokenizers import TOKENIZERS

_LIST: Final = {
    "format": f"{', '.join(ANSWER_FORMATS)}; default json; compact only shortens lists",
    "fields": "root fields to keep beside id, with commas between; not with format=compact",
    "since": "a timestamp: only what was created, updated or deleted from then on",
    "limit": f"1 to {MAX_LIMIT}, default {DEFAULT_LIMIT}",
    "offset": "records before the first, default 0",
    "date": "a day, or today, yesterday, tomorrow",
    "q": "words that must all be there",
    "tz": "an IANA zone for times and days",
    "now": f"the clock for today and for ages; default {utc_text(SAMPLE_NOW)}, the samples' own",
    "{field}": "only records with this value in a root field",
}


def _facts(table: Mapping[str, object], *names: str) -> list[dict[str, Any]]:
    """Return the attributes ``names`` of each entry in a table, as a list of dicts."""
    return [{name: getattr(entry, name) for name in names} for entry in table.values()]


_INDEX: Final[dict[str, Any]] = {
    "about": "What JSON costs a language model in tokens, and what shorter forms save.",
    "routes": [
        {
            "method": "GET",
            "path": "/api/v1/{domain}",
            "domain": list(DOMAINS),
            "answer": "{data, meta}, or with format=compact {format, summary, lines, ids, meta}",
            "parameters": _LIST,
        },
        {
            "method": "GET",
            "path": "/api/v1/{domain}/{id}",
            "answer": "{data}: one record in full",
            "parameters": {"format": "json or toon; compact is ignored"},
        },
        {
            "method": "POST",
            "path": "/api/v1/convert",
            "body": f"a text in the format from, at most {CONVERT_BYTES} bytes",
            "answer": "the text in the format to; X-Lossy says whether anything was lost, X-Losses "
            "what, X-Format-From what it was read as, X-Notices what was odd about it",
            "parameters": {
                "from": "auto (the default), json or a name in formats",
                "to": "json or a name in formats; default toon",
                "delimiter": f"{', '.join(NAMED_DELIMITERS)}; for to=toon and to=toon-3",
                "indent": "spaces of a level of TOON on either side, 1 to 16, default 2",
            },
        },
        {
            "method": "POST",
            "path": "/api/v1/stats",
            "body": f"JSON, at most {STATS_BYTES} bytes",
            "answer": "{rows, verdict}: tokens in each format, signed against each JSON",
            "parameters": {
                "model": "a name in models, may be repeated; each brings its tokenizer",
                "tokenizer": f"a name in tokenizers, may be repeated; default {DEFAULT_TOKENIZER}",
                "format": "a name in formats, may be repeated; default what may be recommended",
                "all": "true for every format; default false",
                "together": "payloads in a prompt, which share its note, default 1, or none",
                "explain": "FORMAT=TEXT, your own note about a format; may be repeated",
                "explained_cached": "share of the prompts, 0 to 1, that read the note from "
                "the provider's cache, at the price of the first model; default 0",
            },
        },
    ],
    "every_route": {
        "count": f"a name in tokenizers that counts X-Token-Count; default {DEFAULT_TOKENIZER}",
        "X-Token-Count": "the tokens of the body; X-Token-Count-Tokenizer counted them",
        "errors": "always JSON: {error: {code, message, details}}, often with a hint",
        "seconds": WORK_SECONDS,
    },
    "formats": _facts(FORMATS, "name", "label", "lossless"),
    "tokenizers": _facts(TOKENIZERS, "name", "label", "exact", "evidence"),
}


@cache
def index() -> dict[str, Any]:
    """Return the index of ``/v1`` as a dict: its routes, and the formats, tokenizers and models."""
    names = ("name", "label", "provider", "tokenizer", "grade", "evidence", "frame", "price")
    return {**_INDEX, "models": _facts(MODELS, *names)}


#: Years that ``now`` may lie in, well inside the range of Python's dates.
_YEARS: Final = range(1970, 2200)


def make_work(domain: str) -> Work:
    """Return the function for requests to ``/v1/DOMAIN``: a list of sample records, or one."""

    def work(call: Call) -> Reply:
        rest = [pair for pair in call.query.pairs if pair[0] != "now"]
        answer = respond(domain, rest, now=_read_now(call.query), record_id=call.record_id)
        return Reply(answer.text(), TOON if answer.is_toon else JSON, answer.status)

    return work


def _read_now(query: QueryParams) -> datetime:
    """Return the time in a query's ``now``, which dates ``today``; by default the samples' time.
    Raise QueryError if it is no timestamp from 1970 to 2199.
    """
    text = query.text("now")
    if text is None:
        return SAMPLE_NOW
    time = read_time(text)
    if time is None or time.year not in _YEARS:
        hint = "write it as 2026-02-18T14:30:00Z, from 1970 to 2199"
        raise refusal("now", text, f"now is not a timestamp: {text!r}", hint)
    return instant(time)


# Errors are answered here, or the app around would answer in text or HTML. There are no redirects,
# because they would lack the headers that all other answers have.
_ERRORS: Final = Middleware(ExceptionMiddleware, handlers={HTTPException: http_error})

_ROOT: Final = handler(lambda _: Reply(JSON_COMPACT.dumps(index())))

_PATHS: Final = [
    Route("/", _ROOT),
    *(Route(f"/{name}", handler(make_work(name))) for name in DOMAINS),
    *(Route(f"/{name}/{{record_id}}", handler(make_work(name))) for name in DOMAINS),
    Route("/convert", handler(convert, CONVERT_BYTES), methods=["POST"]),
    Route("/stats", handler(stats, STATS_BYTES, SMALL_TO_COMPARE), methods=["POST"]),
]


V1: Final = [
    Route("/v1", Router([Route("/v1", _ROOT)], redirect_slashes=False), middleware=[_ERRORS]),
    Mount("/v1", Router(_PATHS, redirect_slashes=False), middleware=[_ERRORS]),
]
