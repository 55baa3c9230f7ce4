"""The meaning of each colour: in pages, charts, reports, and the table that the browser gets.

There are three families, each with its own meaning. Every colour is visible on light and on dark,
and everybody can tell apart the colours of one family.

- Kinds of text: four colours, with an underline in the editors and a pattern in charts.
- Saving and costing: bluish green and vermilion, always beside a signed figure.
- Formats and other series: from violet on, with a dash, a shape or a label.

:data:`PAGE` has what means nothing: paper, ink, lines. Stylesheets use its names as variables.
"""

from typing import Final, Literal

#: The kinds of text on each theme, in the order of :data:`toon.layout.spans.KINDS`.
KINDS: Final = {
    "light": ("#739fcc", "#ecd8a6", "#d3d8de", "#6fae9b"),
    "dark": ("#528fc2", "#bfa064", "#778291", "#49aa8f"),
}

#: Figures beside bars, lines at zero, and whatever stands apart or has no meaning of its own.
GREY: Final = "#7d8896"

SAVES: Final = "#009e73"
COSTS: Final = "#d55e00"
#: Saving and costing as a scale of cells, from the largest saving on; text in a cell and patterns.
SAVES_TO_COSTS: Final = ("#66c2a5", "#f7f7f7", "#f4a582")
INK_ON_CELLS: Final = "#0c1118"
#: Saving and costing as text, on each theme.
SAVES_TEXT: Final = {"light": "#0b6b4b", "dark": "#4fd3a2"}
COSTS_TEXT: Final = {"light": "#b3361e", "dark": "#ff8f76"}
#: Surfaces, texts and lines of pages and reports on each theme, by the names that styles use.
PAGE: Final = {
    "paper": {"light": "#ffffff", "dark": "#12161c"},
    "plate": {"light": "#f4f6f8", "dark": "#1b212a"},
    "code": {"light": "#fafbfc", "dark": "#171c24"},
    "ink": {"light": INK_ON_CELLS, "dark": "#e6ebf2"},
    "ink-on-kinds": {"light": INK_ON_CELLS, "dark": INK_ON_CELLS},
    "soft": {"light": "#4a5464", "dark": "#a9b4c2"},
    "faint": {"light": "#5d6978", "dark": "#9aa7b8"},
    "rule": {"light": "#d5dbe3", "dark": "#343d4a"},
    "faint-rule": {"light": "#e6eaef", "dark": "#2a323d"},
    "grey-plate": {"light": "#f0f2f5", "dark": "#262d38"},
    "grey-bar": {"light": "#93a0ad", "dark": "#5d6978"},
    "accent": {"light": "#1d5fa8", "dark": "#6cb2ff"},
    "ink-on-accent": {"light": "#ffffff", "dark": INK_ON_CELLS},
    "saves-text": SAVES_TEXT,
    "costs-text": COSTS_TEXT,
    "saves-plate": {"light": "#e4f6ee", "dark": "#133229"},
    "costs-plate": {"light": "#fdecea", "dark": "#3b211d"},
    "warns-text": {"light": "#8f4a00", "dark": "#ffb35c"},
    "warns-plate": {"light": "#fff1e0", "dark": "#3a2a14"},
}
#: Saving, costing and neither as Streamlit names the colours of small texts.
SignName = Literal["green", "red", "gray"]

TOON: Final = "#8b6fd0"
COMPACT_JSON: Final = GREY
#: The text that is sent today, such as JSON with blanks.
TODAY: Final = "#c2578c"
#: Series that are neither kinds nor one of these formats, in the order of their legend.
SERIES: Final = ("#8b6fd0", "#c2578c", "#8f7d2e", "#3d8ea3", "#a0694b")


def sign_name(change: float | None) -> SignName:
    """Return Streamlit's colour for a change of tokens: green if fewer, red if more, or gray."""
    if not change:
        return "gray"
    return "red" if change > 0 else "green"


def css_variables() -> str:
    """Return CSS that has the colours of :data:`PAGE` and ``KINDS`` as variables ``--NAME``.

    They follow the theme. An element of the class ``kind-N`` has the colour of kind N as
    ``--kind``.
    """
    kinds = zip(*KINDS.values(), strict=True)
    pairs = {name: (shade["light"], shade["dark"]) for name, shade in PAGE.items()}
    pairs |= {f"kind-{place}": pair for place, pair in enumerate(kinds)}
    shades = (f"--{name}: light-dark({light}, {dark});" for name, (light, dark) in pairs.items())
    classes = (f".kind-{n} {{ --kind: var(--kind-{n}); }}" for n in range(len(KINDS["light"])))
    return f":root, :host {{ {' '.join(shades)} }}\n{' '.join(classes)}"
