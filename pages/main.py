"""The router: page config and navigation, nothing else."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.parts import keeper, look, payload
from pages.parts.faults import apart
from pages.parts.places import PLACES, open_place

pages = [
    st.Page("playground.py", title="Playground", default=True),
    st.Page("compare.py", title="Compare"),
    st.Page("dashboard.py", title="Dashboard"),
    st.Page("evidence.py", title="Evidence"),
]
# Paths of before, whose pages are tabs of others now.
moved = [
    st.Page(partial(open_place, name), title=name, url_path=name, visibility="hidden")
    for name in PLACES
]
page = st.navigation([*pages, *moved], position="top")
st.set_page_config(page_title=f"{page.title} · {look.NAME}", page_icon=look.MARK, layout="wide")
look.wear()
if page.visibility != "hidden":  # a hidden page leads on at once: an answer would be lost
    apart(keeper.mount)(page.url_path)
if page.url_path:  # the playground has no path: its editors report themselves
    apart(payload.take_unsent)()
page.run()
