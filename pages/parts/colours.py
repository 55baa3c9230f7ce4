"""What each colour of the pages means; the theme in ``.streamlit/config.toml`` holds the rest.

There are three families, and none is used for what another means. Every colour here can be seen
on light and on dark, and everybody can tell apart those of one family.

- Kinds of text: the first four chart colours of the theme, with an underline in the editors.
- Saving and costing: bluish green and vermilion, always beside a signed figure.
- Formats and other series: from violet on, with a dash, a shape or a label.
"""

from __future__ import annotations

from typing import Final, Literal

#: Figures beside bars, lines at zero, and whatever stands apart or has no meaning of its own.
GREY: Final = "#7d8896"
#: Fewer tokens that cost something else: a map to keep, or what does not come back.
FEWER_WITH_A_MAP: Final = "#66717f"
FEWER_LOSSY: Final = "#aab3bd"

SAVES: Final = "#009e73"
COSTS: Final = "#d55e00"
#: The same as a scale of cells, from the largest saving to the largest cost, and the text on it.
SAVES_TO_COSTS: Final = ("#66c2a5", "#f7f7f7", "#f4a582")
INK_ON_CELLS: Final = "#0c1118"
#: The same as Streamlit names the colours of small texts; the theme says what they look like.
SAVES_NAME: Final = "green"
COSTS_NAME: Final = "red"
SignName = Literal["green", "red", "gray"]
#: A cost as text in a table, on each theme: as the theme's red text.
COSTS_TEXT: Final = {"light": "#b3361e", "dark": "#ff8f76"}

TOON: Final = "#8b6fd0"
COMPACT_JSON: Final = GREY
#: What is sent today, such as JSON with blanks.
TODAY: Final = "#c2578c"
#: Series that are neither kinds nor one of these formats, in the order of their legend.
SERIES: Final = ("#8b6fd0", "#c2578c", "#8f7d2e", "#3d8ea3", "#a0694b")

#: Lines and boxes of diagrams on each theme: ink and the fill of what is chosen.
DIAGRAM: Final = {"light": ("#0c1118", "#cfe0f7"), "dark": ("#e6ebf2", "#2f5d9e")}


def sign_name(change: float | None) -> SignName:
    """The colour of a change: of fewer tokens, of more, or of none and of what has no meaning."""
    if not change:
        return "gray"
    return COSTS_NAME if change > 0 else SAVES_NAME
