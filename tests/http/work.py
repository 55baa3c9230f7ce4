"""The work of routes as the tests want it: functions of a module, because a worker imports them."""

import os
import time
from pathlib import Path

from toon.http.replies import Call, Reply


def reply_with_id(call: Call) -> Reply:
    """Says which process does the work."""
    return Reply(str(os.getpid()))


def reply_late(call: Call) -> Reply:
    """Never replies in time."""
    time.sleep(60)
    return Reply("late")


def reply_once_allowed(call: Call) -> Reply:
    """Replies when there is a file at the path that the body is."""
    while not Path(call.body.decode()).exists():
        time.sleep(0.01)
    return Reply("allowed")


def reply_with_size(call: Call) -> Reply:
    """Says how large the body is."""
    return Reply(str(len(call.body)))
