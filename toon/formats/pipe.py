"""Pipe tables, the form that Temporal Cortex's article shows. Lossless."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toon.dialects.pipe import decode, encode, pipe_layout
from toon.formats.base import FormatBase
from toon.layout.spans import Layout


@dataclass(frozen=True, slots=True)
class PipeFormat(FormatBase):
    """Pipe tables, read strictly."""

    name: str = "pipe"
    label: str = "Pipe tables"
    lossless: bool = True

    def dumps(self, value: Any) -> str:
        return encode(value)

    def loads(self, text: str) -> Any:
        return decode(text)

    def layout(self, text: str) -> Layout:
        return pipe_layout(text)


PIPE: Final = PipeFormat()
