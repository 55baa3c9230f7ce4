"""The tabs of the compare page."""

from typing import Final

FORMATS: Final = "Formats"
LINES: Final = "Compact lines"
LESS: Final = "Send less"
MODELS: Final = "Models"
