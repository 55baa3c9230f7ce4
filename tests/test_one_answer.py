"""One law for every surface: the same payload and setting get the same answer and figures.

A surface is a place where people or programs read what a payload costs or what to send instead. A
new one is a function and its line in ``SURFACES`` of ``tests/surfaces.py``. ``TAKE_TOON`` and
``TAKE_FORMATS`` name those that take a payload typed in TOON or a dialect, and those that take
names of formats.

Not asked are the surfaces that answer another question: contexts and
templates and the routes of sample records, which work on texts of their own, Reading and ``ask``,
which count whole prompts, and the dashboard, whose figures are the policy's and the report's.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT, SHARED
from tests.measuring.test_one_answer import explainings, texts
from tests.pages.conftest import new_session, open_sample, table_with
from tests.questions import Question, Said
from tests.surfaces import (
    ROUNDED,
    SURFACES,
    TAKE_FORMATS,
    TAKE_TOON,
    by_named_formats,
    by_the_library,
)
from toon.costs import answer as answers
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.errors import TextError
from toon.formats import FORMATS
from toon.formats.base import NotApplicable, OneWay
from toon.formats.json import minify
from toon.playground.detection import guess_dialect, read_toon
from toon.tokenizers import get
from toon.values.json_text import parse_json

FOLDERS = (ROOT / "samples", SHARED / "datasets")
FILES = [file for folder in FOLDERS for file in sorted(folder.glob("*.json"))]
#: Those who count: tokenizers, and models with prices of their own for what the cache holds.
COUNTING = ["o200k_base", "qwen3", "claude_4_8", "chars4"]
COUNTING += ["gpt-5", "o3", "claude-haiku-4.5", "llama-3"]
SMALL = [file for file in FILES if file.stat().st_size < 60_000]


def disagreements(asked: Question) -> dict[str, tuple[Said, Said]]:
    """What each surface that takes the question says, where it is not what the library says."""
    truth = by_named_formats(asked) if asked.formats else by_the_library(asked)
    wrong = {}
    for name, surface in SURFACES.items():
        if asked.side == "toon" and name not in TAKE_TOON:
            continue
        if asked.formats and name not in TAKE_FORMATS:
            continue
        found = surface(asked)
        expected = Said(
            *(None if part is None else whole for part, whole in zip(found, truth, strict=True))
        )
        if found != pytest.approx(expected, abs=0.5001 if name in ROUNDED else None):
            wrong[name] = (found, expected)
    return wrong


def retyped(value: Any) -> Iterator[str]:
    """The value as people type it on the side of TOON: in TOON and in every dialect that can."""
    for name, format in FORMATS.items():
        try:
            text = format.dumps(value)
            read_toon(text)
        except (NotApplicable, OneWay, TextError):
            continue
        if name == "toon" or guess_dialect(text) == name:
            yield text


@pytest.mark.rest
@settings(max_examples=40)
@given(text=texts, who=st.sampled_from(COUNTING), explaining=explainings)
def test_every_surface_gives_the_same_answer(text: str, who: str, explaining: Explaining) -> None:
    assert disagreements(Question.of(text, who, explaining)) == {}


@pytest.mark.rest
@pytest.mark.parametrize("file", SMALL, ids=lambda file: file.stem)
def test_every_surface_gives_the_same_answer_on_real_payloads(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    settings = Explaining(3, cached=0.9), Explaining(1), Explaining(1, cached=1.0), Explaining(None)
    for explaining in settings if len(text) < 20_000 else settings[:1]:
        assert disagreements(Question.of(text, "gpt-5", explaining)) == {}


@settings(max_examples=25)
@given(
    text=texts,
    explaining=explainings,
    formats=st.lists(st.sampled_from([*FORMATS]), min_size=1, max_size=3, unique=True),
)
def test_surfaces_that_take_formats_choose_among_the_same(
    text: str, explaining: Explaining, formats: list[str]
) -> None:
    asked = Question.of(text, "gpt-5", explaining, formats=tuple(formats))
    assert disagreements(asked) == {}


@pytest.mark.rest
@pytest.mark.parametrize("file", SMALL, ids=lambda file: file.stem)
def test_typed_toon_and_dialects_get_the_same_answer_too(file: Path) -> None:
    typed = list(retyped(parse_json(file.read_text(encoding="utf-8")).value))

    assert typed
    for text in typed:
        assert disagreements(Question(text, "o200k_base", Explaining(3), "toon")) == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_compact_json_never_has_more_tokens_than_the_text_minified(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    found = by_the_library(Question(text, "o200k_base", Explaining()))

    assert found.compact is not None
    assert found.compact <= get("o200k_base").count(minify(text))


@pytest.mark.parametrize("sample", ["weather", "uniform-rows", "event-log"])
def test_compare_has_the_ladder_in_its_table_and_recommends_the_same(sample: str) -> None:
    app = new_session()
    app.session_state.explained_together = 3
    open_sample(app, sample, "compare")
    app.run()  # after a change of page, AppTest gives controls their values one run late
    text = (ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8")
    verdict = answers.answer(
        Document(parse_json(text).value, Typed(text)), "o200k_base", Explaining(3)
    )

    rows = table_with(app, "Comes back").set_index("Format")
    costs = {rung["label"]: rung["cost"] for rung in verdict["ladder"]}
    assert rows.loc[list(costs), "Tokens"].to_dict() == pytest.approx(costs)
    recommended = rows.index[rows["Comes back"].str.endswith("recommended")]
    assert list(recommended) == [verdict["ladder"][-1]["label"]] * verdict["switch"]
