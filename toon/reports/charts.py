"""A report's charts as inline SVG, drawn without a library and without scripts.

All texts are escaped here. Every bar has its figure as text; its class gives the colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 860
_LABEL: Final = 250
_ROW: Final = 26
_TEXT: Final = 110


def _svg(height: int, title: str, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )


def _rect(x: float, y: float, width: float, height: float, style: str, title: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" '
        f'class="{style}"><title>{escape(title)}</title></rect>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", style: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{style}"'
    return f"<text {place}>{escape(text)}</text>"


def _label(y: float, text: str) -> str:
    short = text if len(text) <= 36 else text[:35] + "…"
    return f"<g><title>{escape(text)}</title>{_text(_LABEL - 10, y, short, 'end')}</g>"


def signed_bars(
    title: str,
    bars: Sequence[tuple[str, float, str]],
    styles: tuple[str, str],
) -> str:
    """Horizontal bars: savings to the left of zero, losses to the right.

    Each bar is a label, a signed figure and the figure's text. ``styles`` are those of savings and
    of losses.
    """
    low = min([0.0, *(value for _, value, _ in bars)])
    high = max([0.0, *(value for _, value, _ in bars)])
    room = WIDTH - _LABEL - 2 * _TEXT
    scale = room / (high - low) if high > low else 0.0
    zero = _LABEL + _TEXT - low * scale
    parts = []
    for place, (name, value, text) in enumerate(bars):
        y = place * _ROW
        width = abs(value) * scale
        style, x = (styles[0], zero - width) if value < 0 else (styles[1], zero)
        parts += [_label(y + 17, name), _rect(x, y + 4, width, _ROW - 8, style, f"{name}: {text}")]
        end, anchor = (x - 5, "end") if value < 0 else (zero + width + 5, "start")
        parts.append(_text(end, y + 17, text, anchor))
    height = len(bars) * _ROW + 4
    parts.append(f'<line x1="{zero:.1f}" x2="{zero:.1f}" y1="0" y2="{height}" class="axis"/>')
    return _svg(height, title, parts)


def stacked_bars(title: str, bars: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    """Horizontal bars on one scale; each is a label and its tokens by kind of text."""
    most = max((sum(kinds.values()) for _, kinds in bars), default=0.0)
    scale = (WIDTH - _LABEL - _TEXT) / most if most else 0.0
    parts = []
    for place, (name, kinds) in enumerate(bars):
        x, y = float(_LABEL), place * _ROW
        parts.append(_label(y + 17, name))
        whole = sum(kinds.values())
        for kind, tokens in kinds.items():
            share = f" ({tokens / whole:.0%})" if whole else ""
            text = f"{name}, {kind}: {tokens:,.0f} tokens{share}"
            if tokens:
                parts.append(_rect(x, y + 4, tokens * scale, _ROW - 8, kind, text))
            x += tokens * scale
        parts.append(_text(x + 5, y + 17, f"{whole:,.0f}"))
    return _svg(len(bars) * _ROW + 4, title, parts)


def columns(
    title: str,
    bars: Sequence[tuple[str, float, str]],
    ends: tuple[str, str],
    zero: int | None = None,
) -> str:
    """Vertical bars; each is a title, a height and a style.

    ``ends`` are the texts below the first and last bar; ``zero`` is the index of the bar at whose
    left the zero of the scale is marked.
    """
    height, room = 160, WIDTH - 80
    most = max((value for _, value, _ in bars), default=0.0)
    width = room / len(bars) if bars else 0.0
    parts = [
        _rect(
            60 + place * width,
            20 + (1 - value / most) * height,
            width - min(2.0, width / 4),
            height * value / most,
            style,
            f"{name}: {value:,.0f}",
        )
        for place, (name, value, style) in enumerate(bars)
        if value
    ]
    parts += [
        _text(54, 30, f"{most:,.0f}", "end", "quiet"),
        _text(54, 20 + height, "0", "end", "quiet"),
        f'<line x1="60" x2="{60 + room}" y1="{20 + height}" y2="{20 + height}" class="axis"/>',
        _text(60, 38 + height, ends[0], "start", "quiet"),
        _text(60 + room, 38 + height, ends[1], "end", "quiet"),
    ]
    if zero is not None and 1 < zero < len(bars) - 1:
        parts.append(_text(60 + zero * width, 38 + height, "0", "middle", "quiet"))
    return _svg(height + 46, title, parts)
