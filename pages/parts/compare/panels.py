"""The panels of the compare page, in the order of its tabs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import charts
from pages.parts.answer import cost_words, draw_costs
from pages.parts.caches import cached
from pages.parts.markdown import escape_markdown
from pages.parts.marks import heatmap
from pages.parts.payload import answer, ask, compare_formats
from pages.parts.tables import draw_table, proof_cell
from toon import tokenizers, wording
from toon.colours import COMPACT_JSON, GREY, TOON
from toon.costs.choice import COMPACT
from toon.costs.compare import MeasuredRow, Row, cost, label, measured_rows, why_not
from toon.costs.delimiters import DelimiterRow, delimiter_rows
from toon.costs.explanation import Explaining
from toon.costs.verdict import Verdict
from toon.formats import AS_TYPED, FORMATS, versus
from toon.formats import label as format_label
from toon.formats.toon import TOON_BY_DELIMITER
from toon.playground.panes import Pane
from toon.tokenizers import EXACT, TOKENIZERS
from toon.wording import plural

_AGAINST: Final = versus(COMPACT)
#: TOON's formats by their delimiter.
_DELIMITED: Final = {format: name for name, format in TOON_BY_DELIMITER.items()}
#: Stands where all delimiters take as many tokens.
_NONE: Final = "all alike"


def draw_ranking(rows: list[Row], explaining: Explaining) -> None:
    """What may be recommended, lowest cost first; below it all others, with the reason."""
    ranked = _ranked(rows, explaining)
    draw_costs(ranked, explaining, proof=_proof)
    if cautions := _caution(ranked):
        st.markdown(f"Other readers than ours would change this payload:\n\n{cautions}")
    st.header(wording.capitalised(wording.BADGES["not-recommended"]), anchor=False)
    st.markdown("\n".join(_refusal(row, explaining) for row in rows if why_not(row)))


def _ranked(rows: list[Row], explaining: Explaining) -> list[MeasuredRow]:
    """What may be recommended, lowest cost first."""
    able = [row for row in measured_rows(rows) if why_not(row) is None]
    return sorted(able, key=lambda row: cost(row, explaining))


def draw_kinds(rows: list[Row], explaining: Explaining) -> None:
    """Where the tokens of what may be recommended go."""
    ranked = _ranked(rows, explaining)
    st.caption("Where the tokens of each text go, without its note.")
    frame = charts.kinds_frame(
        charts.KindsBar(label(row), row["tokens"], row["breakdown"]) for row in ranked
    )
    st.altair_chart(
        charts.kinds_chart(frame, share=False),
        key="ranking_kinds",
        alt=f"Tokens of each format, stacked by {charts.KINDS_TOLD}.",
    )


def _proof(row: MeasuredRow) -> str:
    """Whether the value comes back; what other readers do is said below the table."""
    is_ours = row["caution"] and row["format"] != AS_TYPED
    ours = wording.round_trip(wording.ROUND_TRIPS["by-our-reader"], ok=True)
    return ours if is_ours else proof_cell(row)


def _caution(rows: list[MeasuredRow]) -> str:
    """What readers other than ours would change or refuse, each sentence once."""
    formats: dict[str, list[str]] = {}
    for row in rows:
        if row["caution"]:
            formats.setdefault(row["caution"], []).append(label(row))
    return "\n".join(
        f"- **{' · '.join(names)}**: {escape_markdown(caution)}"
        for caution, names in formats.items()
    )


def _refusal(row: Row, explaining: Explaining) -> str:
    """A format that is not recommended, its cost, and why not."""
    tokens = "" if row["tokens"] is None else f", {cost_words(row, explaining)}"
    return f"- **{label(row)}**{tokens}: {escape_markdown(why_not(row) or '')}"


find_unusable = cached(1, seconds=60)(tokenizers.unusable)


def draw_tokenizers(data: Pane, explaining: Explaining) -> None:
    """What each format costs under every tokenizer, against compact JSON under the same one."""
    unusable = find_unusable()
    rows = compare_formats(data, tuple(name for name in TOKENIZERS if name not in unusable))
    _draw_winners(data, explaining, [name for name in EXACT if name not in unusable])
    st.caption(
        f"Cost {_AGAINST} under the same tokenizer, in per cent; {explaining.assumption}.",
        help=f"Grey with ✗ is what is {wording.BADGES['not-recommended']}; Ranking says why.",
    )
    st.altair_chart(
        heatmap(rows, explaining), key="heatmap", alt="Formats by tokenizers, signed per cent."
    )
    lines: dict[str, dict[str, object]] = {}
    for row in measured_rows(rows):
        line = lines.setdefault(label(row), {"Format": label(row)})
        line[row["tokenizer"]] = row["tokens"]
    columns = list(dict.fromkeys(name for line in lines.values() for name in line))[1:]
    with st.expander("The token counts behind it"):
        draw_table(
            lines.values(),
            "heatmap_counts",
            counts=columns,
            height="content",
            alt="Tokens by format and tokenizer.",
        )
    reasons = [
        escape_markdown(f"{TOKENIZERS[name].label}: {why}") for name, why in unusable.items()
    ]
    if reasons:
        st.caption("- " + "\n- ".join(reasons))


def _draw_winners(data: Pane, explaining: Explaining, names: Sequence[str]) -> None:
    """What to send for each tokenizer, and by how much; what is sent for most is the headline."""
    verdicts = []
    for name in names:
        verdict = answer(data, name, explaining)
        verdicts += [] if verdict["nothing"] else [verdict]
    if not verdicts:
        return
    sent = Counter(_sent(verdict) for verdict in verdicts)
    st.header(
        wording.capitalised(
            wording.together(f"{name} for {many:,}" for name, many in sent.most_common())
        )
        + f" of {plural(len(verdicts), 'tokenizer')}",
        anchor=False,
    )
    draw_table(
        [
            {
                "Tokenizer": TOKENIZERS[verdict["tokenizer"]].label,
                "Send": _sent(verdict),
                "Today": wording.count(verdict["ladder"][0]["cost"]),
                "Then": wording.count(verdict["cost"]),
                "vs today": wording.signed_percent(verdict["vs_today"]),
            }
            for verdict in verdicts
        ],
        right=["Today", "Then", "vs today"],
    )


def _sent(verdict: Verdict) -> str:
    """What to send: the recommendation, or what is sent today where no change is worth it."""
    return format_label(verdict["format"]) if verdict["switch"] else verdict["ladder"][0]["label"]


def draw_delimiters(data: Pane, rows: list[Row], tokenizer: str) -> None:
    """Tokens of TOON with comma, tab and pipe, at indents of 1, 2 and 4."""
    able = {row["format"] for row in rows if why_not(row) is None}
    measured = ask(data, delimiter_rows, tokenizer)
    safe = [row for row in measured if TOON_BY_DELIMITER[row["delimiter"]] in able]
    fewest = min((row["tokens"] for row in safe), default=None)
    _draw_delimiter_winners(data)
    st.caption(
        f"Below, by {tokenizer} with every indent. Tokens of the texts alone, note not "
        f"included. The dashed line is {FORMATS[COMPACT].label}; the fewest are in colour.",
        help="A value that holds the delimiter is quoted.",
    )
    compact = next(row["tokens"] for row in measured_rows(rows) if row["format"] == COMPACT)
    st.altair_chart(
        _delimiter_bars(measured, compact, fewest),
        key="delimiters_chart",
        alt="Bars of TOON's tokens by delimiter and indent; numbers in the table below.",
    )
    lines = [
        {
            "Delimiter": row["delimiter"],
            "Indent": row["indent"],
            "Tokens": row["tokens"],
            _AGAINST: row["vs_json_compact"],
            "Values quoted": row["quoted"],
            "Bytes": row["bytes"],
            "Note": "fewest" if row in safe and row["tokens"] == fewest else "",
        }
        for row in measured
    ]
    draw_table(
        lines,
        "delimiters",
        counts=["Tokens", "Values quoted", "Bytes"],
        percents=[_AGAINST],
        alt="Tokens of TOON by delimiter and indent.",
    )


def _delimiter_bars(
    rows: Sequence[DelimiterRow], compact: int, fewest: int | None
) -> alt.LayerChart:
    """Tokens by delimiter and indent, the ``fewest`` in colour, and a line at minified JSON."""
    frame = pd.DataFrame(
        {
            "label": f"{row['delimiter']}, indent {row['indent']}",
            "tokens": row["tokens"],
            "text": wording.signed_percent(row["vs_json_compact"]),
        }
        for row in rows
    )
    is_fewest = {"test": f"datum.tokens === {fewest or 0}", "value": TOON}
    color = alt.ColorValue(GREY, condition=is_fewest)
    tips = [
        alt.Tooltip("label:N"),
        alt.Tooltip("tokens:Q", format=",d"),
        alt.Tooltip("text:N", title="change"),
    ]
    names = charts.by_label(frame["label"])
    chart = charts.bars(frame, "tokens", names, color, tips, reach=compact)
    line = alt.Chart(pd.DataFrame({"tokens": [compact]}))
    rule = line.mark_rule(color=COMPACT_JSON, strokeDash=[4, 3], size=2).encode(x=alt.X("tokens:Q"))
    drawn: alt.LayerChart = (chart + rule).properties(**charts.row_height(26, frame["label"]))
    return drawn


def _draw_delimiter_winners(data: Pane) -> None:
    """The delimiter with the fewest tokens by each tokenizer; the one that wins most is first."""
    names = [name for name in EXACT if name not in find_unusable()]
    rows = measured_rows(compare_formats(data, tuple(names)))
    tokens: dict[str, dict[str, int]] = {}
    for row in rows:
        if row["format"] in _DELIMITED and why_not(row) is None:
            tokens.setdefault(row["tokenizer"], {})[_DELIMITED[row["format"]]] = row["tokens"]
    won = Counter(_fewest(found) for found in tokens.values())
    if not won:
        return
    winner, many = won.most_common(1)[0]
    of = f"for {many:,} of {plural(len(tokens), 'tokenizer')}"
    words = (
        "All delimiters take as many tokens"
        if winner == _NONE
        else f"{winner} takes the fewest tokens"
    )
    st.header(f"{wording.capitalised(words)} {of}", anchor=False)
    draw_table(
        [
            {
                "Tokenizer": TOKENIZERS[name].label,
                "Fewest": _fewest(found),
                **{each: found.get(each) for each in _DELIMITED.values()},
            }
            for name, found in tokens.items()
        ],
        counts=list(_DELIMITED.values()),
    )


def _fewest(tokens: dict[str, int]) -> str:
    """The delimiter of the fewest tokens; where several share them, that none wins."""
    least = min(tokens.values())
    names = [name for name, count in tokens.items() if count == least]
    return _NONE if len(names) == len(_DELIMITED) else " or ".join(names)
