"""The controls of asking: whom, with which key, in which formats, and within which budget.

Session state:
    reading_key: The key of the endpoint. It is in this session's memory alone: no option of the
        playground, so that no browser keeps it, and no part of an address, a file or a log.
"""

from __future__ import annotations

import os
from typing import Final

import streamlit as st

from pages.parts import controls
from toon.costs.choice import COMPACT
from toon.formats import FORMATS, RECOMMENDED
from toon.http.asking import allowed_urls
from toon.http.lock import lock_for

#: The formats that are asked about until somebody chooses others; compact JSON always is.
_FORMATS: Final = ("json-pretty", "toon")
#: The keys of the controls that say what is sent where.
_CONTROLS: Final = tuple(
    f"reading_{name}"
    for name in (
        *("url", "model", "key", "formats", "explained", "count", "seed", "concurrency"),
        *("requests", "tokens", "dollars"),
    )
)


def may_ask(url: str) -> bool:
    """Whether this server asks that endpoint for its users."""
    allowed = _allowed()
    return allowed is None or url in allowed


def _allowed() -> tuple[str, ...] | None:
    return allowed_urls(lock_for(st.get_option("server.address"), os.environ), os.environ)


def choose_endpoint() -> bool:
    """Draws whom to ask; gives whether anybody may be asked, and says it where not."""
    allowed = _allowed()
    if allowed == ():
        st.info(
            "Asking is off at this server. It serves others, and its operator lists no endpoint "
            "in the environment variable TOON_ASK_URLS. The command `python -m toon ask` on your "
            "own machine asks any, and its file can be opened here."
        )
        return False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = "Any endpoint with the API of OpenAI: llama.cpp, Ollama, vLLM, or a provider."
        if allowed is None:
            st.text_input(
                "Base URL",
                key="reading_url",
                persist_state="session",
                placeholder="such as http://localhost:11434/v1",
                help=about,
                width=320,
            )
        else:
            st.selectbox("Base URL", allowed, key="reading_url", persist_state="session", width=320)
        st.text_input(
            "Name of the model there",
            key="reading_model",
            persist_state="session",
            width=240,
        )
        st.text_input(
            "Key, if it needs one",
            type="password",
            key="reading_key",
            persist_state="session",
            autocomplete="off",
            help="It stays in the memory of this session. It is in no file, address or log, and "
            "is gone with the tab.",
            width=240,
        )
    return True


def choose_asked() -> None:
    """Draws the formats, explained or not, and how many requests are under way at once."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            "Formats besides compact JSON",
            [
                name
                for name in dict.fromkeys((*_FORMATS, *RECOMMENDED, *FORMATS))
                if name != COMPACT
            ],
            default=list(_FORMATS),
            format_func=lambda name: FORMATS[name].label,
            key="reading_formats",
            persist_state="session",
            width=420,
        )
        st.toggle(
            "Explain each format in the prompt",
            value=True,
            key="reading_explained",
            persist_state="session",
        )
        st.number_input(
            "Requests at once", 1, 64, 4, key="reading_concurrency", persist_state="session",
            width=150,
        )  # fmt: skip


def chosen() -> list[object]:
    """What all controls of asking say now."""
    return [controls.chosen_model(), *map(st.session_state.get, _CONTROLS)]
