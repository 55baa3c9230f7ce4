"""The command line: ``python -m toon encode|decode|stats|measure|ask|tap``.

Reads files or standard input, writes to standard output or ``-o``. Exit status: 0 done, 1 an
input was wrong or a result could not be written (standard error says why), 2 the command itself was
wrong, 130 Ctrl-C stopped it, 141 the reader of the output left: what a shell says of a process that
SIGINT or SIGPIPE ended. Both are quiet, and a file is written whole or not at all.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Final

from toon.cli.ask import add_ask
from toon.cli.convert import add_decode, add_encode
from toon.cli.measure import add_measure
from toon.cli.output import INTERRUPTED, say, show_progress
from toon.cli.stats import add_stats
from toon.cli.tap import add_tap
from toon.errors import WriteError

#: What shells say of a process that ended because nobody read its output any more.
_UNREAD: Final = 141

_EPILOG: Final = """\
examples:
  python -m toon encode orders.json -o orders.toon
  curl -s https://example.com/api/orders | python -m toon encode --delimiter tab
  python -m toon decode orders.toon
  python -m toon stats --model gpt-5,claude-haiku-4.5 orders.json
  python -m toon measure logs/*.jsonl.gz -o run.parquet --payload response.body --group tool
  python -m toon ask orders.json --formats toon csv --dry-run
  python -m toon tap -o traffic.jsonl -- npx @modelcontextprotocol/server-everything
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        print(end="", flush=True)
    except BrokenPipeError:  # the reader of our output has left, as it may
        _drop_output()
        return _UNREAD
    except KeyboardInterrupt:
        show_progress("")
        _drop_output()
        return INTERRUPTED
    except OSError as error:  # one about a file names it; one with neither name nor number is text
        unnamed = error.errno and error.filename is None
        say(str(WriteError(error.errno, error.strerror, "standard output") if unnamed else error))
        _drop_output()
        return 1
    return status


def _drop_output() -> None:
    """Sends what is still to be written nowhere, so that Python does not try it again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m toon",
        description="JSON to TOON and back, and what both cost in tokens. Each command has its "
        "own --help.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (add_encode, add_decode, add_stats, add_measure, add_ask, add_tap):
        add(commands)
    return parser
