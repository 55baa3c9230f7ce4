"""Escaping of foreign text (keys, names, errors) for Streamlit's Markdown.

A key of a pasted payload may look like an image. Drawing it would send a request to another host.
"""

import re
from typing import Final

from toon.text import clean

#: A run of blanks and line breaks; the no-break spaces of our figures stay.
_BLANKS: Final = re.compile(r"[^\S\u00a0\u202f]+")
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>|#~$&]")
#: A colon before a word, as of an icon or a colour: Streamlit reads those before escapes.
_DIRECTIVE: Final = re.compile(r":(?=\S)")
#: Places where Markdown reads an address, an emoji's name or an arrow in spite of escapes.
_JOINTS: Final = re.compile(
    r"(?<=http)(?=://)|(?<=https)(?=://)|(?<=www)(?=\.)|(?=@)|(?<=:)(?=[\w+-]+:)"
    r"|(?<=[-<>=~])(?=[-<>=])",
    re.IGNORECASE,
)
_WORD_JOINER: Final = "\u2060"


def escape_markdown(text: str) -> str:
    """Escape ``text`` as one line of literal Markdown; a run of blanks becomes one blank.

    Characters that reorder the text around them become U+FFFD.

    Where Markdown would turn bare text into a link or an arrow, a word joiner (which has no width)
    prevents it. Do not put the result at the start of a line: a hyphen there would begin a list.
    """
    joined = _JOINTS.sub(_WORD_JOINER, clean(_BLANKS.sub(" ", text).strip()))
    return _DIRECTIVE.sub("&#58;", _MARKUP.sub(r"\\\g<0>", joined))
