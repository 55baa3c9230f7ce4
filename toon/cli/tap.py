"""``python -m toon tap``: a recorder in the way of real traffic, which it leaves unchanged.

Exit status: that of the command behind it, also after a signal; 2 the tap's own command was wrong,
126 or 127 the command could not be started, as in a shell.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.options import Commands, add_counting, choices_of, leave_uncounted
from toon.cli.output import INTERRUPTED, end_progress, has_progress, say, show_progress
from toon.limits import TAP_FILE_BYTES, TAP_FILES
from toon.wording import dollars, plural

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.measuring.totals import Totals
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
  %(prog)s --watch -o traffic.jsonl --model gpt-5
"""


#: Removed options, each with its replacement.
_GONE: Final = {
    "--apply": "the tap changes nothing any more; send the format from your own program",
    "--figures": "record the calls, and measure them",
}


def add_tap(commands: Commands) -> None:
    parser = commands.add_parser(
        "tap",
        help="records the traffic of an MCP server or an API, unchanged, while it works",
        description="Records the traffic of a server, unchanged, while it works.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [options] -o FILE -- COMMAND ...\n"
        "       %(prog)s [options] -o FILE --listen ADDRESS --upstream URL\n"
        "       %(prog)s [options] -o FILE --watch",
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
    parser.add_argument(
        "--watch",
        action="store_true",
        help="instead of recording: one line about what FILE holds, as it grows, until Ctrl-C",
    )
    for option in _GONE:
        parser.add_argument(option, nargs="?", const="", help=argparse.SUPPRESS)
    add_counting(parser, "; for --watch")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the server, after --")
    parser.set_defaults(run=run_tap)


def run_tap(options: argparse.Namespace) -> int:
    if sys.platform == "win32":
        say("the tap needs a POSIX system")
        return 2
    for option, instead in _GONE.items():
        if getattr(options, option.removeprefix("--")) is not None:
            say(f"{option} was removed: {instead}")
            return 2
    if options.watch:
        return watch(options)
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
        return _end_as(run(options.command, recorder))
    except OSError as error:
        _say(f"{options.command[0]}: {error.strerror}")
        recorder.close()
        return 127 if isinstance(error, FileNotFoundError) else 126


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


def _end_as(status: int) -> int:
    """End this process as another one ended: by the same signal, or with the same status."""
    if status < 0:
        with_signal = -status
        if with_signal not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(with_signal, signal.SIG_DFL)
        os.kill(os.getpid(), with_signal)
    return status


# -- watching --------------------------------------------------------------------------------

#: Seconds between two lines where a line cannot replace the last.
_PAUSE: Final = 1.0


def watch(options: argparse.Namespace) -> int:
    """Print the totals of a recording whenever it has grown, until Ctrl-C."""
    from toon.costs.models import tokenizers_of
    from toon.measuring.measure import DEFAULT_FORMATS, Settings
    from toon.measuring.table import describe
    from toon.measuring.totals import Totals
    from toon.tap.follow import Follower

    if options.command or options.listen or options.upstream:
        say("--watch looks at FILE alone: record in another terminal")
        return 2
    choices = leave_uncounted(choices_of(options))
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
    """Return a line on the recorded calls and their cost; ``left`` bytes are not measured yet."""
    from toon.costs.verdict import ladder_line
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
    """Return the recorded payloads' cost in dollars, priced as average ones; "" without a price."""
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
