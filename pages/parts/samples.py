"""The texts in ``samples/`` that the pages offer."""

from __future__ import annotations

from pages.parts.caches import cached
from toon.records.store import SAMPLES


def sample_payloads() -> dict[str, str]:
    """JSON payloads by name. The playground opens with the first."""
    return bundled_texts(".", "json", "weather")


def spaced(name: str) -> str:
    """The name of a sample as people read it."""
    return name.replace("-", " ")


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
