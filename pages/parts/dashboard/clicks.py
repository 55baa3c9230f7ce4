"""Charts whose bars can be clicked: the group of the bar becomes the filter of the dashboard.

Session state:
    dashboard_clicks: How often a bar was clicked. Each click starts a new chart, in which nothing
        is selected, so that the next click is heard wherever it is.
    dashboard_clicked: Whether one was clicked just now.
"""

from __future__ import annotations

from functools import partial

import altair as alt
import streamlit as st

from pages.parts.dashboard.choices import filter_by_group
from pages.parts.dashboard.opened import Opened

_CLICKED = "clicked"


def draw_clickable(
    chart: alt.Chart | alt.LayerChart, opened: Opened, field: str, key: str, about: str
) -> None:
    """Draws a chart; a click on a bar filters by the group that its ``field`` names.

    A click on the group that is filtered by removes the filter again. ``about`` says what the
    chart shows, for those who cannot see it; they have the filter above.
    """
    clicks = st.session_state.setdefault("dashboard_clicks", 0)
    widget = f"{key}_{clicks}"
    with st.container(key=key):
        st.altair_chart(
            chart.add_params(alt.selection_point(name=_CLICKED, fields=[field])),
            key=widget,
            on_select=partial(_take_click, opened, widget, field),
            alt=about,
        )
    if st.session_state.pop("dashboard_clicked", False):  # the tabs run alone; all must follow
        st.rerun()


def _take_click(opened: Opened, widget: str, field: str) -> None:
    points = st.session_state[widget]["selection"].get(_CLICKED)
    if points:
        filter_by_group(opened, points[0][field])
        st.session_state.dashboard_clicks += 1
        st.session_state.dashboard_clicked = True
