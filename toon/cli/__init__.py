"""The command line: ``python -m toon encode|decode|stats|measure``.

Reads files or standard input, writes to standard output or ``-o``. Exit status: 0 done, 1 an
input was wrong (standard error names the place), 2 the command itself was wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from toon.cli.convert import add_decode, add_encode
from toon.cli.measure import add_measure
from toon.cli.stats import add_stats

_EPILOG: Final = """\
examples:
  python -m toon encode orders.json -o orders.toon
  curl -s https://example.com/api/orders | python -m toon encode --delimiter tab
  python -m toon decode orders.toon
  python -m toon stats --model gpt-5,claude-haiku-4.5 orders.json
  python -m toon measure logs/*.jsonl.gz -o run.parquet --payload response.body --group tool
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has left, as it may
        return 0
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m toon",
        description="JSON to TOON and back, and what both cost in tokens. Each command has its "
        "own --help.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (add_encode, add_decode, add_stats, add_measure):
        add(commands)
    return parser
