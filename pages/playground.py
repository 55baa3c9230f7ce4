"""The playground: JSON and TOON side by side, live, and the token bill of both."""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.parts import controls, payload
from pages.parts.faults import guard
from pages.parts.places import open_place
from pages.parts.playground.bill import draw_bill
from pages.parts.playground.controls import (
    choose_document,
    choose_options,
    draw_introduction,
    open_next_sample,
)
from pages.parts.playground.editor import mount_card, mount_editor
from pages.parts.samples import spell
from pages.parts.service import TITLE, draw_service, service_counts
from toon.reading.verdicts import describe_untested, summarise_known

payload.start()
with st.container(key="page_title"):  # read aloud: what is seen is the act
    st.title("Playground: what this JSON costs a model, and what costs less", anchor=False)
choice = controls.read_model()
with st.container(key="introduction"):
    draw_introduction()
with st.container(horizontal=True, vertical_alignment="center", key="controls"):
    guard(choose_document)()
    choice = controls.choose_model(helps=False)
with st.container():
    if error := st.session_state.pop("upload_error", None):
        st.error(error)
mount_card()
choices = controls.collect_choices()


def on_edit() -> None:
    """Keep the text that the editors report as edited; draw its name and its token bill anew."""
    edit = st.session_state.editor["edit"]
    payload.accept_edit(edit)
    st.session_state.delimiter = edit.get("delimiter", controls.read_delimiter())
    if controls.collect_choices() == choices:
        with suppress(StreamlitAPIException):  # the page was left: there is nothing to redraw
            st.rerun(["document", "bill"])


def on_next() -> None:
    """Open the page or dialog of the step that was pressed below the answer in the playground.

    The button of the answer that asks a service is such a step.
    """
    step = st.session_state.editor["next"]
    if step.get("together"):
        st.session_state.explained_together = step["together"]
    st.session_state.asking = step["page"] == "service"
    if st.session_state.asking:
        payload.accept_edit(step["edit"])
    st.session_state.opening = "playground" if st.session_state.asking else step["page"]


@st.fragment(key="editors")
def draw_editors() -> None:
    """Draw the two editors and the answer above them, which live in the browser and ask the API."""
    if controls.collect_choices() != choices:
        st.rerun()  # an option and a report that Streamlit sent together, as if the report were all
    model = choice.model.label if choice.model else ""
    mount_editor(
        st.session_state.document,
        {
            "delimiter": controls.read_delimiter(),
            "tokenizer": choice.tokenizer,
            **choices,
        },
        key=payload.EDITOR,
        on_edit=on_edit,
        on_next=on_next,
        on_sample=open_next_sample,
        title=spell(st.session_state.document["name"]),
        reads={
            **{name: summarise_known(model, name) for name in ("toon", "yaml")},
            "other": describe_untested(),
        },
        service=service_counts(choice),
    )
    if (page := st.session_state.pop("opening", None)) == "playground":
        st.rerun()
    elif page:
        open_place(page)


@st.dialog(TITLE, width="medium")
@guard
def ask_service() -> None:
    """Draw a dialog that asks the model maker's service to count the payload's tokens."""
    data = payload.read()
    if data is None:
        st.info("A service is asked about a text that can be read.")
    elif draw_service(data, choice, controls.read_note()):
        st.rerun()


guard(draw_editors)()
with st.container(key="bill_box"):
    draw_bill(choice.tokenizer, choose_options(choice))
if st.session_state.pop("asking", False):
    ask_service()
