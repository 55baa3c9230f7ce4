"""Text of others (keys, names, errors) for Streamlit's Markdown, in which nothing is markup.

A key of a pasted payload may look like an image, and drawing it would ask another host for it.
"""

from __future__ import annotations

import re
from typing import Final

_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>|#~$&]")
#: A colon before a word opens an icon or a colour, which is looked for before escapes are read.
_DIRECTIVE: Final = re.compile(r":(?=\S)")
#: Where an address, an emoji's name or an arrow is looked for after escapes are read.
_JOINTS: Final = re.compile(
    r"(?<=http)(?=://)|(?<=https)(?=://)|(?<=www)(?=\.)|(?=@)|(?<=:)(?=[\w+-]+:)"
    r"|(?<=[-<>=~])(?=[-<>=])",
    re.IGNORECASE,
)
_WORD_JOINER: Final = "\u2060"


def plain(text: str) -> str:
    """Markdown of one line that shows the text as it is; runs of blanks become one blank.

    A word joiner, which has no width, stands where Markdown would make a link or an arrow of the
    bare text. The result is not for the start of a line: a hyphen there would be a list.
    """
    joined = _JOINTS.sub(_WORD_JOINER, " ".join(text.split()))
    return _DIRECTIVE.sub("&#58;", _MARKUP.sub(r"\\\g<0>", joined))
