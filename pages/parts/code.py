"""Drawing of programs that write a payload in the recommended format, ready to copy."""

from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.snippets import cut_example, find_format, snippets, uses_and_differences
from toon.costs.verdict import Verdict
from toon.costs.worth import SENDABLE
from toon.errors import EncodeError
from toon.formats import FORMATS, label
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.formats.toon import ToonFormat
from toon.playground.panes import Pane

#: The address of the API if the browser does not give the page's address.
_LOCAL: Final = "http://localhost:8501"


def draw_code(pane: Pane, verdict: Verdict, explaining: Explaining) -> None:
    """Draw a choice of formats, the recommended first, and programs that write a payload in it."""
    best = verdict["format"]

    def describe(name: str) -> str:
        if name == best and verdict["switch"]:
            return f"{label(name)}, recommended"
        return label(name) if FORMATS[name].tested else f"{label(name)}, not tested"

    name = st.segmented_control(
        "Format",
        [best, *(name for name in SENDABLE if name != best)],
        format_func=describe,
        default=best,
        required=True,
        key=f"code_{best}",
    )
    draw_programs(pane, name, verdict["tokenizer"], explaining)


def draw_programs(pane: Pane, name: str, tokenizer: str, explaining: Explaining) -> None:
    """Draw programs, each ready to copy, that write data like the payload in the format ``name``.

    Each holds the beginning of the payload, and the note that explains the format to the model. If
    the payload has no text in the format, the reason is drawn instead.
    """
    indent = pane.options.indent
    format = find_format(name, indent)
    try:
        uses, sentences = ask(pane, uses_and_differences, name, indent, tokenizer)
    except (EncodeError, NotApplicable) as error:
        st.info(escape_markdown(str(error)))
        return
    if isinstance(format, ToonFormat) and format != FORMATS[name]:
        st.caption(
            f"Indent {format.indent_size}, as chosen in the playground; the answer counts 2."
        )
    st.caption(
        "Each runs as it stands, with the beginning of your data: put all of it in its place."
        " `text` is what goes into the prompt."
    )
    needs_none = explaining.together is None or isinstance(format, JsonFormat)
    explanation = "" if needs_none else explaining.text(name, uses)
    for sentence in sentences:
        st.markdown(f"- {escape_markdown(sentence)}")
    example = ask(pane, _example)
    grid = st.grid(2, min_column_width=340, gap=("small", "medium"), key="snippets")
    page = urlsplit(st.context.url or _LOCAL)
    server = f"{page.scheme}://{page.netloc}{page.path.rpartition('/')[0]}"
    for snippet in snippets(format, explanation, server):
        with grid.cell():
            st.markdown(f"**{snippet.title}**: {snippet.needs}")
            st.code(snippet.program(example), language=snippet.language, wrap_lines=True)


def _example(document: Document) -> str:
    return JSON_COMPACT.dumps(cut_example(document.value))
