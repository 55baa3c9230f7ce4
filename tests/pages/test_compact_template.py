"""The template panel of the compact page, without a browser."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from tests.pages.conftest import open_tab
from tests.pages.test_compact import EVENTS, TEMPLATE, codes, paste, table, write
from tests.words import COMPACT
from toon.formats.json import JSON_COMPACT
from toon.tokenizers import get

PAGE = "compact.py"
#: Closed boxes that the tests look into.
FOLDS = ("template_forms",)


def upload(app: AppTest, data: bytes) -> None:
    open_tab(app, TEMPLATE, "compact")
    app.file_uploader(key="template_upload").set_value(("mine.txt", data, "text/plain")).run()


def template_lines(app: AppTest) -> list[str]:
    app.session_state.template_ids_fold = True
    app.run()
    return list(table(app, "Id")["Line"])


@pytest.mark.rest
def test_a_template_is_applied_and_measured(app: AppTest) -> None:
    paste(app, json.dumps(EVENTS))
    write(app, "line: {title} at {start_at|time} <by {host}>")

    assert template_lines(app) == ["Lunch at 14:00", "Choir at 19:30 by Ana"]
    tokens = table(app, "Form").set_index("Form")["Tokens"]
    same = [{name: record[name] for name in ("id", "title", "start_at")} for record in EVENTS]
    same[1]["host"] = "Ana"
    assert tokens["same-fields JSON"] == get("o200k_base").count(JSON_COMPACT.dumps(same))
    assert tokens[COMPACT] == get("o200k_base").count(JSON_COMPACT.dumps(EVENTS))


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("\x00\ud83d{{{{", "line 1, column 1: "),
        ("line: " + "<" * 30_000, "line 1, column 20001: template is longer than 20,000"),
    ],
)
def test_what_is_no_template_says_where(app: AppTest, template: str, message: str) -> None:
    write(app, template)

    assert app.error[0].value == "The template cannot be applied:"
    assert any(text.startswith(message) for text in codes(app))


def test_paths_that_lead_nowhere_are_named(app: AppTest) -> None:
    write(app, "line: {title} {titel}")
    assert any(item.value.startswith("Paths that lead nowhere") for item in app.warning)
    assert "titel" in codes(app)
    write(app, "rows: somewhere\nline: {title}")
    assert any(item.value.startswith("There is no list of records") for item in app.info)
    assert "somewhere" in codes(app)


@pytest.mark.rest
@pytest.mark.parametrize("name", ["diary", "orders-with-items", "repo-search"])
def test_a_starter_comes_with_the_records_it_was_written_for(app: AppTest, name: str) -> None:
    open_tab(app, TEMPLATE, "compact")
    app.selectbox(key="template_starter").select(name).run()

    assert not app.exception
    assert not app.error
    assert app.selectbox(key="template_on").value == name
    assert app.selectbox(key="template_starter").value is None
    assert len(template_lines(app)) > 2
    assert not any("lead nowhere" in item.value for item in app.warning)
    app.selectbox(key="template_starter").select(name).run()
    assert app.selectbox(key="template_on").value == name


@pytest.mark.rest
def test_an_uploaded_template_replaces_the_text_and_a_bad_file_does_not(app: AppTest) -> None:
    upload(app, b"line: just {title}\r\n")
    assert template_lines(app)[0].startswith("just ")

    upload(app, b"line: \xff")
    assert app.error[0].value.startswith("The file was not opened")
    assert any("byte 0xFF is not UTF-8" in text for text in codes(app))
    assert template_lines(app)[0].startswith("just ")


def test_a_new_payload_brings_its_starter_unless_a_template_was_written(app: AppTest) -> None:
    emails = (ROOT / "samples" / "emails.json").read_text(encoding="utf-8")
    paste(app, emails)
    open_tab(app, TEMPLATE, "compact")
    assert app.session_state.template_text.startswith("# An email")

    write(app, "line: mine {title}")
    paste(app, json.dumps(EVENTS))
    open_tab(app, TEMPLATE, "compact")
    assert template_lines(app) == ["mine Lunch", "mine Choir"]
