"""A headline drawn: each drawing has its figures, its proportions, and nothing that runs."""

import re
from html import escape
from typing import cast
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.costs.headline import Bar, Headline, empty_headline, headline
from toon.costs.models import MODELS, Model, choose
from toon.costs.prices import Traffic, use_prices
from toon.drawing.bars import rungs, rungs_of_totals
from toon.drawing.card import _fit_text, card
from toon.drawing.slides import bar, columns, scenes, slides
from toon.formats import FORMATS
from toon.values.json_text import parse_json


def headline_of(text: str, calls: int = 100_000, cached: float = 0.0) -> Headline:
    document = Document.of(parse_json(text).value, Typed(text))
    answer = headline(document, choose("gpt-5"), traffic=Traffic(calls, cached))
    assert "bars" in answer
    return answer


ORDERS = headline_of((ROOT / "samples" / "uniform-rows.json").read_text(encoding="utf-8"))
WEATHER = headline_of((ROOT / "samples" / "weather.json").read_text(encoding="utf-8"))
NOTHING = empty_headline("Nothing to compare: the payload is an empty object")


def tree(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<div>{markup}</div>")


def widths(element: ElementTree.Element, name: str) -> list[float]:
    styles = [node.get("style", "") for node in element.iter() if node.get("class") in name.split()]
    return [float(style.removeprefix("width:").rstrip("%")) for style in styles]


@pytest.mark.parametrize("answer", [ORDERS, WEATHER])
def test_a_bar_is_as_long_as_its_cost_and_its_parts_fill_it(answer: Headline) -> None:
    drawn = tree(rungs(answer))
    costs = [bar["cost"] for bar in answer["bars"]]

    most = max(costs, default=1)
    assert widths(drawn, "strip") == pytest.approx([100 * cost / most for cost in costs], abs=0.01)
    for strip in drawn.iter("div"):
        if strip.get("class") == "strip":
            parts = widths(strip, "kind-0 kind-1 kind-2 kind-3 explained")
            assert sum(parts) == pytest.approx(100, abs=0.01)


def test_a_rung_says_its_name_its_figures_and_which_is_best() -> None:
    texts = ["|".join(filter(None, rung.itertext())) for rung in tree(rungs(WEATHER))]

    assert texts == [
        "Your JSON|46|87|117|68|318",
        "✓ Minified JSON|46|74|68|188|−41\u202f%",
        "TOON|21|39|31|66|57|157 + 57 note|214|−33\u202f%",
    ]


def test_a_text_of_which_only_the_tokens_are_known_is_one_bar() -> None:
    drawn = tree(rungs_of_totals([("your <JSON>", 2_135), ("minified JSON", 1_325), ("TOON", 0)]))

    assert ["|".join(filter(None, rung.itertext())) for rung in drawn] == [
        "Your <JSON>|2,135",
        "Minified JSON|1,325|−38\u202f%",
        "TOON|0|−100\u202f%",
    ]


def test_the_demo_is_scenes_with_a_figure_each() -> None:
    story = list(scenes(WEATHER))

    assert [(scene["title"], scene["figure"], scene["saves"]) for scene in story] == [
        ("What one payload costs today", "318 tokens", False),
        ("How many of the tokens are your data", "21 of 100", False),
        ("Minify it, and keep JSON", "188 tokens", True),
        ("Saved: $16 a month", "$195 a year", True),
    ]
    assert story[-1]["words"] == (
        "All of it is minifying: any JSON library does that. 100,000 payloads a month, $1.25 a "
        "million tokens, uncached."
    )


def test_of_a_text_that_is_kept_the_demo_shows_its_own_figure() -> None:
    text = FORMATS["toon"].dumps([{"id": number, "name": "abi"} for number in range(8)])
    document = Document.of(FORMATS["toon"].loads(text), Typed(text, FORMATS["toon"]))
    answer = headline(document, choose("gpt-5"))
    assert "bars" in answer

    last = [*scenes(answer)][-1]
    assert (last["title"], last["figure"]) == ("Keep your TOON", f"{answer['today']} tokens")


def test_a_hundred_cells_are_shared_by_the_kinds() -> None:
    cells = next(
        node for node in tree(slides(scenes(ORDERS))).iter() if node.get("class") == "cells"
    )
    (today, *_) = ORDERS["bars"]
    drawn = [sum(cell.get("class") == f"kind-{kind}" for cell in cells) for kind in range(4)]

    assert sum(drawn) == 100
    assert drawn == pytest.approx([100 * kind / today["cost"] for kind in today["kinds"]], abs=1)


def test_where_only_minifying_helps_it_is_no_scene_of_its_own_and_a_cache_is_said() -> None:
    text = '{\n  "a": "some words about nothing much",\n  "b": [1, 2,   3]\n}'
    answer = headline_of(text, cached=0.5)

    assert [scene["title"] for scene in scenes(headline_of(text, calls=0))][2:] == [answer["act"]]
    assert [*scenes(answer)][-1]["words"] == (
        "All of it is minifying: any JSON library does that. 100,000 payloads a month, "
        "68.8 cents a million tokens, 50\u202f% read from cache."
    )


def test_columns_are_on_one_scale() -> None:
    drawn = columns([("a", "$2", 2.0), ("b", "$1", 1.0), ("c", "$0", 0.0)])

    assert re.findall(r"--share:([\d.]+)", drawn) == ["1.0000", "0.5000", "0.0000"]


# -- the card --------------------------------------------------------------------------------


def test_the_card_says_the_answer_and_loads_nothing() -> None:
    svg = card(ORDERS, "orders · JSON", "GPT-5 · exact")
    texts = [node.text for node in tree(svg).iter() if node.tag.endswith("text")]

    assert not re.search(r"url\(|href|<script|\bon\w+=", svg)
    for words in ("orders · JSON", "GPT-5 · exact", "−60\u202f%", "Send TOON", "2,128", "858"):
        assert words in texts
    assert "820 + 38 note" in texts


def test_the_card_of_nothing_is_a_sentence() -> None:
    texts = [node.text for node in tree(card(NOTHING)).iter() if node.tag.endswith("text")]

    assert texts[:3] == ["Token lab", None, None]
    assert " ".join(filter(None, texts[3:])) == NOTHING["lead"]


def test_the_bars_of_the_card_are_as_long_as_their_tokens() -> None:
    drawn = [node.attrib for node in tree(card(ORDERS)).iter() if node.tag.endswith("rect")]
    bars = [float(node["width"]) for node in drawn if node["height"] == "40.0"]
    parts = [kind for bar in ORDERS["bars"] for kind in (*bar["kinds"], bar["explanation"]) if kind]

    most = max(bar["cost"] for bar in ORDERS["bars"])
    assert bars == pytest.approx([440 * part / most for part in parts], abs=0.1)


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_what_a_card_assumes_is_never_cut(model: Model) -> None:
    explaining = use_prices(model, Explaining(20, cached=0.5))
    drawn = card(ORDERS, explaining.assumption, f"{model.label}, ≈, error unknown")

    assert escape(explaining.assumption) in drawn
    assert "…" not in drawn


HOSTILE = """<script>"&'"""


def test_text_is_escaped_wherever_it_stands() -> None:
    words = ("act", "figure", "against", "money", "proof", "lead", "year", "month", "rate", "paid")
    hostile = cast(Headline, {**ORDERS, **dict.fromkeys(words, HOSTILE), "why": [HOSTILE]})
    texts = {"label": HOSTILE, "figure": HOSTILE, "sum": HOSTILE, "vs_today": HOSTILE}
    more = {"parts": [HOSTILE] * 5, "exactly": [HOSTILE] * 5, "credit": HOSTILE}
    hostile["bars"] = [cast(Bar, {**bar, **texts, **more}) for bar in ORDERS["bars"]]
    hostile["months"] = [HOSTILE] * len(hostile["bars"])

    nothing = empty_headline(HOSTILE)
    drawn = [card(hostile, HOSTILE, HOSTILE), card(nothing), rungs(hostile)]
    drawn += [slides(scenes(hostile), HOSTILE), bar(HOSTILE, 1)]
    for markup in drawn:
        assert "<script" not in markup
        tree(markup)  # an error where a quote or an ampersand stands as it is
    for markup in drawn:
        assert HOSTILE in "".join(tree(markup).itertext())


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300), st.floats(5, 200))
def test_what_has_no_room_is_made_smaller_and_then_shortened(text: str, room: float) -> None:
    size, shown = _fit_text(text, 20, room, 0.5)

    assert 12 <= size <= 20
    assert len(shown) * size / 2 <= max(room, size) + 1e-6
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))
