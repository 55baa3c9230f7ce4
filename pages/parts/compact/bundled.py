"""The panels on bundled records: "Poll", "Ten records of each domain" and "X-Token-Count"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from pages.parts.caches import cached
from pages.parts.compact import forms
from pages.parts.compact.charts import agent_bars, claim_marks, error_marks, growth_lines
from pages.parts.controls import with_caveat
from pages.parts.tables import draw_table
from toon import wording
from toon.compact.domains import DOMAINS
from toon.costs.models import Choice
from toon.evidence import growth
from toon.evidence.growth import ESTIMATORS, TOLERANCE, within_tolerance
from toon.records.forms import COMPACT, LINES, PRETTY, SAME_FIELDS, count_body
from toon.records.story import StoryRow, story
from toon.tokenizers import TOKENIZERS, get
from toon.wording import plural, signed_percent

_NOTHING: Final = "nothing: it has every record in full"
_TITLES: Final = ("1 List as lines", "2 Poll for changes", "3 Fetch one in full")


class Step(StoryRow):
    """One step, and what ``X-Token-Count`` estimates, with its signed error."""

    header: int
    header_error: float | None


@cached
def measure_story(domain: str, tokenizer: str, count: int) -> list[Step]:
    """The three steps over ``count`` records: see :func:`toon.records.story.story`."""
    counter = get(tokenizer)
    rows = story(domain, tokenizer, count)
    return [{**row, **count_body(row["text"], counter)} for row in rows]


@st.fragment
def draw_poll(tokenizer: str) -> None:
    """The three steps of the agent and their cost."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        domain = st.selectbox(
            "Records", list(DOMAINS), key="poll_of", persist_state="session", width=200
        )
        count = st.slider(
            "Records in the list", 2, 100, 20, key="poll_count", persist_state="session", width=260
        )
    steps = measure_story(domain, tokenizer, count)
    _draw_story_headline(steps)
    about = "An agent reads a list as lines, later asks what changed, and fetches one record."
    st.caption(
        with_caveat(about, tokenizer),
        help="In the half hour between, one record was created, one updated and one deleted. With "
        "JSON alone the agent asks for the whole list twice and needs no third step; with changes "
        "it asks for the list once and then for what changed.",
    )
    st.altair_chart(
        agent_bars(_bars(steps), exact=steps[0]["exact"]),
        key="poll_chart",
        alt="Tokens of each agent by step; the numbers are in the table.",
    )
    _draw_steps(steps)
    for title, step in zip(_TITLES, steps, strict=True):
        with st.expander(f"{title}: {_tokens(step, step['tokens'])}"):
            answer = f"{step['asked']}\n200 · {forms.header_line(step)}"
            st.code(answer, language=None, wrap_lines=True)
            forms.draw_body(step["text"])


def _tokens(step: Step, tokens: int) -> str:
    return wording.marked(plural(tokens, "token"), exact=step["exact"])


def _draw_story_headline(steps: list[Step]) -> None:
    total = sum(step["tokens"] for step in steps)
    about = partial(wording.marked, exact=steps[0]["exact"])
    against = {
        PRETTY: sum(step["json_pretty"] for step in steps),
        COMPACT: sum(step["json_compact"] for step in steps),
        f"{COMPACT} with changes": steps[0]["json_compact"] + steps[1]["tokens"],
    }
    words = [
        f"{about(signed_percent((total - tokens) / tokens))} vs {name}"
        for name, tokens in against.items()
    ]
    st.header(f"All three steps: {_tokens(steps[0], total)}, {', '.join(words)}", anchor=False)


def _bars(steps: list[Step]) -> list[dict[str, object]]:
    first, second, _ = steps
    agents = {
        "lines, then changes, then one": [step["tokens"] for step in steps],
        f"{COMPACT}, then changes": [first["json_compact"], second["tokens"]],
        f"{COMPACT}, twice": [first["json_compact"], second["json_compact"]],
        f"{PRETTY}, twice": [first["json_pretty"], second["json_pretty"]],
    }
    return [
        {"agent": agent, "step": f"step {number}", "order": number, "tokens": count}
        for agent, counts in agents.items()
        for number, count in enumerate(counts, 1)
    ]


def _draw_steps(steps: list[Step]) -> None:
    frame = pd.DataFrame(
        {
            "Step": [*_TITLES, "all three"],
            "Tokens": _with_sum(step["tokens"] for step in steps),
            "With JSON alone": [step["json_asked"] or _NOTHING for step in steps] + [""],
            COMPACT: _with_sum(step["json_compact"] for step in steps),
            PRETTY: _with_sum(step["json_pretty"] for step in steps),
        }
    )
    for name in (COMPACT, PRETTY):
        frame[f"vs {name}"] = frame["Tokens"] - frame[name]
    counts, differences = ["Tokens", COMPACT, PRETTY], [f"vs {COMPACT}", f"vs {PRETTY}"]
    draw_table(
        frame,
        "poll_table",
        counts=counts,
        differences=differences,
        estimated=() if steps[0]["exact"] else [*counts, *differences],
        alt="Tokens of each step by agent.",
    )


def _with_sum(figures: Iterable[int]) -> list[int]:
    every = list(figures)
    return [*every, sum(every)]


#: The forms of a list of bundled records.
_FORMS: Final = {
    "json_pretty": PRETTY,
    "json_compact": COMPACT,
    "toon": "TOON",
    "same_fields_json": SAME_FIELDS,
    "lines": LINES,
}
#: All that is counted in the last panel.
_RESPONSES: Final = {
    **_FORMS,
    "same_fields_toon": "same-fields TOON",
    "step 2": "diff of a poll",
    "step 3": "one record",
}
#: The forms that the lines are compared with, and those of them that the chart has room for.
_AGAINST: Final = {
    form: f"vs {_RESPONSES[form]}"
    for form in ("json_pretty", "json_compact", "toon", "same_fields_json", "same_fields_toon")
}
_CHARTED: Final = {form: name for form, name in _AGAINST.items() if "toon" not in form}
_CLAIMED: Final = "claimed"
#: What the estimators count by: "characters / 4".
_ESTIMATORS: Final = {
    name: TOKENIZERS[name].label.lower().removeprefix("≈ ").removeprefix("estimate by ")
    for name in ESTIMATORS
}


measure_domains = cached(growth.domain_rows)
measure_growth = cached(growth.growth_rows)
measure_estimates = cached(growth.estimate_rows)


def draw_domains(choice: Choice) -> None:
    """What ten records of each domain take, and how lists grow."""
    draw_claims(choice)
    draw_growth(choice.tokenizer)


def draw_claims(choice: Choice) -> None:
    """The document's claims, and what is measured."""
    rows = measure_domains(choice.tokenizer)
    pretty, compact, same = (
        sum(row["vs"][form] <= row["claim"] for row in rows) for form in _CHARTED
    )
    st.header(
        f"The claimed saving is reached in {pretty} of {len(rows)} domains against "
        f"{PRETTY}, in {compact} against {COMPACT}, in {same} against "
        f"{COMPACT} of the same fields",
        anchor=False,
    )
    st.caption(
        with_caveat(
            f"Ten bundled records of each domain, in tokens of {choice.name}.", choice.tokenizer
        ),
        help="The document of the format claims its figures against its own API's JSON and names "
        "neither tokenizer nor layout. The same-fields forms hold only what the lines are made of: "
        "against them, only what the writing saves is left.",
    )
    st.altair_chart(
        claim_marks(
            [
                {"domain": row["domain"], "against": label, "fraction": value}
                for row in rows
                for label, value in _compared(row, _CHARTED).items()
            ],
            [_CLAIMED, *_CHARTED.values()],
            exact=rows[0]["exact"],
        ),
        key="claims_chart",
        alt="Claimed and measured savings by domain; the numbers are in the table.",
    )
    draw_table(
        [
            {
                "Domain": row["domain"],
                **_compared(row, _AGAINST),
                **{label: row["tokens"][form] for form, label in _FORMS.items()},
            }
            for row in rows
        ],
        "claims",
        counts=list(_FORMS.values()),
        percents=[_CLAIMED, *_AGAINST.values()],
        estimated=() if rows[0]["exact"] else [*_FORMS.values(), *_AGAINST.values()],
        alt="Claimed savings beside measured ones.",
    )


def _compared(row: growth.GrowthRow, columns: dict[str, str]) -> dict[str, float]:
    """The claim, and the lines against each form of ``columns``, by label."""
    return {_CLAIMED: row["claim"], **{label: row["vs"][form] for form, label in columns.items()}}


@st.fragment
def draw_growth(tokenizer: str) -> None:
    """How a list of one domain grows with its records."""
    st.header("From 1 record to 100", anchor=False)
    domain = st.selectbox(
        "Records", list(DOMAINS), key="growth_of", persist_state="session", width=200
    )
    rows = measure_growth(domain, tokenizer)
    st.altair_chart(
        growth_lines(
            [
                {"count": row["count"], "form": label, "tokens": row["tokens"][name]}
                for row in rows
                for name, label in _FORMS.items()
            ],
            list(_FORMS.values()),
            exact=rows[0]["exact"],
        ),
        key="growth_chart",
        alt="Tokens of each form over the number of records; the numbers are in the table.",
    )
    lines = [
        {
            "Records": row["count"],
            "Lines, tokens": row["tokens"]["lines"],
            "a record": row["tokens"]["lines"] / row["count"],
            **{label: row["vs"][form] for form, label in _CHARTED.items()},
        }
        for row in rows
    ]
    draw_table(
        lines,
        "growth",
        counts=["Records", "Lines, tokens"],
        decimals=["a record"],
        percents=list(_CHARTED.values()),
        estimated=() if rows[0]["exact"] else ["Lines, tokens", "a record", *_CHARTED.values()],
        alt="Tokens by number of records and form.",
    )
    about = "After a few records the share saved hardly changes."
    st.caption(
        with_caveat(about, tokenizer),
        help="The summary and the page's position are paid once, ids with every record.",
    )


def draw_estimates(choice: Choice) -> None:
    """Draws the errors of other estimators against the chosen one, for every response."""
    rows = measure_estimates(choice.tokenizer)
    within = within_tolerance(rows)
    others = {name: label for name, label in _ESTIMATORS.items() if name != choice.tokenizer}
    words = [
        f"by {label} in {within[name]} of {len(rows)} responses" for name, label in others.items()
    ]
    st.header(
        f"Within ±{wording.percent(TOLERANCE)} of the tokens of {choice.name}: "
        f"estimates {', '.join(words)}",
        anchor=False,
    )
    itself = "" if rows[0]["exact"] else " Each error is the difference between two estimates."
    about = "The format's document calls its header a heuristic and does not give its formula."
    st.caption(
        with_caveat(f"{about}{itself}", choice.tokenizer),
        help=f"Its tolerance is ±{wording.percent(TOLERANCE)}. Characters / 4 is usual. "
        "The API of this lab sends an estimate by character classes. A negative error means too "
        "few tokens.",
    )
    marks = [
        {
            "domain": row["domain"],
            "form": _RESPONSES[row["form"]],
            "tokens": row["tokens"],
            "estimator": label,
            "error": row["errors"][name],
        }
        for row in rows
        for name, label in others.items()
    ]
    st.altair_chart(
        error_marks(marks, TOLERANCE, exact=rows[0]["exact"]),
        key="estimates_chart",
        alt="Signed error of each estimator for every response; the numbers are in the table.",
    )
    counts = [label.capitalize() for label in others.values()]
    errors = [f"{label}, error" for label in counts]
    draw_table(
        [_line(row, others) for row in rows],
        "estimates",
        counts=["Tokens", *counts],
        percents=errors,
        estimated=counts if rows[0]["exact"] else ["Tokens", *counts, *errors],
        is_marked=lambda error: abs(error) > TOLERANCE,
        alt="Estimates beside exact counts, with their error.",
    )
    st.caption(f"Bold: outside ±{wording.percent(TOLERANCE)}.")


def _line(row: growth.EstimateRow, estimators: dict[str, str]) -> dict[str, object]:
    line: dict[str, object] = {
        "Domain": row["domain"],
        "Response": _RESPONSES[row["form"]],
        "Tokens": row["tokens"],
    }
    for name, label in estimators.items():
        title = label.capitalize()
        line |= {title: row["estimates"][name], f"{title}, error": row["errors"][name]}
    return line
