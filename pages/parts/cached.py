"""The only caches of the app: names and text in, plain rows out, every one bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from toon import advisor, tokenizers
from toon.costs import choice, delimiters
from toon.costs import compare as comparison
from toon.formats import FORMATS
from toon.playground import panes

SAMPLES = Path(__file__).parent.parent.parent / "samples"


@st.cache_data(max_entries=1, show_spinner=False)
def samples() -> dict[str, str]:
    """Sample texts by name, the page's first one first."""
    paths = sorted(SAMPLES.glob("*.json"), key=lambda path: (path.stem != "weather", path.stem))
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


@st.cache_data(max_entries=8, show_spinner=False)
def convert(side: panes.Side, text: str, delimiter: str, indent: int, strict: bool) -> Any:
    """The other side of a text, or its error: see :func:`toon.playground.panes.convert`."""
    return panes.convert(side, text, panes.Options(delimiter, indent, strict))


@st.cache_data(max_entries=8, show_spinner=False)
def bill(
    json_text: str, toon_text: str, tokenizer: str, delimiter: str, indent: int, strict: bool
) -> Any:
    """The token bill of two panes: see :func:`toon.playground.panes.bill`."""
    return panes.bill(json_text, toon_text, tokenizer, panes.Options(delimiter, indent, strict))


@st.cache_data(max_entries=8, show_spinner=False)
def readable(side: panes.Side, text: str, delimiter: str, indent: int, strict: bool) -> bool:
    """Whether a text can be read: what :func:`compare` and its kin take."""
    return bool(convert(side, text, delimiter, indent, strict)["ok"])


def value_of(side: panes.Side, text: str, indent: int, strict: bool) -> Any:
    """The value of a payload that can be read; not cached, since what is cached is copied."""
    return panes.read(side, text, panes.Options(indent=indent, strict=strict)).value


@st.cache_data(max_entries=24, show_spinner=False)
def compare(
    side: panes.Side, text: str, indent: int, strict: bool, names: tuple[str, ...]
) -> list[dict[str, Any]]:
    """Rows of every format under the named tokenizers: see :func:`toon.costs.compare.compare`."""
    return comparison.compare(value_of(side, text, indent, strict), tokenizers=names)


@st.cache_data(max_entries=16, show_spinner=False)
def verdict(
    side: panes.Side, text: str, indent: int, strict: bool, tokenizer: str
) -> dict[str, Any]:
    """Which format to send: see :func:`toon.costs.choice.verdict`."""
    value = value_of(side, text, indent, strict)
    return choice.verdict(value, compare(side, text, indent, strict, (tokenizer,)), tokenizer)


@st.cache_data(max_entries=16, show_spinner=False)
def delimiter_rows(
    side: panes.Side, text: str, indent: int, strict: bool, tokenizer: str
) -> list[dict[str, Any]]:
    """Every delimiter and indent: see :func:`toon.costs.delimiters.delimiter_rows`."""
    value = value_of(side, text, indent, strict)
    return delimiters.delimiter_rows(value, tokenizer)


@st.cache_data(max_entries=1, ttl=60, show_spinner=False)
def unusable_tokenizers() -> dict[str, str]:
    """Tokenizers that cannot count here, and why: see :func:`toon.tokenizers.unusable`."""
    return tokenizers.unusable()


@st.cache_data(max_entries=8, show_spinner=False)
def advise(
    side: panes.Side, text: str, indent: int, strict: bool, tokenizer: str, format: str
) -> list[dict[str, Any]]:
    """What each step saves alone: see :func:`toon.advisor.advise`."""
    value = value_of(side, text, indent, strict)
    return advisor.advise(value, tokenizer=tokenizer, format=format)


@st.cache_data(max_entries=8, show_spinner=False)
def best_combination(
    side: panes.Side, text: str, indent: int, strict: bool, tokenizer: str, format: str
) -> dict[str, Any]:
    """The reversible steps that save most together: see :func:`toon.advisor.best_combination`."""
    value = value_of(side, text, indent, strict)
    return advisor.best_combination(value, tokenizer=tokenizer, format=format)


@st.cache_data(max_entries=8, show_spinner=False)
def combined(
    side: panes.Side,
    text: str,
    indent: int,
    strict: bool,
    tokenizer: str,
    format: str,
    steps: tuple[str, ...],
    keep_fields: tuple[str, ...] | None,
) -> dict[str, Any]:
    """The chosen steps together: see :func:`toon.advisor.combined`."""
    value = value_of(side, text, indent, strict)
    return advisor.combined(
        value, steps, tokenizer=tokenizer, format=format, keep_fields=keep_fields
    )


@st.cache_data(max_entries=8, show_spinner=False)
def field_costs(
    side: panes.Side, text: str, indent: int, strict: bool, tokenizer: str
) -> list[dict[str, Any]]:
    """What every field costs: see :func:`toon.advisor.field_costs`."""
    value = value_of(side, text, indent, strict)
    return advisor.field_costs(value, tokenizer)


@st.cache_data(max_entries=32, show_spinner=False)
def written(side: panes.Side, text: str, indent: int, strict: bool, format: str) -> str:
    """The payload as one format writes it; ValueError where it does not apply."""
    return FORMATS[format].dumps(value_of(side, text, indent, strict))
