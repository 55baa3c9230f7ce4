"""The token lab: ``streamlit run app.py``.

The router is ``pages/main.py``: if the router stood here, Streamlit would take the folder
``pages`` beside it for a legacy multipage app.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.routing import Mount

from toon import tokenizers
from toon.costs import models, prices
from toon.http import ROUTES
from toon.http.settle import settle
from toon.limits import DEFAULT_TOKENIZER


def warm() -> None:
    """Imports and loads what the first visitor would otherwise have to wait for."""
    import pandas.io.formats.style  # noqa: F401  (pandas imports it late)

    from pages import parts

    for module in walk_packages(parts.__path__, f"{parts.__name__}."):
        import_module(module.name)
    tokenizers.get(DEFAULT_TOKENIZER).count("")
    prices.unpriced(models.default())


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Warms up, and removes payloads from disk: those of a killed server, its own at the end.

    Charts are not checked against Vega-Lite's schema, which takes 20 ms each: the tests do that.
    """
    from altair.utils import schemapi

    from pages.parts.dashboard.kept import remove_folders, sweep

    await run_in_threadpool(sweep)
    await run_in_threadpool(warm)
    settle()
    with schemapi.debug_mode(False):
        yield
    await run_in_threadpool(remove_folders)


app = st.App(
    Path(__file__).parent / "pages" / "main.py",
    lifespan=lifespan,
    routes=[Mount("/api", routes=ROUTES)],
)
