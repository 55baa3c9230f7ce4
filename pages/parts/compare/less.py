"""The tab Send less: the cost of each field, and the steps that make the payload smaller.

Session state:
    fields_kept: The fields that were ticked at the last drawing of the table, by payload.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from pages.parts import controls, payload
from pages.parts.faults import counting
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask, ask_value, open_document, run_bounded
from pages.parts.static import Card, draw_cards, draw_details, draw_text
from toon import advisor
from toon.advisor import STEPS, STRUCTURE
from toon.advisor.measure import BASELINE, Overview, Row
from toon.advisor.steps.base import StepKind, StepOptions
from toon.costs.models import Choice
from toon.costs.worth import is_worth
from toon.formats import label
from toon.limits import LIVE_ADVICE_CHARACTERS
from toon.playground import editors
from toon.playground.panes import Pane
from toon.wording import count, plural, signed_count, signed_percent

#: Names and meanings of the kinds of steps, in the order of their harm.
_CLASSES: Final[dict[StepKind, tuple[str, str]]] = {
    "self-contained": ("Self-contained", "Any reader of the payload can undo it."),
    "with-a-map": ("With a map you keep", "Only your program can undo it; the model sees less."),
    "lossy": ("Lossy", "Nobody can undo it."),
}


def draw_less(choice: Choice) -> None:
    """Draw the payload's fields and shortening steps with checkboxes, and the text then sent."""
    data = payload.require_pane(LIVE_ADVICE_CHARACTERS)
    options = StepOptions(choice.tokenizer, explaining=controls.read_note())
    with counting("Applying and counting every step…"):
        overview = ask(data, advisor.overview, options)
    if nothing := overview["nothing"]:
        st.info(f"{nothing}.")
        return
    today, last = overview["best"]["ladder"][0], overview["best"]["ladder"][-1]
    enough = f"No self-contained step saves enough here: {count(today['cost'])} tokens"
    if is_worth(last["cost"], today["cost"]):
        included = ", note included" if last["explanation"] or today["explanation"] else ""
        enough = f"{count(last['cost'])} of {count(today['cost'])} tokens are enough"
        enough += f" ({signed_percent(last['vs_today'])}{included})"
    st.header(enough, anchor=False)
    fields = _choose_fields(data, choice.tokenizer)
    steps = list(_choose_steps(overview, hash((data.text, options))))
    steps += [] if fields is None else ["keep-fields"]
    if fields == () or not steps:
        st.info("Tick at least one step." if fields is None else "Tick at least one field.")
        return
    try:
        row = ask(data, advisor.combine, tuple(steps), replace(options, keep_fields=fields))
    except ValueError as error:
        st.error(escape_markdown(str(error)))
        return
    note = 0 if options.explaining.together is None else row["explanation"]
    included = "note included" if row["cost"] != row["tokens"] else ""
    figures = [
        ("Tokens sent", f"{row['tokens']:,}", ""),
        ("Note to the model, once", signed_count(note), ""),
        ("vs today", signed_percent(row["ladder"][-1]["vs_today"]), included),
        (f"vs {label(BASELINE)}", signed_percent(row["vs"]), included),
    ]
    draw_cards(Card(*figure) for figure in figures)
    if len(row["steps"]) > 1:
        st.caption(
            f"Together the steps save {count(row['saved'])} tokens; alone they would add up "
            f"to {count(row['saved_alone'])}."
        )
    _draw_losses(row)
    if note:
        st.caption("What the prompt must say once, for a model to read the payload:")
        st.code(row["explanation_text"], language=None, wrap_lines=True)
    draw_text(row["text"], height=320)
    _draw_buttons(row, data)


def _choose_fields(data: Pane, tokenizer: str) -> tuple[str, ...] | None:
    """Draw a table of the payload's fields with tokens; return those ticked, or None for all."""
    costs = [
        row
        for row in ask_value(data, advisor.field_costs, tokenizer)
        if row["field"] not in (STRUCTURE, "$")
    ]
    if not costs:
        return None
    names = [row["field"] for row in costs]
    remembered = st.session_state.setdefault("fields_kept", {})
    kept = remembered.get(data.key, set(names))
    st.caption(
        f"What each field costs in {label(BASELINE)}: its name, colon and values. "
        "Only what is ticked is sent.",
        help="A token that several fields share is split by its bytes. What a field saves where it "
        "is left out is measured for the ten most expensive.",
    )
    frame = pd.DataFrame(
        {
            "Field": row["field"],
            "Share": 100 * row["share"],
            "Tokens": row["tokens"],
            "Without it": signed_count(row["removed_saves"] and -row["removed_saves"]),
            "Written": row["count"],
        }
        for row in costs
    )
    table = st.dataframe(
        frame,
        hide_index=True,
        key=f"fields_{data.key}_{tokenizer}",
        on_select="rerun",
        selection_mode="multi-row",
        selection_default={
            "selection": {"rows": [place for place, name in enumerate(names) if name in kept]}
        },
        column_config={
            "Share": st.column_config.ProgressColumn(
                format="%.1f\u202f%%", max_value=100 * max(row["share"] for row in costs)
            ),
            "Tokens": st.column_config.NumberColumn(format="%.1f"),
            "Without it": st.column_config.TextColumn(alignment="right"),
        },
        alt="The fields of the payload with the tokens of each.",
    )
    ticked = tuple(names[place] for place in sorted(table["selection"]["rows"]))
    remembered[data.key] = set(ticked)
    return None if len(ticked) == len(names) else ticked


def _choose_steps(overview: Overview, version: int) -> Iterator[str]:
    """Draw checkboxes of steps that shorten the payload, with savings; yield the ticked names."""
    st.caption("Ticked: the best self-contained steps. They are applied in a fixed order.")
    alone = [row for row in overview["alone"] if row["steps"] != ["keep-fields"]]
    kinds = [kind for kind in _CLASSES if any(row["kind"] == kind for row in alone)]
    grid = st.grid(len(kinds) or 1)
    for kind in kinds:
        title, meaning = _CLASSES[kind]
        with grid.cell():
            st.markdown(f"**{title}**", help=meaning)
            for row in (row for row in alone if row["kind"] == kind):
                (step,) = row["steps"]
                with st.container(gap="xxsmall"):
                    ticked = st.checkbox(
                        f"{STEPS[step].label} ({signed_count(-row['saved'])})",
                        step in overview["best"]["steps"],
                        key=f"step_{step}_{version}",
                        persist_state="session",
                    )
                    st.caption(escape_markdown(_describe_step(row)))
                if ticked:
                    yield step
    if idle := overview["idle"]:
        draw_details(
            f"Nothing to do here: {plural(len(idle), 'step')}",
            (f"{STEPS[name].label}: {reason}." for name, reason in idle.items()),
        )


def _describe_step(row: Row) -> str:
    """Return a sentence on what a shortening step did to the payload, and what it loses."""
    legend, kept = (plural(row[name], "token") for name in ("legend_tokens", "kept_tokens"))
    unanswerable = STEPS[row["steps"][0]].unanswerable
    lost = "except for" if row["proven"] else "loses"
    parts = (
        row["note"],
        row["lost"] and f"{lost} {row['lost']}",
        unanswerable and f"a model can no longer say {unanswerable}",
        row["legend_tokens"] and f"a legend of {legend}, counted",
        row["kept"] and f"a map of {kept}, kept by you",
    )
    return f"{'; '.join(part for part in parts if part)}."


def _draw_losses(row: Row) -> None:
    if not row["proven"]:
        st.badge("Not all of it comes back", color="orange")
        st.caption(f"Lost: {escape_markdown(row['lost'] or '')}.")
    elif row["kind"] == "with-a-map":
        st.badge("Proven: all of it comes back, with the map you keep", color="green")
    else:
        st.badge("Proven: a reader of the payload has all of it", color="green")
    if row["proven"] and row["lost"]:
        st.caption(f"Except for the {row['lost']}, to which JSON gives no meaning.")
    for name in row["steps"]:
        if unanswerable := STEPS[name].unanswerable:
            st.caption(f"{STEPS[name].label}: a model can no longer say {unanswerable}.")
    for name, reason in row["skipped"].items():
        st.caption(f"{STEPS[name].label}: {escape_markdown(reason)}.")


def _draw_buttons(row: Row, data: Pane) -> None:
    with st.container(horizontal=True):
        if st.button("Open in the playground", type="primary", key="apply"):
            text = row["text"]
            side, text = run_bounded(text, editors.place_text, text, row["format"], data.options)
            open_document(side, text, "shaped payload")
            st.switch_page("playground.py")
        if row["kept"]:
            tokens = f"{row['kept_tokens']:,}"
            st.download_button(
                f"Download the map that undoes it ({tokens} tokens, never sent)",
                json.dumps(row["kept"], ensure_ascii=False, indent=2),
                "map.json",
                "application/json",
                key="map",
            )
