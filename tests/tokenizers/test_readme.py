"""What the README says of models and estimates is what the tables say."""

from __future__ import annotations

import re

import pytest
from toon.tokenizers.fitted import read_fits

from tests.conftest import ROOT
from toon.costs.models import MODELS
from toon.tokenizers import TOKENIZERS, get
from toon.wording import percent

TEXT = (ROOT / "toon" / "tokenizers" / "README.md").read_text(encoding="utf-8")
#: Models, tokenizers, figures and evidence, as the README's table has them.
ROWS: list[tuple[str, str, str, str]] = re.findall(
    r"^\| (.+?) \| (`.+?`) \| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE
)


def figures_of(tokenizer: str) -> set[str]:
    return {row[2].partition(";")[0] for row in ROWS if f"`{tokenizer}`" in row[1]}


def plain(words: str) -> str:
    """Words as the README has them, with plain blanks."""
    return words.replace("\u202f", " ").replace("\u00a0", " ")


def test_the_table_has_the_tokenizer_of_every_model_with_its_band() -> None:
    used = {model.tokenizer for model in MODELS.values()}
    named = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[1])}

    assert named == used
    for name in used:
        assert figures_of(name) == {plain(get(name).band)}, name


@pytest.mark.parametrize(
    "name", ["gemini-3.6-flash", "gpt-5.4-nano", "claude-haiku-4.5", "grok-4.5"]
)
def test_the_table_says_which_models_were_compared_with_their_service(name: str) -> None:
    model = MODELS[name]
    ((_, tokenizer, _, evidence),) = [row for row in ROWS if row[0] == model.label]

    assert tokenizer == f"`{model.tokenizer}`"
    assert evidence.startswith("the service's own counts")


@pytest.mark.parametrize("name", read_fits())
def test_the_table_has_the_measured_errors(name: str) -> None:
    error = get(name).error
    assert error is not None

    mean, p95, difference = (percent(e, 1) for e in (error.mean, error.p95, error.difference))
    said = f"mean {mean}, 95 of 100 within {p95}, differences within {difference}"
    assert [plain(said) in row[2] for row in ROWS if f"`{name}`" == row[1]] == [True]


def test_the_stated_bands_of_the_estimates_without_a_vocabulary_are_theirs() -> None:
    bands = [TOKENIZERS[name].band.removeprefix("≈\u00a0") for name in ("chars4", "estimate")]

    assert plain(f"{' and '.join(bands)}, are those") in TEXT
