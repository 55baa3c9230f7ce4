"""The payload of this session, which most pages work on.

Session state:
    document: What the editors were given, ``{"version", "side", "text", "name", "kept", "sample",
        "first", "delimited"}``. A new version replaces what they show, but the first of a session
        only what no session before it has shown. ``kept`` is the text's id in the browser's
        storage. A ``delimited`` text came with its delimiter; another takes the cheapest.
    source: What the user has made of it, ``{"side", "text"}``.
    taken: The id of that text among the server's documents, if it was typed.
    waiting: Whether the editors hold a newer, large text that nobody has asked to measure.
    pane: The text that was read last.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, TypeVarTuple

import streamlit as st

from pages.parts.built import component
from pages.parts.markdown import escape_markdown
from pages.parts.samples import sample_payloads, spaced
from toon.bounded import Exceeded, Task
from toon.costs.compare import Row, compare
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.headline import picture
from toon.costs.verdict import Verdict
from toon.errors import TextError, render
from toon.formats import FORMATS
from toon.limits import LIVE_CHARACTERS, PAGE_CHARACTERS, SMALL_CHARACTERS
from toon.playground.panes import Options, Pane, Side, here, of_value
from toon.server import SERVER
from toon.wording import YOUR_TEXT

Arguments = TypeVarTuple("Arguments")
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

#: The key of the editors on their page, and of what they keep in the browser.
EDITOR: Final = "editor"

_mount_unsent = component("unsent")

#: The key of the editors' button that measures a large payload. The pages that work on payloads up
#: to one limit share another: they take many times as long.
_ASKED: Final = "measure_large"


def ask(
    pane: Pane,
    function: Callable[Concatenate[Document, Parameters], Result],
    *args: Parameters.args,
    **options: Parameters.kwargs,
) -> Result:
    """What a function of ``toon`` says of the payload: found once for all pages and the editors.

    A text that is not small is read in a worker process. Nobody may change what is found: it is
    shared.

    Raises:
        Exceeded: The work passed a limit; the message names it.
    """
    try:
        return pane.ask(here if pane.is_small else work_apart, function, *args, **options)
    except RecursionError:
        raise Exceeded("depth") from None


def ask_value(
    pane: Pane, function: Callable[[Any, *Arguments], Result], *args: *Arguments
) -> Result:
    """What a function says of the payload's value alone; see :func:`ask`."""
    found: Result = ask(pane, of_value, function, *args)
    return found


def work(text: str, function: Callable[[*Arguments], Result], *args: *Arguments) -> Result:
    """What a function of ``toon`` returns: from a worker process where the ``text`` is not small.

    Raises:
        Exceeded: The work passed a limit; the message names it.
    """
    return function(*args) if len(text) <= SMALL_CHARACTERS else work_apart(function, *args)


def work_apart(function: Callable[[*Arguments], Result], *args: *Arguments) -> Result:
    """What a function gives from a worker process."""
    return Task(SERVER.pool, st.context.ip_address).run(function, *args)


def compare_formats(pane: Pane, tokenizers: tuple[str, ...]) -> list[Row]:
    """The payload as typed and in every format: see :func:`toon.costs.compare.compare`."""
    return ask(pane, compare, tuple(FORMATS), tokenizers)


def answer(pane: Pane, tokenizer: str, explaining: Explaining) -> Verdict:
    """Which format to send: the one answer of every page. See :func:`toon.costs.answer.answer`.

    Raises:
        RuntimeError: The tokenizer cannot be loaded, or the work passed a limit; the message says
            which.
        ValueError: The payload is nested deeper than 256 levels.
    """
    return ask(pane, picture, tokenizer, explaining).verdict


# -- what the editors hold -------------------------------------------------------------------


def start() -> None:
    """Opens the first sample in a new session."""
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
    """Replaces what is in the editors.

    ``kept`` is the text's id where the browser has it; such a text is ``delimited`` too.
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
        "delimited": delimited or kept is not None,
    }
    st.session_state.source = {"side": side, "text": text}
    st.session_state.waiting = False
    st.session_state.taken = None


def is_own() -> bool:
    """Whether the editors hold a text of the user's, and no sample as it came."""
    document = st.session_state.document
    is_as_given = st.session_state.source["text"] == document["text"]
    return bool(st.session_state.get("waiting")) or not (document["sample"] and is_as_given)


def accept_edit(edit: dict[str, Any] | None) -> None:
    """Takes over the text that the editors report."""
    document = st.session_state.get("document")  # none yet after a restart of the server
    if not edit or not document or edit["version"] != document["version"]:
        return
    st.session_state.waiting = edit["waiting"]
    text = SERVER.documents.get(edit[edit["side"]] or "")
    if text is not None:
        if edit.get("given") and document["first"]:
            # The page shows what a session before this one had opened.
            st.session_state.document = {
                **document,
                "side": edit["side"],
                "text": text,
                "name": edit["given"],
            }
        st.session_state.taken = edit[edit["side"]]
        keep_text(edit["side"], text)


def take_unsent() -> None:
    """Hears of a text that was typed so shortly ago that the editors had no time to report it.

    They report after a pause. Who opens another page before it ends sees that text there too.
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


def keep_text(side: Side, text: str) -> None:
    """Takes over what the user typed. A large text comes when they have asked to measure it."""
    st.session_state.source = {"side": side, "text": text}
    if len(text) > LIVE_CHARACTERS:
        st.session_state[f"{_ASKED}_for"] = text


def is_asked(text: str) -> bool:
    """Whether pages measure a text: it is not large, or the user has asked for it."""
    return len(text) <= LIVE_CHARACTERS or st.session_state.get(f"{_ASKED}_for") == text


def is_waiting() -> bool:
    """Whether the editors hold a large text that was not measured; says so, and what to do."""
    waiting: bool = st.session_state.get("waiting", False)
    if waiting:
        st.warning(
            "What stands below is about the text before. Press Measure in the playground to "
            "measure the large one.",
            icon="⏸️",
        )
    return waiting


def name() -> str:
    """What the editors hold: the name of the sample, file or result, or "your text" once edited."""
    document, text = st.session_state.document, st.session_state.source["text"]
    given = document["text"]
    # The editors turn line ends into line feeds.
    is_given = text == given or text == given.replace("\r\n", "\n").replace("\r", "\n")
    if not is_given or st.session_state.get("waiting"):
        return YOUR_TEXT
    called: str = document["name"]
    return spaced(called) if called in sample_payloads() else called


def draw_caption(about: str) -> None:
    """Says what the page is for, and which payload it works on."""
    start()
    st.caption(
        f"The payload of the playground: {escape_markdown(name())}, "
        f"{len(st.session_state.source['text']):,} characters.",
        help=f"{about} Negative means fewer tokens.",
    )


# -- its value -------------------------------------------------------------------------------


def read() -> Pane | None:
    """The payload, read with the options of the playground; None if it cannot be read.

    Raises:
        Exceeded: Reading it passed a limit; the message names it.
    """
    pane = typed()
    return pane if _reason(pane) is None else None


def typed() -> Pane:
    """What the user has typed, and the options of the playground that it is read with."""
    source = st.session_state.source
    indent = int(st.session_state.get("indent") or 2)
    options = Options(indent=indent, strict=st.session_state.get("strict", True))
    return opened(source["side"], source["text"], options)


def opened(side: Side, text: str, options: Options) -> Pane:
    """A text of the editors. The session keeps the last one, and what was found out about it."""
    pane: Pane | None = st.session_state.get("pane")
    if pane is None or (pane.side, pane.text, pane.options) != (side, text, options):
        pane = st.session_state.pane = SERVER.documents.open(side, text, options)
    return pane


def _reason(pane: Pane) -> str | None:
    """Why a text cannot be read, as its editor says it; None if it can."""
    try:
        ask(pane, Document.nothing)
    except TextError as error:
        return render(error)
    return None


def draw_error() -> None:
    """Why the payload cannot be read, and the way back to its editor."""
    if reason := _reason(typed()):
        st.error("The payload of the playground cannot be read.")
        st.code(reason, language=None)
    st.page_link("playground.py", label="Correct it in the playground")


def current(limit: int = PAGE_CHARACTERS) -> Pane:
    """The payload. If it cannot be read, the page says so and stops.

    The page stops at a payload of more than ``limit`` characters too, until the user asks for it.
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
        f"{_ASKED}_{limit}", payload.text, "Measure this large payload"
    ):
        st.stop()
    return payload


def ask_once(key: str, subject: str, label: str) -> bool:
    """Whether the user has pressed the button ``label`` for ``subject``; draws it until then.

    The session remembers the answer: a button counts as pressed for one run only, and every other
    control starts a new run.
    """
    asked = f"{key}_for"
    if st.session_state.get(asked) == subject:
        return True
    place = st.empty()
    if not place.button(label, key=key):
        return False
    st.session_state[asked] = subject
    place.empty()
    return True
