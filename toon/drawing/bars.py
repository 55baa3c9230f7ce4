"""The bars of an answer about a payload in HTML; stylesheets colour the kinds of tokens."""

from collections.abc import Sequence
from html import escape
from typing import Final

from toon.costs.headline import Bar, Headline
from toon.layout.spans import KINDS
from toon.wording import KINDS as WORDS
from toon.wording import capitalised, count, whole_percent

#: Keys of a bar's parts, in the order of ``Bar.parts``, and their classes.
PARTS: Final = (*KINDS, "explanation")
CLASSES: Final = (*(f"kind-{place}" for place in range(len(KINDS))), "explained")

#: The reason why values may take different numbers of tokens in two texts.
_SPLIT: Final = "A token can hold the end of one and what follows: it is split by its bytes."

#: A bar without parts, for a text whose tokens alone are known.
_TOTAL: Final[Bar] = {
    "format": "", "label": "", "kinds": [0] * len(KINDS), "explanation": 0, "cost": 0,
    "parts": [""] * len(PARTS), "exactly": [""] * len(PARTS), "figure": "", "sum": "",
    "vs_today": "", "credit": "", "how": "", "told": "", "look": "same",
}  # fmt: skip


def tokens_of(bar: Bar) -> list[float]:
    """Return the tokens of one text in an answer: by kind (names, punctuation, whitespace, values),
    and last those of the note that explains the format to the model.
    """
    return [*bar["kinds"], bar["explanation"]]


def rungs(headline: Headline) -> str:
    """Draw the texts compared for a payload as HTML list items: name, token bar, cost, change."""
    bars = headline["bars"]
    most = max((bar["cost"] for bar in bars), default=1) or 1
    return "".join(_rung(bar, most, bar["format"] == headline["best"]) for bar in bars)


def rungs_of_totals(texts: Sequence[tuple[str, int]]) -> str:
    """Draw labels with their tokens as HTML list items: a bar each, and the change from first."""
    first, most = texts[0][1], max(tokens for _, tokens in texts) or 1
    bars: list[Bar] = [
        {
            **_TOTAL,
            "label": label,
            "cost": tokens,
            "figure": count(tokens),
            "vs_today": whole_percent(tokens / first - 1) if place and first else "",
        }
        for place, (label, tokens) in enumerate(texts)
    ]
    return "".join(_rung(bar, most, is_best=False) for bar in bars)


def _rung(bar: Bar, most: float, is_best: bool) -> str:
    parts = zip(PARTS, bar["exactly"], tokens_of(bar), strict=True)
    title = escape(", ".join(f"{WORDS[part]} {exact}" for part, exact, tokens in parts if tokens))
    called = escape(f"{'✓ ' if is_best else ''}{capitalised(bar['label'])}")
    aloud = "; ".join(filter(None, (title, escape(bar["how"]))))
    return (
        f'<li class="rung{" best" if is_best else ""}" data-look="{bar["look"]}" title="{title}">'
        f'<span class="called">{called}</span>'
        f'<div class="scale" role="img" aria-label="{aloud}">{strip(bar, most)}'
        f'<span class="beside">{escape(bar["sum"])}</span></div>'
        f'<span class="how" title="{escape(bar["credit"])}">{escape(bar["how"])}</span>'
        f'<span class="tokens">{escape(bar["figure"])}</span>'
        f'<span class="step">{escape(bar["vs_today"])}</span></li>'
    )


def strip(bar: Bar, most: float) -> str:
    """Draw one bar's kinds of tokens side by side as HTML, on a scale up to ``most`` tokens."""
    pieces = ""
    parts = zip(PARTS, CLASSES, tokens_of(bar), bar["parts"], bar["exactly"], strict=True)
    for part, style, tokens, figure, exact in parts:
        if tokens:
            split = f". {_SPLIT}" if "." in exact else ""
            title = escape(f"{exact} tokens for {WORDS[part]}{split}")
            width = f"width:{100 * tokens / bar['cost']:.3f}%"
            pieces += (
                f'<span class="{style}" style="{width}" title="{title}">{escape(figure)}</span>'
            )
    return f'<div class="strip" style="width:{100 * bar["cost"] / most:.3f}%">{pieces}</div>'
