"""Places that links and next steps name: each is a page, or a tab of one."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st

from pages.parts import compare


class Place(NamedTuple):
    """A page by its file, and the tab of it that is opened."""

    file: str
    tab: str | None = None

    @property
    def key(self) -> str:
        """What the page's tabs are called in the session."""
        return f"{self.file.removesuffix('.py')}_tab"


#: Places that are no page of their own. All but the last had an address once, which leads there.
PLACES: Final = {
    "send-less": Place("compare.py", compare.LESS),
    "advisor": Place("compare.py", compare.LESS),
    "compact": Place("compare.py", compare.LINES),
    "dialects": Place("compare.py", compare.FORMATS),
    "pipeline": Place("dashboard.py", "Context"),
    "reading": Place("evidence.py"),
    "models": Place("compare.py", compare.MODELS),
}


def open_place(name: str) -> None:
    """Leads to a place, or to the page of this name, with what the address asks for."""
    place = PLACES.get(name, Place(f"{name}.py"))
    if place.tab:
        st.session_state[place.key] = place.tab
    st.switch_page(place.file, query_params=st.query_params.to_dict())
