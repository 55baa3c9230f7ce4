"""What services counted, for every prompt of a published benchmark: the tokenizers equal it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.answers import FOLDER, read_counts, read_prompts
from toon.costs.models import MODELS, Grade
from toon.tokenizers import get

pytestmark = [
    pytest.mark.rest,
    pytest.mark.skipif(
        not FOLDER.is_dir(), reason="the counts of the services are not beside this checkout"
    ),
]

SERVICES = {
    "gemini-3.6-flash": "gemini-3.6-flash",
    "gpt-5.4-nano": "gpt-5.4-nano",
    "claude-haiku-4.5": "claude-haiku-4-5-20251001",
}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_counts_the_tokens_and_a_frame(name: str) -> None:
    prompts, model = read_prompts(), MODELS[name]
    counted = np.array([get(model.tokenizer).count(prompt.text) for prompt in prompts])

    assert len(prompts) == 1329
    assert set(read_counts(prompts, SERVICES[name]) - counted) == {model.frame}


def test_those_are_the_models_that_are_called_equal() -> None:
    equal = (Grade.EQUAL, Grade.REBUILT_EQUAL)

    assert {name for name, model in MODELS.items() if model.grade in equal} == set(SERVICES)
