"""The app with two pages more that hold a title alone: the cost of a switch by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.routing import Mount

from app import lifespan
from toon.http import ROUTES

navigation = st.navigation


def empty() -> None:
    st.title("Empty", anchor=False)


def blank() -> None:
    st.title("Blank", anchor=False)


def with_empty_pages(pages: Sequence[Any], **options: Any) -> Any:
    return navigation(
        [*pages, st.Page(empty, title="Empty"), st.Page(blank, title="Blank")], **options
    )


st.navigation = with_empty_pages
app = st.App(
    Path(__file__).parent.parent.parent / "pages" / "main.py",
    lifespan=lifespan,
    routes=[Mount("/api", routes=ROUTES)],
)
