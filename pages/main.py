"""The router of the Streamlit app: page config and navigation, nothing else."""

import streamlit as st

from pages.parts import keeper, look, payload
from pages.parts.faults import guard
from pages.parts.places import take_tab

page = st.navigation(
    [
        st.Page("playground.py", title="Playground", default=True),
        st.Page("compare.py", title="Compare"),
        st.Page("dashboard.py", title="Dashboard"),
        st.Page("evidence.py", title="Evidence"),
    ],
    position="top",
)
st.set_page_config(page_title=f"{page.title} · {look.NAME}", page_icon=look.MARK, layout="wide")
look.apply()
guard(keeper.mount)(page.url_path)
if page.url_path:  # the playground has no path: its editors report themselves
    take_tab(page.url_path)
    guard(payload.take_unsent)()
page.run()
