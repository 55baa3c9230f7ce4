"""What services counted: the exact tokenizers equal it, and the published errors are measured."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks import kinds, models
from tests.benchmarks.answers import FOLDER, read_counts, read_prompts
from tests.benchmarks.held_out import errors_of, of_o200k
from tests.benchmarks.models import MODELS, Evidence, Model, differences, summary
from toon.tokenizers import get
from toon.tokenizers.fitted import FILE, read_file, read_fits
from toon.tokenizers.strange import words_share

pytestmark = pytest.mark.rest

needs_answers = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the counts of the services are not beside this checkout"
)
every_fitted_model = pytest.mark.parametrize(
    "model", [model for model in MODELS if model.fitted], ids=lambda model: model.label
)


class Measured:
    def __init__(self) -> None:
        self.prompts = read_prompts()
        self.features = models.features_of_all(self.prompts)
        self.examine = cache(self._examine)

    def _examine(self, model: Model) -> Evidence:
        counts = read_counts(self.prompts, model.service)
        return models.examine(self.prompts, self.features, counts)


@pytest.fixture(scope="module")
def measured() -> Measured:
    return Measured()


@needs_answers
@pytest.mark.parametrize(
    ("tokenizer", "service", "frame"),
    [("gemma3", "gemini-3.6-flash", 1), ("o200k_base", "gpt-5.4-nano", 6)],
)
def test_a_service_counts_the_tokens_and_a_frame(tokenizer: str, service: str, frame: int) -> None:
    prompts = read_prompts()
    counted = np.array([get(tokenizer).count(prompt.text) for prompt in prompts])

    assert len(prompts) == 1329
    assert set(read_counts(prompts, service) - counted) == {frame}


@needs_answers
@every_fitted_model
def test_data_that_a_fit_has_not_seen_is_estimated_well(measured: Measured, model: Model) -> None:
    evidence = measured.examine(model)
    by_dataset = summary(evidence.errors)
    by_format = summary(evidence.off(evidence.by_format))

    by_both = summary(evidence.off(evidence.by_both))

    assert max(by_dataset[0], by_format[0], by_both[0]) <= 0.03
    assert max(by_dataset[1], by_format[1]) <= 0.055
    assert by_both[1] <= 0.08
    found = differences(measured.prompts, evidence)
    assert len(found) == 13
    assert models.wrong_signs(found) == []


@needs_answers
@every_fitted_model
def test_the_estimator_gives_what_the_fit_does_without_the_frame(
    measured: Measured, model: Model
) -> None:
    estimator, frame = get(model.tokenizer), read_fits()[model.tokenizer]["frame"]
    estimates = measured.examine(model).fitted.estimates(measured.features)

    for prompt, estimate in zip(measured.prompts[::50], estimates[::50], strict=True):
        assert estimator.count(prompt.text) + frame == estimate


@needs_answers
def test_what_the_estimators_were_fitted_to_is_estimated(measured: Measured) -> None:
    payloads = [path.read_text(encoding="utf-8") for path in (FOLDER / "texts").iterdir()]

    assert not [p for p in measured.prompts[::10] if get("grok_4_5").no_estimate(p.text)]
    assert not [text for text in payloads if get("grok_4_5").no_estimate(text)]
    assert max(map(words_share, payloads)) == pytest.approx(0.55, abs=0.005)


@needs_answers
def test_what_is_not_refused_the_same_fit_to_public_tokenizers_estimates(
    measured: Measured,
) -> None:
    """No service counted these texts; this is what is known of the method there."""
    fits = models.public_fits(measured.prompts, measured.features)
    off = [
        models.public_errors(fits, text)
        for pair in kinds.texts().values()
        for text in pair
        if text is not None and get("grok_4_5").no_estimate(text) is None
    ]
    errors = np.array(off)

    assert errors.shape == (3, 8)
    assert np.abs(errors).max() < 0.1


@needs_answers
def test_a_run_with_fit_writes_exactly_these_weights_and_published_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "FILE", tmp_path / "fitted.json")

    models.main(["--fit"])

    assert (tmp_path / "fitted.json").read_text() == FILE.read_text()


def test_without_the_counts_it_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "questions.jsonl").touch()

    with pytest.raises(SystemExit, match=r"^The counts .* no formats\.json, texts, gemini-3\.6"):
        models.main([str(tmp_path)])

    assert "≈, error unknown" in capsys.readouterr().out


@pytest.mark.parametrize("name", kinds.AIMED_AT_O200K)
def test_the_errors_of_estimates_of_o200k_are_those_on_payloads_from_elsewhere(name: str) -> None:
    found, stated = errors_of(of_o200k(name)), get(name).error
    assert stated is not None

    assert (found["mean"], found["p95"], found["difference"], found["texts"]) == (
        stated.mean,
        stated.p95,
        stated.difference,
        stated.texts,
    )
    assert f"on payloads of {found['kinds']} kinds" in stated.source


def test_the_file_of_weights_is_small_enough_to_read() -> None:
    assert len(FILE.read_text().splitlines()) < 100
    assert json.loads(FILE.read_text()) == read_file()
