"""What the page tests share."""

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from toon.playground.panes import Documents, Side
from toon.server import SERVER


def document(text: str, name: str, side: Side = "json") -> dict[str, Any]:
    """What the page knows of a document that no browser has stored."""
    known = {"version": 2, "side": side, "text": text, "name": name}
    return {**known, "kept": None, "sample": False, "first": False, "delimited": False}


def serve_at(patch: pytest.MonkeyPatch, address: str) -> None:
    """Has the server listen at an address, as its option says."""
    get: Any = st.get_option
    patch.setattr(st, "get_option", lambda name: address if name == "server.address" else get(name))


def new_session() -> AppTest:
    """The app at its first page, run once."""
    return AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=60).run()


@pytest.fixture
def app(request: pytest.FixtureRequest) -> Iterator[AppTest]:
    """The app in a new session, at the page that the test module names in ``PAGE``, if it does.

    The closed boxes that the module names in ``FOLDS`` are open. No test leaves the app with an
    exception.
    """
    page = getattr(request.module, "PAGE", None)
    app = new_session()
    for fold in getattr(request.module, "FOLDS", ()):
        app.session_state[f"{fold}_fold"] = True
    if page:
        app.switch_page(page).run()
    yield app
    assert not app.exception


def forget() -> None:
    """What was found out for another test is found anew."""
    st.cache_data.clear()
    SERVER.documents = Documents()


def upload(app: AppTest, content: bytes, name: str = "mine.json") -> None:
    """Opens a file on the playground."""
    app.selectbox(key="sample").select("file").run()
    app.file_uploader(key="upload").set_value((name, content, "")).run()


def open_sample(app: AppTest, sample: str, page: str, tab: str = "") -> Any:
    """Opens a page, or a tab of it, on a sample; gives the sample's value."""
    app.selectbox(key="sample").select(sample).run()
    app.session_state[f"{page}_tab"] = tab or None
    app.switch_page(f"{page}.py").run()
    assert not app.exception
    return json.loads((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8"))


def open_payload(
    app: AppTest,
    text: str,
    page: str,
    tab: str | None = "",
    *,
    name: str = "pasted",
    side: Side = "json",
) -> None:
    """Opens a page, or a tab of it, on a payload that is not a sample.

    Without a ``tab``, which is not "", it is that which the address names.
    """
    app.session_state.document = document(text, name, side)
    app.session_state.source = {"side": side, "text": text}
    if tab is not None:
        app.session_state[f"{page}_tab"] = tab or None
    app.switch_page(f"{page}.py").run()
    assert not app.exception


def editor_options(app: AppTest) -> dict[str, Any]:
    """The options that the editors convert, count and answer with."""
    (editor,) = (
        mounted.proto
        for mounted in app.get("bidi_component")
        if mounted.proto.component_name == "token_lab_editor"
    )
    options: dict[str, Any] = json.loads(editor.json)["options"]
    return options


def table_with(app: AppTest, column: str) -> pd.DataFrame:
    """The one table that has this column."""
    (table,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return table


def open_tab(app: AppTest, name: str, of: str = "compare") -> None:
    """Opens a tab of a page, which draws no other."""
    app.session_state[f"{of}_tab"] = name
    app.run()
    assert not app.exception


def press(app: AppTest, column: str, cell: str) -> None:
    """Presses the row that has this cell in the one table that has this column."""
    (table,) = (frame for frame in app.dataframe if column in frame.value.columns)
    row = table.value[column].tolist().index(cell)
    _, _, key = table.proto.id.split("-", 2)
    selected = {"rows": [], "columns": [], "cells": [[row, column]]}
    app.session_state[key] = {"selection": selected}
    app.run()
    assert not app.exception
