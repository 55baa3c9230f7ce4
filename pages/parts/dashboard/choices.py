"""The dashboard's controls: model, assumptions, and a filter of payloads.

They choose among figures that were measured before; no payload is counted again.

Session state:
    model: The model chosen on any page. Here the run offers only those that it was counted for.
"""

from datetime import UTC, date, datetime
from typing import Final

import numpy as np
import streamlit as st

from pages.parts import controls
from pages.parts.dashboard.open_run import OpenRun
from pages.parts.markdown import escape_markdown
from toon.analysis import Comparison, Filter, Rows
from toon.costs import models
from toon.costs.models import MODELS
from toon.costs.prices import MOST_CALLS, use_prices
from toon.costs.worth import COMPACT
from toon.formats import AS_TYPED, label
from toon.playground.state import DEFAULTS
from toon.reports.facts import AS_LOGGED, MODELS_SHOWN
from toon.tokenizers import EXACT, TOKENIZERS
from toon.wording import capitalised, listed, percent, plural

#: What the made-up shop of the sample sends in a month: its own rate would cost a few cents.
_SAMPLE_MONTH: Final = 1_000_000
#: Dates that can be chosen.
DATES: Final = date(1970, 1, 1), date(2200, 1, 1)
#: Begins the choice of each record's own model, before the tokenizer that counts.
_LOGGED: Final = "as-logged:"


def choose(run: OpenRun) -> Comparison:
    """Draw the dashboard's controls; return the chosen model, formats, calls a month and filter."""
    words, tip = _label_button(run)
    basis = st.popover(words, key="dashboard_basis", help=tip)
    left, right = basis.columns(2)
    with left:
        choice = _choose_model(run)
        monthly = st.number_input(
            "Payloads a month",
            1,
            MOST_CALLS,
            None,
            1000,
            key=_key(run, "monthly"),
            persist_state="session",
            placeholder="as observed",
            width=190,
            help="What every figure a month assumes. If empty, the rate is observed from the "
            "payloads' times, where they have any.",
        )
    formats = run.rows.formats
    with right:
        format = st.selectbox(
            "Format to look at",
            formats,
            index=formats.index("toon" if "toon" in formats else COMPACT),
            format_func=label,
            key=_key(run, "format"),
            persist_state="session",
            width=190,
        )
        explaining = controls.choose_note()
    filter = _choose_filter(run)
    if st.session_state[_key(run, "model")] == _find_log_model(run):
        basis.caption(escape_markdown(_log_words(run)))
    elif missing := _advise_measuring(run.rows):
        basis.info(missing)
    return Comparison(
        tokenizer=choice.tokenizer,
        now=AS_TYPED,
        format=format,
        filter=filter,
        explaining=use_prices(choice.model, explaining),
        model=choice.model,
        monthly=monthly,
        logged=st.session_state[_key(run, "model")].startswith(_LOGGED),
    )


def _label_button(run: OpenRun) -> tuple[str, str | None]:
    """Return the label of the button that opens model and calls a month, and its tooltip or None.

    The label names both, as every figure is for them. The tip says how exact the counts are.
    """
    if run.is_sample:  # set, not a default: a field with a default cannot be cleared
        st.session_state.setdefault(_key(run, "monthly"), _SAMPLE_MONTH)
    name, monthly = _preselect(run), st.session_state.get(_key(run, "monthly"))
    calls = f" · {plural(monthly, 'call')} a month" if monthly else ""
    if not _is_known(name):
        return f"{_label_choice(name).partition(' · ')[0]}{calls}", None
    choice, own = models.choose(name), ", from your log" if name == _find_log_model(run) else ""
    caption = choice.model.label if choice.model else _label_choice(name)
    return f"{caption}{own}{calls}", controls.evidence(choice)


def _list_choices(run: OpenRun) -> list[str]:
    """Return the models whose tokenizer counted the measured log, and its tokenizers, by name."""
    tokenizers = run.rows.tokenizers
    models = (name for name, model in MODELS.items() if model.tokenizer in tokenizers)
    return [*models, *tokenizers, *(f"{_LOGGED}{name}" for name in run.priced_tokenizers)]


def _preselect(run: OpenRun) -> str:
    """Return the name of the dashboard's model: the log's own until another is chosen anywhere."""
    offered = _list_choices(run)
    key, chosen, state = _key(run, "model"), controls.read_model_name(), st.session_state
    if own := _find_log_model(run):
        state.setdefault(key, own)
        state.setdefault(_key(run, "before"), chosen)
    is_new = chosen != state.get(_key(run, "before"))
    if chosen in offered and is_new and _is_known(state.get(key, chosen)):
        state[key] = chosen  # a tokenizer not known here stays as chosen
    default = DEFAULTS["model"] if DEFAULTS["model"] in offered else offered[0]
    return str(state.setdefault(key, default))


def _choose_model(run: OpenRun) -> models.Choice:
    """Draw a list of the models that a measured log was counted for; return the chosen one."""
    key = _key(run, "model")

    def choose_everywhere() -> None:
        if _is_known(st.session_state[key]):  # to other pages
            st.session_state.model = st.session_state[key]

    name = st.selectbox(
        "Model",
        _list_choices(run),
        format_func=_label_choice,
        key=key,
        persist_state="session",
        on_change=choose_everywhere,
        width=300,
    )
    if _is_known(name):
        st.caption(controls.evidence(models.choose(name)))
        return models.choose(name)
    return models.Choice(name.removeprefix(_LOGGED))


def _find_log_model(run: OpenRun) -> str | None:
    """Return the name of a log's model: the priced one with most tokens in it; None without one.

    If the log names several and one tokenizer counts them all, or the model is in no table, the
    name stands for each record's own model.
    """
    if (main := run.main_model) is None or main.model is None:
        return None
    model, tokenizer = main.model, main.model.tokenizer
    is_mixed = len({named.model for named in run.models}) > 1
    are_all = run.count_payloads(tokenizer) == run.payloads
    if model.name not in MODELS or (is_mixed and are_all):
        return f"{_LOGGED}{tokenizer}"
    return model.name


def _log_words(run: OpenRun) -> str:
    """Return a sentence on the models that a log names, with their shares of the tokens."""
    names = [model.name for model in run.models]
    if len(names) > 1:
        names = [f"{model.name} {percent(model.share)}" for model in run.models]
    unit = " of the tokens" if len(names) > 1 else ""
    main = run.main_model.model if run.main_model else None
    how = f" {main.source}" if main and main.name not in MODELS else ""
    shares = f"{listed(names, MODELS_SHOWN)}{unit}"
    return f"Model from your log: {shares}.{how} For another, choose it above and measure anew."


def _is_known(name: str) -> bool:
    return name in MODELS or name in EXACT


def _label_choice(name: str) -> str:
    if name.startswith(_LOGGED):
        tokenizer = name.removeprefix(_LOGGED)
        return f"{capitalised(AS_LOGGED)} · {tokenizer}"
    if _is_known(name) or name in TOKENIZERS:
        return controls.model_label(name)
    return f"Tokenizer alone: {name}"


def _advise_measuring(rows: Rows) -> str:
    """Return advice to measure a log again, if the chosen model did not count it; else ""."""
    chosen = controls.read_model()
    if chosen.tokenizer in rows.tokenizers:
        return ""
    if not chosen.counted:
        return chosen.evidence()
    name = chosen.model.label if chosen.model else f"the tokenizer {chosen.tokenizer}"
    return (
        f"Measured with {listed(rows.tokenizers)} only: measure again with {name} to see its "
        "figures."
    )


def _key(run: OpenRun, name: str) -> str:
    """Return the session key of a control whose value belongs to one measured log alone."""
    return f"dashboard_{name}_{run.number}"


def _choose_filter(run: OpenRun) -> Filter:
    """Draw a search and days that select payloads, and a button to clear; return the filter."""
    groups, words, days = (_key(run, name) for name in ("groups", "search", "days"))
    with st.popover("Filter"):
        search = st.text_input(
            "Search",
            key=words,
            persist_state="session",
            placeholder="tool, source, record or error",
        )
        chosen = tuple(st.session_state.get(groups, ()))
        filter = Filter(chosen, *_choose_days(run, days), search)
    if filter != Filter():
        alone = filter == Filter(chosen) and chosen
        st.button(
            f"Clear filter{f': {escape_markdown(listed(chosen, 1))}' if alone else ''}",
            icon=":material/close:",
            key="dashboard_clear",
            on_click=st.session_state.update,
            args=({groups: (), words: "", days: ()},),
        )
    return filter


def filter_by_groups(run: OpenRun, groups: tuple[str, ...]) -> None:
    """Show only some tools' payloads on the dashboard; if it shows just these, show all again."""
    key = _key(run, "groups")
    st.session_state[key] = () if st.session_state.get(key) == groups else groups


def _choose_days(run: OpenRun, key: str) -> tuple[float | None, float | None]:
    """Draw a choice of days; return the first and last second in Unix time, None if not chosen."""
    if run.rows.time.size == 0 or np.isnan(run.rows.time).all():
        st.caption("The payloads carry no times.")
        return None, None
    days = st.date_input("Days, UTC", [], *DATES, key=key, persist_state="session", width=300)
    starts = [datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() for day in days]
    if len(starts) < 2:  # none, or the last one is still to be chosen
        return next(iter(starts), None), None
    return starts[0], float(np.nextafter(starts[1] + 86_400, 0))
