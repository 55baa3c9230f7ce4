"""What a run says: by format, by kind, every wrong answer, and what a longer run would take."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from math import ceil
from typing import Final

import streamlit as st

from pages.parts import controls, payload
from pages.parts.markdown import escape_markdown
from pages.parts.reading.charts import COMPARED, compared
from pages.parts.reading.runs import Opened
from pages.parts.runs.life import file_stem
from pages.parts.static import draw_short_table
from pages.parts.tables import draw_table
from toon.formats import label
from toon.limits import PAGE_CHARACTERS
from toon.playground.panes import Pane
from toon.reading.plan import BASELINE, hash_of, price_of_call
from toon.reading.questions import KINDS
from toon.reading.results import FormatResult, plan_longer
from toon.reading.run import About, Record
from toon.reading.statistics import MOST_DISCORDANT, Share
from toon.reading.verdicts import METHODS, longer_words
from toon.wording import UNKNOWN, dollars, listed, percent, plural, signed_percent

#: Wrong answers that are drawn at once, and characters of each; the file has them whole.
_A_PAGE: Final = 20
_SAID: Final = 1_000


def draw_result(opened: Opened) -> None:
    """All that the run says below its verdict."""
    results, meta = opened.results, opened.run.meta
    st.caption(escape_markdown(_asked(meta)))
    if not _is_about_the_payload(meta):
        st.caption("It was asked about another payload than the playground's.")
    draw_table(
        [_read_line(one) for one in results.formats],
        "reading_result",
        counts=["Answers", "Right"],
        shares=["Right, %"],
        right=[*COMPARED, "Could have seen"],
        height="content",
        alt=f"Answers, right answers, their share and the difference from {label(BASELINE)}, by "
        "format.",
    )
    draw_table(
        [_cost_line(one) for one in results.formats],
        "reading_cost",
        counts=["Tokens billed", "Our count", "Answer tokens", "Tokens a right answer"],
        right=["Billed vs ours", "Seconds", "for the prompt", "for the answer"],
        height="content",
        alt="Tokens as billed and as counted here, and seconds, by format.",
    )
    st.caption(
        f"Points: right answers minus those in {label(BASELINE)}, on the same questions. Seconds "
        "are medians of a call, apart where the server says.",
        help=METHODS,
    )
    _draw_kinds(results.kinds)
    _draw_wrong(results.wrong, results.unanswered)
    _draw_longer(opened)
    st.download_button(
        "Download the run (.parquet)",
        opened.file,
        f"reading-{file_stem(opened.name)}.parquet",
        "application/vnd.apache.parquet",
        key="reading_download",
        on_click="ignore",
    )


def _is_about_the_payload(meta: About) -> bool:
    """Whether a run asked about what the playground holds; of large payloads that is not said."""
    data = payload.read()
    if data is None or len(data.text) > PAGE_CHARACTERS:
        return True
    return hash_payload(data) == meta.payload


def hash_payload(pane: Pane) -> str:
    """What the payload is known by in a run; "" where it is nested too deeply."""
    try:
        return payload.ask_value(pane, hash_of)
    except ValueError:
        return ""


def _asked(meta: About) -> str:
    """How the run was asked."""
    explained = "with" if meta.is_explained else "without"
    # Some servers name the file that they have loaded.
    names = (name.rpartition("/")[2] if name[:1] == "/" else name for name in meta.answered)
    answered = [name for name in names if name != meta.model]
    as_named = f" (it calls itself {listed(answered)})" if answered else ""
    stopped = f" {meta.stopped}" if meta.stopped else ""
    return (
        f"{meta.model}{as_named} at {meta.base_url}, {meta.began}: "
        f"{plural(meta.questions, 'question')}, seed {meta.seed}, {explained} notes about the "
        f"formats.{stopped}"
    )


def _read_line(one: FormatResult) -> dict[str, object]:
    """How well a format was read."""
    share, paired = one.share, one.paired
    return {
        "Format": label(one.format),
        "Answers": share.asked,
        "Right": share.right,
        "Right, %": share.accuracy if share.asked else None,
        **compared(share, paired),
        "Could have seen": f"{ceil(100 * paired.smallest_seen)} points" if paired else UNKNOWN,
    }


def _cost_line(one: FormatResult) -> dict[str, object]:
    """What a format cost."""
    return {
        "Format": label(one.format),
        "Tokens billed": one.billed_tokens,
        "Our count": one.our_tokens,
        "Billed vs ours": signed_percent(one.billed_difference),
        "Answer tokens": one.completion_tokens,
        "Tokens a right answer": one.tokens_per_right,
        "Seconds": _seconds(one.seconds),
        "for the prompt": _seconds(one.prompt_seconds),
        "for the answer": _seconds(one.generation_seconds),
    }


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else f"{seconds:,.2f}"


def _draw_kinds(kinds: dict[str, dict[str, Share]]) -> None:
    st.header("By kind of question", anchor=False)
    draw_table(
        [
            {
                "It asks for": KINDS[kind].label if kind in KINDS else kind,
                **{label(name): f"{one.right} of {one.asked}" for name, one in shares.items()},
            }
            for kind, shares in kinds.items()
        ],
        "reading_kinds",
        right=[label(name) for shares in kinds.values() for name in shares],
        height="content",
        alt="Right answers by kind of question and format.",
    )


def _draw_wrong(wrong: list[Record], unanswered: list[Record]) -> None:
    """Each wrong answer beside its question, as plain text; a model may say anything."""
    st.header("Wrong answers", anchor=False)
    every = [*wrong, *unanswered]
    if not every:
        st.caption("There are none.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        formats = st.multiselect(
            "Formats",
            list(dict.fromkeys(one.format for one in every)),
            format_func=_label,
            key="reading_wrong_formats",
            placeholder="all",
            width=420,
        )
        chosen = [one for one in every if not formats or one.format in formats]
        pages = max(1, ceil(len(chosen) / _A_PAGE))
        page = st.number_input(
            f"Page of {pages:,}", 1, pages, key=f"reading_wrong_page_{pages}", width=140
        )
    first = (page - 1) * _A_PAGE
    with st.container(key="reading_wrong"):
        draw_short_table([_wrong_line(one) for one in chosen[first : first + _A_PAGE]])


def _wrong_line(one: Record) -> dict[str, object]:
    said = "" if one.said is None else one.said[:_SAID] + ("…" if len(one.said) > _SAID else "")
    note = f" ({one.error})" if one.said and one.error else one.error
    return {
        "Question": one.text,
        "Format": label(one.format),
        "Right is": one.answer,
        "The model said": f"{said}{note}",
    }


def _label(format: str) -> str:
    return escape_markdown(label(format))


def _draw_longer(opened: Opened) -> None:
    """How many questions would see a difference of five points, and what they cost."""
    choice = controls.chosen_model()
    found = plan_longer(opened.results, partial(price_of_call, choice))
    if not found:
        return
    st.header("To see a difference of five points", anchor=False)
    lines = (
        f"- **{escape_markdown(label(one.format))}**: "
        + longer_words(one, _money(one.dollars, choice.name))
        for one in found
    )
    st.markdown("\n".join(lines))
    st.caption(
        "Such a run would see it four times of five: the fewest questions if the formats differ as "
        f"often as they did here, the most if in {percent(MOST_DISCORDANT)} of the questions, as "
        "in some published runs."
    )


def _money(amount: Decimal | None, model: str) -> str:
    if amount is None:
        return f"no price known for {escape_markdown(model)}"
    return escape_markdown(f"{dollars(amount, estimated=True)} at the price of {model}")
