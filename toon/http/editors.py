"""The routes of the editors: what they convert, measure and answer while a person types."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar, TypeVarTuple, cast

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from toon.advisor.next import next_steps
from toon.bounded import Exceeded, Stopped
from toon.costs import models
from toon.costs.explanation import Explaining
from toon.costs.headline import Picture, captioned, picture
from toon.costs.models import Choice
from toon.costs.prices import Traffic
from toon.http.bodies import BodyTooLarge, body_of
from toon.http.work import Do, answered
from toon.limits import (
    COLOURED_CHARACTERS,
    DEFAULT_TOKENIZER,
    EDITOR_BYTES,
    SMALL_CHARACTERS,
    SMALL_TO_COMPARE,
)
from toon.playground.answers import PICTURES, Question, payload_key
from toon.playground.documents import DOCUMENTS
from toon.playground.panes import (
    WAYS,
    Options,
    Runs,
    Side,
    about,
    convert,
    figures,
    pair,
    rewrite,
    unlike,
)
from toon.playground.places import places
from toon.playground.tokens import tokens

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


def reply(data: object, status: int = 200) -> Response:
    """``data`` as a JSON response that caches do not store."""
    return _sent(orjson.dumps(data), status)


def _sent(json: bytes, status: int = 200) -> Response:
    return Response(json, status, {"Cache-Control": "no-store"}, "application/json")


def failure(message: str, status: int) -> Response:
    """An error response, in the form that the editors read."""
    return reply({"error": {"message": message}}, status)


def options_of(request: Request) -> Options:
    """The options in a query; ValueError if one is invalid."""
    query = request.query_params
    indent = query.get("indent", "2")
    if not (indent.isascii() and indent.isdigit()):
        raise ValueError("indent must be 1 to 16")
    return Options(
        query.get("delimiter", "comma"),
        int(indent),
        one_of(request, "strict", ("true", "false")) == "true",
    )


def one_of(request: Request, name: str, allowed: tuple[str, ...]) -> str:
    """A query parameter with few allowed values; the first is the default."""
    value = request.query_params.get(name, allowed[0])
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}")
    return value


async def convert_route(request: Request) -> Response:
    """``POST /convert?from=json|toon``: the text in the body, converted to the other side."""
    try:
        side = cast(Side, one_of(request, "from", ("json", "toon")))
        options = options_of(request)
    except ValueError as error:
        return failure(str(error), 400)
    return await _about_body(request, lambda do, text: _converted(do, side, text, options))


async def rewrite_route(request: Request) -> Response:
    """``POST /rewrite?as=WAY``: the text in the body as another JSON text.

    ``WAY`` is ``indented`` or ``minified``, or the name of an offer that ``/convert`` made.
    """
    try:
        way = one_of(request, "as", WAYS)
    except ValueError as error:
        return failure(str(error), 400)
    return await _about_body(request, lambda do, text: do(_written, rewrite, way, text))


async def _about_body(request: Request, answer: Callable[[Do, str], bytes]) -> Response:
    """What ``answer`` says of the text in the body."""
    try:
        text = (await body_of(request, EDITOR_BYTES)).decode()
    except BodyTooLarge:
        return failure(f"larger than {EDITOR_BYTES // 1_000_000} MB", 413)
    except UnicodeDecodeError:
        return failure("the text is not UTF-8", 400)
    except ClientDisconnect:
        return _unread()
    return await _answer(request, len(text), SMALL_CHARACTERS, answer, text)


async def _answer(
    request: Request,
    size: int,
    small: int,
    answer: Callable[[Do, *Arguments], bytes],
    *args: *Arguments,
) -> Response:
    """The JSON that ``answer`` gives, or why it gives none."""
    try:
        return _sent(await answered(request, size, small, answer, *args))
    except Stopped:
        return _unread()
    except Exceeded as error:
        # The editors ask again after a 503, which is about the others' work.
        return failure(str(error), 503 if error.is_of_others else 422)
    except ValueError as error:
        return failure(str(error), 400)
    except RuntimeError as error:  # a tokenizer that cannot be loaded says what is missing
        return failure(str(error), 500)


def _unread() -> Response:
    """The answer to a client that has gone."""
    return Response(status_code=400)


def _written(function: Callable[[*Arguments], object], *args: *Arguments) -> bytes:
    """What the function gives, as JSON."""
    return orjson.dumps(function(*args))


def _converted(do: Do, side: Side, text: str, options: Options) -> bytes:
    name = DOCUMENTS.put(text)
    result = do(convert, side, text, options)
    if not result["ok"]:
        return orjson.dumps({"id": name, **result})
    to = {"id": DOCUMENTS.put(result["text"]), "text": result["text"]}
    return orjson.dumps({"id": name, "ok": True, "notices": result["notices"], "to": to})


async def measure_route(request: Request) -> Response:
    """``GET /measure?json=ID&toon=ID``: figures of one or both panes, and their coloured runs.

    ``from=json|toon`` says which side was typed; that of a single pane if it is left out.
    """
    try:
        options = options_of(request)
        runs = cast(Runs, one_of(request, "runs", ("kinds", "tokens", "none")))
        tokenizer = request.query_params.get("tokenizer", DEFAULT_TOKENIZER)
        names = {side: request.query_params.get(side) for side in ("json", "toon")}
        found = {side: DOCUMENTS.get(name) for side, name in names.items() if name}
        texts = {side: text for side, text in found.items() if text is not None}
        missing = [names[side] for side in found if side not in texts]
        if missing:
            return reply({"missing": missing})  # status 200, because browsers log a 404 as an error
        typed = one_of(request, "from", tuple(texts)) if texts else "json"
    except ValueError as error:
        return failure(str(error), 400)
    size = sum(map(len, texts.values()))
    asked = texts, typed, tokenizer, runs, options
    return await _answer(
        request, size, SMALL_CHARACTERS, lambda do: do(_written, _measured, *asked)
    )


def _traffic_of(request: Request) -> Traffic:
    calls = request.query_params.get("calls", "0")
    if not (calls.isascii() and calls.isdigit() and len(calls) < 20):
        raise ValueError("calls must be 0 or more")
    share = request.query_params.get("cached_share", "0")
    if not re.fullmatch(r"0(\.\d+)?|1(\.0+)?", share, re.ASCII):
        raise ValueError("cached_share must be 0 to 1")
    is_batch = one_of(request, "batch", ("false", "true")) == "true"
    return Traffic(int(calls), float(share), is_batch)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question about one text: what was typed, for which model, explained how."""

    side: Side
    name: str
    text: str
    options: Options
    choice: Choice
    explaining: Explaining
    traffic: Traffic

    def picture(self, do: Do) -> Picture:
        tokenizer, explaining = self.choice.tokenizer, self.explaining
        key = payload_key(self.side, self.options, self.name)
        find = partial(picture, tokenizer=tokenizer, explaining=explaining)
        question = Question(key, tokenizer, explaining)
        return PICTURES.get(question, lambda: self.about(do, find))

    def about(self, do: Do, function: Callable[..., Result]) -> Result:
        """What the function says of the value, and of the text as ``typed``."""
        return do(about, function, self.side, self.text, self.options)


async def answer_route(request: Request) -> Response:
    """``GET /answer?json=ID`` or ``toon=ID``: what a person sees first of that text.

    ``model`` names a model or a tokenizer; ``together`` and ``explain`` are as in ``/v1/stats``,
    ``calls``, ``cached_share`` and ``batch`` are the month that money assumes.
    """
    return await _about_text(request, SMALL_CHARACTERS, _headline)


async def next_route(request: Request) -> Response:
    """``GET /next`` with the same parameters: what would help most besides."""
    return await _about_text(request, SMALL_TO_COMPARE, _next)


def _headline(do: Do, asked: _Asked) -> bytes:
    return orjson.dumps(captioned(asked.picture(do), asked.choice, asked.traffic))


def _next(do: Do, asked: _Asked) -> bytes:
    tokenizer, verdict = asked.choice.tokenizer, asked.picture(do).verdict
    find = partial(next_steps, tokenizer=tokenizer, explaining=asked.explaining, verdict=verdict)
    return orjson.dumps({"next": asked.about(do, find)})


async def _about_text(
    request: Request, small: int, answer: Callable[[Do, _Asked], bytes]
) -> Response:
    """What ``answer`` says of the text with the id in the query."""
    query = request.query_params
    side: Side = "json" if "json" in query else "toon"
    name = query.get(side, "")
    text = DOCUMENTS.get(name)
    if text is None:
        return reply({"missing": [query.get(side)]})
    try:
        options = options_of(request)
        choice = models.choose(query.get("model", models.default().name))
        explaining = Explaining.parse(query.get("together", "1"), query.getlist("explain"))
        traffic = _traffic_of(request)
    except ValueError as error:
        return failure(str(error), 400)
    asked = _Asked(side, name, text, options, choice, explaining, traffic)
    return await _answer(request, len(text), small, answer, asked)


async def places_route(request: Request) -> Response:
    """``GET /places?json=ID&toon=ID``: where the two texts hold the same key or value."""
    names = [request.query_params.get(side, "") for side in ("json", "toon")]
    json_text, toon_text = map(DOCUMENTS.get, names)
    if json_text is None or toon_text is None:
        return reply({"missing": [name for name in names if DOCUMENTS.get(name) is None]})
    if len(json_text) + len(toon_text) > COLOURED_CHARACTERS:
        return failure(f"more than {COLOURED_CHARACTERS:,} characters", 413)
    try:
        options = options_of(request)
    except ValueError as error:
        return failure(str(error), 400)
    size = len(json_text) + len(toon_text)
    asked = json_text, toon_text, options
    return await _answer(request, size, SMALL_CHARACTERS, lambda do: do(_written, places, *asked))


async def tokens_route(request: Request) -> Response:
    """``GET /tokens?text=ID&tokenizer=NAME``: every token of a text, with its id."""
    name = request.query_params.get("text", "")
    text = DOCUMENTS.get(name)
    if text is None:
        return reply({"missing": [name]})
    if len(text) > COLOURED_CHARACTERS:
        return failure(f"more than {COLOURED_CHARACTERS:,} characters", 413)
    tokenizer = request.query_params.get("tokenizer", DEFAULT_TOKENIZER)
    size = len(text)
    return await _answer(
        request, size, SMALL_CHARACTERS, lambda do: do(_written, tokens, text, tokenizer)
    )


def _measured(
    texts: dict[str, str], typed: str, tokenizer: str, runs: Runs, options: Options
) -> dict[str, Any]:
    result: dict[str, Any] = {}
    refused = unlike(cast(Side, typed), texts[typed], tokenizer, options) if texts else None
    for side, text in texts.items():
        result[side] = figures(cast(Side, side), text, tokenizer, runs, options, refused)
    if len(texts) == 2:
        result |= pair(texts["json"], texts["toon"], tokenizer, options, refused)
    return result


EDITORS: Final = [
    Route("/convert", convert_route, methods=["POST"]),
    Route("/rewrite", rewrite_route, methods=["POST"]),
    Route("/measure", measure_route, methods=["GET"]),
    Route("/answer", answer_route, methods=["GET"]),
    Route("/next", next_route, methods=["GET"]),
    Route("/places", places_route, methods=["GET"]),
    Route("/tokens", tokens_route, methods=["GET"]),
]
