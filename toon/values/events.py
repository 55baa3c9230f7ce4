"""The data of server-sent events in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_DATA: Final = re.compile(r"data: ?")


def data_of_events(text: str) -> Iterator[list[str]]:
    """Yield the data lines of each event that has some."""
    for _, lines in groupby(_LINE_END.split(text), lambda line: not line.strip()):
        data = [line[found.end() :] for line in lines if (found := _DATA.match(line))]
        if data:
            yield data
