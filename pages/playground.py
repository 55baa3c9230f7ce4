"""The playground: JSON and TOON side by side, live, and the token bill of both."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts import cached, controls, payload
from pages.parts.playground import bill
from pages.parts.playground.editor import editor

payload.start()
st.title("What does this JSON cost a model, and what would TOON?", anchor=False)
st.caption(
    "Models are paid by the token, and JSON repeats its keys in every record. TOON "
    "(Token-Oriented Object Notation) writes them once, as the head of a table: often fewer "
    "tokens, not always. Paste on either side and see. Counts are exact, or marked ≈, and "
    "everything runs on this machine: nothing you paste leaves it."
)


def on_edit() -> None:
    """The editors settled: take their text over, and redraw the bill alone."""
    payload.accept_edit(st.session_state.editor["edit"])
    with suppress(StreamlitAPIException):  # the page was left: there is no bill to redraw
        st.rerun("bill")


with st.container(horizontal=True, vertical_alignment="bottom"):
    st.selectbox(
        "Sample",
        list(cached.samples()),
        format_func=lambda name: name.replace("-", " "),
        key="sample",
        on_change=payload.open_sample,
        persist_state="session",
        width=190,
    )
    with st.popover("Upload"):
        st.file_uploader(
            "A .json or .toon file, UTF-8",
            type=["json", "toon"],
            key="upload",
            on_change=payload.open_upload,
        )
    tokenizer = controls.choose_tokenizer()
    delimiter = controls.choose_delimiter()
    indent = st.segmented_control(
        "Indent",
        [1, 2, 4, 8],
        default=2,
        required=True,
        key="indent",
        persist_state="session",
        help="Spaces a level. Only widths that decode again are offered: 0 does not.",
    )
    strict = st.toggle(
        "Strict",
        value=True,
        key="strict",
        persist_state="session",
        help="Off: TOON is read with the five recoveries of the specification (wrong counts, "
        "duplicate keys, uneven indentation, blank lines, blocks that start too deep).",
    )
if error := st.session_state.pop("upload_error", None):
    st.error(error)


@st.fragment(key="editors")
def editors() -> None:
    """The two panes; they live in the browser and talk to /api."""
    editor(
        st.session_state.document,
        {"delimiter": delimiter, "indent": indent, "strict": strict, "tokenizer": tokenizer},
        key="editor",
        on_edit=on_edit,
    )


@st.fragment(key="bill")
def bill_of_source() -> None:
    """The figures and charts of what the user has made of the document."""
    bill.show(st.session_state.source, tokenizer, delimiter, indent, strict)


editors()
bill_of_source()
