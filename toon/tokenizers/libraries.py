"""Libraries imported on first use; an error says how to install a missing one.

Python's own message names the module ``splintr``, but its package is ``splintr-rs``.
"""

from __future__ import annotations

import importlib
from typing import Any


class LibraryMissingError(RuntimeError):
    """A library that a tokenizer needs cannot be imported; the message says how to install it."""


def splintr() -> Any:
    """Return the module ``splintr``, whose package carries vocabularies.

    Raises:
        LibraryMissingError: It cannot be imported.
    """
    try:
        return importlib.import_module("splintr")
    except ImportError as error:
        raise LibraryMissingError(
            f"This tokenizer needs splintr ({error}). Install it: pip install splintr-rs"
        ) from error
