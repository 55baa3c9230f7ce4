"""The app with one page more, which holds its title alone: what a switch costs by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.routing import Mount

from app import lifespan
from pages.parts import built
from toon.http import ROUTES

navigate = st.navigation


def empty() -> None:
    st.title("Empty", anchor=False)


def navigate_with_empty(pages: Mapping[str, Sequence[Any]], **options: Any) -> Any:
    """The pages of the router, and the empty one, each by a link."""
    each = [page for group in pages.values() for page in group]
    return navigate([*each, st.Page(empty, title="Empty")], **options)


st.navigation = navigate_with_empty
app = st.App(
    Path(__file__).parent.parent.parent / "pages" / "main.py",
    lifespan=lifespan,
    routes=[Mount("/api", routes=[*ROUTES, built.ROUTE])],
)
