"""The keeper: the browser keeps and shares the text and the options, for all pages.

The browser stores them, and writes them into the address behind ``#``, which no server gets. A new
session, after a refresh or a restart of the server, gets them from the browser.
"""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

import streamlit as st

from pages.parts import controls, payload
from pages.parts.built import API, component
from pages.parts.markdown import escape_markdown
from toon.bounded import Exceeded
from toon.drawing.slides import STYLES
from toon.playground.state import (
    DEFAULTS,
    OPTIONS,
    is_document,
    parse_document,
    read_kept,
    read_state,
)

_HERE: Final = Path(__file__).parent
_KEY: Final = "keeper"

_mount = component(
    "keeper", [_HERE / "keeper.css", _HERE / "demo.css", STYLES], _HERE / "keeper.html"
)
#: Pages whose demo has their own slides.
_OWN_DECK: Final = ("dashboard",)


def mount(page: str) -> None:
    """Draw the buttons Demo, History and Share, and warnings of a saved state that was not read.

    ``page`` is the path of the page; "" is the page with the editors.
    """
    payload.start()
    session = st.session_state
    session.setdefault("keeper_session", secrets.token_hex(8))
    document = session.document
    session.pop("draw_deck", None)  # the deck of the page before
    if page not in _OWN_DECK:
        session.pop("deck", None)
    with st.container(key="keeper_box"):
        _mount(
            key=_KEY,
            data={
                "session": session.keeper_session,
                "page": page,
                "taken": session.get("state_taken"),
                "model": controls.model_label(session.get("model", DEFAULTS["model"])),
                "options": {name: session[name] for name in OPTIONS if name in session},
                "api": API,
                "asked": controls.collect_choices(),
                "deck": session.get("deck", {}) if page in _OWN_DECK else None,
                # Only a short sample may be a text that the browser has not seen.
                "document": {
                    name: value
                    for name, value in document.items()
                    if name != "text" or document["first"] or document["sample"]
                },
            },
            on_state_change=_take_state,
            on_woke_change=lambda: None,  # the browser only needs the run
            on_deck_change=_draw_deck,
        )
    with st.container():
        for problem in session.pop("problems", []):
            st.warning(escape_markdown(problem))


def offer_deck(draw: Callable[[], str]) -> None:
    """Let ``draw``, which returns HTML, make this page's slides when the button Demo is pressed."""
    st.session_state.draw_deck = draw
    if "deck" in st.session_state and not st.session_state.deck["slides"]:
        _draw_deck()
        st.rerun()


def _draw_deck() -> None:
    """Keep the HTML of this page's slides in the session, for the open demo; "" before it is drawn.

    They stay until the next demand: a browser may skip the result of one of several runs.
    """
    session = st.session_state
    demand = session.get(_KEY, {}).get("deck") or session.get("deck", {}).get("asked")
    session.deck = {"asked": demand, "slides": session.get("draw_deck", str)()}


def _take_state() -> None:
    """Open the text and settings that the browser kept, or those of a shared link or file."""
    # Streamlit forgets a component's state on another page; the browser sends it again.
    record = st.session_state.get(_KEY, {}).get("state")
    if not isinstance(record, dict) or record.get("at") == st.session_state.get("state_taken", ()):
        return
    st.session_state.state_taken = record.get("at")
    st.session_state.problems = []
    if "document" in record:
        try:
            if not open_file(str(record["document"])):
                st.session_state.problems = ["This state is damaged."]
        except Exceeded as error:
            st.session_state.problems = [f"The state was not opened: {error}."]
        return
    state, options = read_kept(record)
    st.session_state.update(options)
    if state is None:
        return
    payload.open_document(
        state.side,
        state.text,
        state.name,
        sample=state.sample,
        kept=state.kept,
        delimited="delimiter" in options,
    )


def open_file(text: str) -> bool:
    """Open a saved state of the playground; return False for other text, such as a payload.

    Raises:
        Exceeded: Reading it passed a limit.
    """
    if not is_document(text):
        return False
    try:
        document = payload.run_bounded(text, parse_document, text)
    except ValueError:  # damaged: it is shown as the text it is
        return False
    try:
        state, st.session_state.problems = read_state(document)
    except ValueError as error:
        st.session_state.problems = [str(error)]
        return True
    st.session_state.update({**DEFAULTS, **state.options})
    delimited = "delimiter" in state.options
    payload.open_document(state.side, state.text, state.name, delimited=delimited)
    return True
