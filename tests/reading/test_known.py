"""What is known of reading: the file is what the folder gives, and it says what was published."""

import json
import re
from pathlib import Path

import pytest

from tests.benchmarks.reading import FOLDER, derive, main, missing, read_answers, together
from tests.conftest import ROOT, shared_files
from tests.words import COMPACT
from toon.costs.document import Document
from toon.costs.explanation import ALONE
from toon.formats import FORMATS as TABLE
from toon.reading import known, verdicts
from toon.reading.statistics import Paired
from toon.tokenizers import get
from toon.values.json_text import parse_json
from toon.wording import percent

CLAUDE, GEMINI, GPT, GROK = known.MODELS
READING = known.KINDS.keys() - known.STRUCTURE


def of(pair: Paired | None) -> Paired:
    assert pair is not None
    return pair


@pytest.mark.skipif(bool(missing(FOLDER)), reason="the answers are not beside this checkout")
def test_the_file_is_what_the_folder_gives() -> None:
    assert derive(read_answers(FOLDER)) == known.FILE.read_text(encoding="utf-8")
    main([str(FOLDER)])


def test_the_file_holds_names_and_counts_alone() -> None:
    held = json.loads(known.FILE.read_text(encoding="utf-8"))
    words = {word for line in held["answers"] for word in line[:3]}

    assert held.keys() == {"source", "answers"}
    assert held["source"] == known.SOURCE
    assert words == {*known.MODELS, *known.FORMATS, *known.KINDS}
    assert all(isinstance(figure, int) for line in held["answers"] for figure in line[3:])
    assert len(known.FILE.read_bytes()) < 10_000


def test_every_answer_is_counted_once() -> None:
    assert sum(cell.asked for cell in known.cells()) == 5_316
    assert {of(known.compare(format, GPT)).asked for format in known.FORMATS[:-1]} == {244}
    assert of(known.compare("csv", GPT)).asked == 109
    assert of(known.compare("toon", GPT, kinds=READING)).asked == 244 - 41
    assert len({cell[:3] for cell in known.cells()}) == len(known.cells())


def test_the_published_shares_are_those_of_all_models_together() -> None:
    """Right answers of the four models over all that they were asked: 705 of 976 for TOON."""
    counts = {format: together(format) for format in known.FORMATS}
    names = ("toon", "json-pretty", "json-compact")
    figures = [percent(counts[name].accuracy, 1) for name in names]

    assert counts == {
        "toon": (705, 976), "json-compact": (673, 976), "json-pretty": (697, 976),
        "yaml": (684, 976), "xml": (690, 976), "csv": (271, 436),
    }  # fmt: skip
    assert figures == ["72.2\u202f%", "71.4\u202f%", "69.0\u202f%"]


def test_the_verdict_claims_what_was_seen() -> None:
    assert verdicts.known_verdict("toon", GEMINI) == (
        f"Gemini 3.6 Flash read TOON better than {COMPACT}: +5.7 points (+1.9 to +9.5), "
        "18 questions won, 4 lost, p 0.004."
    )
    assert verdicts.known_verdict("toon", CLAUDE) == (
        f"Claude Haiku 4.5: no difference was seen between TOON and {COMPACT}: +3.7 points "
        "(−0.2 to +7.6), 16 questions won, 7 lost, p 0.09. With 244 questions, one of at least "
        "5.9 points would be seen in four runs of five."
    )


@pytest.mark.parametrize("model", known.MODELS)
def test_a_verdict_claims_no_more_than_the_interval(model: str) -> None:
    for format in known.FORMATS:
        low, high = of(known.compare(format, model)).interval
        match = re.search(" read .* (better|worse) than ", verdicts.known_verdict(format, model))

        assert (match[1] if match else None) in (None, "better" if low > 0 else "worse")
        assert (match is None) == (low <= 0 <= high)


@pytest.mark.skipif(bool(missing(FOLDER)), reason="the answers are not beside this checkout")
def test_the_benchmark_explained_the_formats_in_so_many_tokens() -> None:
    about = json.loads((FOLDER / "formats.json").read_text(encoding="utf-8"))
    count = get("o200k_base").count

    tokens = {name: count(about[name]["primer"]) for name in known.PRIMER_TOKENS}
    assert tokens == known.PRIMER_TOKENS


@pytest.mark.parametrize("file", shared_files("datasets/tok-*.json"), ids=lambda file: file.stem)
def test_our_explanation_takes_so_many_tokens_on_the_benchmarks_payloads(file: Path) -> None:
    document = Document(parse_json(file.read_text(encoding="utf-8")).value)
    text = ALONE.text("toon", document.uses("toon", "o200k_base"))

    assert known.OUR_TOKENS[0] <= get("o200k_base").count(text) <= known.OUR_TOKENS[1]


def test_briefly_the_chosen_model_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    gemini, grok = known.MODELS[GEMINI], known.MODELS[GROK]
    loops = ". In agent loops, one study saw 9 points less accuracy."
    others = (
        "Claude Haiku 4.5, Gemini 3.6 Flash, GPT-5.4 nano and Grok 4.5 read it as well as JSON "
        f"(244 questions){loops}"
    )
    by_four = "Read as well as JSON by 4 models"
    assert verdicts.summarise_known("GPT-5") == (f"{by_four}; test GPT-5 first{loops}", others)
    assert verdicts.summarise_known() == (f"{by_four}{loops}", others)
    alone = f"{grok} reads it as well as JSON (244 questions){loops}"
    assert verdicts.summarise_known(grok) == (f"Read as well as JSON{loops}", alone)

    pairs = {model: known.compare("toon", model) for model in known.MODELS}
    pairs[GEMINI] = Paired(100, 1, 20, 10)

    monkeypatch.setattr(known, "compare", lambda format, model: pairs[model])
    assert verdicts.summarise_known(gemini)[0] == f"Read worse than JSON{loops}"
    others = verdicts.summarise_known("GPT-5")[1]
    assert f"Grok 4.5 read it as well as JSON, {gemini} worse (244" in others


def test_what_is_known_of_loops_and_writing_names_source_and_what_was_read() -> None:
    texts = [verdicts.study_words(study) for study in known.STUDIES]

    assert [re.search(r"arXiv (\d+\.\d+)", one) is not None for one in texts] == [True, True]
    assert all("Measured with" in one and "read here: the abstract" in one for one in texts)


def test_a_p_value_is_never_zero() -> None:
    texts = [verdicts.p_words(p) for p in (1.0, 0.0931, 0.0308, 0.00434, 0.0001)]
    assert texts == ["1.00", "0.09", "0.03", "0.004", "below 0.001"]


def test_the_readme_says_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    readme = (ROOT / "toon" / "reading" / "README.md").read_text(encoding="utf-8")

    assert f"$ python -m tests.benchmarks.reading\n{capsys.readouterr().out}```" in readme
    texts = [verdicts.known_verdict("toon", model) for model in known.MODELS]
    assert [("better" in one, "worse" in one) for one in texts].count((True, False)) == 1
    asked = of(known.compare("toon", CLAUDE)).asked
    assert (
        f"by these {asked} single questions, one model of four reads TOON better than {COMPACT}, "
        "none worse; they say nothing of anything else."
    ) in readme
    assert verdicts.primer_words() in readme
    for study in known.STUDIES:
        assert f"- {verdicts.study_words(study)}\n" in readme
    pairs = [of(known.compare("toon", model)) for model in known.MODELS]
    rest = [of(known.compare("toon", model, kinds=READING)) for model in known.MODELS]
    more, other = (sum(one.gained - one.lost for one in results) for results in (pairs, rest))
    assert f"Of {more} more right answers, {more - other} are to questions about the" in readme
    limits = sorted(f"{100 * one.smallest_effect:.1f}" for one in pairs)
    seen = f"one of at least {limits[0]} to {limits[-1]} points would be seen in four runs of five"
    assert seen in readme


def test_what_is_called_tested_has_published_answers() -> None:
    tested = {name.split("-")[0] for name, format in TABLE.items() if format.tested}
    assert tested == {name.split("-")[0] for name in known.FORMATS}
