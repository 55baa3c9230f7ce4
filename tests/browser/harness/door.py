"""The app's door before a page that nobody gets to: it starts soon, and refuses as the app does."""

import os
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from streamlit.file_util import get_static_dir

from toon.http.door import Door
from toon.http.lock import lock_for

PAGE = Path(get_static_dir(), "index.html").read_text(encoding="utf-8")

app = st.App(
    Path(__file__).parent / "editor_page.py",
    middleware=[
        Middleware(Door, lock_for(st.get_option("server.address"), os.environ), 1000, PAGE)
    ],
)
