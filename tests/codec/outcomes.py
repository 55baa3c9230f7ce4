"""What decoding comes to, for comparing two ways to read the same text."""

from __future__ import annotations

from typing import Any

import toon


def outcome(text: str, strict: bool, parse_float: Any, spec: str = "4.4") -> str:
    """The value as text, or the whole error."""
    try:
        return repr(toon.decode(text, strict=strict, parse_float=parse_float, spec=spec))
    except toon.ToonDecodeError as error:
        return str(error)
