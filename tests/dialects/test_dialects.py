"""All dialects have the same functions with the same signatures."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import pytest

from toon.dialects import Dialect, cortex, pipe, ticket, vibemcp

DIALECTS: dict[str, Dialect] = {
    "ticket": ticket,
    "pipe": pipe,
    "cortex": cortex,
    "vibemcp": vibemcp,
}
VALUE: Any = {"id": "a-1", "title": "one two", "exec_order": 3}


@pytest.mark.parametrize("module", [ticket, pipe, cortex, vibemcp], ids=lambda m: m.__name__)
@pytest.mark.parametrize("name", ["encode", "read", "decode", "layout", "losses"])
def test_functions_are_alike(module: ModuleType, name: str) -> None:
    """A dialect may have options of its own, by keyword and with a default."""
    common = list(inspect.signature(getattr(Dialect, name)).parameters.values())[1:]
    own = list(inspect.signature(getattr(module, name)).parameters.values())

    assert own[: len(common)] == common
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in own[len(common) :])
    assert name in module.__all__


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("strict", [True, False])
def test_a_value_comes_back_alone_and_without_notices(name: str, strict: bool) -> None:
    dialect = DIALECTS[name]
    text = dialect.encode(VALUE)
    parsed = dialect.read(text, strict=strict)

    assert parsed.value in (VALUE, {"item": VALUE})
    assert parsed.notices == ()
    assert dialect.decode(text, strict=strict) == parsed.value
    assert len(dialect.layout(text)) == len(text.encode())
    assert dialect.losses(VALUE) == []
