"""The texts in ``samples/`` that the pages offer."""

from __future__ import annotations

from pages.parts.caches import cached
from toon.costs import models
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.headline import winner
from toon.costs.typed import Typed
from toon.records.store import SAMPLES
from toon.values.json_text import parse_json
from toon.values.shape import shape_of


def sample_payloads() -> dict[str, str]:
    """JSON payloads by name. The playground opens with the first."""
    return bundled_texts(".", "json", "weather")


def spaced(name: str) -> str:
    """The name of a sample as people read it."""
    return name.replace("-", " ")


@cached
def sample_titles() -> dict[str, str]:
    """Each payload by name with its shape and who wins, for the default model and alone.

    All of them take some 50 ms, once in the life of a server.
    """
    return {name: _title(name, text) for name, text in sample_payloads().items()}


def _title(name: str, text: str) -> str:
    value = parse_json(text).value
    verdict = answer(Document(value, Typed(text)), models.default().tokenizer)
    return f"{spaced(name)} · {shape_of(value).name} · {winner(verdict)}"


def sample_runs() -> dict[str, str]:
    """Recorded runs of agents as JSON, by name. The pipeline opens with the first."""
    return bundled_texts("pipelines", "json", "react-loop")


def sample_templates() -> dict[str, str]:
    """Templates for compact lines by name."""
    return bundled_texts("templates", "txt")


@cached
def bundled_texts(folder: str, ending: str, first: str = "") -> dict[str, str]:
    """The texts of a folder below ``samples/`` by name: ``first``, then the others sorted."""
    paths = (SAMPLES / folder).glob(f"*.{ending}")
    ordered = sorted(paths, key=lambda path: (path.stem != first, path.stem))
    return {path.stem: path.read_text(encoding="utf-8") for path in ordered}
