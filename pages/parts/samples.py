"""The texts in ``samples/`` that the pages offer."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from pages.parts.caches import cached
from toon.costs import models
from toon.costs.choice import COMPACT
from toon.costs.document import Document
from toon.costs.headline import headline
from toon.costs.typed import Typed
from toon.records.store import SAMPLES
from toon.values.json_text import parse_json


def sample_payloads() -> dict[str, str]:
    """JSON payloads by name. The playground opens with the first."""
    return bundled_texts(".", "json", "uniform-rows")


#: What samples are called by their names, where that says more than their shape.
_CALLED: Final = {"uniform-rows": "orders", "orders-with-items": "orders and their items"}


def spaced(name: str) -> str:
    """The name of a sample as people read it."""
    return _CALLED.get(name, name.replace("-", " "))


@cached(1)
def sample_titles() -> dict[str, str]:
    """Each payload by name with what to do and what that saves, for the default model and alone.

    Those where TOON is sent, minified JSON and another format take turns. All of them take some
    50 ms, once in the life of a server.
    """
    choice = models.choose(models.default().name)
    kinds: dict[str, list[tuple[str, str]]] = {"toon": [], COMPACT: [], "": []}
    for name, text in sample_payloads().items():
        found = headline(Document(parse_json(text).value, Typed(text)), choice)
        assert "bars" in found  # every sample has figures
        kind = next((kind for kind in kinds if found["best"].startswith(kind)), "")
        kinds[kind].append((name, f"{spaced(name)} · {found['act']} {found['figure']}"))
    rounds = zip_longest(*kinds.values())
    return dict(title for turn in rounds for title in turn if title)


def sample_runs() -> dict[str, str]:
    """Recorded runs of agents as JSON, by name. The pipeline opens with the first."""
    return bundled_texts("pipelines", "json", "react-loop")


def sample_templates() -> dict[str, str]:
    """Templates for compact lines by name."""
    return bundled_texts("templates", "txt")


@cached(3)
def bundled_texts(folder: str, ending: str, first: str = "") -> dict[str, str]:
    """The texts of a folder below ``samples/`` by name: ``first``, then the others sorted."""
    paths = (SAMPLES / folder).glob(f"*.{ending}")
    ordered = sorted(paths, key=lambda path: (path.stem != first, path.stem))
    return {path.stem: path.read_text(encoding="utf-8") for path in ordered}
