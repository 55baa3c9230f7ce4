"""The router: page config and navigation, nothing else."""

from __future__ import annotations

import streamlit as st

from pages.parts import look

# First what is about one payload, then, from Dashboard on, what is about a month of traffic.
page = st.navigation(
    [
        st.Page("playground.py", title="Playground", default=True),
        st.Page("compare.py", title="Compare"),
        st.Page("advisor.py", title="Send less"),
        st.Page("compact.py", title="Compact"),
        st.Page("dialects.py", title="Dialects"),
        st.Page("dashboard.py", title="Dashboard"),
        st.Page("pipeline.py", title="Pipeline"),
    ],
    position="top",
)
st.set_page_config(page_title=f"{page.title} · {look.NAME}", page_icon=look.MARK, layout="wide")
look.wear()
page.run()
