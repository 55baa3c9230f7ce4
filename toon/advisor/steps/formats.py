"""The same value in another format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toon.advisor.steps.base import Applied, Lossless, StepOptions
from toon.formats import FORMATS, RECOMMENDED, Format
from toon.formats.base import NotApplicable
from toon.values.equality import differences


@dataclass(frozen=True, slots=True)
class Minify(Lossless):
    """Switches to compact JSON."""

    name: str = "minify"
    label: str = "Minify"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        if options.format == "json-compact":
            raise NotApplicable("it is compact JSON already")
        note = f"compact JSON instead of {FORMATS[options.format].label}"
        return Applied(value, note, format="json-compact")


@dataclass(frozen=True, slots=True)
class SwitchFormat(Lossless):
    """Switches to the recommended format with the fewest tokens that gives this value back."""

    name: str = "format"
    label: str = "Switch format and delimiter"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        ranked = []
        for order, name in enumerate(RECOMMENDED):
            format = FORMATS[name]
            text = _text(format, value)
            if text is not None:
                tokens = options.tokenizer.count(text)
                ranked.append((tokens, format.name != options.format, order, format, text))
        for *_, format, text in sorted(ranked, key=lambda entry: entry[:3]):
            if format.name == options.format:
                break
            if _comes_back(format, value, text):
                note = f"{format.label} instead of {FORMATS[options.format].label}"
                return Applied(value, note, format=format.name)
        raise NotApplicable("no lossless format with a public library has fewer tokens")


def _text(format: Format, value: Any) -> str | None:
    """The text of a value, None from a format that cannot carry it."""
    try:
        return format.dumps(value)
    except ValueError:
        return None


def _comes_back(format: Format, value: Any, text: str) -> bool:
    try:
        return differences(value, format.loads(text)).same
    except ValueError:
        return False
