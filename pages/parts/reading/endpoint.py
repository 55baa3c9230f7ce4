"""The controls of asking: whom, with which key, in which formats, and within which budget.

Session state:
    reading_key: The key of the endpoint. It is in this session's memory alone: no option of the
        playground, so that no browser keeps it, and no part of an address, a file or a log.
"""

from __future__ import annotations

import os
from typing import Any, Final

import streamlit as st

from pages.parts import controls
from pages.parts.hosted import lock
from toon.formats import FORMATS, RECOMMENDED, label
from toon.http.asking import allowed_urls
from toon.reading.plan import BASELINE

#: The formats that are asked about until somebody chooses others; compact JSON always is.
_FORMATS: Final = ("json-pretty", "toon")
#: The names of the controls that say what is sent where.
_CONTROLS: Final = (
    *("url", "model", "key", "formats", "explained", "count", "seed", "concurrency"),
    *("requests", "tokens", "dollars"),
)


def number_field(label: str, name: str, *numbers: Any, width: int = 190, **looks: Any) -> Any:
    """A field that the session keeps; ``numbers`` are the least, the most, the usual and a step."""
    key = f"reading_{name}"
    return st.number_input(label, *numbers, key=key, persist_state="session", width=width, **looks)


def _text_field(label: str, name: str, **looks: Any) -> None:
    st.text_input(label, key=f"reading_{name}", persist_state="session", **looks)


def may_ask(url: str) -> bool:
    """Whether this server asks that endpoint for its users."""
    allowed = _allowed()
    return allowed is None or url in allowed


def _allowed() -> tuple[str, ...] | None:
    return allowed_urls(lock(), os.environ)


def choose_endpoint() -> bool:
    """Draws the controls of whom to ask; where this server asks nobody, says so and is False."""
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
            example = "such as http://localhost:11434/v1"
            _text_field("Base URL", "url", placeholder=example, help=about, width=320)
        else:
            st.selectbox("Base URL", allowed, key="reading_url", persist_state="session", width=320)
        _text_field("Name of the model there", "model", width=240)
        about = (
            "It stays in the memory of this session. It is in no file, address or log, and is gone "
            "some minutes after the tab."
        )
        hidden = {"type": "password", "autocomplete": "off"}
        _text_field("Key, if it needs one", "key", **hidden, help=about, width=240)
    return True


def choose_asked() -> None:
    """Draws the formats, explained or not, and how many requests are under way at once."""
    names = dict.fromkeys((*_FORMATS, *RECOMMENDED, *FORMATS))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            f"Formats besides {label(BASELINE)}",
            [name for name in names if name != BASELINE],
            default=list(_FORMATS),
            format_func=label,
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
        number_field("Requests at once", "concurrency", 1, 64, 4, width=150)


def chosen() -> list[object]:
    """What all controls of asking say now."""
    return [
        controls.chosen_model(),
        *(st.session_state.get(f"reading_{name}") for name in _CONTROLS),
    ]
