"""The command line: ``toon COMMAND``, in a clone ``python -m toon COMMAND``.

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

from toon.cli.options import RawHelp
from toon.cli.output import INTERRUPTED, say, show_progress
from toon.errors import WriteError
from toon.installed import VERSION, InstallationError, check_name, require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TextIO

#: Each command with its file, which is loaded for no other, and the extra that it needs.
_COMMANDS: Final = {
    "encode": ("convert", ""),
    "decode": ("convert", ""),
    "stats": ("stats", "tokens"),
    "budget": ("budget", "tokens"),
    "measure": ("measure", "traffic"),
    "ask": ("ask", "ask"),
    "mcp": ("mcp", "mcp"),
    "tap": ("tap", "tap"),
}

#: What shells say of a process that ended because nobody read its output any more.
_UNREAD: Final = 141

_EPILOG: Final = """\
examples:
  %(prog)s encode orders.json -o orders.toon
  curl -s https://example.com/api/orders | %(prog)s encode --delimiter tab
  %(prog)s encode orders.json --format tron
  %(prog)s decode orders.toon
  %(prog)s stats --model gpt-5,claude-haiku-4.5 orders.json
  %(prog)s budget prompts/*.md --max-tokens 4000
  %(prog)s measure logs/*.jsonl.gz -o run.parquet --payload response.body --group tool
  %(prog)s ask orders.json --formats toon csv --dry-run
  %(prog)s tap -o traffic.jsonl -- npx @modelcontextprotocol/server-everything
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    command = next(iter(arguments), "")
    sys.stderr, sys.stdin = sys.stderr or _nothing("w"), sys.stdin or _nothing("r")
    try:
        check_name()
        options = _parser(command).parse_args(arguments)
        if sys.stdout is None:
            say("standard output is closed")
            return 1
        status: int = options.run(options)
        print(end="", flush=True)
    except BrokenPipeError:  # the reader of our output has left, as it may
        _drop_output()
        return _UNREAD
    except KeyboardInterrupt:
        show_progress("")
        _drop_output()
        return INTERRUPTED
    except InstallationError as error:
        say(str(error))
        return 1
    except OSError as error:  # one about a file names it; one with neither name nor number is text
        unnamed = error.errno and error.filename is None
        say(str(WriteError(error.errno, error.strerror, "standard output") if unnamed else error))
        _drop_output()
        return 1
    return status


def _nothing(mode: str) -> TextIO:
    """In place of a stream that a program closed before it started this one."""
    return open(os.devnull, mode)  # type: ignore[return-value]


def _drop_output() -> None:
    """Sends what is still to be written nowhere, so that Python does not try it again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _parser(command: str) -> argparse.ArgumentParser:
    """The parser of one command, or of all where the first word is none.

    Raises:
        InstallationError: What the command needs is not installed.
    """
    is_installed = os.path.basename(sys.argv[0]).split(".")[0] == "toon"
    parser = argparse.ArgumentParser(
        prog="toon" if is_installed else "python -m toon",
        description="JSON to TOON and back, and what both cost in tokens. Each command has its "
        "own --help.",
        epilog=_EPILOG,
        formatter_class=RawHelp,
    )
    parser.add_argument("--version", action="version", version=f"token-lab {VERSION}")
    commands = parser.add_subparsers(
        title="commands", required=True, metavar="COMMAND", prog=parser.prog
    )
    if extra := _COMMANDS.get(command, ("", ""))[1]:
        require(extra, f"toon {command}")
    for name in [command] if command in _COMMANDS else _COMMANDS:
        add = f"add_{name}"  # importlib.import_module does the same, and takes longer to load
        file = __import__(f"{__name__}.{_COMMANDS[name][0]}", fromlist=[add])
        getattr(file, add)(commands)
    return parser
