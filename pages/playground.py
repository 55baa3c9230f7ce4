"""The playground: JSON and TOON side by side, live, and the token bill of both."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts import controls, look, payload, tour
from pages.parts.faults import apart
from pages.parts.playground.bill import draw_bill
from pages.parts.playground.controls import choose_document, draw_upload_error, open_next_sample
from pages.parts.playground.editor import mount_editor
from toon.playground.state import INDENTS

payload.start()
st.title(
    "What does this JSON cost a model, and what would TOON?",
    anchor=False,
    help="Models are paid by the token, and JSON repeats its keys in every record. TOON "
    "(Token-Oriented Object Notation) writes them once, as the head of a table. This often takes "
    "fewer tokens, but not always: paste on either side and see.",
)
st.caption(
    "Counts are exact unless marked ≈. What you paste stays on this machine: only your browser "
    "keeps it."
)
with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
    with st.container(width="content"):  # a fragment would take all the room
        apart(choose_document)()
    choice = controls.choose_model()
    delimiter = controls.choose_delimiter()
    with st.popover("More"):
        indent = st.segmented_control(
            "Indent",
            INDENTS,
            default=2,
            required=True,
            key="indent",
            persist_state="session",
            help="Spaces a level. Only widths that can be decoded again are offered; 0 cannot.",
        )
        strict = st.toggle(
            "Strict",
            value=True,
            key="strict",
            persist_state="session",
            help="Off: TOON is read with the five recoveries of the specification (wrong counts, "
            "duplicate keys, uneven indentation, blank lines, blocks that start too deep).",
        )
        explaining = controls.choose_explaining()
        look.draw_demo_switch()
    tour.draw_entrance()
with st.container():
    draw_upload_error()


def on_edit() -> None:
    """The editors settled: take their text over, and redraw its name and its bill alone."""
    payload.accept_edit(st.session_state.editor["edit"])
    with suppress(StreamlitAPIException):  # the page was left: there is nothing to redraw
        st.rerun(["document", "bill", *tour.fragments()])


def on_next() -> None:
    """Opens what a next step names, in the state it names; the page does it on its next run."""
    step = st.session_state.editor["next"]
    if step["together"]:
        st.session_state.explained_together = step["together"]
    st.session_state.opening = step["page"]


@st.fragment(key="editors")
def draw_editors() -> None:
    """The answer and the two panes; they live in the browser and talk to /api."""
    mount_editor(
        st.session_state.document,
        {
            "delimiter": delimiter,
            "indent": indent,
            "strict": strict,
            "tokenizer": choice.tokenizer,
            "model": choice.model.name if choice.model else choice.tokenizer,
            "together": str(explaining.together or "none"),
            "explain": [f"{name}={text}" for name, text in explaining.wordings],
            "traffic": controls.traffic()._asdict(),
        },
        key=payload.EDITOR,
        demo=look.is_demo(),
        on_edit=on_edit,
        on_next=on_next,
        on_sample=open_next_sample,
    )
    if (page := st.session_state.pop("opening", None)) == "playground":
        st.rerun()
    elif page:
        st.switch_page(f"{page}.py")


apart(draw_editors)()
draw_bill(choice.tokenizer, delimiter, explaining)
