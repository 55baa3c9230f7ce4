"""Compact JSON for what is nested in a cell, with numbers as JavaScript prints them."""

from __future__ import annotations

import json
from typing import Any

from toon.dialects.scalars import scalar_text


def compact_json(value: Any) -> str:
    """A value of plain types as JSON without blanks; characters beyond ASCII are kept."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        members = []
        for key, item in value.items():  # a comprehension would take a second frame per level
            members.append(f"{json.dumps(key, ensure_ascii=False)}:{compact_json(item)}")
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(compact_json(item))
        return f"[{','.join(items)}]"
    return scalar_text(value)
