"""The pages of the editor harness: the editor with controls around it, and another page."""

import json

import streamlit as st

from pages.parts.playground.editor import mount_editor

FIRST = '{\n  "name": "Ada",\n  "tags": ["x", "y"],\n  "n": 42\n}'
SECOND = '{\n  "other": true\n}'


def open_document(side: str, text: str) -> None:
    """What the sample control of the real page does."""
    version = st.session_state.get("document", {"version": 0})["version"] + 1
    st.session_state.document = {"version": version, "side": side, "text": text, "name": "sample"}


def on_edit() -> None:
    """Notes every value the editor reports."""
    st.session_state.setdefault("edits", []).append(st.session_state.editor["edit"])


def on_next() -> None:
    """Notes the step that was chosen."""
    st.session_state.chosen = st.session_state.editor["next"]


def on_sample() -> None:
    """What the key for the next sample does."""
    open_document("json", SECOND)


@st.fragment
def failing() -> None:
    """A part that fails once."""
    if st.button("Fail"):
        raise KeyError("/a/path/of/the/server")


def editor_page() -> None:
    """The editor; ``?text=`` and ``?side=`` give the first document."""
    if "document" not in st.session_state:
        open_document(st.query_params.get("side", "json"), st.query_params.get("text", FIRST))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Second document", on_click=open_document, args=("json", SECOND))
        st.button("TOON document", on_click=open_document, args=("toon", "A: 1"))
        st.button("Windows document", on_click=open_document, args=("json", "[\r\n1\r\n]"))
        st.button("Long document", on_click=open_document, args=("json", "[1, 2]\n" * 40_000))
        st.button("Large document", on_click=open_document, args=("json", "[1, 2]\n" * 1_600_000))
        delimiter = st.segmented_control(
            "Delimiter", ["comma", "tab"], default="comma", required=True, key="delimiter"
        )

    failing()

    @st.fragment
    def mounted() -> None:
        options = {
            "delimiter": delimiter,
            "indent": 2,
            "strict": True,
            "tokenizer": "o200k_base",
            "model": "gpt-5",
            "together": "1",
            "explain": [],
            "traffic": {"calls": 100},
        }
        document = st.session_state.document
        mount_editor(
            document,
            options,
            key="editor",
            on_edit=on_edit,
            on_next=on_next,
            on_sample=on_sample,
            reads={"toon": ("", ""), "other": ("", "")},
            service={"asks": ""},
        )
        edits = st.session_state.get("edits", [])
        st.text(f"chosen: {st.session_state.get('chosen', {}).get('page')}")
        reported = {"count": len(edits), "last": edits[-1] if edits else None}
        st.code(json.dumps({"document": document["version"], **reported}))

    mounted()


def other_page() -> None:
    """Somewhere else."""
    st.write("Nothing to edit here.")


st.set_page_config(page_title="Editor harness", layout="wide")
st.navigation(
    [
        st.Page(editor_page, title="Edit", default=True),
        st.Page(other_page, title="Elsewhere", url_path="elsewhere"),
    ],
    position="top",
).run()
