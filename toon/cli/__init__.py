"""The command line: ``toon COMMAND``, in a clone ``python -m toon COMMAND``.

Commands read files or standard input, and write to standard output or ``-o``. Exit status: 0 done,
1 an input was wrong or a result could not be written (standard error says why), 2 the command
itself was wrong, 130 Ctrl-C stopped it, 141 the reader of the output left; the last two as shells
report SIGINT and SIGPIPE. Both are quiet, and a file is written whole or not at all.
"""

from __future__ import annotations

import os
import sys
from itertools import takewhile

from toon.installed import VERSION, InstallationError, check_name, require

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Final, TextIO

#: Each command with its module, which is loaded only for it, and the extra that it needs.
_COMMANDS: Final = {
    "encode": ("convert", ""),
    "decode": ("convert", ""),
    "stats": ("stats", "tokens"),
    "budget": ("budget", "tokens"),
    "measure": ("measure", "traffic"),
    "questions": ("reading", "tokens"),
    "reading": ("reading", "traffic"),
    "mcp": ("mcp", "mcp"),
    "tap": ("tap", "tap"),
}

#: Placeholders of file names in a usage, for which shells complete names of files.
_FILES: Final = ("FILE", "PATH", "PAYLOAD")

#: The exit status that shells report where nobody reads the output any more.
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
  %(prog)s questions orders.json --format inspect -o asked
  %(prog)s tap -o traffic.jsonl -- npx @modelcontextprotocol/server-everything
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the ``toon`` command in the arguments, or in the process's; return its exit status."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    sys.stderr, sys.stdin = sys.stderr or _null_stream("w"), sys.stdin or _null_stream("r")
    try:
        check_name()
        if arguments in (["-V"], ["--version"]):  # without loading the parsers
            print(f"token-lab {VERSION}", flush=True)
            return 0
        return _run(arguments)
    except (InstallationError, KeyboardInterrupt, OSError) as error:
        return _report_end(error)


def _run(arguments: list[str]) -> int:
    """Parse the arguments of ``toon`` and run their command; return its exit status.

    The extra that the command needs is required first, but not for its help.
    """
    from toon.cli.output import say, show_progress, start_progress

    start_progress()
    if arguments[:1] == ["ask"]:
        say("ask was removed: toon questions writes what Inspect or promptfoo asks a model")
        return 2
    command = next(iter(arguments), "")
    parser = new_parser(command)
    if command in _COMMANDS and {"-h", "--help"} & set(takewhile("--".__ne__, arguments)):
        arguments = [command, "--help"]
    elif extra := _COMMANDS.get(command, ("", ""))[1]:
        require(extra, f"toon {command}")
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if sys.stdout is None:
        say("standard output is closed")
        return 1
    status: int = options.run(options)
    show_progress("")
    print(end="", flush=True)
    return status


def _report_end(error: BaseException) -> int:
    """Report the error that ended a command, unless its user stopped it; return the exit status."""
    from toon.cli.output import INTERRUPTED, say, say_failure, show_progress
    from toon.errors import WriteError

    show_progress("")
    if isinstance(error, InstallationError):
        say(str(error))
        return 1
    status = INTERRUPTED if isinstance(error, KeyboardInterrupt) else _UNREAD
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        # An error about a file names it; one with neither name nor number is text.
        if error.errno and error.filename is None:
            error = WriteError(error.errno, error.strerror, "standard output")
        status = say_failure("", error)
    _drop_output()
    return status


def _null_stream(mode: str) -> TextIO:
    """Return a null stream, in place of a standard stream that the parent process closed."""
    return open(os.devnull, mode)  # type: ignore[return-value]


def _drop_output() -> None:
    """Send unwritten output to the null device, so that Python does not try to write it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def new_parser(command: str = "") -> argparse.ArgumentParser:
    """Return the argument parser of ``toon`` with the command named, or with all if none is."""
    import argparse

    from toon.cli.options import RawHelp

    is_installed = os.path.basename(sys.argv[0]).split(".")[0] == "toon"
    parser = argparse.ArgumentParser(
        prog="toon" if is_installed else "python -m toon",
        description="JSON to TOON and back, and what both cost in tokens. Each command has its "
        "own --help.",
        epilog=_EPILOG,
        formatter_class=RawHelp,
    )
    parser.add_argument("-V", "--version", action="version", version=f"token-lab {VERSION}")
    commands = parser.add_subparsers(
        title="commands", required=True, metavar="COMMAND", prog=parser.prog
    )
    for name in [command] if command in _COMMANDS else _COMMANDS:
        add = f"add_{name}"  # importlib.import_module does the same, and takes longer to load
        file = __import__(f"{__name__}.{_COMMANDS[name][0]}", fromlist=[add])
        getattr(file, add)(commands)
    for subparser in commands.choices.values():
        subparser.set_defaults(parser=subparser)
        for action in subparser._actions if "shtab" in sys.modules else ():
            if action.metavar in _FILES:
                action.complete = sys.modules["shtab"].FILE  # type: ignore[attr-defined]
    return parser
