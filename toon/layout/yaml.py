"""What each byte of a YAML text is: name, punctuation, whitespace or value.

Two readers give the same layout. :mod:`toon.layout.yaml_entries` reads any text and defines what
the layout is. :mod:`toon.layout.yaml_arrays` reads the whole text at once, six times as fast for
texts of 50 KB, but only texts of simple lines.
"""

from __future__ import annotations

from typing import Final

from toon.layout import yaml_arrays, yaml_entries
from toon.layout.spans import Layout, UnusualText

#: UTF-8 bytes below which setting up arrays takes longer than the pattern.
SHORT: Final = 1000


def yaml_layout(text: str) -> Layout:
    """One kind code per UTF-8 byte of ``text``, which may be broken YAML.

    Hyphens, colons, quotes, ``[]``, ``{}`` and comments on lines of their own are punctuation. The
    inside of quotes is a name or a value, with its escapes and line breaks; the indentation of its
    further lines is whitespace.
    """
    data = text.encode()
    if len(data) >= SHORT:
        try:
            return yaml_arrays.read_layout(data)
        except UnusualText:
            pass
    return yaml_entries.read_layout(data)
