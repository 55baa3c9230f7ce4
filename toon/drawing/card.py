"""An answer about a payload as a card to share: SVG of 1200 x 630, always in light colours.

Widths of text are estimated, rather too wide than too narrow. Text that would not fit is made
smaller, and then shortened.
"""

from collections.abc import Iterator
from html import escape
from typing import Final

from toon import colours
from toon.costs.headline import Bar, Headline, Nothing
from toon.drawing.bars import PARTS, tokens_of
from toon.wording import KINDS

_WIDTH, _HEIGHT = 1200, 630
_EDGE: Final = 56
_RIGHT: Final = _WIDTH - _EDGE
#: The left end of bars, and the pixels of the longest.
_BARS, _LONGEST = _EDGE + 200, 440

_INK, _FAINT, _RULE, _PAPER = (
    colours.PAGE[name]["light"] for name in ("ink", "faint", "rule", "paper")
)
#: Colours of a change: a saving, a cost, none, or one of a format that is not recommended.
_SIGNS: Final = {
    "saves": colours.SAVES_TEXT["light"],
    "costs": colours.COSTS_TEXT["light"],
    "same": _INK,
    "apart": _FAINT,
}
_FILLS: Final = (*colours.KINDS["light"], _PAPER)
#: Widths of a letter as shares of the font size, in plain and in bold text.
_PLAIN, _BOLD = 0.5, 0.54
_LOGO: Final = (("#3b82c4", 48, 34), ("#3b82c4", 59, 21), ("#1a9c78", 70, 14))


def card(headline: Headline | Nothing, title: str = "", model: str = "") -> str:
    """Draw an answer as an SVG image to share: what to send and the saving, or why there is none.

    ``title`` is a line about the payload, ``model`` the name of the model.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{escape(headline["lead"])}" style="max-width:46rem" font-family="'
        f"'Source Sans', system-ui, sans-serif\">{''.join(_parts(headline, title, model))}</svg>"
    )


def _parts(headline: Headline | Nothing, title: str, model: str) -> Iterator[str]:
    yield _box(0, 0, _WIDTH, _HEIGHT, _PAPER)
    yield from (_box(_EDGE, top, width, 7, fill) for fill, top, width in _LOGO)
    yield _text("Token lab", _EDGE + 48, 73, 28, bold=True)
    yield _text(title, _RIGHT, 73, 22, room=860, ink=_FAINT, anchor="end", style="about")
    yield _box(_EDGE, 568, _RIGHT - _EDGE, 1, _RULE)
    yield _text(model, _EDGE, 600, 22, room=560, bold=True, style="model")
    if "bars" not in headline:
        yield from _paragraph(headline["lead"], 150, 44, 6, bold=True)
        return
    yield from _answer(headline)
    yield _text(headline["proof"], _RIGHT, 600, 20, room=500, ink=_FAINT, anchor="end")


def _answer(headline: Headline) -> Iterator[str]:
    size, figure = _fit_text(headline["figure"], 108, 640, _BOLD)
    yield _text(figure, _EDGE, 196, size, bold=True, ink=_SIGNS[headline["look"]])
    beside = _EDGE + _text_width(figure, size, _BOLD) + 24
    room = _RIGHT - beside
    above = 132 if headline["money"] else 192
    yield _text(headline["against"], beside, above, 26, room=room, ink=_FAINT)
    yield _text(headline["money"], beside, 166, 28, room=room, bold=True)
    assumed = headline["assumed"] and f"for {headline['assumed']}"
    yield _text(assumed, beside, 195, 20, room=room, ink=_FAINT)
    yield from _paragraph(headline["act"], 224, 32, 1, bold=True)
    credits = (bar["credit"] for bar in headline["bars"])
    why = " ".join(filter(None, (*credits, *headline["why"])))
    yield from _paragraph(why, 270, 20, 2, ink=_FAINT)
    top = 338 + 29 * (3 - len(headline["bars"]))
    most = max(bar["cost"] for bar in headline["bars"]) or 1
    for bar in headline["bars"]:
        yield from _bar(bar, _LONGEST / most, top)
        top += 58
    yield _legend(headline["bars"], top)


def _bar(bar: Bar, scale: float, top: float) -> Iterator[str]:
    """Yield SVG of one text's bar: name, tokens by kind, their sum and the change from today."""
    is_apart = bar["look"] == "apart"
    ink = _FAINT if is_apart else _INK
    yield _text(bar["label"], _EDGE, top + 28, 22, room=185, ink=ink)
    left: float = _BARS
    for fill, tokens, figure in zip(_FILLS, tokens_of(bar), bar["parts"], strict=True):
        width = tokens * scale
        if width:
            yield _fill(fill, left, top, width, 40, 0.5 if is_apart else 1)
        if width > _text_width(figure, 17) + 8:
            yield _text(figure, left + width / 2, top + 26, 17, anchor="middle")
        left += width
    yield _text(bar["figure"], 800, top + 28, 24, room=95, bold=True, anchor="end")
    sign, beside = _SIGNS[bar["look"]], bar["sum"] if bar["vs_today"] else "tokens"
    yield _text(bar["vs_today"], 822, top + 28, 22, bold=True, ink=sign)
    taken = _text_width(bar["vs_today"], 22, _BOLD) + 10 if bar["vs_today"] else 0
    yield _text(beside, 822 + taken, top + 28, 18, room=_RIGHT - 822 - taken, ink=_FAINT)


def _legend(bars: list[Bar], top: float) -> str:
    svg, left = "", float(_BARS)
    for place, (part, fill) in enumerate(zip(PARTS, _FILLS, strict=True)):
        if any(tokens_of(bar)[place] for bar in bars):
            svg += _fill(fill, left, top + 16, 16, 16)
            svg += _text(KINDS[part], left + 24, top + 31, 18, ink=_FAINT)
            left += 48 + _text_width(KINDS[part], 18)
    return svg


def _box(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="{fill}"{more}/>'


def _fill(fill: str, x: float, y: float, width: float, height: float, opacity: float = 1) -> str:
    """Return SVG of a box in the colour of a kind of tokens, for the note white with an outline."""
    line = f' stroke="{_FAINT}"' if fill == _FILLS[-1] else ""
    return _box(x, y, width, height, fill, f'{line} opacity="{opacity}"')


def _text(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    room: float = _WIDTH,
    bold: bool = False,
    ink: str = _INK,
    anchor: str = "start",
    style: str = "",
) -> str:
    """Return SVG of a line of text that starts, is centred or ends at ``x``, in ``room`` pixels."""
    size, text = _fit_text(text, size, room, _BOLD if bold else _PLAIN)
    look = f'font-size="{size:.1f}" font-weight="{600 if bold else 400}" fill="{ink}"'
    css = f' class="{style}"' if style else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f"<text {place} {look}{css}>{escape(text)}</text>" if text or style else ""


def _text_width(text: str, size: float, letter: float = _PLAIN) -> float:
    return letter * size * len(text)


def _fit_text(text: str, size: float, room: float, letter: float) -> tuple[float, str]:
    """Fit a line of text into ``room`` pixels; ``letter`` is a letter's width, as a share of the
    font size. Return its size, shrunk to 0.6 of ``size`` at least, and the text, cut if still
    too long.
    """
    fitting = min(size, room / (letter * max(len(text), 1)))
    size = max(fitting, 0.6 * size)
    most = int(room / (letter * size) + 1e-9)
    return size, text if len(text) <= most else f"{text[: max(0, most - 1)].rstrip()}…"


def _paragraph(
    text: str, top: float, size: float, lines: int, *, bold: bool = False, ink: str = _INK
) -> Iterator[str]:
    """Yield SVG of a text in ``lines`` of whole words below ``top``, smaller if it needs more."""
    letter = _BOLD if bold else _PLAIN
    while len(rows := list(_wrap_lines(text, (_RIGHT - _EDGE) / (letter * size)))) > lines:
        size -= 1
        if size < 14:
            break
    for number, line in enumerate(rows[:8]):
        y = top + size * (1 + 1.25 * number)
        yield _text(line, _EDGE, y, size, room=_RIGHT - _EDGE, bold=bold, ink=ink)


def _wrap_lines(text: str, letters: float) -> Iterator[str]:
    """Yield the lines of a text broken between words, each of at most ``letters`` characters."""
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > letters:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line
