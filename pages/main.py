"""The router: page config and navigation, nothing else."""

from __future__ import annotations

import streamlit as st

from pages.parts import keeper, look, payload
from pages.parts.faults import apart

#: A page whose file was named before its title was: old links ask for ``advisor``.
_ADVISOR = st.Page("advisor.py", title="Send less", url_path="send-less")


def open_send_less() -> None:
    """Leads from the old path of Send less to its new one."""
    st.switch_page(_ADVISOR, query_params=st.query_params.to_dict())


# What most people need stands in the header; the rest is one press away.
page = st.navigation(
    {
        "": [
            st.Page("playground.py", title="Playground", default=True),
            st.Page("compare.py", title="Compare"),
            _ADVISOR,
            st.Page("dashboard.py", title="Dashboard"),
        ],
        "Explore": [
            st.Page("compact.py", title="Compact"),
            st.Page("dialects.py", title="Dialects"),
            st.Page("evidence.py", title="Evidence"),
            st.Page(open_send_less, title="Send less", url_path="advisor", visibility="hidden"),
        ],
    },
    position="top",
)
st.set_page_config(page_title=f"{page.title} · {look.NAME}", page_icon=look.MARK, layout="wide")
look.wear()
if page.visibility != "hidden":  # a hidden page leads on at once: an answer would be lost
    apart(keeper.mount)(page.url_path)
if page.url_path:  # the playground has no path: its editors report themselves
    apart(payload.take_unsent)()
page.run()
