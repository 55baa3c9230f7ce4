"""The tab Compact lines: lists of records as lines for a reader, beside JSON and TOON."""

from __future__ import annotations

from pages.parts.compact import bundled
from pages.parts.compact.lines import draw_lines
from pages.parts.compact.offer import choose_clock
from pages.parts.compact.template import draw_template
from pages.parts.tabs import draw_fold
from toon import tokenizers


def draw_compact(tokenizer: str) -> None:
    """Lines of the payload's records or of bundled ones, by templates of ours or by one's own."""
    tokenizers.get(tokenizer).count("")  # one that cannot be loaded says what is missing
    now, zone = choose_clock()
    draw_lines(tokenizer, now, zone)
    draw_fold("Poll", "poll_fold", lambda: bundled.draw_poll(tokenizer))
    draw_fold("Your own template", "own_fold", lambda: draw_template(tokenizer, now, zone))
