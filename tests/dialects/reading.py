"""The value of a dialect's text, without the notices about it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any


def reader_of(dialect: ModuleType) -> Callable[..., Any]:
    """What gives the value of a text; options are those of the dialect's ``read``."""
    return lambda text, **options: dialect.read(text, **options).value
