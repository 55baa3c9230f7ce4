"""Models by the names that logs give them, as gateways, clouds and makers write them.

``us.anthropic.claude-sonnet-4-6-20260115-v1:0``, ``anthropic/claude-sonnet-4.6`` and
``claude-sonnet-4-6@20260115`` are one model. One more way to write a name is one more pattern.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from toon.costs import prices
from toon.costs.models import MODELS, Model

#: Prefixes of a name: a path of providers, an ARN, a region, a maker on Bedrock.
_PREFIXES: Final = (
    re.compile(r"^.*/"),
    re.compile(r"^(us-gov|us|eu|apac|jp|au|ca|global)\."),
    re.compile(r"^(anthropic|openai|amazon|meta|mistral|google|deepseek|qwen|moonshot|zai)\."),
)
#: Suffixes of a name: a version on Bedrock, a variant on OpenRouter, and then a date.
_SUFFIXES: Final = (
    re.compile(r"-v\d+(:\d+)?(:\w+)?$"),
    re.compile(r":(free|beta|extended|exacto|floor|latest|nitro|online|thinking)$"),
    re.compile(r"@[a-z0-9-]+$"),
    re.compile(r"-latest$"),
    re.compile(r"-(20\d{6}|20\d\d-\d\d-\d\d|\d{4}|\d{3})$"),
)
_LONGEST: Final = 300


def _spellings(name: str) -> Iterator[str]:
    """Yield a model's name in a log, then with more and more prefixes and suffixes removed."""
    name = name.strip().lower()[:_LONGEST]
    yield name
    for pattern in (*_PREFIXES, *_SUFFIXES):
        shorter = pattern.sub("", name)
        if shorter and shorter != name:
            name = shorter
            yield name


def _key(name: str) -> str:
    return name.replace(".", "-")


@lru_cache(maxsize=4_096)
def find_model(name: str) -> Model | None:
    """Return the model of ``toon.costs.models`` for a model's name in a log, or None."""
    names = {_key(model): model for model in MODELS}
    matches = (names.get(_key(way)) for way in _spellings(name))
    return next((MODELS[n] for n in matches if n), None)


@lru_cache(maxsize=4_096)
def nearest_model(name: str) -> Model | None:
    """Return the model by which to count and price the tokens of the model a log names, or None.

    A model that has a price but is not in ``toon.costs.models`` keeps its price, and is counted
    like its neighbour in the alphabetical list of its maker's models.
    """
    if model := find_model(name):
        return model
    offers = (prices.find_offer(way) for form in _spellings(name) for way in (form, _key(form)))
    key = next(filter(None, offers), None)
    maker, _, model_key = (key or "").partition("/")
    models = {
        _key(model.name): model
        for model in MODELS.values()
        if model.price and model.price.startswith(f"{maker}/")
    }
    names = sorted(models)
    at = bisect(names, _key(model_key))
    nearest = get_close_matches(_key(model_key), names[max(0, at - 1) : at + 1], 1, 0)
    if not nearest:
        return None
    neighbour = models[nearest[0]]
    source = f"Not known here: counted like {neighbour.label}, the nearest name."
    return replace(neighbour, name=name, label=name, price=key, frame=None, source=source)


@lru_cache(maxsize=4_096)
def find_price(name: str) -> str | None:
    """Return the key in ``toon.costs.prices.offers`` of a model that a log names, or None.

    A provider before the name, as in ``azure/gpt-4o``, sells it if it has a price for it; else the
    maker's price holds.
    """
    provider = name.strip().lower().partition("/")[0] if "/" in name else None
    ways = [form for way in _spellings(name) for form in (way, _key(way))]
    for seller in (provider, None) if provider else (None,):
        keys = (prices.find_offer(way, seller) for way in ways)
        if key := next(filter(None, keys), None):
            return key
    model = find_model(name)
    return model.price if model else None
