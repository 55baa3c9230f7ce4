"""Charts as HTML that runs no script: the report's and the dashboard's are the same.

All texts are escaped here. Every bar has its figure as text; its class gives the colour.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from toon import colours
from toon.layout.spans import KINDS

#: The colours of bars that show no kind of text, by CSS class.
_FILLS: Final = {
    "saves": colours.SAVES,
    "costs": colours.COSTS,
    "apart": colours.GREY,
    "today": colours.TODAY,
}
_RULES: Final = """
.chart dl { display: grid; grid-template-columns: minmax(6rem, 16rem) 1fr; gap: 0.3rem 0.75rem;
  margin: 0.5rem 0; padding: 0; max-width: 58rem; font-size: 0.85rem; align-items: center; }
.chart dt { text-align: right; overflow-wrap: anywhere; }
.chart dd { display: flex; align-items: center; margin: 0; min-width: 0; }
.chart i { flex: none; height: 1rem; min-width: 1px; print-color-adjust: exact; }
.chart dd em { font-style: normal; margin: 0 0.4rem; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.chart .columns { display: flex; align-items: flex-end; height: 10rem; gap: 1px; max-width: 58rem;
  margin-top: 0.5rem; border-bottom: 1px solid currentColor; }
.chart .columns i { flex: 1 1 0; min-width: 0; min-height: 1px; }
.chart .ends { display: flex; justify-content: space-between; max-width: 58rem;
  font-size: 0.8rem; opacity: 0.75; }
.chart .key { font-size: 0.85rem; }
@media (max-width: 640px) { .chart dl { grid-template-columns: 1fr; gap: 0.1rem; }
  .chart dt { text-align: left; } .chart dd { margin-bottom: 0.4rem; } }
.chart .key i { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.3em 0 1em; }
"""
#: The most characters of a name beside a bar; pointing at it shows it whole.
_NAME: Final = 60
#: Room for the figures behind the longest bars, in per cent of the width.
_ROOM: Final = 28.0


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its title, its drawing as HTML, its key (words by CSS class) and a note below."""

    title: str
    drawing: str
    key: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    @property
    def html(self) -> str:
        """The drawing and the key of the chart as HTML, without title and note."""
        marks = (f'<i class="{style}"></i>{escape(words)}' for style, words in self.key.items())
        key = f'<div class="key">{"".join(marks)}</div>' if self.key else ""
        return f'<div class="chart">{key}{self.drawing}</div>'


def styles() -> str:
    """Return the CSS of all charts, with colours for a light and a dark theme."""
    fills = {name: (colour, colour) for name, colour in _FILLS.items()}
    shades = zip(KINDS, *colours.KINDS.values(), strict=True)
    fills |= {kind: (light, dark) for kind, light, dark in shades}
    return _RULES + "\n".join(
        f".chart .{name} {{ background: light-dark({light}, {dark}); }}"
        for name, (light, dark) in fills.items()
    )


def _bar(share: float, style: str, title: str, before: float = 0.0) -> str:
    """Return a bar as HTML, ``share`` per cent wide after a gap of ``before`` per cent."""
    margin = f"margin-left:{before:.2f}%;" if before else ""
    return f'<i class="{style}" style="{margin}width:{share:.2f}%" title="{escape(title)}"></i>'


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    def row_head(name: str) -> str:
        short = name if len(name) <= _NAME else name[: _NAME - 1] + "…"
        return f'<dt title="{escape(name)}">{escape(short)}</dt>'

    return f"<dl>{''.join(f'{row_head(name)}<dd>{content}</dd>' for name, content in rows)}</dl>"


def signed_bars(bars: Sequence[tuple[str, float, str]], styles: tuple[str, str]) -> str:
    """Draw horizontal bars as HTML: negative figures (savings) left of zero, positive right of it.

    Each bar is a label, a figure and its text. ``styles`` are CSS classes: savings, losses.
    """
    low = min([0.0, *(value for _, value, _ in bars)])
    high = max([0.0, *(value for _, value, _ in bars)])
    scale = (100 - _ROOM) / (high - low) if high > low else 0.0

    def row(name: str, value: float, text: str) -> str:
        style = styles[0] if value < 0 else styles[1]
        before = (min(value, 0.0) - low) * scale
        bar = _bar(abs(value) * scale, style, f"{name}: {text}", before)
        return f"{bar}<em>{escape(text)}</em>"

    return _rows((name, row(name, value, text)) for name, value, text in bars)


def stacked_bars(bars: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    """Draw stacked horizontal bars as HTML; each is a label and tokens by kind of text."""
    most = max((sum(kinds.values()) for _, kinds in bars), default=0.0)
    scale = (100 - _ROOM) / most if most else 0.0

    def row(name: str, kinds: Mapping[str, float]) -> str:
        total = sum(kinds.values())
        parts = "".join(
            _bar(
                tokens * scale,
                kind,
                f"{name}, {kind}: {tokens:,.0f} tokens ({tokens / total:.0%})",
            )
            for kind, tokens in kinds.items()
            if tokens
        )
        return f"{parts}<em>{total:,.0f}</em>"

    return _rows((name, row(name, kinds)) for name, kinds in bars)


def columns(bars: Sequence[tuple[str, float, str]], ends: tuple[str, str]) -> str:
    """Draw vertical bars as HTML from (title, height, CSS class); ``ends`` label the outer two."""
    most = max((value for _, value, _ in bars), default=0.0) or 1.0
    marks = "".join(
        f'<i class="{style}" style="height:{100 * value / most:.2f}%" '
        f'title="{escape(f"{name}: {value:,.0f}")}"></i>'
        for name, value, style in bars
    )
    axis = "".join(f"<span>{escape(end)}</span>" for end in (ends[0], f"most {most:,.0f}", ends[1]))
    return f'<div class="columns">{marks}</div><div class="ends">{axis}</div>'
