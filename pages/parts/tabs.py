"""Tabs and boxes whose content is computed and drawn when they are opened."""

from collections.abc import Callable, Mapping

import streamlit as st

from pages.parts.faults import guard


def draw_open(key: str, tabs: Mapping[str, Callable[[], None]]) -> None:
    """Draw tabs by title, and the content of the open one alone; at first the first is open."""
    boxes = st.tabs(list(tabs), key=key, on_change="rerun")
    for tab, draw in zip(boxes, tabs.values(), strict=True):
        if tab.open:
            with tab, st.spinner("Counting tokens…", show_time=True):
                guard(draw)()


#: Tabs that rerun alone, for content that nothing outside of them depends on.
draw_open_alone = st.fragment(draw_open)


@st.fragment
def draw_fold(title: str, key: str, draw: Callable[[], object]) -> None:
    """Draw a closed box with a title; call ``draw`` for its content once it is opened."""
    box = st.expander(title, key=key, on_change="rerun")
    if box.open:
        with box:
            guard(draw)()
