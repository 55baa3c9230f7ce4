"""Draws figures, short tables and lists as one element of HTML each.

A browser takes long for Streamlit's own elements: without them the Dashboard is drawn in three
quarters of the time. A table here cannot be sorted, but its cells wrap and can be selected.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

import streamlit as st

from pages.parts.tables import is_loss, writers
from toon import wording
from toon.colours import SignName


class Card(NamedTuple):
    """A figure in plain text, its change in the colour of what that means, and notes on it."""

    name: str
    figure: str
    change: str = ""
    colour: SignName | Literal["orange"] = "gray"
    notes: tuple[str, ...] = ()
    #: What stands small below the figure.
    beside: str = ""
    #: Where it ends and where the one before it ended, as shares of the widest.
    fall: tuple[float, float] | None = None


def draw_facts(cards: Iterable[Card]) -> None:
    """Draws cards as one line of small facts."""
    st.html(f'<dl class="cards facts">{"".join(map(_card, cards))}</dl>')


def draw_falls(cards: Iterable[Card]) -> None:
    """Draws cards below each other as a waterfall: each with a bar on one scale."""
    st.html(f'<dl class="cards falls">{"".join(map(_card, cards))}</dl>')


def draw_cards(cards: Iterable[Card]) -> None:
    """Draws cards in a row, each as wide as the others."""
    st.html(f'<dl class="cards">{"".join(map(_card, cards))}</dl>')


def _card(card: Card) -> str:
    details = [("figure", card.figure), (f"change {card.colour}", card.change)]
    details += [("beside", card.beside), *(("note", note) for note in card.notes)]
    shown = (f'<dd class="{kind}">{escape(text)}</dd>' for kind, text in details if text)
    bar = "" if card.fall is None else _fall(*card.fall)
    return f"<div><dt>{escape(card.name)}</dt>{bar}{''.join(shown)}</div>"


def _fall(end: float, start: float) -> str:
    """What is left, and behind it what fell away; or what was added, if it grew."""
    change = "saved" if end < start else "added"
    left, moved = 100 * min(end, start), 100 * abs(start - end)
    pieces = f'<i style="width:{left:.2f}%"></i><i class="{change}" style="width:{moved:.2f}%"></i>'
    return f'<dd class="bar" aria-hidden="true">{pieces}</dd>'


def draw_details(title: str, lines: Iterable[str], *, is_open: bool = False) -> None:
    """Draws lines of plain text in a box that the browser opens and closes by itself."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    st.html(_box(title, f"<ul>{items}</ul>", is_open=is_open))


def _box(title: str, content: str, *, is_open: bool = False) -> str:
    state = " open" if is_open else ""
    return f'<details class="box"{state}><summary>{escape(title)}</summary>{content}</details>'


def draw_short_table(
    rows: Sequence[Mapping[str, object]],
    *,
    counts: Sequence[str] = (),
    decimals: Sequence[str] = (),
    percents: Sequence[str] = (),
    differences: Sequence[str] = (),
    right: Collection[str] = (),
    box: str = "",
) -> None:
    """Draws a table of a few rows with a column for each of their keys; its cells wrap.

    The arguments are those of ``draw_table``; signed figures that are losses are marked. With a
    title, the table stands in a closed ``box``.
    """
    write = writers(
        {
            wording.count: counts,
            "{:,.1f}".format: decimals,
            wording.signed_percent: percents,
            wording.signed_count: differences,
        },
    )
    signed = {*percents, *differences}
    kinds = {name: "figure" if name in write or name in right else "text" for name in rows[0]}

    def cell(name: str, value: object) -> str:
        text, kind = wording.UNKNOWN if value is None else str(value), kinds[name]
        if isinstance(value, int | float):
            text = write[name](value)
            kind += " loss" * (name in signed and is_loss(value))
        # A long path or name breaks at its parts before it breaks a word.
        shown = re.sub(r"([/_])", r"\1<wbr/>", escape(text)) if kind == "text" else escape(text)
        return f'<td class="{kind}">{shown}</td>'

    head = "".join(f'<th class="{kind}">{escape(name)}</th>' for name, kind in kinds.items())
    lines = ("".join(cell(name, row[name]) for name in kinds) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    table = f'<table class="short"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    st.html(_box(box, table) if box else table)
