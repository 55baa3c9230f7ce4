"""XML as xmltodict writes it: an element per key, two spaces a level. Types are lost.

The root element is ``root``. An array is its key's element again and again; an array that has no
own key, at the root or in another array, is elements named ``item``. There is no XML declaration,
and an empty element is one tag: neither carries data, and both would inflate the figure.
"""

import re
from functools import lru_cache
from typing import Any, Final
from xml.parsers import expat

import numpy as np
import xmltodict

from toon.errors import FormatError
from toon.formats.base import Format, NotApplicable, plain_text
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, tabulate_kinds
from toon.text import Source
from toon.wording import excerpt

ROOT: Final = "root"
ITEM: Final = "item"

_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*+\Z")
_MARKUP: Final = re.compile(r"[\s<>&/=\"']")
# XML 1.0 §2.2 allows only these characters and has no escape for others.
_NO_CHARACTER: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_BLANKS: Final = b" \t\r\n"  # XML 1.0 §2.3
_OWN: Final = 255  # no kind: the byte lies in a tag, and has a kind of its own there
_KINDS_IN_TAGS: Final = tabulate_kinds(NAMES, (b"/?!=\"'", PUNCTUATION), (_BLANKS, WHITESPACE))


class XmlFormat(Format):
    """XML as a format, as xmltodict writes it: an element for each key, all values as texts."""

    name = "xml"
    label = "XML"
    about = "An element for each key. Types are lost: all values are texts."
    lossless = False
    public = True
    tested = True
    media_type = "application/xml"
    explanation = "The data is XML."
    stock_reader = "xmltodict"  # ours too, so it changes nothing that ours keeps

    def dumps(self, value: Any) -> str:
        content = _copy_texts(value)
        text = xmltodict.unparse(
            {ROOT: {ITEM: content} if isinstance(content, list) else content},
            full_document=False,
            short_empty_elements=True,
            pretty=True,
            indent="  ",
            expand_iter=ITEM,
        )
        assert isinstance(text, str)
        odd = _NO_CHARACTER.search(text)
        if odd:
            raise NotApplicable(f"XML cannot carry the character U+{ord(odd[0]):04X}")
        return text

    def loads(self, text: str) -> Any:
        """Read an XML text into its root's value: dicts, lists, strings, None for empty elements.

        Raises:
            FormatError: The text is not XML, or declares entities.
        """
        try:
            (value,) = xmltodict.parse(text).values()
        except expat.ExpatError as error:
            message = f"not XML: {expat.ErrorString(error.code)}"
            raise Source(text).error_on(
                FormatError, message, error.lineno, error.offset + 1
            ) from None
        except UnicodeEncodeError as error:
            message = "a surrogate is not a character"
            raise Source(text).error(FormatError, message, error.start) from None
        except ValueError:  # xmltodict refuses declarations of entities, which can be bombs
            message = "XML that declares entities is not read"
            place = max(0, text.find("<!ENTITY"))
            raise Source(text).error(FormatError, message, place) from None
        return value

    def layout(self, text: str) -> Layout:
        """Return an array with the kind of each byte of an XML text: element names are names,
        attributes (which our writer has not) and text between tags values, blank text
        whitespace.
        """
        data = text.encode()
        raw = np.frombuffer(data, np.uint8)
        in_tags = np.frombuffer(data.translate(_KINDS_IN_TAGS), np.uint8)
        edges = np.flatnonzero((raw == ord("<")) | (raw == ord(">")))
        starts, ends = np.append(0, edges + 1), np.append(edges, raw.size)
        is_tag = np.append(False, raw[edges] == ord("<"))
        solid = np.append(np.flatnonzero(in_tags != WHITESPACE), raw.size)
        blank = solid[np.searchsorted(solid, starts)] >= ends
        codes = np.full(2 * starts.size, PUNCTUATION, np.uint8)  # stretch, edge, stretch, edge...
        codes[::2] = np.where(is_tag, _OWN, np.where(blank, WHITESPACE, VALUES))
        lengths = np.ones(codes.size, np.intp)
        lengths[::2] = ends - starts
        lengths[-1] = 0  # the last stretch has no edge behind it
        layout = np.repeat(codes, lengths)
        own = layout == _OWN
        layout[own] = in_tags[own]
        blanks = np.flatnonzero(own & (in_tags == WHITESPACE))
        tags, firsts = np.unique(np.searchsorted(ends, blanks), return_index=True)
        for start, end in zip(blanks[firsts].tolist(), ends[tags].tolist(), strict=True):
            attributes = layout[start:end]
            attributes[attributes == NAMES] = VALUES
        return layout


def _copy_texts(value: Any) -> Any:
    """Copy a JSON value with strings in place of its numbers and booleans, ready for xmltodict.

    Raises:
        NotApplicable: A key is not an XML name, or a number is not finite.
    """
    if isinstance(value, dict):
        for key in value:
            if not _is_name(key):
                raise NotApplicable(f"the key {excerpt(key)} is not an XML name")
        return {key: _copy_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_copy_texts(item) for item in value]
    return value if value is None or isinstance(value, str) else plain_text(value)


@lru_cache(maxsize=4096)
def _is_name(key: str) -> bool:
    if _PLAIN_NAME.match(key):
        return True
    if not key or _MARKUP.search(key):
        return False
    try:
        expat.ParserCreate().Parse(f"<{key}/>", True)
    except (expat.ExpatError, UnicodeEncodeError):
        return False
    return True


XML: Final = XmlFormat()
FORMATS: Final = (XML,)
