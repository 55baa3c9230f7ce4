"""Provisional: replaced on merge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toon.formats.base import Format
from toon.formats.json import JSON_COMPACT, JSON_PRETTY


@dataclass(frozen=True, slots=True)
class Typed:
    text: str
    format: Format = JSON_PRETTY


def shortest_json(value: Any, typed: Typed | None, count: Callable[[str], int]) -> str:
    return JSON_COMPACT.dumps(value)
