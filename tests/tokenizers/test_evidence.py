"""The README of the tokenizers, and what services counted for each prompt of a benchmark."""

import numpy as np
import pytest

from tests.benchmarks.reading import FOLDER, read_counts, read_prompts
from tests.conftest import ROOT
from toon.costs.models import MAKERS, MODELS, Grade
from toon.tokenizers import TOKENIZERS, get

SERVICES = {
    "gemini-3.6-flash": "gemini-3.6-flash",
    "gpt-5.4-nano": "gpt-5.4-nano",
    "claude-haiku-4.5": "claude-haiku-4-5-20251001",
}


@pytest.mark.rest
@pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the counts of the services are not beside this checkout"
)
@pytest.mark.parametrize("name", SERVICES)
def test_a_service_counts_the_tokens_and_a_frame(name: str) -> None:
    prompts, model = read_prompts(), MODELS[name]
    counted = np.array([get(model.tokenizer).count(prompt.text) for prompt in prompts])

    assert len(prompts) == 1329
    assert set(read_counts(prompts, SERVICES[name]) - counted) == {model.frame}


def test_those_are_the_models_that_are_called_equal() -> None:
    equal = (Grade.EQUAL, Grade.REBUILT_EQUAL)

    assert {name for name, model in MODELS.items() if model.grade in equal} == set(SERVICES)


README = (ROOT / "toon" / "tokenizers" / "README.md").read_text(encoding="utf-8")


def test_every_tokenizer_has_a_line() -> None:
    lines = [line.split("`")[1] for line in README.splitlines() if line.startswith("| `")]

    assert lines == list(TOKENIZERS)


def test_every_grade_of_a_rule_is_explained() -> None:
    used = {rule.grade for maker in MAKERS for rule in maker.rules}

    assert used == set(Grade)
    assert all(f"*{grade.value}*" in README for grade in Grade)
