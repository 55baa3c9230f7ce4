"""The dashboard's model: the same as on every page, where the run was counted for it."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import controls
from tests.pages.static import verdict
from tests.pages.test_dashboard import (
    LINES,
    captions,
    finish,
    key_of,
    metric,
    notes,
    read,
    show,
    upload,
)
from tests.traffic.reading import session
from toon.costs.models import MODELS
from toon.limits import DEFAULT_MODEL
from toon.measuring.run import measure
from toon.measuring.table import KEY, open_run
from toon.traffic.payload import Payload

PAGE = "dashboard.py"
ROWS = '[{"id":100,"name":200},{"id":300,"name":400},{"id":500,"name":600}]'
COUNTED = ["o200k_base", "gemma3", "claude_4_8", "claude_3"]


def model(app: AppTest) -> str:
    return str(app.selectbox(key=key_of(app, "model")).value)


def test_the_sample_offers_its_models_then_its_tokenizers(app: AppTest) -> None:
    offered = app.selectbox(key=key_of(app, "model")).options

    of_models = [name for name, entry in MODELS.items() if entry.tokenizer in COUNTED]
    assert offered == [*map(controls.model_label, of_models), *map(controls.model_label, COUNTED)]
    assert model(app) == DEFAULT_MODEL


@pytest.mark.rest
def test_the_model_of_other_pages_holds_here_and_ours_there(app: AppTest) -> None:
    app.switch_page("compare.py").run()
    app.selectbox(key="model").select("claude-opus-4.8").run()
    app.switch_page(PAGE).run()
    assert model(app) == "claude-opus-4.8"

    app.selectbox(key=key_of(app, "model")).select("gemini-2.5-flash").run()
    app.switch_page("compare.py").run()
    assert app.selectbox(key="model").value == "gemini-2.5-flash"
    app.switch_page(PAGE).run()
    assert model(app) == "gemini-2.5-flash"


@pytest.mark.rest
def test_the_chosen_model_is_measured_for_and_one_that_was_not_is_said_with_what_to_do(
    app: AppTest, tmp_path: Path
) -> None:
    app.selectbox(key=key_of(app, "model")).select("claude-haiku-4.5").run()
    upload(app, "log.jsonl", LINES)
    finish(app)
    assert app.session_state.dashboard_run.rows.tokenizers == ("claude_3",)
    assert model(app) == "claude-haiku-4.5"

    show(app, tmp_path, [Payload("a", 1, "g", ROWS)])

    assert model(app) == DEFAULT_MODEL
    assert [item.value for item in app.info] == [
        "Measured with o200k_base only: measure again with Claude Haiku 4.5 to see its figures."
    ]
    app.selectbox(key=key_of(app, "model")).select("o3").run()
    assert not app.info


@pytest.mark.parametrize(
    ("named", "tokenizer", "chosen", "words"),
    [
        (["claude-opus-4-8"], "claude_4_8", "claude-opus-4.8", "claude-opus-4-8."),
        (
            ["claude-haiku-4-5", "claude-opus-4-8", "claude-opus-4-8"],
            "claude_4_8",
            "claude-opus-4.8",
            "claude-opus-4-8 67 %, claude-haiku-4-5 33 % of the tokens.",
        ),
        (
            ["claude-opus-4-6", "claude-haiku-4-5"],
            "claude_3",
            "as-logged:claude_3",
            "claude-haiku-4-5 50 %, claude-opus-4-6 50 % of the tokens.",
        ),
        (
            ["claude-opus-4-8-thinking"],
            "claude_4_8",
            "as-logged:claude_4_8",
            "claude-opus-4-8-thinking. Not known here: counted like Claude Opus 4.8, the nearest "
            "name.",
        ),
    ],
)
def test_a_log_is_counted_and_priced_for_the_model_that_it_names(
    app: AppTest, named: list[str], tokenizer: str, chosen: str, words: str
) -> None:
    upload(app, "session.jsonl", session(*named))
    finish(app)

    assert app.session_state.dashboard_run.rows.tokenizers == (tokenizer,)
    assert model(app) == chosen
    anew = "For another, choose it above and measure anew."
    assert f"Model from your log: {words} {anew}" in map(read, app.caption)
    assert not app.info

    app.selectbox(key=key_of(app, "model")).select(tokenizer).run()
    assert model(app) == tokenizer
    assert not any("from your log" in read(item) for item in app.caption)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("llama-3", "has no price that fits Llama 3: tokens alone are shown."),
        ("llama3", "A tokenizer alone has no price: choose a model."),
    ],
)
def test_without_a_price_the_reason_stands_once(
    app: AppTest, tmp_path: Path, name: str, reason: str
) -> None:
    show(app, tmp_path, [Payload("a", 1, "g", ROWS)], tokenizers=["llama3"])
    app.number_input(key=key_of(app, "monthly")).set_value(1_000).run()
    app.selectbox(key=key_of(app, "model")).select(name).run()

    assert verdict(app)[1].count(reason) == 1
    assert not any("$" in text or "rate unknown" in text for text in (*captions(app), *notes(app)))


def with_a_later_tokenizer(path: Path, tokenizers: list[str]) -> bytes:
    """A run that has ``llama9``, which is not known here, for ``llama3``."""
    measure([Payload("a", 1, "g", ROWS)], path, workers=1, tokenizers=tokenizers)
    table, facts = open_run(path).table(), open_run(path).about
    names = [name.replace("llama3", "llama9") for name in table.column_names]
    renamed = {name.replace("llama3", "llama9"): row for name, row in facts["tokenizers"].items()}
    metadata = {KEY: json.dumps(facts | {"tokenizers": renamed})}
    pq.write_table(table.rename_columns(names).replace_schema_metadata(metadata), path)
    return path.read_bytes()


@pytest.mark.rest
def test_a_tokenizer_of_another_installation_is_chosen_on_this_page_alone(
    app: AppTest, tmp_path: Path
) -> None:
    app.toggle(key="explained_none").set_value(True).run()
    path = tmp_path / "later.parquet"
    upload(app, "both.parquet", with_a_later_tokenizer(path, ["o200k_base", "llama3"]))
    assert model(app) == DEFAULT_MODEL
    for name in ("llama9", "o3", DEFAULT_MODEL):
        app.selectbox(key=key_of(app, "model")).select(name).run()
        assert model(app) == name

    upload(app, "later.parquet", with_a_later_tokenizer(path, ["llama3"]))
    assert app.selectbox(key=key_of(app, "model")).options == ["Tokenizer alone: llama9"]
    app.switch_page("compare.py").run()
    assert app.selectbox(key="model").value == DEFAULT_MODEL


@pytest.mark.rest
def test_every_figure_takes_the_share_of_explanations_read_from_the_cache(app: AppTest) -> None:
    app.slider(key="explained_cached").set_value(100).run()

    assert sum("100 % read from the cache at 10 %" in text for text in captions(app)) == 1
    cached = metric(app, "Recommended mix")
    app.slider(key="explained_cached").set_value(0).run()
    app.number_input(key="explained_together").set_value(10).run()
    assert metric(app, "Recommended mix") == cached  # a tenth, one way or the other
