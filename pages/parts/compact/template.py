"""The panel "Your own template": its text, what is wrong with it, its lines and what they cost."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact import area, forms
from pages.parts.compact.offer import PLAYGROUND, offer_payload, read_clock, source_label
from pages.parts.faults import apart
from pages.parts.markdown import escape_markdown
from pages.parts.payload import work_apart
from pages.parts.samples import sample_payloads, sample_templates, spaced
from toon.compact.domains import DOMAINS
from toon.compact.templates import HELP, MAX_LENGTH, TemplateError, decoded
from toon.errors import render
from toon.playground.panes import Pane, of_value
from toon.records.query import respond
from toon.records.templated import Written, apply_template
from toon.values.json_text import parse_json

_FIRST: Final = "events"


def measure_template(
    data: Pane | None, bundled: str, text: str, now: str, tz: str, tokenizer: str
) -> Written:
    """Applies a template to the payload and measures its lines: see ``apply_template``.

    A worker does it in any case: a short template can write long lines.

    Args:
        data: What it is applied to; the records or sample named ``bundled`` if None.
        bundled: A domain, of which ten records are taken, or a sample.
        text: The template.
        now: The time that ages are counted back from, a timestamp.
        tz: A zone, or "" for times as written.
        tokenizer: What counts.
    """
    asked = text, now, tz, tokenizer
    if data is None:
        return _of_bundled(bundled, *asked)
    found: Written = data.ask(work_apart, of_value, apply_template, *asked)
    return found


@cached(32)
def _of_bundled(name: str, text: str, now: str, tz: str, tokenizer: str) -> Written:
    return work_apart(apply_template, _bundled_value(name), text, now, tz, tokenizer)


def _bundled_value(name: str) -> Any:
    if name in DOMAINS:
        return respond(name, {"limit": "10"}).value
    return parse_json(sample_payloads()[name]).value


# -- the panel -------------------------------------------------------------------------------


@st.fragment
@apart
def draw_template(tokenizer: str, now: str, tz: str) -> None:
    """An editor for a template, applied to the payload or to bundled records."""
    if "template" not in st.session_state:
        area.write(_starters()[_FIRST])
        st.session_state.template_on = _FIRST
    offer = offer_payload("template")
    if offer.is_new and offer.domain:
        # The new payload comes with its domain's template, unless one was written.
        st.session_state.template_on = PLAYGROUND
        if st.session_state.template_text == st.session_state.template["text"]:
            area.write(_starters()[offer.domain])
    name = _choose_records(readable=offer.data is not None)
    if offer.data is None:
        st.caption(
            f"The payload of the playground is not offered: {escape_markdown(offer.reason)}."
        )
    if error := st.session_state.pop("template_error", None):
        file, message = error
        st.error("The file was not opened. The template below was open before.")
        st.code(f"{file}\n{message}", language=None)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        text = area.draw_area("template_area")
        _draw_download(text)
    data = offer.data if name == PLAYGROUND else None
    clock = read_clock(now, bundled=data is None)
    if clock is None:
        return
    try:
        written = measure_template(data, name, text, clock, tz, tokenizer)
    except ValueError as error:
        forms.draw_unmeasured(error)
        return
    with right:
        _draw_result(written)
    with st.expander("How a template is written"):
        st.markdown(HELP)
    lines = written["lines"]
    if lines is not None:
        forms.draw_headline(forms.lines_of(lines["forms"]))
        forms.draw_forms(lines["forms"], "template_forms")


def _starters() -> dict[str, str]:
    """The bundled templates by name, those of the domains first."""
    return {name: domain.text for name, domain in DOMAINS.items()} | sample_templates()


def _choose_records(*, readable: bool) -> str:
    """Draws the controls for a starter, the records and a file; returns the name of the records."""
    starters = list(_starters())
    own = [PLAYGROUND] if readable else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Start from",
            starters,
            index=None,
            format_func=spaced,
            key="template_starter",
            on_change=_open_starter,
            placeholder="a bundled template",
            width=220,
        )
        name = st.selectbox(
            "Applied to",
            [*own, *starters],
            format_func=source_label,
            key="template_on",
            persist_state="session",
            width=260,
        )
        with st.popover("Open file"):
            st.file_uploader(
                "A template as text, UTF-8",
                type=["txt"],
                key="template_upload",
                on_change=_open_upload,
            )
    return name


def _open_starter() -> None:
    """Opens the chosen starter with the records it was written for."""
    name = st.session_state.template_starter
    if name:
        area.write(_starters()[name])
        st.session_state.template_on = name
        st.session_state.template_starter = None


def _open_upload() -> None:
    """Opens the uploaded template. A file that is not text is reported and replaces nothing."""
    file = st.session_state.template_upload
    if file is None:
        return
    try:
        area.write(decoded(file.getvalue()))
    except TemplateError as error:
        st.session_state.template_error = file.name, render(error)


def _draw_download(text: str) -> None:
    left, right = st.columns(2)
    left.download_button(
        "Download the template", text, "template.txt", "text/plain", key="template_download"
    )
    right.caption(f"{len(text):,} of {MAX_LENGTH:,} characters. Nothing of a template is run.")


def _draw_result(written: Written) -> None:
    lines, missing = written["lines"], "\n".join(written["missing"])
    if written["error"]:
        st.error("The template cannot be applied:")
        st.code(written["error"], language=None)
    elif lines is None:
        st.info("There is no list of records where the template looks for it. It looks at:")
        st.code(missing, language=None)
    else:
        forms.draw_envelope(lines["envelope"], lines["text"], "template")
        st.caption(forms.header_line(lines["tokens"]))
        if missing:
            st.warning("Paths that lead nowhere in this payload:")
            st.code(missing, language=None)
