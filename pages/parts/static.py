"""Draws figures, short tables and lists as one element of HTML each.

A page stands sooner than with Streamlit's own: a browser takes about as long for an element as
for all that stands in one, and for a table as a canvas ten times as long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

import streamlit as st

from pages.parts.colours import SignName
from pages.parts.tables import is_loss, writers
from toon import wording


class Card(NamedTuple):
    """A figure in plain text, how it changed in the colour that this means, and notes on it."""

    name: str
    figure: str
    change: str = ""
    colour: SignName | Literal["orange"] = "gray"
    notes: tuple[str, ...] = ()


def draw_cards(cards: Iterable[Card]) -> None:
    """Draws cards in a row, each as wide as the others."""
    st.html(f'<dl class="cards">{"".join(map(_card, cards))}</dl>')


def _card(card: Card) -> str:
    details = [("figure", card.figure), (f"change {card.colour}", card.change)]
    details += [("note", note) for note in card.notes]
    shown = (f'<dd class="{kind}">{escape(text)}</dd>' for kind, text in details if text)
    return f"<div><dt>{escape(card.name)}</dt>{''.join(shown)}</div>"


def draw_details(title: str, lines: Iterable[str]) -> None:
    """Draws lines of plain text in a box that the browser opens and closes by itself."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    st.html(f'<details class="box"><summary>{escape(title)}</summary><ul>{items}</ul></details>')


def draw_short_table(
    rows: Sequence[Mapping[str, object]],
    *,
    counts: Sequence[str] = (),
    decimals: Sequence[str] = (),
    percents: Sequence[str] = (),
    differences: Sequence[str] = (),
    estimated: Collection[str] = (),
) -> None:
    """Draws a few rows of a column for each of their keys; the cells wrap.

    The arguments are those of ``draw_table``; signed figures that are losses are marked.
    """
    write = writers(
        {
            wording.count: counts,
            "{:,.1f}".format: decimals,
            wording.signed_percent: percents,
            wording.signed_count: differences,
        },
        estimated,
    )
    signed = {*percents, *differences}

    def cell(name: str, value: object) -> str:
        text = wording.UNKNOWN if value is None else str(value)
        kind = "figure" if name in write else "text"
        if isinstance(value, int | float):
            text = write[name](value)
            kind += " loss" * (name in signed and is_loss(value))
        return f'<td class="{kind}">{escape(text)}</td>'

    kinds = dict.fromkeys(write, "figure")
    head = "".join(f'<th class="{kinds.get(name, "text")}">{escape(name)}</th>' for name in rows[0])
    lines = ("".join(cell(name, row[name]) for name in rows[0]) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    st.html(f'<table class="short"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>')
