"""The token lab's server: ``streamlit run app.py``; ``-- --follow FILE`` watches a growing log.

The router is ``pages/main.py``: if the router stood here, Streamlit would take the folder
``pages`` beside it for a legacy multipage app.
"""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import Mount
from streamlit.file_util import get_static_dir
from streamlit.url_util import make_url_path
from streamlit.web.server.server_util import get_url

from pages.parts import built, faults
from pages.parts.places import PLACES, redirects
from toon import logs, tokenizers
from toon.costs import models, prices
from toon.http import ROUTES
from toon.http.door import Door
from toon.http.lock import lock_for, read_follow_option
from toon.http.settle import keep_in_memory, settle, stop_with_terminal
from toon.http.work import load
from toon.limits import CONVERT_BYTES, DEFAULT_TOKENIZER, EDITOR_BYTES, STATS_BYTES
from toon.server import SERVER

st.secrets.load_if_toml_exists()  # Community Cloud has no other place for variables
LOCK = lock_for(st.get_option("server.address"), os.environ)
if named := read_follow_option(sys.argv[1:]):
    os.environ["TOON_FOLLOW"] = named
#: The most bytes of an upload: a form adds lines around the file.
UPLOAD_BYTES = (st.get_option("server.maxUploadSize") + 1) * 2**20
PAGE = Path(get_static_dir(), "index.html")
#: The prefix of all paths of the server, such as "/lab".
BASE = make_url_path(st.get_option("server.baseUrlPath"), "").rstrip("/")


def warm() -> None:
    """Import modules and load the default tokenizer, so that the first visitor need not wait."""
    import pandas.io.formats.style  # noqa: F401  (pandas imports it late)

    from pages import parts

    for module in walk_packages(parts.__path__, f"{parts.__name__}."):
        import_module(module.name)
    tokenizers.get(DEFAULT_TOKENIZER).count("")
    prices.price_notice(models.default_model())


def print_entrance() -> None:
    """Print the server's address with the token that it made; nothing if the operator set one."""
    if LOCK.token and not os.environ.get("TOON_TOKEN"):
        address = get_url(st.get_option("browser.serverAddress"))
        print(f"  With the token that is needed: {address}/?token={LOCK.token}\n", flush=True)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Set up the server process when the app starts; end its workers when the app stops.

    Users' texts are kept out of logs and off the disk. Streamlit is patched meanwhile.
    """
    from pages.parts.patches import colour_theme, keep_order, unchecked_charts

    logs.guard()
    keep_in_memory()
    keep_order()
    colour_theme()
    stop_with_terminal()
    await run_in_threadpool(warm)
    await run_in_threadpool(SERVER.start, load)
    settle()
    print_entrance()
    with unchecked_charts():
        yield
    await run_in_threadpool(SERVER.end)


app = st.App(
    Path(__file__).parent / "pages" / "main.py",
    lifespan=lifespan,
    on_script_error=faults.show_fault,
    routes=[Mount(f"{BASE}/api", routes=[*ROUTES, built.ROUTE]), *redirects(BASE)],
    middleware=[
        Middleware(
            Door,
            LOCK,
            body_bytes=max(UPLOAD_BYTES, EDITOR_BYTES, CONVERT_BYTES, STATS_BYTES),
            html=PAGE.read_text(encoding="utf-8"),
            base=BASE,
            routed={f"/{name}" for name in PLACES},
        )
    ],
)
