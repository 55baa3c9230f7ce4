"""The text of Temporal Cortex's library as a format. Lossy: ``losses`` lists what it loses."""

from __future__ import annotations

from typing import Any, Final

from toon.dialects import cortex
from toon.errors import EncodeError
from toon.formats.base import Format, NotApplicable
from toon.formats.toon import TOON
from toon.layout.spans import Layout
from toon.wording import quoted


class CortexFormat(Format):
    """The library's own output, read by its counts rather than by the library's decoder."""

    name = "temporal-cortex"
    label = "Temporal Cortex (library)"
    lossless = False
    dialect = True
    about = "What temporal-cortex-toon writes and calls TOON 3.0, which other readers refuse."

    @property
    def explanation(self) -> str:
        return TOON.explanation

    def dumps(self, value: Any) -> str:
        try:
            text = cortex.encode(value)
        except EncodeError as error:
            raise NotApplicable(str(error)) from None
        for name in cortex.table_names(value):
            if "\n" in name:
                message = f"the line break in the column {quoted(name)} is written as it is"
                raise NotApplicable(f"{message}: nothing can read that table")
        return text

    def loads(self, text: str) -> Any:
        return cortex.decode(text, strict=False)

    def layout(self, text: str) -> Layout:
        return cortex.layout(text)

    def losses(self, value: Any) -> list[str]:
        return cortex.losses(value)


CORTEX: Final = CortexFormat()
FORMATS: Final = (CORTEX,)
