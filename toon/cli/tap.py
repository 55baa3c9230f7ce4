"""``python -m toon tap``: a recorder in the way of real traffic, which it leaves unchanged.

Exit status: that of the command behind it, also after a signal; 2 the tap's own command was wrong,
126 or 127 the command could not be started, as in a shell.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.options import Commands
from toon.cli.output import say
from toon.limits import TAP_FILE_BYTES, TAP_FILES

if TYPE_CHECKING:
    from toon.tap.recorder import Recorder

_EPILOG: Final = """\
What is sent is passed on as it came, in both directions, whatever happens to the recording. FILE
gets a line for each call, with the request and its answer; measure and the dashboard read it at any
time, also while it grows. It holds what was sent, and no headers, keys or cookies.

If recording is too slow or has no disk, the traffic goes on and that is said once on standard
error. When it goes on, FILE names the calls that were open, and how many bytes are missing; calls
that began and ended meanwhile are lost. If the tap itself is killed (kill -9), the traffic ends
with it, and what was not written yet is lost.

With --listen the tap is an API at that address: give a client http://ADDRESS in place of the
address of the upstream, with its keys as always. Calls of models (OpenAI, Anthropic and what speaks
like them) and MCP over HTTP are recorded; of all else only that it was there. Bodies are passed on
as they came; headers of one connection, and Host, are the tap's own. WebSockets are not passed on.

A full FILE is renamed FILE.000001 and so on, before its ending; the oldest are removed.

examples:
  %(prog)s -o traffic.jsonl -- uvx mcp-server-time
  %(prog)s -o traffic.jsonl --listen 9000 --upstream https://api.openai.com
"""


def add_tap(commands: Commands) -> None:
    parser = commands.add_parser(
        "tap",
        help="records the traffic of an MCP server or an API, unchanged, while it works",
        description="Records the traffic of a server, unchanged, while it works.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [options] -o FILE -- COMMAND ...\n"
        "       %(prog)s [options] -o FILE --listen ADDRESS --upstream URL",
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the recording")
    parser.add_argument(
        "--file-bytes",
        type=int,
        default=TAP_FILE_BYTES,
        metavar="N",
        help=f"bytes of FILE before a new one is begun ({TAP_FILE_BYTES:,})",
    )
    parser.add_argument(
        "--files", type=int, default=TAP_FILES, metavar="N", help=f"full ones to keep ({TAP_FILES})"
    )
    parser.add_argument(
        "--listen", metavar="ADDRESS", help="PORT of loopback, or HOST:PORT, for HTTP"
    )
    parser.add_argument("--upstream", metavar="URL", help="the API that is asked there")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the server, after --")
    parser.set_defaults(run=run_tap)


def run_tap(options: argparse.Namespace) -> int:
    if sys.platform == "win32":
        say("the tap needs a POSIX system")
        return 2
    is_http = options.listen is not None and options.upstream is not None
    if is_http == bool(options.command) or (options.listen is None) != (options.upstream is None):
        say("name either a COMMAND after --, or both --listen and --upstream")
        return 2
    if options.file_bytes < 1 or options.files < 0:
        say("--file-bytes is 1 or more, --files 0 or more")
        return 2
    _say(f"nothing that is sent is changed; calls recorded in {options.output}")
    return (_serve if is_http else _run)(options)


def _recorder(options: argparse.Namespace, *, is_http: bool) -> Recorder:
    from toon.tap.log import Log
    from toon.tap.recorder import Recorder

    log = Log(Path(options.output).absolute(), options.file_bytes, options.files)
    return Recorder(log, _say, is_http=is_http)


def _run(options: argparse.Namespace) -> int:
    from toon.tap.stdio import run

    recorder = _recorder(options, is_http=False)
    try:
        status = run(options.command, recorder)
    except OSError as error:
        _say(f"{options.command[0]}: {error.strerror}")
        recorder.close()
        return 127 if isinstance(error, FileNotFoundError) else 126
    if status < 0:  # a signal ended the command, and the same one ends the tap
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def _serve(options: argparse.Namespace) -> int:
    from toon.tap.proxy import listen, read_upstream, serve

    try:
        upstream = read_upstream(options.upstream)
        with listen(options.listen) as listener:
            serve(listener, upstream, _recorder(options, is_http=True), _say)
    except (OSError, ValueError) as error:
        _say(str(error))
        return 2
    return 0


def _say(text: str) -> None:
    say(f"toon tap: {text}")
