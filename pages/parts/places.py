"""Places that links and next steps name: each is a page, or a tab of one."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple
from urllib.parse import urlencode

import streamlit as st
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from pages.parts import compare

#: What an address asks for with the name of a tab.
_TAB: Final = "tab"


class Place(NamedTuple):
    """A page by its path, and the tab of it that is opened."""

    page: str
    tab: str | None = None


#: Places that are no page of their own. Each had an address once, which leads there.
PLACES: Final = {
    "send-less": Place("compare", compare.LESS),
    "advisor": Place("compare", compare.LESS),
    "compact": Place("compare", compare.LINES),
    "dialects": Place("compare", compare.FORMATS),
    "pipeline": Place("dashboard", "Context"),
    "reading": Place("evidence"),
}


def open_place(name: str) -> None:
    """Leads to a place, or to the page of this name."""
    page, tab = PLACES.get(name, Place(name))
    if tab:
        st.session_state[f"{page}_tab"] = tab
    st.switch_page(f"{page}.py")


def take_tab(page: str) -> None:
    """Opens the tab that the address names, until another one is opened."""
    if tab := st.query_params.get(_TAB):
        st.session_state.setdefault(f"{page}_tab", tab)


def redirects(base: str) -> list[Route]:
    """The addresses of before: the server leads on, so that browsers take along what is behind #.

    ``base`` is what all paths begin with.
    """
    return [Route(f"{base}/{name}", partial(_redirect, place)) for name, place in PLACES.items()]


def _redirect(place: Place, request: Request) -> RedirectResponse:
    asked = [*request.query_params.multi_items(), *([(_TAB, place.tab)] if place.tab else [])]
    return RedirectResponse(f"{place.page}?{urlencode(asked)}" if asked else place.page)
