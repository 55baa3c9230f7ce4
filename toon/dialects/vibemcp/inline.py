"""Compact JSON with numbers as JavaScript prints them, for what is nested in a cell."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from toon.codec.text import decimal_text, float_text, int_text


def scalar_text(value: Any) -> str:
    """A literal or a number as JavaScript prints it, but that no digit is ever lost.

    An integer is its digits, however many; NaN and infinities are ``null``, as in JSON.stringify.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int_text(value)
    return decimal_text(value) if isinstance(value, Decimal) else float_text(value)


def compact_json(value: Any) -> str:
    """``value``, made of plain types, as JSON without a blank; characters beyond ASCII are kept."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        members = []
        for key, item in value.items():  # a comprehension would be a second frame a level
            members.append(f"{json.dumps(key, ensure_ascii=False)}:{compact_json(item)}")
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(compact_json(item))
        return f"[{','.join(items)}]"
    return scalar_text(value)
