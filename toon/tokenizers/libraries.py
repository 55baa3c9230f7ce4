"""Libraries that are imported when first needed, with a word on how to get the ones that are not.

Python's own "No module named 'splintr'" sends a reader to a package of another name.
"""

from __future__ import annotations

import importlib
from typing import Any


class LibraryMissingError(RuntimeError):
    """A library some tokenizers need cannot be imported; the message says how to install it."""


def splintr() -> Any:
    """Return the module ``splintr``, of the package ``splintr-rs``: vocabularies compiled in.

    Raises:
        LibraryMissingError: It cannot be imported.
    """
    try:
        return importlib.import_module("splintr")
    except ImportError as error:
        raise LibraryMissingError(
            f"This tokenizer needs splintr ({error}). Install it: pip install splintr-rs"
        ) from error
