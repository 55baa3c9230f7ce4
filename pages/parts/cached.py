"""The only caches of the app: names and text in, plain rows out, every one bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from toon import live

SAMPLES = Path(__file__).parent.parent.parent / "samples"


@st.cache_data(max_entries=1, show_spinner=False)
def samples() -> dict[str, str]:
    """Sample texts by name, the page's first one first."""
    paths = sorted(SAMPLES.glob("*.json"), key=lambda path: (path.stem != "weather", path.stem))
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


@st.cache_data(max_entries=8, show_spinner=False)
def convert(side: live.Side, text: str, delimiter: str, indent: int, strict: bool) -> Any:
    """The other side of a text, or its error: see :func:`toon.live.convert`."""
    return live.convert(side, text, live.Options(delimiter, indent, strict))


@st.cache_data(max_entries=8, show_spinner=False)
def bill(
    json_text: str, toon_text: str, tokenizer: str, delimiter: str, indent: int, strict: bool
) -> Any:
    """The token bill of two panes: see :func:`toon.live.bill`."""
    return live.bill(json_text, toon_text, tokenizer, live.Options(delimiter, indent, strict))
