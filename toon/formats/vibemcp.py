"""VibeMCP's tabular output as a format: as deployed, which loses much, and without losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toon.dialects import vibemcp
from toon.dialects.vibemcp.grammar import DETAIL_LABEL, LIST_LABEL
from toon.formats.base import FormatBase, NotApplicable
from toon.layout.spans import Layout


@dataclass(frozen=True, slots=True)
class VibeMcpFormat(FormatBase):
    """VibeMCP's output as its tools send it."""

    name: str = "vibemcp"
    label: str = "VibeMCP"
    lossless: bool = False

    def dumps(self, value: Any) -> str:
        try:
            return vibemcp.encode(value)
        except vibemcp.Unfit as error:
            raise NotApplicable(str(error)) from None

    def loads(self, text: str) -> Any:
        """The value of ``text``; a label that means no name is dropped.

        Raises:
            DialectError: ``text`` is not VibeMCP's output.
        """
        value = vibemcp.decode(text)
        if isinstance(value, dict):
            ((label, data),) = value.items()
            if label == (LIST_LABEL if isinstance(data, list) else DETAIL_LABEL):
                return data
        return value

    def layout(self, text: str) -> Layout:
        return vibemcp.layout(text)

    def losses(self, value: Any) -> list[str]:
        try:
            return vibemcp.losses(value)
        except vibemcp.Unfit as error:
            raise NotApplicable(str(error)) from None


@dataclass(frozen=True, slots=True)
class LosslessVibeMcpFormat(FormatBase):
    """VibeMCP's forms without losses."""

    name: str = "vibemcp-lossless"
    label: str = "VibeMCP, lossless"
    lossless: bool = True

    def dumps(self, value: Any) -> str:
        return vibemcp.encode(value, profile=vibemcp.LOSSLESS)

    def loads(self, text: str) -> Any:
        return vibemcp.decode(text, profile=vibemcp.LOSSLESS)

    def layout(self, text: str) -> Layout:
        return vibemcp.layout(text, profile=vibemcp.LOSSLESS)


VIBEMCP: Final = VibeMcpFormat()
VIBEMCP_LOSSLESS: Final = LosslessVibeMcpFormat()
