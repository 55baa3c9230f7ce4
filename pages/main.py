"""The router: page config and navigation, nothing else."""

from __future__ import annotations

import streamlit as st

st.set_page_config(page_title="Token lab: JSON and TOON", page_icon="🧮", layout="wide")

page = st.navigation(
    [
        st.Page("playground.py", title="Playground", default=True),
        st.Page("compare.py", title="Compare"),
        st.Page("compact.py", title="Compact"),
        st.Page("dialects.py", title="Dialects"),
        st.Page("advisor.py", title="Send less"),
        st.Page("pipeline.py", title="Pipeline"),
        st.Page("dashboard.py", title="Dashboard"),
    ],
    position="top",
)
page.run()
