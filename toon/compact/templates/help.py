"""The help for people who write a template, in Markdown: ``help.md`` and a table of formatters."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from toon.compact.templates.formatters import FORMATTERS

_CELLS: Final = [(item.usage.replace("|", "\\|"), item.does) for item in FORMATTERS.values()]
_ROWS: Final = "\n".join(f"| `{usage}` | {does} |" for usage, does in _CELLS)

#: Shown next to the editor of templates.
HELP: Final = f"{Path(__file__).with_name('help.md').read_text('utf-8')}{_ROWS}\n"
