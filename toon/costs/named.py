"""The models that logs name, as gateways, clouds and makers write them.

``us.anthropic.claude-sonnet-4-6-20260115-v1:0``, ``anthropic/claude-sonnet-4.6`` and
``claude-sonnet-4-6@20260115`` are one model. One more way to write a name is one more pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from toon.costs import prices
from toon.costs.models import MODELS, Model

#: What stands before a name: a path of providers, an ARN, a region, a maker on Bedrock.
_BEFORE: Final = (
    re.compile(r"^.*/"),
    re.compile(r"^(us-gov|us|eu|apac|jp|au|ca|global)\."),
    re.compile(r"^(anthropic|openai|amazon|meta|mistral|google|deepseek|qwen|moonshot|zai)\."),
)
#: What stands behind it: a version on Bedrock, a variant on OpenRouter, and then a date.
_BEHIND: Final = (
    re.compile(r"-v\d+(:\d+)?(:\w+)?$"),
    re.compile(r":(free|beta|extended|exacto|floor|latest|nitro|online|thinking)$"),
    re.compile(r"@[a-z0-9-]+$"),
    re.compile(r"-latest$"),
    re.compile(r"-(20\d{6}|20\d\d-\d\d-\d\d|\d{4}|\d{3})$"),
)
_LONGEST: Final = 300


def _ways(name: str) -> Iterator[str]:
    """The name without more and more of what stands around it, the longest first."""
    name = name.strip().lower()[:_LONGEST]
    yield name
    for pattern in (*_BEFORE, *_BEHIND):
        shorter = pattern.sub("", name)
        if shorter and shorter != name:
            name = shorter
            yield name


def _key(name: str) -> str:
    return name.replace(".", "-")


@lru_cache(maxsize=4_096)
def model_named(name: str) -> Model | None:
    """The model of ``toon.costs.models`` that a log names; None if it is not among them."""
    known = {_key(model): model for model in MODELS}
    found = (known.get(_key(way)) for way in _ways(name))
    return next((MODELS[each] for each in found if each), None)


@lru_cache(maxsize=4_096)
def price_named(name: str) -> str | None:
    """The key of the price (``toon.costs.prices.offers``) of a model that a log names, or None.

    A provider before the name, as in ``azure/gpt-4o``, sells it if it has a price for it; else it
    has the price of its maker.
    """
    provider = name.strip().lower().partition("/")[0] if "/" in name else None
    ways = [spelled for way in _ways(name) for spelled in (way, _key(way))]
    for seller in (provider, None) if provider else (None,):
        keys = (prices.find_offer(way, seller) for way in ways)
        if key := next(filter(None, keys), None):
            return key
    model = model_named(name)
    return model.price if model else None
