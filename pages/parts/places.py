"""Places in the app that links and next steps name: pages, or tabs of pages."""

from functools import partial
from typing import Final, NamedTuple
from urllib.parse import urlencode

import streamlit as st
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from pages.parts import compare

#: The query parameter with the name of a tab.
_TAB: Final = "tab"


class Place(NamedTuple):
    """A page by its path, and the title of its tab to open, or None."""

    page: str
    tab: str | None = None


#: Former pages by path, and the pages and tabs in their place.
PLACES: Final = {
    "send-less": Place("compare", compare.LESS),
    "advisor": Place("compare", compare.LESS),
    "compact": Place("compare", compare.LINES),
    "dialects": Place("compare", compare.FORMATS),
    "pipeline": Place("dashboard", "Context"),
    "reading": Place("evidence"),
}


def open_place(name: str) -> None:
    """Switch to a page by its path; a former page's path leads to the page and tab in its place."""
    page, tab = PLACES.get(name, Place(name))
    if tab:
        st.session_state[f"{page}_tab"] = tab
    st.switch_page(f"{page}.py")


def take_tab(page: str) -> None:
    """Open the tab that the page's address names as ``?tab=``, unless one is open."""
    if tab := st.query_params.get(_TAB):
        st.session_state.setdefault(f"{page}_tab", tab)


def redirects(base: str) -> list[Route]:
    """Return routes that redirect addresses of former pages to the pages or tabs in their place.

    The server redirects, so the part behind # stays. ``base`` is the prefix of all paths.
    """
    return [Route(f"{base}/{name}", partial(_redirect, place)) for name, place in PLACES.items()]


def _redirect(place: Place, request: Request) -> RedirectResponse:
    query = [*request.query_params.multi_items(), *([(_TAB, place.tab)] if place.tab else [])]
    return RedirectResponse(f"{place.page}?{urlencode(query)}" if query else place.page)
