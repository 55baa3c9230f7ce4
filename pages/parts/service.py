"""Counts of a maker's own service, asked for by a button that says what is sent where.

Compare draws it in a fold, and the playground in a dialog whose figures then stand in the card.

Session state:
    service_key_NAME: The key that was typed for a service, while this part of the page is drawn:
        in no option, link, file or log.
    service_kept: Counts of services for this session, by the digest of the request.
    service_said: The last question, which begins with the id of the text, and its result.
"""

import os
from typing import Any, Final

import streamlit as st

from pages.parts import payload
from pages.parts.hosted import lock
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon import services
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.costs.named import find_model
from toon.drawing.bars import rungs_of_totals
from toon.playground.panes import Pane
from toon.services import SERVICES, Service
from toon.services.comparing import Counts, count_texts, list_texts, sent_words
from toon.services.endpoint import Endpoint, ServiceError

TITLE: Final = "What the service itself counts"


def draw_service(data: Pane, choice: Choice, explaining: Explaining) -> bool:
    """Draw a form that asks a model maker's service to count the payload's tokens, and its counts.

    Return whether the service has answered just now.
    """
    maker, names = services.find_service(choice.model), list(SERVICES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Service of",
            names,
            index=names.index(maker.name) if maker else 0,
            format_func=lambda name: SERVICES[name].maker,
            key=f"service_of_{choice.name}",
            width=160,
        )
        service = SERVICES[name]
        model_name = st.text_input(
            "Its model",
            service.model_name(choice.model),
            key=f"service_model_{choice.name}_{name}",
            width=240,
        ).strip()
    base, model = service.find_base(os.environ), find_model(model_name)
    alone = choice.tokenizer if choice.model is None else None
    local = model.tokenizer if model else alone
    best = None  # nothing is recommended where nothing counts here
    if choice.counted:
        best = payload.answer(data, choice.tokenizer, explaining)["format"]
    texts = payload.ask(data, list_texts, local, best)
    question = data.name, data.key, service.name, base, model_name, local, best
    key = _draw_form(service, f"{sent_words(texts)} to {base}")
    if key is not None:
        cache = st.session_state.setdefault("service_kept", {})
        waiting = st.empty()
        with st.spinner(f"{service.maker} counts…", show_time=True):
            try:
                endpoint = Endpoint(service, model_name, base, key, cache, tell=waiting.caption)
                result: Counts | str = count_texts(endpoint, texts, local)
            except ServiceError as error:
                result = str(error)
        waiting.empty()
        st.session_state.service_said = question, result
    before, result = st.session_state.get("service_said", (None, ""))
    if before == question:
        _draw_result(result)
    return key is not None and isinstance(result, Counts)


def _draw_form(service: Service, text: str) -> str | None:
    """Draw a form for the service's API key; return the key once Send is pressed, else None."""
    own = "" if lock().is_for_others else service.find_key(os.environ)
    # In a form, the button also submits a key that is typed and not yet left.
    with st.form("service_form", border=False):
        typed = st.text_input(
            f"Your key for {service.maker}",
            type="password",
            autocomplete="off",
            placeholder=f"empty: that in {own}" if own else "",
            help="It stays in the memory of this session while this part of the page is open. It "
            "is in no file, address or log.",
            key=f"service_key_{service.name}",
            width=280,
        )
        whose = f"your key or that in {own}" if own else "your key"
        st.markdown(
            f"**Sends {escape_markdown(text)}, with {whose}, and to nobody else.** Nothing is sent "
            "before you press."
        )
        is_sent = st.form_submit_button(
            f"Send to {service.maker}", type="primary", key="service_send"
        )
    return typed or os.environ.get(own, "") if is_sent else None


def service_counts(choice: Choice) -> dict[str, Any]:
    """Return the counts of the model maker's service as the editors show them, in a dict.

    ``asks`` is the label of the button that asks the service, "" if there is none or tokens are
    counted here. Once it has counted, there are the ``id`` of the text, ``words`` that compare its
    counts with the local ones, and ``bars``.
    """
    service = services.find_service(choice.model)
    if service is None:
        return {"asks": ""}
    asks = {"asks": "" if choice.counted else f"Ask {service.maker}"}
    question, result = st.session_state.get("service_said", (None, ""))
    if not isinstance(result, Counts) or result.model != service.model_name(choice.model):
        return asks
    bars = rungs_of_totals([(text.label, text.service) for text in result.texts])
    return {**asks, "id": question[0], "words": result.words, "bars": bars}


def _draw_result(result: Counts | str) -> None:
    if isinstance(result, str):
        st.error(escape_markdown(f"{result}."))
        return
    st.caption(escape_markdown(f"Tokens {result.basis}."))
    is_compared = result.tokenizer is not None
    draw_table(
        [
            {
                "Text": text.label,
                result.maker: text.service,
                **({"Here": text.local, "Difference": text.words} if is_compared else {}),
            }
            for text in result.texts
        ],
        counts=[result.maker, *(["Here"] if is_compared else [])],
    )
