"""The tab "In your code" of the playground: what is sent, ready to copy."""

import contextlib
import io
import json
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from tests.pages.conftest import open_payload, open_sample, open_tab
from tests.words import COMPACT
from toon.costs.explanation import Explaining
from toon.costs.snippets import cut_example
from toon.formats import FORMATS

TAB = "In your code"


def formats_of(app: AppTest) -> Any:
    """The choice of a format."""
    (choice,) = (group for group in app.button_group if group.label == "Format")
    return choice


def outputs(app: AppTest) -> list[str]:
    """The text that each program in Python prints of the payload's beginning."""
    texts = []
    for shown in app.code:
        if shown.language == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(shown.value, {})
            texts.append(printed.getvalue().removesuffix("\n"))
    return texts


def test_the_recommended_format_comes_first_and_others_can_be_chosen(app: AppTest) -> None:
    value = cut_example(open_sample(app, "uniform-rows", "playground"))
    open_tab(app, TAB, "bill")

    choice = formats_of(app)
    assert choice.options[:3] == ["TOON, tab, recommended", COMPACT, "YAML"]
    assert outputs(app) == [FORMATS["toon-tab"].dumps(value)] * 2
    languages = [shown.language for shown in app.code]
    assert languages == ["python", "python", "javascript", "bash", "text"]

    choice.set_value("json-columns").run()
    text = FORMATS["json-columns"].dumps(value)
    assert outputs(app) == [text] * 2
    explanation = Explaining().text("json-columns", FORMATS["json-columns"].uses(text))
    assert explanation in [shown.value for shown in app.code]


def test_a_format_that_cannot_carry_the_payload_says_why(app: AppTest) -> None:
    open_payload(app, '{"columns":[1],"rows":[2],"more":{"rows":1,"columns":2}}', "playground")
    open_tab(app, TAB, "bill")
    formats_of(app).set_value("json-columns").run()

    assert [item.value for item in app.info][-1].startswith("it holds an object of 'columns' and")
    assert not app.code


def test_the_playgrounds_indent_is_written_and_its_wording_shown(app: AppTest) -> None:
    app.session_state.wordings = {"toon": "Lines."}
    rows = json.loads((ROOT / "samples" / "uniform-rows.json").read_text(encoding="utf-8"))
    app.session_state.indent = 4
    open_payload(app, json.dumps(rows), "playground")
    open_tab(app, TAB, "bill")
    formats_of(app).set_value("toon").run()

    assert "Lines." in [shown.value for shown in app.code]
    assert outputs(app) == [FORMATS["toon"].dumps(cut_example(rows)).replace("\n  ", "\n    ")] * 2
    captions = [caption.value for caption in app.caption]
    assert "Indent 4, as chosen in the playground; the answer counts 2." in captions
