"""Tabs and folds whose content is computed and drawn when they are opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.parts.faults import apart


def draw_open(key: str, tabs: Mapping[str, Callable[[], None]]) -> None:
    """Draws tabs by their titles, and what the open one holds; at first the first is open."""
    drawn = st.tabs(list(tabs), key=key, on_change="rerun")
    for tab, draw in zip(drawn, tabs.values(), strict=True):
        if tab.open:
            with tab, st.spinner("Counting tokens…", show_time=True):
                apart(draw)()


#: Tabs that rerun alone, where nothing outside them depends on what is chosen in them.
draw_open_alone = st.fragment(draw_open)


@st.fragment
def draw_fold(title: str, key: str, draw: Callable[[], object]) -> None:
    """Draws a closed box with a title, and what it holds once it is open."""
    box = st.expander(title, key=key, on_change="rerun")
    if box.open:
        with box:
            apart(draw)()
