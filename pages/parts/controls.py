"""Controls that all pages share: each has one key, and so one state.

Session state:
    wordings: The user's own explanations of formats by name, which Compare lets them edit.
"""

from typing import Any

import streamlit as st

from pages.parts.markdown import escape_markdown
from toon import wording
from toon.costs import models
from toon.costs.explanation import MOST_TOGETHER, NEEDS_NONE, Explaining
from toon.costs.models import MODELS, Choice
from toon.costs.prices import MOST_CALLS, Traffic, use_prices
from toon.playground.state import DEFAULTS
from toon.tokenizers import EXACT


def _read(name: str) -> Any:
    """Return the session's value of a control that all pages share, or the control's default."""
    return st.session_state.get(name, DEFAULTS[name])


def choose_model(*, helps: bool = True) -> Choice:
    """Draw a list of models and tokenizers, by which tokens are counted; return the chosen one.

    ``helps`` adds a help text that says how exact the counts are.
    """
    names = [*MODELS, *EXACT]
    st.selectbox(
        "Model",
        names,
        index=names.index(DEFAULTS["model"]),
        format_func=model_label,
        key="model",
        persist_state="session",
        width=300,
        help=evidence(read_model()) if helps else None,
    )
    return read_model()


def read_model() -> Choice:
    """Return the model or tokenizer chosen on any page of this session, or the default one."""
    return models.choose(read_model_name())


def read_model_name() -> str:
    return str(_read("model"))


def evidence(choice: Choice) -> str:
    """Return a sentence in Markdown: which tokenizer a model has, and how that is known."""
    return escape_markdown(choice.evidence())


def model_label(name: str) -> str:
    """Return a label for the model or tokenizer ``name``, and how sure a model's tokenizer is."""
    model = models.choose(name).model
    if model is None:
        return f"{'Tokenizer alone' if name in EXACT else 'Rule of thumb'}: {name}"
    return model.label + (f" · {model.grade.short}" if model.grade.short else "")


def read_delimiter() -> str:
    """Return the name of TOON's delimiter in the playground, such as "comma"."""
    return str(_read("delimiter"))


def choose_assumptions() -> None:
    """Draw a button that opens the settings of notes to the model and of calls a month."""
    words = "no note"
    if not _read("explained_none"):
        words = f"{wording.plural(_read('explained_together'), 'payload')} in a prompt"
        words += f", {cached} % from cache" if (cached := _read("explained_cached")) else ""
    with st.popover(wording.capitalised(f"{words} · {read_traffic()} a month")):
        choose_note()
        choose_traffic()


def choose_note() -> Explaining:
    """Draw controls: how many payloads share a note, how often it is cached; return the choice."""
    st.number_input(
        "Payloads in a prompt",
        1,
        MOST_TOGETHER,
        1,
        key="explained_together",
        persist_state="session",
        disabled=_read("explained_none"),
        help="Models know JSON; for another format, the prompt has a note that tells how to "
        "read it. How many payloads share that note, and how often a model reads it from its "
        "cache because it stands in the system prompt, decides what it costs a payload.",
        width=210,
    )
    st.slider(
        "Note read from cache, %",
        0,
        100,
        0,
        5,
        key="explained_cached",
        persist_state="session",
        disabled=_read("explained_none"),
        help="In how many of the calls. A cache holds the beginning of a prompt, from some "
        "1,000 tokens on: a note in a long system prompt is read from there at a part "
        "of its price. In every choice and all money it counts at the price that the model "
        "chosen has; where none is known, in full.",
        width=210,
    )
    st.toggle("The model needs no note", key="explained_none", persist_state="session")
    return read_note()


def read_note(*, is_one_prompt: bool = False) -> Explaining:
    """Return how formats are explained: how many payloads share a note, its wording, share cached.

    With ``is_one_prompt`` the note is read once for one payload, whatever was chosen.
    """
    together = None if _read("explained_none") else _read("explained_together")
    wordings = tuple(sorted(_read("wordings").items()))
    if is_one_prompt:
        return Explaining(together and 1, wordings)
    cached = _read("explained_cached") / 100
    return use_prices(read_model().model, Explaining(together, wordings, cached))


def choose_traffic() -> Traffic:
    """Draw controls: calls a month, the share read from cache, batch prices; return the choice."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Calls a month",
            0,
            MOST_CALLS,
            DEFAULTS["calls"],
            1000,
            key="calls",
            persist_state="session",
            width=200,
        )
        st.slider(
            "Payload read from cache, %",
            0,
            100,
            0,
            5,
            key="cached",
            persist_state="session",
            width=200,
        )
        st.toggle("Batch", key="batch", persist_state="session")
    return read_traffic()


def read_traffic() -> Traffic:
    """Return the chosen calls a month, their share read from cache, and whether in batches."""
    return Traffic(_read("calls"), _read("cached") / 100, _read("batch"))


def collect_choices() -> dict[str, Any]:
    """Return the chosen settings as the parameters that the editors send to the API with a text."""
    note = read_note()
    return {
        "strict": _read("strict"),
        "indent": _read("indent"),
        "model": read_model_name(),
        "together": str(note.together or NEEDS_NONE),
        "explained_cached": note.cached,
        "explain": [f"{name}={text}" for name, text in note.wordings],
        "traffic": read_traffic()._asdict(),
    }
