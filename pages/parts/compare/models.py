"""The tab Models: answers that differ by tokenizer, and a service's own counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from pages.parts import controls, payload
from pages.parts.caches import cached
from pages.parts.markdown import escape_markdown
from pages.parts.marks import heatmap
from pages.parts.service import TITLE, draw_service
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon import tokenizers, wording
from toon.costs.compare import label, measured_rows
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.costs.verdict import Verdict
from toon.costs.worth import COMPACT
from toon.formats import label as format_label
from toon.formats import versus
from toon.playground.panes import Pane
from toon.tokenizers import EXACT, TOKENIZERS
from toon.wording import plural

find_unusable = cached(1, seconds=60)(tokenizers.unusable)


def draw_models(choice: Choice) -> None:
    """Draw each tokenizer's answer; behind clicks all formats, and a service that counts."""
    explaining = controls.explaining()
    data = payload.current()
    unusable = find_unusable()
    usable = [name for name in TOKENIZERS if name not in unusable]
    if _draw_answers(data, explaining, [name for name in EXACT if name in usable]):
        draw_fold(
            "Every format by every tokenizer",
            "heatmap_fold",
            lambda: _draw_formats(data, usable, explaining),
        )
    draw_fold(TITLE, "service_fold", lambda: draw_service(data, choice, explaining))
    for name, why in unusable.items():
        st.caption(escape_markdown(f"{TOKENIZERS[name].label}: {why}"))


def _draw_answers(data: Pane, explaining: Explaining, names: Sequence[str]) -> bool:
    """Draw the format to send for each tokenizer, and its saving; the headline counts the formats.

    Return False where there is nothing to recommend.
    """
    verdicts = [payload.answer(data, name, explaining) for name in names]
    if nothing := next((verdict["sentence"] for verdict in verdicts if verdict["nothing"]), ""):
        st.info(nothing)
        return False
    sent = Counter(map(_sent, verdicts))
    winners = wording.together(f"{name} for {many:,}" for name, many in sent.most_common())
    st.header(
        f"{wording.capitalised(winners)} of {plural(len(verdicts), 'tokenizer')}", anchor=False
    )
    draw_table(
        [
            {
                "Tokenizer": TOKENIZERS[verdict["tokenizer"]].label,
                "Send": _sent(verdict),
                "Today": wording.count(verdict["ladder"][0]["cost"]),
                "Then": wording.count(sent_rung["cost"]),
                "vs today": wording.signed_percent(sent_rung["vs_today"]),
            }
            for verdict in sorted(verdicts, key=lambda each: -sent[_sent(each)])
            for sent_rung in [verdict["ladder"][-1 if verdict["switch"] else 0]]
        ],
        right=["Today", "Then", "vs today"],
    )
    return True


def _sent(verdict: Verdict) -> str:
    """Return the name of the recommended format, or of today's if no change is worth it."""
    return format_label(verdict["format"]) if verdict["switch"] else verdict["ladder"][0]["label"]


def _draw_formats(data: Pane, names: Sequence[str], explaining: Explaining) -> None:
    """Draw each format's cost under every tokenizer, against compact JSON under the same one."""
    rows = payload.compare_formats(data, tuple(names))
    st.caption(
        f"Cost {versus(COMPACT)} under the same tokenizer, in per cent; {explaining.assumption}.",
        help=f"Grey with ✗ is what is {wording.BADGES['not-recommended']}; Formats says why.",
    )
    st.altair_chart(
        heatmap(rows, explaining), key="heatmap", alt="Formats by tokenizers, signed per cent."
    )
    lines: dict[str, dict[str, object]] = {}
    for row in measured_rows(rows):
        line = lines.setdefault(label(row), {"Format": label(row)})
        line[row["tokenizer"]] = row["tokens"]
    columns = list(dict.fromkeys(name for line in lines.values() for name in line))[1:]
    draw_table(
        lines.values(),
        "heatmap_counts",
        counts=columns,
        height="content",
        alt="Tokens by format and tokenizer.",
    )
