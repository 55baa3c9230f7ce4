"""The session's payload, which most pages work on.

Session state:
    document: The text given to the editors, ``{"version", "side", "text", "name", "kept", "sample",
        "first", "delimited"}``. A new version replaces the shown text, except that the first of a
        session keeps what an earlier session of the browser has shown. ``kept`` is the text's id in
        the browser's storage. A ``delimited`` text came with its delimiter; another takes the
        cheapest.
    source: The text as the user has edited it, ``{"side", "text"}``.
    taken: The id of the edited text among the server's documents, if it was typed.
    waiting: Whether the editors hold a newer, large text that nobody has asked to measure.
    pane: The pane that was read last.
"""

import time
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, TypeVarTuple

import streamlit as st

from pages.parts.built import component
from pages.parts.markdown import escape_markdown
from pages.parts.samples import sample_payloads, spell
from toon.bounded import Exceeded, Task
from toon.costs.compare import Row, compare
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.headline import picture
from toon.costs.verdict import Verdict
from toon.errors import TextError, render
from toon.formats import FORMATS
from toon.limits import LIVE_CHARACTERS, PAGE_CHARACTERS, SMALL_CHARACTERS
from toon.playground.panes import Options, Pane, Side, call_here, use_value
from toon.server import SERVER
from toon.wording import YOUR_TEXT

Arguments = TypeVarTuple("Arguments")
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

#: The key of the editors on their page, and of their state in the browser.
EDITOR: Final = "editor"

_mount_unsent = component("unsent")

#: The key of the editors' button that measures a large payload. Pages with the same limit share a
#: button of their own: they take many times as long.
_LARGE_KEY: Final = "measure_large"


def ask(
    pane: Pane,
    function: Callable[Concatenate[Document, Parameters], Result],
    *args: Parameters.args,
    **options: Parameters.kwargs,
) -> Result:
    """Return a function's result for the payload, worked out once for all pages and editors.

    A text that is not small is read in a worker process. The result is shared: nobody may change
    it.

    Raises:
        Exceeded: The work passed a limit; the message names it.
    """
    try:
        return pane.ask(call_here if pane.is_small else run_in_worker, function, *args, **options)
    except RecursionError:
        raise Exceeded("depth") from None


def ask_value(
    pane: Pane, function: Callable[[Any, *Arguments], Result], *args: *Arguments
) -> Result:
    """Return a function's result for the payload's JSON value, worked out once: see :func:`ask`."""
    result: Result = ask(pane, use_value, function, *args)
    return result


def run_bounded(text: str, function: Callable[[*Arguments], Result], *args: *Arguments) -> Result:
    """Call a function of ``toon``, here if ``text`` is small, else in a worker process.

    Raises:
        Exceeded: The work passed a limit; the message names it.
    """
    return function(*args) if len(text) <= SMALL_CHARACTERS else run_in_worker(function, *args)


def run_in_worker(function: Callable[[*Arguments], Result], *args: *Arguments) -> Result:
    """Call a function of ``toon`` in a worker process, with limits; return its result.

    Raises:
        Exceeded: The work passed a limit; the message names it.
    """
    return Task(SERVER.pool, st.context.ip_address).run(function, *args)


def compare_formats(pane: Pane, tokenizers: tuple[str, ...]) -> list[Row]:
    """Return rows with the payload's tokens, as typed and in every format, by each tokenizer."""
    return ask(pane, compare, tuple(FORMATS), tokenizers)


def answer(pane: Pane, tokenizer: str, explaining: Explaining) -> Verdict:
    """Return the verdict on the payload: which format to send it in, and what that saves.

    Raises:
        RuntimeError: The tokenizer cannot be loaded, or the work passed a limit; the message says
            which.
        ValueError: The payload is nested deeper than 256 levels.
    """
    return ask(pane, picture, tokenizer, explaining).verdict


def start() -> None:
    """Open the first sample in the editors, if the session is new."""
    if "document" not in st.session_state:
        name, text = next(iter(sample_payloads().items()))
        open_document("json", text, name, sample=True)
        st.session_state.document["first"] = True


def open_document(
    side: Side,
    text: str,
    name: str,
    *,
    sample: bool = False,
    kept: str | None = None,
    delimited: bool = False,
) -> None:
    """Put a text into the editors, on the "json" or the "toon" side, with a name for people.

    ``sample`` says that it is bundled, ``kept`` is its id in the browser's storage, and a
    ``delimited`` text came with its delimiter.
    """
    # Milliseconds, so that no two sessions of one browser page share a version by accident.
    version = time.time_ns() // 1_000_000
    st.session_state.document = {
        "version": version,
        "side": side,
        "text": text,
        "name": name,
        "kept": kept,
        "sample": sample,
        "first": False,
        "delimited": delimited,
    }
    st.session_state.source = {"side": side, "text": text}
    st.session_state.waiting = False
    st.session_state.taken = None


def is_own() -> bool:
    """Return whether the editors hold a text of the user's, or an edited sample."""
    document = st.session_state.document
    is_as_given = st.session_state.source["text"] == document["text"]
    return bool(st.session_state.get("waiting")) or not (document["sample"] and is_as_given)


def accept_edit(edit: dict[str, Any] | None) -> None:
    """Keep the text that the editors report as edited, by its id, so that all pages work on it."""
    document = st.session_state.get("document")  # none yet after a restart of the server
    if not edit or not document or edit["version"] != document["version"]:
        return
    st.session_state.waiting = edit["waiting"]
    text = SERVER.documents.get(edit[edit["side"]] or "")
    if text is not None:
        if edit.get("given") and document["first"]:
            # The browser shows a text that an earlier session had opened.
            st.session_state.document = {
                **document,
                "side": edit["side"],
                "text": text,
                "name": edit["given"],
            }
        st.session_state.taken = edit[edit["side"]]
        st.session_state.source = {"side": edit["side"], "text": text}
        if len(text) > LIVE_CHARACTERS:  # it is only reported after a request to measure it
            st.session_state[f"{_LARGE_KEY}_for"] = text


def take_unsent() -> None:
    """Get a text from the browser that was typed just before the user opened another page.

    The editors report after a pause; another page may be opened before it ends.
    """
    if "document" in st.session_state:
        _mount_unsent(
            key="unsent",
            data={
                "key": EDITOR,
                "version": st.session_state.document["version"],
                "id": st.session_state.get("taken"),
                "live": LIVE_CHARACTERS,
            },
            on_edit_change=lambda: accept_edit(st.session_state.unsent["edit"]),
        )


def is_asked(text: str) -> bool:
    """Return whether pages may measure a text: it is small, or Measure was pressed for it."""
    return len(text) <= LIVE_CHARACTERS or st.session_state.get(f"{_LARGE_KEY}_for") == text


def is_waiting() -> bool:
    """Return whether the editors hold a large text not measured yet; if so, draw a warning."""
    waiting: bool = st.session_state.get("waiting", False)
    if waiting:
        st.warning(
            "What stands below is about the text before. Press Measure in the playground to "
            "measure the large one.",
            icon="⏸️",
        )
    return waiting


def name() -> str:
    """Return the name of the text in the editors: its sample or file, or "your text" if edited."""
    document, text = st.session_state.document, st.session_state.source["text"]
    original = document["text"]
    # The editors turn line ends into line feeds.
    is_given = text == original or text == original.replace("\r\n", "\n").replace("\r", "\n")
    if not is_given or st.session_state.get("waiting"):
        return YOUR_TEXT
    title: str = document["name"]
    return spell(title) if title in sample_payloads() else title


def draw_caption(tip: str) -> None:
    """Draw a caption with the payload's name and size; ``tip`` is its tooltip on the page."""
    start()
    st.caption(
        f"The payload of the playground: {escape_markdown(name())}, "
        f"{len(st.session_state.source['text']):,} characters.",
        help=f"{tip} Negative means fewer tokens.",
    )


def read() -> Pane | None:
    """Return the playground's payload, a text with its results; None if it cannot be read.

    Raises:
        Exceeded: Reading it passed a limit; the message names it.
    """
    pane = _open_pane()
    return pane if _explain_error(pane) is None else None


def _open_pane() -> Pane:
    """Return the text in the editors as a pane, which keeps results about it; one for a session."""
    state, source = st.session_state, st.session_state.source
    options = Options(indent=int(state.get("indent") or 2), strict=state.get("strict", True))
    key = source["side"], source["text"], options
    pane: Pane | None = state.get("pane")
    if pane is None or (pane.side, pane.text, pane.options) != key:
        pane = state.pane = SERVER.documents.open(*key)
    return pane


def _explain_error(pane: Pane) -> str | None:
    """Return why a text cannot be read, as lines with place and caret; None if it can."""
    try:
        ask(pane, Document.explain_nothing)
    except TextError as error:
        return render(error)
    return None


def draw_error() -> None:
    """Draw the reason why the playground's text cannot be read, and a link to the playground."""
    if reason := _explain_error(_open_pane()):
        st.error("The payload of the playground cannot be read.")
        st.code(reason, language=None)
    st.page_link("playground.py", label="Correct it in the playground")


def require_pane(limit: int = PAGE_CHARACTERS) -> Pane:
    """Return the payload from the playground; if it cannot be read, draw why and stop the page.

    The page also stops at more than ``limit`` characters, until the user asks for them.
    """
    is_waiting()
    try:
        payload = read()
    except Exceeded as error:
        st.error(f"The payload of the playground was not read: {escape_markdown(str(error))}.")
        st.stop()
    if payload is None:
        draw_error()
        st.stop()
    if len(payload.text) > limit and not ask_once(
        f"{_LARGE_KEY}_{limit}", payload.text, "Measure this large payload"
    ):
        st.stop()
    return payload


def ask_once(key: str, subject: str, label: str) -> bool:
    """Return whether the user has pressed the button ``label`` for ``subject``; draw it until then.

    The session remembers the answer: a button counts as pressed for one run only, and every other
    control starts a new run.
    """
    flag = f"{key}_for"
    if st.session_state.get(flag) == subject:
        return True
    place = st.empty()
    if not place.button(label, key=key):
        return False
    st.session_state[flag] = subject
    place.empty()
    return True
