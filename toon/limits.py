"""Every limit and default that more than one place must agree on, and the browser too.

The operator changes a limit by the environment variable that :func:`_limit` names.
"""

import os
from typing import Final


def _limit(name: str, default: int) -> int:
    """Return the whole number in the environment variable ``TOON_<name>``, or the default.

    Raises:
        ValueError: The variable is not a whole number above 0.
    """
    text = os.environ.get(f"TOON_{name}", "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 16 and int(text)):
        raise ValueError(f"TOON_{name} must be a whole number above 0, not {text!r}")
    return int(text)


#: The tokenizer where no other is chosen, a key of ``toon.tokenizers.TOKENIZERS``.
DEFAULT_TOKENIZER: Final = "o200k_base"
#: The model that holds until another is chosen: the newest one whose tokens its maker's own library
#: counts. Of OpenAI's tiers it is the one that the plain name GPT-5.6 stands for.
DEFAULT_MODEL: Final = "gpt-5.6-sol"

#: Characters of a text that the editors and the playground follow with every key.
LIVE_CHARACTERS: Final = 10_000_000
#: Characters of a text that other pages work on without being asked to.
PAGE_CHARACTERS: Final = 1_000_000
#: Characters of a text on which pages apply and count every step of the advisor.
LIVE_ADVICE_CHARACTERS: Final = 300_000
#: Characters up to which they do so while a person types; more take over a second of one core.
NEXT_CHARACTERS: Final = 100_000
#: Characters of a result that a page shows in full.
SHOWN_CHARACTERS: Final = 20_000

#: Characters of both texts together that the editors colour at most.
COLOURED_CHARACTERS: Final = 1_000_000
#: Characters of a text that the editors measure while newer text waits to be converted.
TYPING_CHARACTERS: Final = 100_000

#: UTF-8 bytes of a text that the editors send at most.
EDITOR_BYTES: Final = _limit("EDITOR_BYTES", 64_000_000)
#: UTF-8 bytes of all texts of the editors that this process keeps.
DOCUMENT_BYTES: Final = _limit("DOCUMENT_BYTES", 256_000_000)
#: Seconds that a text of the editors is kept when nobody asks for it.
DOCUMENT_SECONDS: Final = _limit("DOCUMENT_SECONDS", 300)
#: Characters that a template may write for all records together.
TEMPLATE_CHARACTERS: Final = _limit("TEMPLATE_CHARACTERS", 10_000_000)
#: Bytes of a body that ``/api/v1/convert`` takes.
CONVERT_BYTES: Final = _limit("CONVERT_BYTES", 16_000_000)
#: Bytes of a body that ``/api/v1/stats`` takes; it writes and counts the payload in every format.
STATS_BYTES: Final = _limit("STATS_BYTES", 4_000_000)

#: Characters on which the usual work takes some ten milliseconds; more go to a worker process.
SMALL_CHARACTERS: Final = 20_000
#: Characters up to which every format is written and counted, or every step tried, in place.
SMALL_TO_COMPARE: Final = 1_000
#: Seconds that one piece of work on a large text may take in a worker process, and wait for one.
WORK_SECONDS: Final = _limit("WORK_SECONDS", 60)
#: Bytes of memory that a worker process may hold.
WORK_BYTES: Final = _limit("WORK_BYTES", 2_000_000_000)
#: Bytes that one piece of work may give.
WORK_OUTPUT_BYTES: Final = _limit("WORK_OUTPUT_BYTES", 256_000_000)
#: Worker processes at work at once; one client has the last of them for short work alone.
WORKERS: Final = _limit("WORKERS", 4)

#: Bytes of memory that the rows of a run may take when it is opened, its payloads not counted.
RUN_BYTES: Final = _limit("RUN_BYTES", 2_000_000_000)

# What one record of a corpus may take when worker processes measure it (:mod:`toon.measuring`).

#: Seconds that a record may take: 32 MB of rows take about two minutes of a core.
RECORD_SECONDS: Final = _limit("RECORD_SECONDS", 600)
#: Bytes of memory that a process which measures records may ask for: 1.3 GB before the first, and
#: 2.4 GB in all for a record of 32 MB that holds rows.
RECORD_MEMORY: Final = _limit("RECORD_MEMORY", 4_000_000_000)

# What clients may hold (:mod:`toon.http.bodies`, :mod:`toon.http.settle`).

#: Bytes of all bodies together that this process receives or works on; half for one client.
BODIES_BYTES: Final = _limit("BODIES_BYTES", 256_000_000)
#: Seconds within which a body has to arrive, and a client to take more of its answer.
BODY_SECONDS: Final = _limit("BODY_SECONDS", 120)

# What a file of a corpus may hold (:mod:`toon.traffic`).

#: Bytes of its longest record: about eight million tokens, more than any model takes.
RECORD_BYTES: Final = _limit("RECORD_BYTES", 32_000_000)
#: Files in a zip.
ARCHIVE_FILES: Final = _limit("ARCHIVE_FILES", 100_000)
#: Times its packed size that a file may unpack to. Logs seldom exceed 50 times; a bomb of packed
#: zeros reaches 1,000.
UNPACKED_TIMES: Final = _limit("UNPACKED_TIMES", 250)

# What the tap holds (:mod:`toon.tap`).

#: Bytes of traffic that wait to be recorded.
TAP_BYTES: Final = _limit("TAP_BYTES", 96_000_000)
#: Bytes after which the file of a recording is closed and a new one begun.
TAP_FILE_BYTES: Final = _limit("TAP_FILE_BYTES", 64_000_000)
#: Closed files of a recording that are kept; the oldest is removed.
TAP_FILES: Final = _limit("TAP_FILES", 15)
#: Seconds that a tap waits at its end for a recording that does not go on: clients of MCP wait two
#: for the end of a server.
TAP_SECONDS: Final = _limit("TAP_SECONDS", 1)
