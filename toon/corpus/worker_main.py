"""The program of one worker process: ``python -m toon.corpus.worker_main``.

:mod:`toon.corpus.workers` starts it. It reads pickled requests (records and settings) from standard
input and writes a pickled reply (Parquet bytes, or a WorkersError) for each to standard output.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Sequence

from toon.corpus.measuring import Settings
from toon.corpus.payload import Record
from toon.corpus.table import measure_part
from toon.corpus.workers import WorkersError


def main() -> None:
    """Answers requests until standard input ends, which also happens when the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints must not write into the replies
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
            pickle.dump(_reply(*request), replies, pickle.HIGHEST_PROTOCOL)
            replies.flush()
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):  # the parent has gone
            os._exit(0)  # a normal exit would flush the reply again, into a closed pipe


def _reply(records: Sequence[Record], settings: Settings) -> bytes | WorkersError:
    try:
        return measure_part(records, settings)
    except RuntimeError as error:  # a missing library or vocabulary: the message is complete
        return WorkersError(str(error))
    except Exception:
        return WorkersError(traceback.format_exc())


if __name__ == "__main__":
    main()
