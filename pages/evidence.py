"""The page Evidence: whether models still answer right from TOON and from other formats."""

import streamlit as st

from pages.parts.evidence.asking import TAB, draw_asking, read_results
from pages.parts.evidence.known import draw_headline, draw_sources
from pages.parts.tabs import draw_open

st.title("Evidence: does the model still read it?", anchor=False)
draw_headline(read_results())
draw_open(TAB, {"Ask my model": draw_asking, "Sources and claims": draw_sources})
