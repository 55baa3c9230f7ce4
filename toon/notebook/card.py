"""The answer as a card of HTML for notebooks: it runs no script and loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from toon import colours
from toon.costs.headline import Bar, Headline
from toon.layout.spans import KINDS

_CARD: Final = (
    "max-width:46rem;padding:.8rem 1rem;border:1px solid #8886;border-radius:6px;"
    "font:14px/1.5 system-ui,sans-serif"
)
_QUIET: Final = "opacity:.7;font-size:.85em"
_INK: Final = {"saves": colours.SAVES, "costs": colours.COSTS, "same": "inherit"}
_FILLS: Final = (*colours.KINDS["light"], colours.GREY)


def as_html(headline: Headline, title: str) -> str:
    """A card with the headline's words and bars; every text in it is escaped."""
    return f'<div style="{_CARD}">{"".join(_parts(headline, title))}</div>'


def _parts(headline: Headline, title: str) -> Iterator[str]:
    if headline["figure"]:
        ink = _INK.get(headline["look"], "inherit")
        figure = f'<b style="font-size:1.6em;color:{ink}">{escape(headline["figure"])}</b>'
        yield f'<div>{figure} <span style="{_QUIET}">{escape(headline["against"])}</span></div>'
    yield f"<div><b>{escape(headline['lead'])}</b></div>"
    most = max((bar["cost"] for bar in headline["bars"]), default=1) or 1
    yield from (_bar(bar, most) for bar in headline["bars"])
    if headline["bars"]:
        yield f'<div style="{_QUIET}">{_key()}</div>'
    said = [*headline["reasons"], headline["money"], headline["proof"], title]
    words = " · ".join(escape(words) for words in said if words)
    yield f'<div style="{_QUIET};margin-top:.4rem">{words}</div>'


def _bar(bar: Bar, most: float) -> str:
    parts = zip(_FILLS, (*bar["kinds"], bar["explanation"]), strict=True)
    drawn = "".join(
        f'<span style="width:{100 * tokens / most:.2f}%;background:{fill}"></span>'
        for fill, tokens in parts
    )
    named = " ".join(filter(None, (bar["label"], bar["figure"], bar["vs_today"], bar["sum"])))
    return (
        f'<div style="margin-top:.4rem">{escape(named)}'
        f'<div style="display:flex;height:.9rem">{drawn}</div></div>'
    )


def _key() -> str:
    return " ".join(
        f'<span style="color:{fill}">■</span> {escape(name)}'
        for fill, name in zip(_FILLS, (*KINDS, "explanation"), strict=True)
    )
