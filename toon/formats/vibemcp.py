"""VibeMCP's tabular output as a format: as deployed, which loses much, and with nothing lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toon.dialects.vibemcp import (
    LOSSLESS,
    LOSSY,
    Encoded,
    Unfit,
    encode,
    lossless_encode,
    vibemcp_layout,
)
from toon.dialects.vibemcp import decode as read_value
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
        return _encoded(value).text

    def loads(self, text: str) -> Any:
        """The value of ``text``; the label that stands for no name is dropped.

        Raises:
            DialectError: ``text`` is not VibeMCP's.
        """
        value = read_value(text)
        if isinstance(value, dict):
            ((label, data),) = value.items()
            if label == (LIST_LABEL if isinstance(data, list) else DETAIL_LABEL):
                return data
        return value

    def layout(self, text: str) -> Layout:
        return vibemcp_layout(text, LOSSY)

    def losses(self, value: Any) -> list[str]:
        return list(_encoded(value).losses)


@dataclass(frozen=True, slots=True)
class LosslessVibeMcpFormat(FormatBase):
    """VibeMCP's forms with nothing lost."""

    name: str = "vibemcp-lossless"
    label: str = "VibeMCP, lossless"
    lossless: bool = True

    def dumps(self, value: Any) -> str:
        return lossless_encode(value)

    def loads(self, text: str) -> Any:
        return read_value(text, profile=LOSSLESS)

    def layout(self, text: str) -> Layout:
        return vibemcp_layout(text, LOSSLESS)


def _encoded(value: Any) -> Encoded:
    try:
        return encode(value)
    except Unfit as error:
        raise NotApplicable(str(error)) from None


VIBEMCP: Final = VibeMcpFormat()
VIBEMCP_LOSSLESS: Final = LosslessVibeMcpFormat()
