"""The kind of each byte of a YAML text: name, punctuation, whitespace or value.

Two readers give the same layout. :mod:`toon.layout.yaml_entries` reads any text and is the
reference. :mod:`toon.layout.yaml_arrays` reads only texts of simple lines, all at once with arrays;
that is six times as fast for texts of 50 KB.
"""

from __future__ import annotations

from typing import Final

from toon.layout import yaml_arrays, yaml_entries
from toon.layout.spans import Layout, UnusualText

#: For texts of fewer UTF-8 bytes, setting up the arrays takes longer than reading entries.
SHORT: Final = 1000


def yaml_layout(text: str) -> Layout:
    """One kind code per UTF-8 byte of ``text``, which may be broken YAML.

    Hyphens, colons, quotes, ``[]``, ``{}`` and comments that fill a line are punctuation. The
    inside of quotes is a name or a value, with its escapes and line breaks. If it has several
    lines, the indentation of those after the first is whitespace.
    """
    data = text.encode()
    if len(data) >= SHORT:
        try:
            return yaml_arrays.read_layout(data)
        except UnusualText:
            pass
    return yaml_entries.read_layout(data)
