"""Asking a model about the payload: off until switched on, and said in full before it starts.

Session state:
    reading_plan: The plan that was made last, or why there is none, and what it was made of.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

import streamlit as st

from pages.parts import controls, payload
from pages.parts.markdown import escape_markdown
from pages.parts.reading import runs
from pages.parts.reading.endpoint import choose_asked, choose_endpoint, chosen, number_field
from pages.parts.reading.questions import choose_questions
from pages.parts.static import draw_short_table
from pages.parts.tabs import draw_fold
from toon.formats import label
from toon.playground.panes import Pane, of_document, of_value
from toon.reading.budget import Budget, make_budget
from toon.reading.endpoint import Endpoint
from toon.reading.faults import Failed
from toon.reading.plan import BASELINE, Plan, make_plan
from toon.reading.run import left_of
from toon.wording import UNKNOWN, dollars, marked, plural


def draw_asking() -> None:
    """The switch; once it is on, whom to ask what, what that sends, and the start."""
    runs.draw_asked("tab")
    if runs.LIFE.job:
        return
    form = st.container()
    runs.draw_upload()  # before the form, which stops where the payload cannot be read
    with form:
        _draw_form()


def _draw_form() -> None:
    is_on = st.toggle("Ask a model about this payload", key="reading_on", persist_state="session")
    if not is_on:
        st.caption(
            "Off: nothing is sent. Once it is on, you say whom to ask, and see all that would be "
            "sent before it is."
        )
    elif choose_endpoint():
        choose_asked()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            choose_questions()
            controls.choose_model("Tokens and dollars as for")
        _draw_what_is_sent()


def _draw_what_is_sent() -> None:
    found = _plan(payload.current())
    if isinstance(found, str):
        st.info(escape_markdown(found))
        return
    session = st.session_state
    endpoint = Endpoint(
        session.reading_url or "", session.reading_model.strip(), session.reading_key or ""
    )
    _draw_plan(found, endpoint)
    _draw_start(found, endpoint, _choose_budget(found))


def _choose_budget(plan: Plan) -> Budget:
    """The bounds at which asking stops; what is done by then is kept."""
    enough = make_budget(plan)
    about = (
        "Each sending counts, a repeated one too. At a bound, asking stops, and what is done is "
        "kept. Empty: enough for all, and for a few repeats."
    )
    is_priced = plan.price is not None
    priced = "no bound" if is_priced else "no price known"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        usual = f"{enough.requests:,}"
        requests = number_field(
            "Requests at most", "requests", 1, 10**6, None, placeholder=usual, help=about
        )
        usual = f"{enough.tokens:,}"
        tokens = number_field("Tokens at most", "tokens", 1, 10**10, None, placeholder=usual)
        money = number_field(
            *("Dollars at most", "dollars", 0.0, 10_000.0, None),
            placeholder=priced,
            disabled=not is_priced,
        )
    bound = Decimal(str(money)) if money is not None and is_priced else None
    return make_budget(plan, requests, tokens, bound)


def _plan(data: Pane) -> Plan | str:
    """What would be asked, or why nothing can be; made once for what was chosen."""
    session = st.session_state
    made_of = {
        "formats": (BASELINE, *session.reading_formats),
        "count": session.reading_count,
        "seed": session.reading_seed,
        "is_explained": session.reading_explained,
        "model": session.reading_model.strip(),
        "lab_model": controls.chosen_model(),
    }
    key = (data.key, made_of)
    if session.get("reading_plan", (None,))[0] != key:
        with st.spinner("Writing the prompts…", show_time=True):
            session.reading_plan = key, _make_plan(data, made_of)
    found: Plan | str = session.reading_plan[1]
    return found


def _make_plan(pane: Pane, made_of: dict[str, Any]) -> Plan | str:
    try:
        find = partial(make_plan, **made_of)
        # A plan holds all prompts: it is kept for this session alone.
        plan: Plan = payload.work(pane.text, of_document, pane, of_value, find)
        return plan.no_estimate or plan
    except (RuntimeError, ValueError) as error:  # too small, too long, or too deep nesting
        return str(error)


def _draw_plan(plan: Plan, endpoint: Endpoint) -> None:
    """All that would be sent, and what it costs at most."""
    st.header("What would be sent", anchor=False)
    where = escape_markdown(endpoint.host) or "the address above"
    total = marked(plural(plan.input_tokens, "token"), exact=plan.is_exact)
    st.markdown(
        f"**{plural(plan.requests, 'request')} to {where}, and to nobody else**: "
        f"{plural(len(plan.questions), 'question')} in {plural(len(plan.formats), 'format')}, each "
        f"with the whole payload. {total} in, at most {plan.answer_tokens:,} a request out. "
        f"{_price(plan)}"
    )
    draw_short_table(
        [
            {
                "Format": label(name),
                "Requests": len(plan.questions),
                "Tokens a request": tokens / len(plan.questions),
                "Tokens together": tokens,
                "At most": UNKNOWN if plan.price is None else _money(plan, plan.prices[name]),
            }
            for name, tokens in plan.tokens.items()
        ],
        counts=["Requests", "Tokens a request", "Tokens together"],
        estimated=() if plan.is_exact else ["Tokens a request", "Tokens together"],
    )
    if plan.refused:
        reasons = (f"{label(name)} {reason}" for name, reason in plan.refused.items())
        st.caption(escape_markdown(f"Not asked: {'; '.join(reasons)}."))
    draw_fold("A whole prompt", "reading_prompt_fold", lambda: _draw_prompt(plan))


def _price(plan: Plan) -> str:
    if plan.price is None:
        return "No price is known for it."
    name = plan.lab_model.model.label if plan.lab_model.model else ""
    return f"At most {_money(plan, plan.price)} at the price of {name}.".replace("$", r"\$")


def _money(plan: Plan, amount: Decimal | None) -> str:
    return dollars(amount, estimated=not plan.is_exact)


def _draw_prompt(plan: Plan) -> None:
    """The first question's prompt as it would be sent, in a format of choice."""
    format = st.selectbox("Format", plan.formats, format_func=label, key="reading_prompt_format")
    text = next(prompt.text for prompt in plan.prompts() if prompt.format == format)
    st.code(
        text, language=None, wrap_lines=True, height=420 if text.count("\n") > 20 else "content"
    )


def _draw_start(plan: Plan, endpoint: Endpoint, budget: Budget) -> None:
    """The button that sends, or what is missing for it."""
    left = left_of(plan, runs.done_of(plan, endpoint))
    requests = len(left.prompts)
    missing = _missing(endpoint)
    if missing:
        st.caption(escape_markdown(missing))
    if left.kept:
        st.caption(f"{plural(left.kept, 'answer')} of the run that is open stay.")
    if left.again:
        st.caption(
            f"{plural(left.again, 'request')} went out before without an answer, and may be billed "
            "twice."
        )
    st.button(
        f"Send {'the other ' if left.kept else ''}{plural(requests, 'request')} to "
        f"{escape_markdown(endpoint.host) or '…'}",
        type="primary",
        key="reading_start",
        disabled=bool(missing) or not requests,
        on_click=runs.start,
        args=(plan, endpoint, budget, chosen()),
    )


def _missing(endpoint: Endpoint) -> str:
    """What is missing before anything can be sent; "" if nothing is."""
    if not endpoint.base_url or not endpoint.model:
        return "Say whom to ask: a base URL, and the name of the model there."
    try:
        endpoint.check()
    except Failed as failed:
        return str(failed)
    return ""
