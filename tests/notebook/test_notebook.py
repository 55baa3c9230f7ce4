"""The answer in notebooks: the card, the magic, and both in a real kernel."""

import re
import tempfile
from html import escape
from importlib.util import find_spec
from typing import Any

import pytest

import toon
from tests.conftest import ROOT
from tests.services.server import KEY, serving
from toon.notebook.answer import measure_text, register
from toon.notebook.stats import stats
from toon.services import endpoint as endpoint_module
from toon.services.endpoint import ServiceError
from toon.tokenizers import get

TEXT = (ROOT / "samples" / "uniform-rows.json").read_text("utf-8")


class Shell:
    """What the magic asks of IPython."""

    def __init__(self) -> None:
        self.magics: dict[str, Any] = {}

    def register_magic_function(self, function: Any, kind: str) -> None:
        assert kind == "line_cell"
        self.magics[function.__name__] = function

    def ev(self, source: str) -> Any:
        return eval(source)


@pytest.fixture
def magic() -> Any:
    shell = Shell()
    register(shell)
    return shell.magics["toon_stats"]


def test_the_card_runs_nothing_loads_nothing_and_shows_text_as_it_is() -> None:
    card = measure_text(TEXT, "gpt-5")._repr_html_()

    assert card.startswith("<svg ")
    assert not re.search(r"url\(|href|<script|\bon\w+=", card)
    assert "Send TOON" in card
    assert "GPT-5" in card
    card = measure_text('{"<img src=x onerror=y>":"<script>"}', "gpt-5")._repr_html_()

    assert "<img" not in card
    assert "<script" not in card


def test_what_reading_changes_is_said_before_the_answer(magic: Any) -> None:
    answer = magic("--model gpt-5", '{"<b>": 1, "<b>": 2}')

    note = 'line 1, column 12: key "<b>" appears again in one object: the last value counts'
    assert repr(answer).startswith(f"{note}\n")
    assert answer._repr_html_().startswith(f"<p>{escape(note)}</p><svg ")


def test_a_cell_is_json_or_an_expression(magic: Any) -> None:
    typed = magic("--model gpt-5", TEXT)
    value = magic("--together none [{'a':1,'b':2}]*30")

    assert typed.verdict == measure_text(TEXT, "gpt-5").verdict
    assert value.verdict == stats([{"a": 1, "b": 2}] * 30, together=None).verdict
    with pytest.raises(ValueError, match="No model is named 'no'"):
        repr(magic("--model no", "1"))
    cached = magic("--model gpt-5 --explained-cached 0.9 [{'a':1,'b':2}]*30")
    assert "90\u202f% read from the cache at 10\u202f% of the price" in repr(cached)
    assert cached.verdict["explanation_price"] == pytest.approx(0.19)
    with pytest.raises(ValueError, match=r"^%%toon_stats: argument --together"):
        magic("--together x", "1")
    with pytest.raises(ValueError, match=r"^%%toon_stats: unrecognized arguments: --modle gpt-5"):
        magic("--modle gpt-5", "1")


@pytest.mark.parametrize("cell", [(), ("1",)])
def test_the_magic_shows_its_help(
    magic: Any, cell: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert magic("--help", *cell) is None

    shown = capsys.readouterr().out
    assert shown.startswith("%%toon_stats [--model NAME]")
    assert shown.endswith("that read the note from the cache (0)\n")


def test_a_service_counts_too_where_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module, "COUNTS", {})
    with serving("openai", get("o200k_base").count) as server:
        for name, text in server.environment().items():
            monkeypatch.setenv(name, text)
        alone = stats([{"a": 1}], "gpt-5")
        assert alone.counts is None
        assert server.calls == []
        answer = stats([{"a": 1}], "gpt-5", service="openai", service_model="gpt-5-2025-08-07")
        assert server.calls[0].body["model"] == "gpt-5-2025-08-07"
        with pytest.raises(ServiceError, match="No model of OpenAI is chosen"):
            stats(1, "llama-3", service="openai")

    assert answer.counts is not None
    assert [(text.name, text.words) for text in answer.counts.texts] == [
        ("json-compact", "the service counts the same"),
        ("toon", "the service counts the same"),
    ]
    assert answer.verdict == alone.verdict
    first, _, minified, _ = repr(answer).removeprefix(f"{alone!r}\n").splitlines()
    assert first.startswith("Tokens here by o200k_base, by OpenAI for gpt-5-2025-08-07, 6 tokens")
    assert minified == "json-compact  6  6  the service counts the same"
    assert answer._repr_html_().endswith("the service counts the same</p>")
    assert KEY not in repr(answer) + answer._repr_html_() + repr(vars(answer))


@pytest.mark.rest
@pytest.mark.skipif(
    not (find_spec("nbclient") and find_spec("ipykernel")), reason="nbclient and ipykernel"
)
@pytest.mark.filterwarnings("default")
def test_a_real_kernel_shows_cards() -> None:
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    cells = [
        "%load_ext toon\nimport pandas as pd, toon.pandas\nrows = [{'a': 1, 'b': 'x'}] * 40",
        "%%toon_stats --model gpt-5\n" + TEXT,
        "%toon_stats rows",
        "pd.DataFrame(rows).toon.stats(model='gpt-5')",
        "print(pd.DataFrame(rows).toon.encode().split('\\n')[0])",
    ]  # fmt: skip
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    with tempfile.TemporaryDirectory() as folder:  # its path is short, as a socket's must be
        # Sockets in a folder: ports that are free now may be taken when the kernel listens.
        file = f"{folder}/kernel.json"
        config = Config({"KernelManager": {"transport": "ipc", "connection_file": file}})
        client = NotebookClient(notebook, timeout=300, startup_timeout=300, config=config)
        client.execute(cwd=str(ROOT))

    shown = [cell.outputs[0] for cell in notebook.cells[1:]]
    assert shown[0].data["text/html"] == measure_text(TEXT, "gpt-5")._repr_html_()
    rows = stats([{"a": 1, "b": "x"}] * 40)
    assert all(rows.verdict["lead"] in output.data["text/html"] for output in shown[1:3])
    assert shown[3].text == "[40]{a,b}:\n"


@pytest.mark.parametrize("cell", ['{"a": true,}', '{"a": [1, 2', '[{"a": NaN}]'])
def test_a_cell_of_damaged_json_says_what_is_wrong_with_the_json(magic: Any, cell: str) -> None:
    with pytest.raises(toon.JsonDecodeError, match="line 1, column"):
        magic("", cell)
