"""``python -m toon tap --watch``: one line about a recording, while it grows."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.options import choices_of
from toon.cli.output import INTERRUPTED, end_progress, has_progress, say, show_progress
from toon.wording import dollars, plural

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.measuring.totals import Totals

#: Seconds between two lines where they do not replace each other.
_PAUSE: Final = 1.0


def watch(options: argparse.Namespace) -> int:
    """Says what a recording holds whenever it has grown, until Ctrl-C."""
    from toon.costs.models import tokenizers_of
    from toon.measuring.measure import DEFAULT_FORMATS, Settings
    from toon.measuring.table import describe
    from toon.measuring.totals import Totals
    from toon.tap.follow import Follower

    if options.command or options.listen or options.upstream:
        say("--watch looks at FILE alone: record in another terminal")
        return 2
    choices = choices_of(options)
    settings = Settings.of(tokenizers_of(choices), DEFAULT_FORMATS)
    totals, follower = Totals.of(describe(settings)), Follower(Path(options.output), settings)
    tables, shown, moment = follower.tables(), "", 0.0
    try:
        for table in tables:
            if table is not None:
                totals.add(table)
            if time.monotonic() - moment < _PAUSE and table is not None:
                continue
            line = watched_line(totals, choices[0], follower.file.left)
            if line != shown:
                _show(line)
                shown, moment = line, time.monotonic()
    except KeyboardInterrupt:
        tables.close()
        if has_progress():
            end_progress()
            print(shown)
        return INTERRUPTED
    return 0


def _show(line: str) -> None:
    if has_progress():
        show_progress(line)
    else:
        print(line, flush=True)


def watched_line(totals: Totals, choice: Choice, left: int) -> str:
    """What the calls so far hold, cost, and would cost; ``left`` bytes are still to be measured."""
    from toon.costs.sentences import ladder_line
    from toon.tap.follow import BEHIND

    words = [plural(totals.payloads, "payload")]
    if totals.errors:
        words.append(plural(totals.errors, "bad record"))
    if left > BEHIND:
        words.append(f"{left / 1e6:,.1f} MB behind")
    if totals.nothing:
        return f"{', '.join(words)}: {totals.nothing}"
    ladder = ladder_line(totals.ladder)
    return f"{', '.join(words)}: {ladder}{_money(totals, choice)}"


def _money(totals: Totals, choice: Choice) -> str:
    """What that is in dollars, each payload at the tier of an average one; "" without a price."""
    from toon.costs.prices import call_price

    key = choice.model.price if choice.model else None
    if not key or not totals.payloads:
        return ""
    ends = totals.ladder[0], totals.ladder[-1]
    prices = [call_price(key, round(rung["cost"] / totals.payloads)) for rung in ends]
    if any(price is None for price in prices):
        return ""
    words = [dollars(price * totals.payloads) for price in prices if price is not None]
    return f"; {' → '.join(words)} as input of {choice.name}"
