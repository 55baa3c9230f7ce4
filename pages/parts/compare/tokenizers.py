"""The panel "All tokenizers": every format under every tokenizer."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts.caches import cached
from pages.parts.compare.charts import heatmap
from pages.parts.comparison import compare_formats
from pages.parts.payload import Payload
from toon import tokenizers, wording
from toon.formats import FORMATS
from toon.tokenizers import TOKENIZERS

find_unusable = cached(tokenizers.unusable)


def draw_tokenizers(data: Payload) -> None:
    """Every format under every tokenizer, against compact JSON under the same one."""
    unusable = find_unusable()
    usable = tuple(name for name in TOKENIZERS if name not in unusable)
    rows = compare_formats(data, tokenizers=usable)
    labels = {name: format.label for name, format in FORMATS.items()}
    labels |= {name: tokenizer.label for name, tokenizer in TOKENIZERS.items()}
    st.caption(
        "Tokens against compact JSON under the same tokenizer; ≈ marks estimates. Where a cell is "
        "too narrow for its figure, point at it."
    )
    st.altair_chart(
        heatmap(rows, labels), key="heatmap", alt="Formats by tokenizers, signed per cent."
    )
    table = pd.DataFrame(rows).pivot_table(
        index="format", columns="tokenizer", values="tokens", sort=False
    )
    with st.expander("The token counts behind it"):
        st.dataframe(
            table.style.format(wording.count),
            width="stretch",
            height="content",
            key="heatmap_counts",
            placeholder=wording.UNKNOWN,
        )
    for name, reason in unusable.items():
        st.caption(f"{TOKENIZERS[name].label}: {reason}")
