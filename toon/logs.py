"""Logs that quote nobody: of an error its type and its places are kept, never its message.

The message of an error may hold a text that somebody pasted, and so may what a library logs beside
it. :func:`guard` removes texts from all lines about an error and from all debug lines, whoever logs
them. Other lines stay as they are; ours hold no text of a user.
"""

import logging
import os
import sys
import threading
import traceback
from numbers import Number
from typing import Any, Final

_LOG: Final = logging.getLogger(__name__)


def describe(error: BaseException) -> str:
    """Return an error's type and place, as ``ValueError at codec.py:12``, without its message."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "nowhere"
    return f"{_kind(error)} at {where}"


def _kind(error: BaseException) -> str:
    """Return an error's type name, with the system's words for an OSError, such as a full disk."""
    is_system = isinstance(error, OSError) and isinstance(error.errno, int)
    reason = f" ({os.strerror(error.errno)})" if is_system else ""  # type: ignore[attr-defined]
    return type(error).__name__ + reason


class QuietRecord(logging.LogRecord):
    """A log record that quotes no user: error messages and texts in debug lines are replaced."""

    def __init__(
        self,
        name: str,
        level: int,
        pathname: str,
        lineno: int,
        msg: object,
        args: Any,
        exc_info: Any,
        func: str | None = None,
        sinfo: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name, level, pathname, lineno, msg, args, None, func, sinfo, **kwargs)
        error = exc_info[1] if exc_info else None
        quiet = error is not None or level < logging.INFO
        if isinstance(self.args, dict):
            self.args = {key: _remove_text(value, quiet) for key, value in self.args.items()}
        elif self.args:
            self.args = tuple(_remove_text(value, quiet) for value in self.args)
        if isinstance(self.msg, BaseException):
            self.msg, self.args = describe(self.msg), ()
        if handled := error or sys.exc_info()[1]:
            self._unquote(handled)
        if error is not None:
            # asyncio writes into the message, from its second line on, what the error says.
            self.msg = str(self.msg).partition("\n")[0]
            self.exc_text = _trace(error)

    def _unquote(self, error: BaseException) -> None:
        """Replace an error's message, where the log line has it, by the error's type and place."""
        message = str(error)
        if message and message in (line := self.getMessage()):
            self.msg, self.args = line.replace(message, describe(error)), ()


def _remove_text(value: object, quiet: bool) -> object:
    if isinstance(value, BaseException):
        return describe(value)
    keep = not quiet or value is None or isinstance(value, Number)
    return value if keep else f"({type(value).__name__})"


def _trace(error: BaseException) -> str:
    """Return an error's traceback without messages: lines of code and type, its cause first."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = "" if cause is None else f"{describe(cause)}, then\n"
    return before + "".join(traceback.format_tb(error.__traceback__)) + _kind(error)


def guard() -> None:
    """Set up logging and error hooks so that nothing this process prints quotes a user's text."""
    logging.setLogRecordFactory(QuietRecord)
    sys.excepthook = lambda _, error, __: _report("the program ended", error)
    threading.excepthook = lambda failed: _report("a thread ended", failed.exc_value)
    sys.unraisablehook = lambda failed: _report("an error was ignored", failed.exc_value)


def _report(message: str, error: BaseException | None) -> None:
    if error is not None and not isinstance(error, SystemExit | KeyboardInterrupt):
        _LOG.error(message, exc_info=error)
