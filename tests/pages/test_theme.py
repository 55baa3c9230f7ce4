"""The palette of the four kinds: colours that everybody can distinguish, readable behind text."""

import itertools
import re

import pytest

from tests.conftest import ROOT
from toon import colours

#: A colour as files write it.
COLOUR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
TINT = 0.22  # how much of a kind's colour lies behind its text in the editors

# Viénot, Brettel & Mollon (1999) for protanopia and deuteranopia, in linear RGB.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deuteranopia": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}

Color = tuple[float, float, float]


def linear(text: str) -> Color:
    channels = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return red, green, blue


def mixed(front: str, back: str, share: float) -> Color:
    """``front`` with that opacity over ``back``."""
    channels = (
        round(int(front[i : i + 2], 16) * share + int(back[i : i + 2], 16) * (1 - share))
        for i in (1, 3, 5)
    )
    return linear("#" + "".join(f"{channel:02x}" for channel in channels))


def luminance(color: Color) -> float:
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]


def contrast(one: Color, other: Color) -> float:
    """WCAG 2: from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def simulate(color: Color, blindness: str) -> Color:
    red, green, blue = (
        max(0.0, sum(weight * channel for weight, channel in zip(row, color, strict=True)))
        for row in BLINDNESS[blindness]
    )
    return red, green, blue


def lab(color: Color) -> Color:
    r, g, b = color
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: Color, other: Color) -> float:
    """CIE76 difference: 2 is just noticeable."""
    return sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("blindness", ["none", "protanopia", "deuteranopia"])
def test_everybody_can_distinguish_the_kinds(mode: str, blindness: str) -> None:
    kinds = [simulate(linear(text), blindness) for text in colours.KINDS[mode]]

    assert min(distance(a, b) for a, b in itertools.combinations(kinds, 2)) > 15


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_on_the_tint_of_its_kind_is_readable(mode: str) -> None:
    text = linear(colours.PAGE["ink"][mode])
    surface = colours.PAGE["code"][mode]
    for kind in colours.KINDS[mode]:
        assert contrast(text, mixed(kind, surface, TINT)) > 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_and_captions_are_readable_on_every_surface(mode: str) -> None:
    """Streamlit writes captions and hints in the text's colour, at 60 %."""
    ink = colours.PAGE["ink"][mode]
    for name in ("paper", "plate", "code"):
        surface = colours.PAGE[name][mode]
        assert contrast(linear(ink), linear(surface)) > 7
        assert contrast(mixed(ink, surface, 0.6), linear(surface)) > 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "color", [colours.GREY, colours.SAVES, colours.COSTS, colours.TODAY, *colours.SERIES]
)
def test_marks_of_charts_are_seen_on_both_themes(mode: str, color: str) -> None:
    assert contrast(linear(color), linear(colours.PAGE["paper"][mode])) > 3


@pytest.mark.parametrize("blindness", ["none", "protanopia", "deuteranopia"])
def test_everybody_can_distinguish_saving_from_costing(blindness: str) -> None:
    saves, costs = (simulate(linear(text), blindness) for text in (colours.SAVES, colours.COSTS))

    assert distance(saves, costs) > 30


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("text", [colours.SAVES_TEXT, colours.COSTS_TEXT], ids=["saves", "costs"])
def test_what_a_change_means_is_readable_as_text(mode: str, text: dict[str, str]) -> None:
    assert contrast(linear(text[mode]), linear(colours.PAGE["paper"][mode])) > 4.5


def test_colours_of_pages_stand_in_one_place() -> None:
    files = list((ROOT / "pages").rglob("*.py"))
    named = [path.name for path in files if COLOUR.search(path.read_text())]

    assert len(files) > 40
    assert named == []


def test_a_colour_with_a_meaning_stands_in_one_place() -> None:
    """The page of a refused request has colours of its own: it is served as it stands."""
    meant = set(COLOUR.findall((ROOT / "toon/colours.py").read_text()))
    ends = {".py", ".js", ".css", ".html", ".svg", ".toml", ".jinja"}
    folders = (
        ROOT / "pages" / "browser" / "src",
        ROOT / "pages" / "parts",
        ROOT / "toon",
        ROOT / ".streamlit",
    )
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in ends]
    others = [path for path in files if path.name not in ("colours.py", "door.html")]

    assert len(others) > 200
    assert [path.name for path in others if meant & set(COLOUR.findall(path.read_text()))] == []
