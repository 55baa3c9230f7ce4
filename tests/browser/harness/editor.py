"""The editor alone, with a server whose conversions are easy to predict and to slow down.

``streamlit run tests/browser/harness/editor.py`` from the root of the repository. JSON to TOON is
upper-casing, TOON to JSON lower-casing, and a text that contains ``BAD`` is an error there.
"""

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from pages.parts import built, faults
from pages.parts.patches import colour_theme
from toon.costs.headline import Headline
from toon.drawing.bars import rungs
from toon.wording import plural

DOCUMENTS: dict[str, str] = {}
COUNTS: Counter[str] = Counter()
UNDER_WAY: Counter[str] = Counter()
#: The values of ``hold`` that hold back what a route replies.
HOLDS = {"answer": 1, "convert": 2}
#: Seconds that every reply takes, what is held back, and what replies say.
CONTROL: dict[str, float] = {
    "delay": 0.0, "hold": 0, "notices": 0, "round_trip": 1,
}  # fmt: skip


@asynccontextmanager
async def counted(route: str) -> AsyncIterator[None]:
    """Counts requests, those under way, and the most there ever were to one route at a time."""
    COUNTS[route] += 1
    UNDER_WAY[route] += 1
    COUNTS["peak"] = max(COUNTS["peak"], UNDER_WAY[route])
    try:
        await asyncio.sleep(CONTROL["delay"])
        while CONTROL["hold"] and CONTROL["hold"] == HOLDS.get(route):
            await asyncio.sleep(0.02)
        yield
    finally:
        UNDER_WAY[route] -= 1


def keep(text: str) -> str:
    """Keeps a text and returns its id."""
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    DOCUMENTS[name] = text
    return name


def converted(side: str, text: str, query: dict[str, str]) -> dict[str, Any]:
    """The answer to a conversion."""
    at = text.find("BAD")
    if "FORMLESS" in text:
        return {"ok": False, "id": keep(text), "error": error_at(text, -1), "notices": []}
    if at >= 0 or not text:
        return {"ok": False, "id": keep(text), "error": error_at(text, at), "notices": []}
    other = text.upper() if side == "json" else text.lower()
    if query.get("delimiter", "comma") != "comma":
        other += f"\n# {query['delimiter']}"
    notices = [
        {"message": f"duplicate key {n}", "line": n, "column": 1, "hint": None}
        for n in range(1, int(CONTROL["notices"]) + 1)
    ]
    return {
        "ok": True,
        "id": keep(text),
        "to": {"id": keep(other), "text": other},
        "notices": notices,
    }


def error_at(text: str, at: int) -> dict[str, Any]:
    """An error where ``BAD`` stands, or about the text as a whole."""
    if at < 0:
        return {"message": "empty", "line": None, "column": None, "source": None, "hint": None}
    before = text[:at].split("\n")
    return {
        "message": "this is bad",
        "line": len(before),
        "column": len(before[-1]) + 1,
        "source": text.split("\n")[len(before) - 1],
        "source_column": len(before[-1]) + 1,
        "hint": "write something better",
    }


PIECES = re.compile(r'(?P<names>"[^"\n]*"(?=\s*:))|(?P<marks>[{}\[\],:"]+)|(?P<spaces>\s+)|.', re.S)


def units(text: str) -> int:
    """UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def runs(text: str, wanted: str) -> list[int]:
    """Plausible runs: kinds by a rough pattern, tokens of up to four units, cut anywhere."""
    if wanted == "none":
        return []
    if wanted == "tokens":
        total = units(text)
        return [min(4, total - at) for at in range(0, total, 4)]
    groups = {"names": 0, "marks": 1, "spaces": 2, None: 3}
    return [units(match[0]) << 2 | groups[match.lastgroup] for match in PIECES.finditer(text)]


def figures(text: str, wanted: str) -> dict[str, Any]:
    """The figures of one pane."""
    tokens = -(-units(text) // 4)
    return {
        "tokens": tokens,
        "words": plural(tokens, "token"),
        "tokenizer": "harness",
        "characters": len(text),
        "bytes": len(text.encode()),
        "runs": runs(text, wanted),
    }


async def convert(request: Request) -> Response:
    text = (await request.body()).decode()
    async with counted("convert"):
        query = dict(request.query_params)
        return JSONResponse(converted(query["from"], text, query))


async def measure(request: Request) -> Response:
    async with counted("measure"):
        query = request.query_params
        names = {side: query[side] for side in ("json", "toon") if side in query}
        missing = [name for name in names.values() if name not in DOCUMENTS]
        if missing:
            return JSONResponse({"missing": missing})
        answer: dict[str, Any] = {
            side: figures(DOCUMENTS[name], query["runs"]) for side, name in names.items()
        }
        ok = bool(CONTROL["round_trip"])
        answer["round_trip"] = {"ok": ok, "message": "equal" if ok else "$.a is lost"}
        return JSONResponse(answer)


def headline(text: str) -> dict[str, Any]:
    """An answer whose figure is the length of the text, so that tests see whose it is."""
    nothing = "Nothing to compare" if text.startswith("{}") else None
    nothing = "Nothing to compare in prose" if "PROSE" in text else nothing
    bars = [
        {"format": "a", "label": "as typed", "kinds": [4, 3, 2, 1], "explanation": 0,
         "parts": ["4", "3", "2", "1", "0"], "exactly": ["4", "3", "2", "1", "0"], "cost": 10,
         "figure": "10", "sum": "", "vs_today": "",
         "look": "same", "credit": "", "how": "", "told": ""},
        {"format": "toon", "label": "best", "kinds": [2, 1, 0, 1], "explanation": 1,
         "parts": ["2", "1", "0", "1", "1"], "exactly": ["2", "1", "0", "1", "1"], "cost": 5,
         "figure": "5", "sum": "4 + 1 note", "vs_today": "−50 %", "look": "saves",
         "credit": "Best saves 5: it is short.",
         "how": "it is short", "told": "Best saves 5: it is short."},
    ]  # fmt: skip
    found: dict[str, Any] = {
        "act": "Send best",
        "today": "10",
        "cost": "5",
        "figure": f"−{len(text)} %",
        "look": "saves",
        "lead": f"{nothing}." if nothing else "Send best: 5 tokens fewer",
        "why": ["Because.", "It is best."],
        "money": "saves $1 a month",
        "months": [] if nothing else ["$2", "$1"],
        "month": "$1",
        "shared": "2 of the 5 are safe.",
        "assumed": "100 payloads a month",
        "best": "toon",
        "note": "A note.",
        "copy": "Copy best and note",
        "untested": "",
        "delimiter": "comma",
        "delimiters": {
            "comma": {"tokens": "4", "note": "1", "cost": "5"},
            "tab": {"tokens": "6", "note": "1", "cost": "7"},
        },
        "proof": "✓ comes back exactly",
        "bars": [] if nothing else bars,
        "nothing": nothing,
    }
    return {**found, "drawn": rungs(cast(Headline, found))}


async def answer(request: Request) -> Response:
    async with counted("answer"):
        name = next(value for key, value in request.query_params.items() if key in ("json", "toon"))
        found = DOCUMENTS.get(name)
        return JSONResponse({"missing": [name]} if found is None else headline(found))


async def next_steps(_: Request) -> Response:
    async with counted("next"):
        step = {"page": "other", "label": "Something better", "gain": "−1.0 %", "together": None}
        return JSONResponse({"next": [step], "flips": "Another for others"})


def words(text: str) -> list[tuple[int, int]]:
    """Where the words of a text are, in UTF-16 units; both sides have them in the same order."""
    found = re.finditer(r"\w+", text)
    return [(units(text[: word.start()]), units(text[: word.end()])) for word in found]


async def places(request: Request) -> Response:
    """GET /api/places: every word is its own path."""
    async with counted("places"):
        sides = ("json", "toon")
        texts = {side: DOCUMENTS[request.query_params[side]] for side in sides}
        spans = {side: words(text) for side, text in texts.items()}
        count = len(spans["json"])
        flat = {
            side: [n for at, span in enumerate(spans[side]) for n in (*span, at + 1, at)]
            for side in sides
        }
        steps = ["", *re.findall(r"\w+", texts["json"])]
        return JSONResponse({**flat, "parents": [0] * (count + 1), "steps": steps})


async def tokens(request: Request) -> Response:
    """GET /api/tokens: the runs of /api/measure, numbered from 100."""
    async with counted("tokens"):
        cut = runs(DOCUMENTS[request.query_params["text"]], "tokens")
        return JSONResponse({"none": None, "runs": cut, "ids": list(range(100, 100 + len(cut)))})


async def control(request: Request) -> Response:
    """POST /api/control?delay=0.5 sets, and starts the counts anew; GET reads the counts."""
    if request.method == "POST":
        CONTROL.update({name: float(value) for name, value in request.query_params.items()})
        COUNTS.clear()
    now = UNDER_WAY.total()
    return JSONResponse({"now": now, "peak": 0, "convert": 0, "measure": 0, "answer": 0, **COUNTS})


async def forget(request: Request) -> Response:
    """POST /api/forget: as after a restart, no document is known."""
    DOCUMENTS.clear()
    return JSONResponse({})


ROUTES = [
    Route("/convert", convert, methods=["POST"]),
    Route("/measure", measure, methods=["GET"]),
    Route("/answer", answer, methods=["GET"]),
    Route("/next", next_steps, methods=["GET"]),
    Route("/places", places, methods=["GET"]),
    Route("/tokens", tokens, methods=["GET"]),
    Route("/control", control, methods=["GET", "POST"]),
    Route("/forget", forget, methods=["POST"]),
]

colour_theme()
app = st.App(
    Path(__file__).parent / "editor_page.py",
    on_script_error=faults.show_fault,
    routes=[Mount("/api", routes=[*ROUTES, built.ROUTE])],
)
