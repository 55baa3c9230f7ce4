"""Helpers of the writers of several dialects: quotes and numbers."""

import re
from decimal import Decimal
from typing import Any

from toon.codec.normalise import step
from toon.codec.numbers import is_finite
from toon.codec.text import ESCAPES
from toon.errors import EncodeError


def quote(text: str, special: re.Pattern[str]) -> str:
    """Put a text in quotes; escape the characters that the pattern ``special`` matches."""
    return f'"{escaped(text, special)}"'


def escaped(text: str, special: re.Pattern[str]) -> str:
    """Escape the characters of a text that the pattern ``special`` matches, by a backslash."""
    return special.sub(lambda match: ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def check_finite(value: Any, path: str = "$") -> None:
    """Refuse NaN and infinities anywhere in a JSON value.

    Raises:
        EncodeError: A number is not finite; ``path`` says where.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            check_finite(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            check_finite(item, step(path, key))
    elif isinstance(value, float | Decimal) and not is_finite(value):
        raise EncodeError(f"{value} has no JSON form", path)
