"""HTTP routes of the playground's editors: conversion, figures and the answer while one types."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, NamedTuple, TypeVarTuple, cast, get_args

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from toon import tokenizers
from toon.advisor.next import NO_STEPS, next_steps
from toon.bounded import Exceeded, Stopped
from toon.codec.text import NAMED_DELIMITERS
from toon.costs import models
from toon.costs.explanation import Explaining
from toon.costs.headline import Headline, Nothing, caption, empty_headline, picture
from toon.costs.models import Choice
from toon.costs.prices import MOST_CALLS, Traffic, use_prices
from toon.costs.why import Wish, compose
from toon.drawing import DRAWINGS
from toon.http.work import TooLarge, read_body, run_answer
from toon.limits import (
    COLOURED_CHARACTERS,
    DEFAULT_TOKENIZER,
    EDITOR_BYTES,
    SMALL_CHARACTERS,
    SMALL_TO_COMPARE,
)
from toon.playground.editors import WAYS, Runs, convert, measure, rewrite, tokens
from toon.playground.panes import SIDES, Options, Pane, Runner, Side, use_document
from toon.playground.places import places
from toon.server import SERVER
from toon.text import whole_number

Arguments = TypeVarTuple("Arguments")

#: Spaces of a level by their text in a query.
_INDENTS: Final = {str(size): size for size in range(1, 17)}


class _Missing(Exception):
    """The error that memory has dropped texts, with their ids: the browser sends them again."""


async def _respond(route: Callable[[Request], Awaitable[bytes]], request: Request) -> Response:
    """Return the response of an editors' route: its JSON, or its error as JSON, not cached."""
    status = 200
    try:
        json = await route(request)
    except _Missing as missing:  # status 200: browsers log a 404 as an error
        json = orjson.dumps({"missing": missing.args})
    except (ClientDisconnect, Stopped):
        return Response(status_code=400)
    except (TooLarge, ValueError, RuntimeError) as error:
        message, status = str(error), 500  # a tokenizer that cannot be loaded says what is missing
        match error:
            case TooLarge():
                status = 413
            case Exceeded():  # the editors ask again after a 503: other clients' work is the cause
                status = 503 if error.is_of_others else 422
            case UnicodeDecodeError():
                message, status = "the text is not UTF-8", 400
            case ValueError():
                status = 400
        json = orjson.dumps({"error": {"message": message}})
    return Response(json, status, {"Cache-Control": "no-store"}, "application/json")


# -- the parameters of a request -------------------------------------------------------------


def read_options(request: Request) -> Options:
    """Return TOON's delimiter, indent and strictness from a query; raise ValueError if invalid."""
    delimiter = read_choice(request, "delimiter", tuple(NAMED_DELIMITERS))
    indent = _INDENTS.get(request.query_params.get("indent", "2"))
    if indent is None:
        raise ValueError("indent must be 1 to 16")
    return Options(delimiter, indent, read_choice(request, "strict", ("true", "false")) == "true")


def read_choice(request: Request, name: str, allowed: tuple[str, ...]) -> str:
    """Return the query parameter ``name``: one of ``allowed``, and the first of them if left out.

    Raises:
        ValueError: It has another value.
    """
    value = request.query_params.get(name, allowed[0])
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}")
    return value


def _texts(request: Request, *parameters: str) -> dict[str, str]:
    """Look up texts kept in memory whose ids a query gives; return them by query parameter.

    Raises:
        _Missing: A parameter is not in the query, or no text is kept under its id.
    """
    names = {key: request.query_params.get(key, "") for key in parameters}
    texts = {key: SERVER.documents.get(name) for key, name in names.items()}
    if missing := [names[key] for key, text in texts.items() if text is None]:
        raise _Missing(*missing)
    return cast(dict[str, str], texts)


def _pane(request: Request, side: Side) -> Pane:
    """Look up an editor's text whose id a query gives under ``side``; return the text's pane.

    Raises:
        _Missing: No text is kept under that id.
    """
    name = request.query_params.get(side)
    pane = SERVER.documents.pane(side, name or "", read_options(request))
    if pane is None:
        raise _Missing(name)
    return pane


class _Query(NamedTuple):
    """What a request asks: a text, the model, how formats are explained to it, a month's calls."""

    pane: Pane
    choice: Choice
    explaining: Explaining
    traffic: Traffic


def _read_query(request: Request) -> _Query:
    query = request.query_params
    pane = _pane(request, next((side for side in SIDES if side in query), "toon"))
    calls = whole_number(query.get("calls", "0"), 0, MOST_CALLS)
    if calls is None:
        raise ValueError(f"calls must be 0 to {MOST_CALLS}")
    share = query.get("cached_share", "0")
    if not re.fullmatch(r"0(\.\d+)?|1(\.0+)?", share, re.ASCII):
        raise ValueError("cached_share must be 0 to 1")
    is_batch = read_choice(request, "batch", ("false", "true")) == "true"
    choice = models.choose(query.get("model", models.default_model().name))
    explaining = Explaining.parse(
        query.get("together", "1"), query.getlist("explain"), query.get("explained_cached", "0")
    )
    traffic = Traffic(calls, float(share), is_batch)
    return _Query(pane, choice, use_prices(choice.model, explaining), traffic)


# -- the routes ------------------------------------------------------------------------------


async def convert_route(request: Request) -> bytes:
    """Convert the text of one editor to the other's format: ``POST /convert?from=SIDE``.

    The answer has the id of the text, and id and text for the other editor, or the error. ``shown``
    is the id of the JSON that replaces pasted code.
    """
    side = read_choice(request, "from", SIDES)
    options = read_options(request)
    text = (await read_body(request, EDITOR_BYTES)).decode()
    return await run_answer(request, len(text), SMALL_CHARACTERS, _convert, side, text, options)


def _convert(run: Runner, side: Side, text: str, options: Options) -> bytes:
    pane = SERVER.documents.open(side, text, options)
    result = run(convert, pane)
    if not result["ok"]:
        return orjson.dumps({"id": pane.name, **result})
    to = {"id": SERVER.documents.put(result["text"]), "text": result["text"]}
    answer = {**result, "id": pane.name, "to": to}
    del answer["text"]
    if "shown" in result:
        answer["shown"] = SERVER.documents.put(result["shown"])
    return orjson.dumps(answer)


async def rewrite_route(request: Request) -> bytes:
    """Rewrite the text in the body as JSON, and return it: ``POST /rewrite?as=WAY``.

    ``WAY`` is ``indented`` or ``minified``, or the name of an offer in an answer of ``/convert``.
    """
    way = read_choice(request, "as", WAYS)
    text = (await read_body(request, EDITOR_BYTES)).decode()
    return await run_answer(request, len(text), SMALL_CHARACTERS, _dump_result, rewrite, way, text)


def _dump_result(run: Runner, function: Callable[[*Arguments], object], *args: *Arguments) -> bytes:
    """Call a function by ``run``, here or in a worker process; return its result as JSON bytes."""
    return orjson.dumps(run(function, *args))


async def measure_route(request: Request) -> bytes:
    """Count tokens, characters and bytes of the editors' texts: ``GET /measure?json=ID&toon=ID``.

    ``runs`` says by what the texts are coloured. ``from=json|toon`` names the side that was typed;
    it may be left out for a single text.
    """
    runs = cast(Runs, read_choice(request, "runs", ("kinds", "tokens", "none")))
    tokenizer = request.query_params.get("tokenizer", DEFAULT_TOKENIZER)
    texts = _texts(request, *filter(request.query_params.get, ("json", "toon")))
    if not texts:
        return b"{}"
    pane = _pane(request, read_choice(request, "from", tuple(texts)))
    size = sum(map(len, texts.values()))
    args = pane, texts.get(pane.other), tokenizer, runs
    return await run_answer(request, size, SMALL_CHARACTERS, _dump_result, measure, *args)


async def answer_route(request: Request) -> bytes:
    """Return what a text costs and what to send: ``GET /answer?SIDE=ID``, asked as ``/convert``.

    ``model`` names a model or a tokenizer; ``together``, ``explain`` and ``explained_cached`` are
    as in ``/v1/stats``, ``calls``, ``cached_share`` and ``batch`` describe a month's calls for the
    costs in money. ``draw`` names the drawing that comes with it: ``bars``, ``demo`` or ``card``.
    """
    query, name = _read_query(request), read_choice(request, "draw", tuple(DRAWINGS))
    return await run_answer(request, len(query.pane.text), SMALL_CHARACTERS, _headline, query, name)


def _headline(run: Runner, query: _Query, name: str) -> bytes:
    tokenizer = tokenizers.get(query.choice.tokenizer)
    if not tokenizer.counted:
        headline: Headline | Nothing = empty_headline(tokenizer.label)
    else:
        answer = query.pane.ask(run, picture, tokenizer.name, query.explaining)
        headline = caption(answer, query.choice, query.traffic)
    drawing = DRAWINGS[name](headline) if "bars" in headline else ""
    return orjson.dumps({**headline, "drawn": drawing})


async def prompt_route(request: Request) -> bytes:
    """Return a payload's text to send, after its format's note: ``GET /sent``, asked as
    ``/answer``.

    The format is the recommended one, with ``as=minified`` minified JSON, or with ``as=untested``
    the untested format that the answer offers.
    """
    query = _read_query(request)
    wish = cast(Wish, read_choice(request, "as", get_args(Wish)))
    return await run_answer(request, len(query.pane.text), SMALL_CHARACTERS, _prompt, query, wish)


def _prompt(run: Runner, query: _Query, wish: Wish) -> bytes:
    text = query.pane.ask(run, compose, query.choice.tokenizer, query.explaining, wish)
    return orjson.dumps({"text": text})


async def next_route(request: Request) -> bytes:
    """Return the app's page that would save most on a text, and a sentence on models that need
    another format: ``GET /next``, asked as ``/answer``.
    """
    query = _read_query(request)
    return await run_answer(request, len(query.pane.text), SMALL_TO_COMPARE, _find_next, query)


def _find_next(run: Runner, query: _Query) -> bytes:
    if not query.choice.counted:
        return orjson.dumps(NO_STEPS)
    verdict = query.pane.ask(run, picture, query.choice.tokenizer, query.explaining).verdict
    return orjson.dumps(run(use_document, query.pane, next_steps, verdict, query.explaining))


async def places_route(request: Request) -> bytes:
    """Return the positions of the keys and values that both editors' texts hold, so that a browser
    can mark partners: ``GET /places?json=ID&toon=ID``.
    """
    texts = _texts(request, "json", "toon")
    size = _check_size(*texts.values())
    args = texts["json"], texts["toon"], read_options(request)
    return await run_answer(request, size, SMALL_CHARACTERS, _dump_result, places, *args)


async def tokens_route(request: Request) -> bytes:
    """Return the id and length of every token of a text: ``GET /tokens?text=ID&tokenizer=NAME``."""
    text = _texts(request, "text")["text"]
    tokenizer = request.query_params.get("tokenizer", DEFAULT_TOKENIZER)
    size = _check_size(text)
    return await run_answer(request, size, SMALL_CHARACTERS, _dump_result, tokens, text, tokenizer)


def _check_size(*texts: str) -> int:
    """Return the number of characters in texts to colour; raise TooLarge if there are too many."""
    size = sum(map(len, texts))
    if size > COLOURED_CHARACTERS:
        raise TooLarge(f"more than {COLOURED_CHARACTERS:,} characters")
    return size


EDITORS: Final = [
    Route(path, partial(_respond, route), methods=[method])
    for path, route, method in (
        ("/convert", convert_route, "POST"),
        ("/rewrite", rewrite_route, "POST"),
        ("/measure", measure_route, "GET"),
        ("/answer", answer_route, "GET"),
        ("/sent", prompt_route, "GET"),
        ("/next", next_route, "GET"),
        ("/places", places_route, "GET"),
        ("/tokens", tokens_route, "GET"),
    )
]
