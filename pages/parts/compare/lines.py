"""The tab Compact lines: a template writes a line for each record, beside JSON and TOON.

Session state:
    lines_seen: The payload's key and domain at the last drawing of the tab.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import payload
from pages.parts.charts import bars, label_axis, legend, row_height
from pages.parts.compare import area
from pages.parts.faults import counting
from pages.parts.markdown import escape_markdown
from pages.parts.payload import ask_once, ask_value, draw_error, run_in_worker
from pages.parts.samples import bundled_texts, sample_payloads, spell
from pages.parts.static import draw_details, draw_text
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon import tokenizers
from toon.bounded import Exceeded
from toon.colours import SERIES
from toon.compact.domains import DOMAINS
from toon.compact.templates import HELP, MAX_LENGTH
from toon.formats.base import NotApplicable
from toon.formats.compact import find_domain
from toon.formats.json import JSON_COMPACT
from toon.limits import PAGE_CHARACTERS
from toon.playground.panes import Pane, use_value
from toon.records.query import respond
from toon.records.store import SAMPLE_NOW
from toon.records.story import play_story
from toon.records.templated import FORM_LABELS, Form, Lines, Written, apply_template
from toon.values.fractions import fraction
from toon.values.json_text import parse_json
from toon.wording import capitalised, plural, signed_percent

_OWN: Final = "playground"
_FIRST: Final = "events"
#: What each form of a list holds, in words.
_HOLDS: Final = {"all": "all fields", "lines": "fields of the lines"}

#: The number of records in the list of the agent's story, and the titles of its steps.
_RECORDS: Final = 20
_TITLES: Final = ("1 List as lines", "2 Poll for changes", "3 Fetch one in full")
_COMPACT, _PRETTY = FORM_LABELS["json-compact"], FORM_LABELS["json-pretty"]

measure_story = st.cache_data(max_entries=16, show_spinner=False)(play_story)


def draw_lines(tokenizer: str) -> None:
    """Draw a template's editor, and the lines it writes of the payload's or sample records."""
    with counting():
        tokenizers.get(tokenizer).count("")  # a tokenizer that cannot be loaded raises here
    data, domain, reason = _offer_payload()
    _begin(data, domain)
    own = [_OWN] if data else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Records",
            [*own, *_list_templates()],
            format_func=lambda name: "Your payload" if name == _OWN else f"Example: {spell(name)}",
            key="lines_of",
            on_change=_open_template,
            persist_state="session",
            width=280,
        )
        if _is_written():
            st.button("Open their template", on_click=_open_template, kwargs={"anyhow": True})
    if reason:
        st.caption(
            f"Your payload has no template of ours: {escape_markdown(reason)}. Write one for it, "
            "or look at an example."
            if data
            else f"Your payload gives no lines: {escape_markdown(reason)}."
        )
    left, right = st.columns([4, 5], gap="medium")
    with left:
        text = area.draw_area("template_area")
        st.caption(
            f"{len(text):,} of {MAX_LENGTH:,} characters. Nothing of a template is run.", help=HELP
        )
    try:
        written = _measure_template(data if name == _OWN else None, name, text, tokenizer)
    except ValueError as error:
        st.error("The list cannot be measured in every form:")
        st.code(str(error), language=None)
        return
    with right:
        _draw_output(written)
    if lines := written["lines"]:
        _draw_costs(lines)
    polled = name if name in DOMAINS else _FIRST
    draw_fold("Poll for changes", "poll_fold", lambda: _draw_poll(polled, tokenizer))


def _offer_payload() -> tuple[Pane | None, str | None, str]:
    """Return the payload, the name of its records' bundled template or None, and why it has none.

    The payload is None if it cannot be read, or is large and nobody has asked to read it.
    """
    data = None
    try:
        data = payload.read()
        if data is None:
            draw_error()
            return None, None, "it cannot be read"
        if len(data.text) > PAGE_CHARACTERS and not ask_once(
            "read_large_lines", data.text, "Read the large payload of the playground"
        ):
            size = f"{len(data.text):,} characters"
            return None, None, f"it is large, {size}, and is read when you ask"
        return data, ask_value(data, find_domain), ""
    except NotApplicable as error:
        return data, None, str(error)
    except Exceeded as error:
        return None, None, str(error)


def _begin(data: Pane | None, domain: str | None) -> None:
    """Put the bundled template that fits the payload into the textarea, if nobody has edited it."""
    session = st.session_state
    if "template" not in session:
        area.write(_list_templates()[_FIRST])
        session.lines_of = _FIRST
    seen = data and data.key, domain
    if domain and session.get("lines_seen") != seen:
        session.lines_of = _OWN
    elif data is None and session.lines_of == _OWN:
        session.lines_of = _FIRST
    else:
        seen = session.setdefault("lines_seen", seen)
    if session.get("lines_seen") != seen:
        session.lines_seen = seen
        _open_template()


def _is_written() -> bool:
    return bool(st.session_state.template_text != st.session_state.template["text"])


def _list_templates() -> dict[str, str]:
    """Return the bundled templates that write records as compact lines: texts by name."""
    return {name: entry.text for name, entry in DOMAINS.items()} | bundled_texts("templates", "txt")


def _open_template(*, anyhow: bool = False) -> None:
    """Put the chosen records' template into the textarea; keep an edited one, unless ``anyhow``."""
    name, (_, domain) = st.session_state.lines_of, st.session_state.lines_seen
    template = _list_templates().get(domain or "" if name == _OWN else name)
    if template and (anyhow or not _is_written()):
        area.write(template)


def _measure_template(data: Pane | None, bundled: str, text: str, tokenizer: str) -> Written:
    """Write records as lines by the template ``text``; return lines and tokens, or the error.

    The records are those of the payload ``data``, or without it of the sample ``bundled``. A worker
    does the work in any case: a short template can write long lines.
    """
    if data is None:
        return _measure_bundled(bundled, text, tokenizer)
    # Ages are counted from the full minute, so that figures stay the same within it.
    now = datetime.now(UTC).replace(second=0, microsecond=0).isoformat()
    written: Written = data.ask(run_in_worker, use_value, apply_template, text, now, tokenizer)
    return written


@st.cache_data(max_entries=32, show_spinner=False)
def _measure_bundled(name: str, text: str, tokenizer: str) -> Written:
    if name in DOMAINS:
        value = respond(name, {"limit": "10"}).value
    else:
        value = parse_json(sample_payloads()[name]).value
    return run_in_worker(apply_template, value, text, SAMPLE_NOW.isoformat(), tokenizer)


def _draw_output(written: Written) -> None:
    lines, missing = written["lines"], "\n".join(written["missing"])
    if written["error"]:
        st.error("The template cannot be applied:")
        st.code(written["error"], language=None)
    elif lines is None:
        st.info("There is no list of records where the template looks for it. It looks at:")
        st.code(missing, language=None)
    else:
        st.text(lines["envelope"]["summary"])
        draw_text("\n".join(lines["envelope"]["lines"]), numbered=True)
        if missing:
            st.warning("Paths that lead nowhere in this payload:")
            st.code(missing, language=None)


def _draw_costs(lines: Lines) -> None:
    """Draw the tokens of compact lines and what they leave out; in closed boxes other forms."""
    row = next(form for form in lines["forms"] if form["form"] == "lines")
    names = {**FORM_LABELS, "same-fields": f"{JSON_COMPACT.label} of the same fields"}
    against = [
        f"{signed_percent(change)} vs {names[form]}"
        for form, change in row["vs"].items()
        if change is not None
    ]
    words = f"{capitalised(FORM_LABELS['lines'])}: {plural(row['tokens'], 'token')}"
    st.header(", ".join([words, *against]), anchor=False)
    dropped = lines["dropped"]
    if dropped is not None:
        draw_details(
            f"What the lines leave out: {len(dropped)}", dropped or ["Only names and nulls."]
        )
    draw_fold("The same list in every form", "forms_fold", lambda: _draw_forms(lines["forms"]))
    draw_fold("The body as it is sent", "body_fold", lambda: draw_text(lines["text"], "json"))


def _draw_forms(rows: Sequence[Form]) -> None:
    """Draw a list's tokens as compact lines, JSON and TOON, in a bar chart and a table."""
    frame = pd.DataFrame(
        {
            "label": FORM_LABELS[row["form"]],
            "kind": _HOLDS[row["kind"]],
            "tokens": row["tokens"],
            "text": f"{row['tokens']:,}",
        }
        for row in rows
    )
    kinds = list(_HOLDS.values())
    scale = alt.Scale(domain=kinds, range=list(SERIES[: len(kinds)]))
    color = alt.Color("kind:N", sort=kinds, scale=scale, legend=legend(4, 2))
    tips = [
        alt.Tooltip("label:N"),
        alt.Tooltip("kind:N", title="holds"),
        alt.Tooltip("tokens:Q", format=","),
    ]
    chart = bars(frame, "tokens", label_axis(frame["label"]), color, tips)
    st.altair_chart(
        chart.properties(**row_height(32, frame["label"])),
        key="forms_chart",
        alt="Tokens of the same list in each form; the numbers are in the table.",
    )
    against = {form: f"vs {FORM_LABELS[form]}" for form in rows[0]["vs"]}
    draw_table(
        [
            {
                "Form": FORM_LABELS[row["form"]],
                "Tokens": row["tokens"],
                **{name: row["vs"][form] for form, name in against.items()},
            }
            for row in rows
        ],
        counts=["Tokens"],
        percents=list(against.values()),
    )
    st.caption(
        "Most of what lines save is fields they leave out.",
        help=f"The last column compares each form with {JSON_COMPACT.label} of only its own "
        "fields, so it shows what the writing alone saves.",
    )


def _draw_poll(domain: str, tokenizer: str) -> None:
    """Draw the tokens of three requests by an agent: a list as lines, its changes, one record."""
    steps = measure_story(domain, tokenizer, _RECORDS)
    total = sum(step["tokens"] for step in steps)
    against = {
        _PRETTY: sum(step["json_pretty"] for step in steps),
        _COMPACT: sum(step["json_compact"] for step in steps),
        f"{_COMPACT} with changes": steps[0]["json_compact"] + steps[1]["tokens"],
    }
    words = [
        f"{signed_percent(fraction(total, tokens))} vs {name}" for name, tokens in against.items()
    ]
    st.header(f"All three steps: {plural(total, 'token')}, {', '.join(words)}", anchor=False)
    st.caption(
        f"An agent reads {_RECORDS} {domain} as lines, later asks what changed, and fetches one.",
        help="In the half hour between, one record was created, one updated and one deleted. With "
        "JSON alone the agent asks for the whole list twice and needs no third step; with changes "
        "it asks for the list once and then for what changed.",
    )
    compact, pretty = f"vs {_COMPACT}", f"vs {_PRETTY}"
    lines: list[dict[str, Any]] = [
        {
            "Step": title,
            "Tokens": step["tokens"],
            "With JSON alone": step["json_request"] or "nothing: it has every record in full",
            _COMPACT: step["json_compact"],
            _PRETTY: step["json_pretty"],
            compact: step["tokens"] - step["json_compact"],
            pretty: step["tokens"] - step["json_pretty"],
        }
        for title, step in zip(_TITLES, steps, strict=True)
    ]
    counts, differences = ["Tokens", _COMPACT, _PRETTY], [compact, pretty]
    sums = {name: sum(line[name] for line in lines) for name in [*counts, *differences]}
    lines.append({**lines[0], "Step": "all three", "With JSON alone": "", **sums})
    draw_table(lines, counts=counts, differences=differences)
    for title, step in zip(_TITLES, steps, strict=True):
        with st.expander(f"{title}: {plural(step['tokens'], 'token')}"):
            st.code(step["request"], language=None, wrap_lines=True)
            draw_text(step["text"], "json")
