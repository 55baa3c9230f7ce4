"""Pipe tables as a format: lossless, read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toon.dialects import pipe
from toon.formats.base import FormatBase
from toon.layout.spans import Layout


@dataclass(frozen=True, slots=True)
class PipeFormat(FormatBase):
    """The pipe tables of Temporal Cortex's article."""

    name: str = "pipe"
    label: str = "Pipe tables"
    lossless: bool = True

    def dumps(self, value: Any) -> str:
        return pipe.encode(value)

    def loads(self, text: str) -> Any:
        return pipe.decode(text)

    def layout(self, text: str) -> Layout:
        return pipe.layout(text)


PIPE: Final = PipeFormat()
