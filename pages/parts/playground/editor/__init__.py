"""The two-pane live editor, JSON and TOON, as one Streamlit component.

The texts live in the browser and are converted and measured over HTTP while the user types
(``toon/http/editors.py``); Python only hears, after a pause, which documents the panes hold. That
is why typing never waits for a rerun and why no rerun ever overwrites typing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import streamlit as st

from toon import tokenizers

HERE: Final = Path(__file__).parent

#: One module out of several readable files; each uses what those before it declare.
SCRIPTS: Final = (
    "lines.js",
    "colouring.js",
    "painter.js",
    "facts.js",
    "transfer.js",
    "requests.js",
    "toolbar.js",
    "pane.js",
    "editor.js",
)

#: Characters up to which texts convert while they are typed, and bytes up to which they are taken.
LIMITS: Final = {"live": 1_000_000, "hard": 64_000_000}

#: Where the routes of ``toon.http`` are mounted, seen from the browser.
API: Final = "/api"


def _source(*names: str) -> str:
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


_mount = st.components.v2.component(
    "token_lab_editor",
    html=_source("editor.html"),
    css=_source("editor.css"),
    js=_source(*SCRIPTS),
)


def editor(
    document: Mapping[str, Any],
    options: Mapping[str, Any],
    *,
    key: str,
    on_edit: Callable[[], None],
) -> None:
    """Mounts the editor.

    Args:
        document: ``{"version": int, "side": "json" | "toon", "text": str}``, and optionally
            ``"name"``, the stem of downloaded files. It replaces what the panes hold when its
            version is another than the one shown; otherwise the text is left to the user.
        options: ``{"delimiter": "comma" | "tab" | "pipe", "indent": int, "strict": bool,
            "tokenizer": str}``; a change converts the pane last edited again.
        key: The component's key. ``st.session_state[key]["edit"]`` holds what the user has made
            of the document: ``{"json": id | None, "toon": id | None, "side", "valid", "version"}``
            with ids of :data:`toon.playground.documents.DOCUMENTS`.
        on_edit: Called 0.8 s after the last answer when that has changed.
    """
    tokenizer = tokenizers.get(options["tokenizer"])
    _mount(
        key=key,
        data={
            "key": key,
            "document": {name: document[name] for name in ("version", "side", "text")},
            "options": dict(options),
            "labels": {"tokenizer": tokenizer.name, "exact": tokenizer.exact},
            "api": API,
            "limits": LIMITS,
            "name": document.get("name") or "payload",
        },
        on_edit_change=on_edit,
    )
