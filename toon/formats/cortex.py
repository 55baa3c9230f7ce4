"""What the library of Temporal Cortex writes. To compare with: it loses what ``losses`` names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toon.dialects.cortex import decode, encode, losses, table_names
from toon.errors import EncodeError
from toon.formats.base import Format, NotApplicable
from toon.formats.toon import TOON
from toon.layout.spans import Layout
from toon.layout.toon import toon_layout
from toon.wording import quoted


@dataclass(frozen=True, slots=True)
class CortexFormat(Format):
    """The library's own output, read back by its counts and not by the library's decoder."""

    name: str = "temporal-cortex"
    label: str = "Temporal Cortex (library)"
    lossless: bool = False
    dialect: bool = True

    @property
    def explanation(self) -> str:
        return TOON.explanation

    def dumps(self, value: Any) -> str:
        try:
            text = encode(value)
        except EncodeError as error:
            raise NotApplicable(str(error)) from None
        for name in table_names(value):
            if "\n" in name:
                message = f"the line break in the column {quoted(name)} is written as it is"
                raise NotApplicable(f"{message}: nothing can read that table")
        return text

    def loads(self, text: str) -> Any:
        return decode(text)

    def layout(self, text: str) -> Layout:
        return toon_layout(text, comments=False)

    def losses(self, value: Any) -> list[str]:
        return losses(value)


CORTEX: Final = CortexFormat()
