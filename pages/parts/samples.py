"""The texts in ``samples/`` that the pages offer."""

from itertools import zip_longest
from typing import Final

import streamlit as st

from toon.costs import models
from toon.costs.document import Document, Typed
from toon.costs.headline import headline
from toon.costs.worth import COMPACT
from toon.records.store import SAMPLES
from toon.values.json_text import parse_json


def sample_payloads() -> dict[str, str]:
    """Return the bundled JSON samples, texts by file name; the playground opens with the first."""
    return bundled_texts(".", "json", "uniform-rows")


#: Names of samples where their contents say more than their shape.
_NAMES: Final = {"uniform-rows": "orders", "orders-with-items": "orders and their items"}


def spell(name: str) -> str:
    """Return a sample's file name in words for people: "uniform-rows" gives "orders"."""
    return _NAMES.get(name, name.replace("-", " "))


@st.cache_data(max_entries=1, show_spinner=False)
def sample_titles() -> dict[str, str]:
    """Return a title for each sample by name: what to send, and its saving for the default model.

    Answers of TOON, minified JSON and other formats take turns. All take some 50 ms, once in the
    life of a server.
    """
    choice = models.choose(models.default_model().name)
    kinds: dict[str, list[tuple[str, str]]] = {"toon": [], COMPACT: [], "": []}
    for name, text in sample_payloads().items():
        answer = headline(Document(parse_json(text).value, Typed(text)), choice)
        assert "bars" in answer  # every sample has figures
        kind = next((kind for kind in kinds if answer["best"].startswith(kind)), "")
        kinds[kind].append((name, f"{spell(name)} · {answer['act']} {answer['figure']}"))
    rounds = zip_longest(*kinds.values())
    return dict(title for turn in rounds for title in turn if title)


@st.cache_data(max_entries=3, show_spinner=False)
def bundled_texts(folder: str, ending: str, first: str = "") -> dict[str, str]:
    """Return the texts of the files ``*.ending`` in a folder of ``samples/``, by name without
    ending; the one called ``first`` comes first.
    """
    paths = (SAMPLES / folder).glob(f"*.{ending}")
    ordered = sorted(paths, key=lambda path: (path.stem != first, path.stem))
    return {path.stem: path.read_text(encoding="utf-8") for path in ordered}
