"""The browser's code, built from ``pages/browser/``, its words, and the components that run it.

The server sends keys; ``TABLE`` holds the words that a person sees for each.

A component's ``js`` is sent with every change of its data. So it is two lines, which import the
built file by its address: a browser loads that file once and keeps it.
"""

import gzip
import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toon import colours, wording
from toon.costs.worth import COMPACT
from toon.drawing.bars import CLASSES, PARTS
from toon.formats.pasted import PASTED

#: The address of the routes of ``toon.http``, relative to any page: a proxy may add a prefix.
API: Final = "./api"
_FAULT: Final = Path(__file__).parent / "fault.css"

#: Paths of the drawing on each kind's colour: nothing, stripes, dots, lines.
_PATHS: Final = ("", "M-2 2 2-2M-2 10 10-2M6 10 10 6", "M1 2h2M5 6h2", "M0 4h8")
_STROKE: Final = f"stroke: {colours.INK_ON_CELLS}; stroke-width: 1.5; stroke-opacity: 0.45"


def _patterns() -> str:
    """Return SVG of fill patterns for name, punctuation, whitespace and value tokens in charts."""
    shades = zip(*colours.KINDS.values(), strict=True)
    patterns = (
        f'<pattern id="kind-{place}" patternUnits="userSpaceOnUse" width="8" height="8">'
        f'<rect style="fill: light-dark({light}, {dark})" width="8" height="8"/>'
        f'<path style="{_STROKE}" d="{_PATHS[place]}"/></pattern>'
        for place, (light, dark) in enumerate(shades)
    )
    return f'<svg class="patterns" aria-hidden="true">{"".join(patterns)}</svg>'


#: What happens to the text when a part of the page fails.
KEPT: Final = "This browser keeps your text, unless you have switched that off."

TABLE: Final = {
    "sides": {"json": "JSON", "toon": "TOON"} | {name: PASTED[name].label for name in PASTED},
    "baseline": COMPACT,
    "legend": "".join(
        f'<span class="{style}">{wording.KINDS[part]}</span>'
        for part, style in zip(PARTS, CLASSES, strict=True)
    ),
    "badges": wording.BADGES,
    "typed": wording.YOUR_TEXT,
    "failed": (
        f"This part of the page failed. {KEPT} Reload the page, or open another text from History."
    ),
    "patterns": _patterns(),
}


def join_texts(*paths: Path) -> str:
    """Return the contents of text files in UTF-8, joined by line breaks."""
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def styles(*paths: Path) -> str:
    """Return CSS files joined to one text, after the app's colours and the style of a fault."""
    return f"{colours.css_variables()}\n{join_texts(_FAULT, *paths)}"


_FOLDER: Final = Path(__file__).parents[1] / "browser" / "built"
#: The start of every file: words and colours are Python's, so no build holds them.
_TABLE: Final = f"const TABLE = {json.dumps(TABLE, ensure_ascii=False)};\n".encode()
_FILES: Final = {path.stem: _TABLE + path.read_bytes() for path in sorted(_FOLDER.glob("*.js"))}
_NAMES: Final = {
    stem: f"{stem}-{sha256(code).hexdigest()[:12]}.js" for stem, code in _FILES.items()
}
_PACKED: Final = {_NAMES[stem]: gzip.compress(code, mtime=0) for stem, code in _FILES.items()}
_HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
}

#: The message in the place of a component whose file does not load.
_MISSING: Final = f"This part of the page could not be loaded. {KEPT} Reload the page."
_COMPONENT: Final = (
    '({ parentElement }) => { const said = document.createElement("p"); said.role = "alert"; '
    f"said.textContent = {json.dumps(_MISSING)}; parentElement.replaceChildren(said); }}"
)


def module(name: str, *, is_seen: bool = True) -> str:
    """Return two lines of JavaScript that import the built file ``name`` by a relative address.

    A component that ``is_seen`` says in its place that the file did not load.
    """
    address = f'new URL("./api/built/{_NAMES[name]}", location.href).href'
    missing = f".catch(() => ({{ default: {_COMPONENT} }}))" if is_seen else ""
    return f"const built = await import({address}){missing};\nexport default built.default;\n"


def component(name: str, css: Iterable[Path] = (), html: Path | None = None) -> Callable[..., Any]:
    """Register the built script ``name``, with CSS files and an HTML file, as a Streamlit
    component; return the function that mounts it.
    """
    return st.components.v2.component(
        f"token_lab_{name}",
        html=join_texts(html) if html else None,
        css=styles(*css),
        js=module(name, is_seen=html is not None),
    )


async def _send_script(request: Request) -> Response:
    packed = _PACKED.get(request.path_params["name"])
    if packed is None:
        return Response(status_code=404)
    headers = dict(_HEADERS)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, headers=headers, media_type="text/javascript")


ROUTE: Final = Route("/built/{name}", _send_script)
