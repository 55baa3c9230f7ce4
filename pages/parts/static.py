"""Draws figures and lists as one element of HTML each.

A browser takes long for Streamlit's own elements: without them the Dashboard is drawn in three
quarters of the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Literal, NamedTuple

import streamlit as st

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


def draw_cards(cards: Iterable[Card], look: Literal["", "facts", "falls"] = "") -> None:
    """Draws cards in a row, each as wide as the others.

    "facts" are one line of small ones; "falls" stand below each other, each with a bar on one
    scale, as a waterfall.
    """
    kinds = " ".join(filter(None, ("cards", look)))
    st.html(f'<dl class="{kinds}">{"".join(map(_card, cards))}</dl>')


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


def draw_verdict(act: str, quiet: str, figures: Iterable[tuple[str, str]], tip: str = "") -> None:
    """Draws what to do in one band, as the playground's card has it, with figures and their names.

    Whoever points at the figures reads the ``tip``.
    """
    pairs = (f"<div><dt>{escape(name)}</dt><dd>{escape(of)}</dd></div>" for of, name in figures)
    st.html(
        f'<section class="verdict"><h2>{escape(act)}</h2><p>{escape(quiet)}</p>'
        f'<dl title="{escape(tip)}">{"".join(pairs)}</dl></section>'
    )


def draw_details(title: str, lines: Iterable[str], *, is_open: bool = False) -> None:
    """Draws lines of plain text in a box that the browser opens and closes by itself."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    st.html(boxed(title, f"<ul>{items}</ul>", is_open=is_open))


def boxed(title: str, content: str, *, is_open: bool = False) -> str:
    """HTML in a box with a title, which the browser opens and closes."""
    state = " open" if is_open else ""
    return f'<details class="box"{state}><summary>{escape(title)}</summary>{content}</details>'
