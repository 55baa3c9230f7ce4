"""TOON by SPEC 4.4, with each of its three delimiters, and by 3.3. Lossless."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toon.codec.api import LEGACY_VERSION, SPEC_VERSION, decode, encode
from toon.codec.numbers import exact_number
from toon.formats.base import FormatBase
from toon.layout.spans import Layout
from toon.layout.toon import toon_layout


@dataclass(frozen=True, slots=True)
class ToonFormat(FormatBase):
    """TOON with one document delimiter."""

    name: str
    label: str
    delimiter: str
    indent_size: int = 2
    strict: bool = True
    spec: str = SPEC_VERSION
    lossless: bool = True

    def dumps(self, value: Any) -> str:
        return encode(value, delimiter=self.delimiter, indent_size=self.indent_size, spec=self.spec)

    def loads(self, text: str) -> Any:
        return decode(
            text,
            indent_size=self.indent_size,
            strict=self.strict,
            spec=self.spec,
            parse_float=exact_number,
        )

    def layout(self, text: str) -> Layout:
        return toon_layout(text, comments=self.spec != LEGACY_VERSION)


TOON: Final = ToonFormat("toon", "TOON", ",")
TOON_TAB: Final = ToonFormat("toon-tab", "TOON, tab", "\t")
TOON_PIPE: Final = ToonFormat("toon-pipe", "TOON, pipe", "|")
TOON_3: Final = ToonFormat("toon-3", "TOON 3.3", ",", spec=LEGACY_VERSION)
