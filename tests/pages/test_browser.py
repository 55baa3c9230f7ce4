"""The table of words and colours that the scripts of the pages get."""

from __future__ import annotations

import re

from pages.parts.browser import TABLE, styles
from tests.conftest import ROOT
from toon import colours
from toon.formats import FORMATS
from toon.wording import BADGES, YOUR_TEXT

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def test_no_script_spells_what_the_table_says() -> None:
    said = {*BADGES.values(), YOUR_TEXT, *(each.label for each in FORMATS.values())}
    phrases = {words for words in said if " " in words}
    places = [*(ROOT / "pages/browser/src").rglob("*.js"), *(ROOT / "pages/parts").rglob("*.html")]
    texts = {path.name: COMMENT.sub("", path.read_text()) for path in places}
    spelled = {(name, words) for name, text in texts.items() for words in phrases if words in text}

    assert len(places) > 25
    assert spelled == set()


def test_the_table_has_a_label_for_every_format_and_the_baseline_is_one() -> None:
    assert set(TABLE["formats"]) == {"as-typed", *FORMATS}
    assert TABLE["baseline"] in FORMATS


def test_styles_have_the_colours_of_both_themes() -> None:
    light, dark = colours.KINDS["light"][0], colours.KINDS["dark"][0]

    assert f"--kind-0: light-dark({light}, {dark});" in styles()
