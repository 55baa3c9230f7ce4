"""Figures and lists, each drawn as one element of HTML, and long texts.

Streamlit's own elements are slow: without them the Dashboard is drawn in three quarters of the
time.
"""

from collections.abc import Iterable
from html import escape
from typing import Literal, NamedTuple

import streamlit as st

from toon.colours import SignName
from toon.limits import SHOWN_CHARACTERS


class Card(NamedTuple):
    """A figure to draw: its name, its text, its change in a colour that says good or bad, notes."""

    name: str
    figure: str
    change: str = ""
    colour: SignName | Literal["orange"] = "gray"
    notes: tuple[str, ...] = ()
    #: Small text below the figure.
    footnote: str = ""
    #: The bar's end and that of the bar before it, as shares of the widest.
    fall: tuple[float, float] | None = None


def draw_cards(cards: Iterable[Card], look: Literal["", "facts", "falls"] = "") -> None:
    """Draw figures as a row of cards, all of one width.

    "facts" are one line of small cards; "falls" stand below each other, each with a bar on one
    scale, as a waterfall.
    """
    kinds = " ".join(filter(None, ("cards", look)))
    st.html(f'<dl class="{kinds}">{"".join(map(_card, cards))}</dl>')


def _card(card: Card) -> str:
    details = [("figure", card.figure), (f"change {card.colour}", card.change)]
    details += [("beside", card.footnote), *(("note", note) for note in card.notes)]
    html = "".join(f'<dd class="{kind}">{escape(text)}</dd>' for kind, text in details if text)
    if card.fall:  # a bar of what is left, and behind it the part that was saved or added
        end, start = card.fall
        widths = 100 * min(end, start), 100 * abs(start - end)
        moved = "saved" if end < start else "added"
        html = (
            f'<dd class="bar" aria-hidden="true"><i style="width:{widths[0]:.2f}%"></i>'
            f'<i class="{moved}" style="width:{widths[1]:.2f}%"></i></dd>{html}'
        )
    return f"<div><dt>{escape(card.name)}</dt>{html}</div>"


def draw_verdict(act: str, quiet: str, figures: Iterable[tuple[str, str]], tip: str = "") -> None:
    """Draw a headline in a band: what to do, what that rests on, and figures with their names.

    ``tip`` is the tooltip of the figures.
    """
    pairs = (f"<div><dt>{escape(dt)}</dt><dd>{escape(dd)}</dd></div>" for dd, dt in figures)
    st.html(
        f'<section class="verdict"><h2>{escape(act)}</h2><p>{escape(quiet)}</p>'
        f'<dl title="{escape(tip)}">{"".join(pairs)}</dl></section>'
    )


def draw_details(title: str, lines: Iterable[str], *, is_open: bool = False) -> None:
    """Draw plain texts as a list in a titled box that the browser opens and closes."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    st.html(wrap_in_box(title, f"<ul>{items}</ul>", is_open=is_open))


def wrap_in_box(title: str, content: str, *, is_open: bool = False) -> str:
    """Put HTML into a titled box that the browser opens and closes; return it as HTML."""
    state = " open" if is_open else ""
    return f'<details class="box"{state}><summary>{escape(title)}</summary>{content}</details>'


def draw_text(
    text: str,
    language: str | None = None,
    *,
    height: int | Literal["content"] | None = None,
    wrap: bool = True,
    numbered: bool = False,
    length: int = 0,
) -> None:
    """Draw a text as code, as it is; of a long text only the start, with a caption.

    ``text`` may already be the start of a text of ``length``. Without a ``height`` a long text
    scrolls.
    """
    st.code(
        text[:SHOWN_CHARACTERS] or " ",
        language=language,
        wrap_lines=wrap,
        line_numbers=numbered,
        height=height or (380 if len(text) > 2_000 else "content"),
    )
    if (total := max(len(text), length)) > SHOWN_CHARACTERS:
        st.caption(f"The first {SHOWN_CHARACTERS:,} of {total:,} characters.")
