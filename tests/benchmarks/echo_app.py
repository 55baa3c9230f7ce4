"""The app with routes that only echo: the cost of the editors without any conversion."""

from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from pages.parts.built import ROUTE


async def convert(request: Request) -> Response:
    text = (await request.body()).decode()
    return JSONResponse({"ok": True, "id": "0", "to": {"id": "0", "text": text}, "notices": []})


async def measure(request: Request) -> Response:
    pane = {"tokens": 0, "words": "0 tokens", "tokenizer": "o200k_base", "characters": 0}
    pane |= {"bytes": 0, "runs": []}
    proof = {"ok": None, "message": ""}
    return JSONResponse({"json": pane, "toon": pane, "round_trip": proof})


async def nothing(request: Request) -> Response:
    return JSONResponse({"missing": []})


_ROUTES = [Route("/measure", measure), Route("/answer", nothing), Route("/next", nothing), ROUTE]
app = st.App(
    Path(__file__).parent.parent.parent / "pages" / "main.py",
    routes=[Mount("/api", routes=[Route("/convert", convert, methods=["POST"]), *_ROUTES])],
)
