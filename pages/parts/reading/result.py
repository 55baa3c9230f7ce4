"""What a run says: by format, by kind, every wrong answer, and what a longer run would take."""

from __future__ import annotations

import re

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.reading.runs import Opened
from pages.parts.reading.words import interval_words
from pages.parts.tables import draw_table
from toon.formats import label
from toon.limits import SHOWN_CHARACTERS
from toon.reading.known import p_text
from toon.reading.questions import KINDS
from toon.reading.records import About, Record
from toon.reading.results import FormatResult, Share, plan_longer
from toon.wording import UNKNOWN, listed, percent, plural, signed_percent, signed_points


def draw_result(opened: Opened) -> None:
    """All that the run says below its verdict."""
    results, meta = opened.results, opened.run.meta
    st.caption(escape_markdown(_asked(meta)))
    draw_table(
        [_read_line(one) for one in results.formats],
        "reading_result",
        counts=["Answers", "Right"],
        shares=["Right, %"],
        height="content",
        alt="Answers, right answers, their share and the difference from compact JSON, by format.",
    )
    draw_table(
        [_cost_line(one) for one in results.formats],
        "reading_cost",
        counts=["Tokens billed", "Our count", "Answer tokens", "Tokens a right answer"],
        height="content",
        alt="Tokens as billed and as counted here, and seconds, by format.",
    )
    st.caption(
        "Points: right answers minus those in compact JSON, on the same questions. Seconds are "
        "medians of a call, apart where the server says.",
        help="Intervals are 95 %: Wilson's of a share, Newcombe's of a paired difference. p is of "
        "the exact McNemar test: below 0.05, a difference was seen.",
    )
    _draw_kinds(results.kinds)
    _draw_wrong(results.wrong, results.unanswered)
    _draw_longer(opened)
    st.download_button(
        "Download the run (.parquet)",
        opened.file,
        f"reading-{_stem(opened.name)}.parquet",
        "application/vnd.apache.parquet",
        key="reading_download",
        on_click="ignore",
    )


def _asked(meta: About) -> str:
    """How the run was asked."""
    explained = "with" if meta.is_explained else "without"
    answered = [name for name in meta.answered if name != meta.model]
    as_named = f" (it calls itself {listed(answered)})" if answered else ""
    stopped = f" {meta.stopped}" if meta.stopped else ""
    return (
        f"{meta.model}{as_named} at {meta.base_url}, {meta.began}: "
        f"{plural(meta.questions, 'question')}, seed {meta.seed}, {explained} explanations of the "
        f"formats.{stopped}"
    )


def _read_line(one: FormatResult) -> dict[str, object]:
    """How well a format was read."""
    paired, smallest = one.paired, one.smallest
    return {
        "Format": one.label,
        "Answers": one.answered,
        "Right": one.right,
        "Right, %": one.accuracy,
        "Interval": _share_interval(one),
        "Points": signed_points(paired.difference) if paired else UNKNOWN,
        "Their interval": interval_words(paired.interval) if paired else UNKNOWN,
        "p": p_text(paired.p_value) if paired else UNKNOWN,
        "Could have seen": f"{-int(-100 * smallest // 1)} points"
        if paired and smallest
        else UNKNOWN,
    }


def _cost_line(one: FormatResult) -> dict[str, object]:
    """What a format cost."""
    return {
        "Format": one.label,
        "Tokens billed": one.billed_tokens,
        "Our count": one.our_tokens,
        "Billed vs ours": signed_percent(one.billed_difference),
        "Answer tokens": one.completion_tokens,
        "Tokens a right answer": one.tokens_per_right,
        "Seconds": _seconds(one.seconds),
        "for the prompt": _seconds(one.prompt_seconds),
        "for the answer": _seconds(one.generation_seconds),
    }


def _share_interval(one: FormatResult) -> str:
    if one.interval is None:
        return UNKNOWN
    return f"{percent(one.interval.low)} to {percent(one.interval.high)}"


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else f"{seconds:,.2f}"


def _draw_kinds(kinds: dict[str, dict[str, Share]]) -> None:
    st.header("By kind of question", anchor=False)
    draw_table(
        [
            {
                "It asks for": KINDS.get(kind, kind),
                **{label(name): f"{one.right} of {one.answered}" for name, one in shares.items()},
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
    if not wrong and not unanswered:
        st.caption("There are none.")
        return
    formats = sorted({label(one.format) for one in (*wrong, *unanswered)})
    chosen = st.multiselect(
        "Formats", formats, key="reading_wrong_formats", placeholder="all", width=420
    )
    draw_table(
        [
            {
                "Question": one.text,
                "Format": label(one.format),
                "Right is": one.answer,
                "The model said": one.error if one.said is None else one.said[:SHOWN_CHARACTERS],
                "Note": one.error if one.said is not None else "no answer",
            }
            for one in (*wrong, *unanswered)
            if not chosen or label(one.format) in chosen
        ],
        "reading_wrong",
        alt="Questions with the right answer and what the model said.",
    )


def _draw_longer(opened: Opened) -> None:
    """How many questions would see a difference of five points, and what they cost."""
    found = plan_longer(opened.results)
    if not found:
        return
    st.header("To see a difference of five points", anchor=False)
    st.markdown(
        "\n".join(
            f"- **{escape_markdown(label(one.format))}**: {plural(one.questions, 'question')}, "
            f"{plural(one.requests, 'request')}, {plural(one.tokens, 'token')}"
            for one in found
        )
    )


def _stem(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name.partition(".")[0]).strip("-") or "run"
